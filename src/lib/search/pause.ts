/**
 * A function to be awaited now and then in work that takes long: about every `milliseconds` it lets what else waits have its turn, at
 * other times it returns at once.
 */
export function createPause(milliseconds = 8): () => Promise<void> {
	const { port1, port2 } = new MessageChannel();
	const waiting: (() => void)[] = [];
	port1.onmessage = () => waiting.shift()?.();
	let since = performance.now();
	return async () => {
		if (performance.now() - since < milliseconds) return;
		// A message, since a timer would wait for milliseconds more.
		await new Promise<void>((resolve) => {
			waiting.push(resolve);
			port2.postMessage(undefined);
		});
		since = performance.now();
	};
}
