let channel: MessageChannel | undefined;
const waiting: (() => void)[] = [];

/** Resolves once what else waits has had its turn: keys, clicks, drawing. By a message, since timers wait longer, in a hidden page for a second. */
export function nextTurn(): Promise<void> {
	if (!channel) {
		channel = new MessageChannel();
		channel.port1.onmessage = () => waiting.shift()?.();
	}
	const { port2 } = channel;
	return new Promise((resolve) => {
		waiting.push(resolve);
		port2.postMessage(undefined);
	});
}

/** The longest that work goes on before what else waits has its turn, in milliseconds. */
export const stretchMs = 8;

/** A function to be awaited now and then in work that takes long: once a stretch it waits for the next turn, at other times it returns at once. */
export function createPause(): () => Promise<void> {
	let since = performance.now();
	return async () => {
		if (performance.now() - since < stretchMs) return;
		await nextTurn();
		since = performance.now();
	};
}
