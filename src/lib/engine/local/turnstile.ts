/** Lets one in at a time, in the order of coming. */
export class Turnstile {
	#last: Promise<void> = Promise.resolve();

	/**
	 * Resolves when everyone before has left, with the function to leave by. When `signal` is aborted first, it rejects
	 * with the signal's reason, and the place in the queue is given up.
	 */
	async enter(signal: AbortSignal): Promise<() => void> {
		const before = this.#last;
		let leave = () => {};
		const left = new Promise<void>((resolve) => (leave = resolve));
		this.#last = before.then(() => left);
		await new Promise<void>((resolve, reject) => {
			const giveUp = () => {
				leave();
				reject(signal.reason as Error);
			};
			if (signal.aborted) return giveUp();
			signal.addEventListener('abort', giveUp, { once: true });
			void before.then(() => {
				signal.removeEventListener('abort', giveUp);
				resolve();
			});
		});
		return leave;
	}
}
