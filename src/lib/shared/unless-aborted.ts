/** The result, unless the signal comes first: some work can't be ended, only left. */
export function unlessAborted<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
	return new Promise((resolve, reject) => {
		const leave = () => reject(signal.reason as Error);
		if (signal.aborted) leave();
		signal.addEventListener('abort', leave, { once: true });
		// A signal may live longer than the work, and would keep its result.
		const end = () => signal.removeEventListener('abort', leave);
		work.then(resolve, reject).then(end, end);
	});
}
