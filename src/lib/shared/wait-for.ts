/** Resolves after so many milliseconds. Rejects with the signal's reason where it is aborted before. */
export function waitFor(milliseconds: number, signal?: AbortSignal | null): Promise<void> {
	return new Promise((resolve, reject) => {
		signal?.throwIfAborted();
		const stop = () => {
			clearTimeout(timer);
			reject(signal?.reason as Error);
		};
		const timer = setTimeout(() => {
			signal?.removeEventListener('abort', stop);
			resolve();
		}, milliseconds);
		signal?.addEventListener('abort', stop, { once: true });
	});
}
