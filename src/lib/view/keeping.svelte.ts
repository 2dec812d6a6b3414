let ending = $state.raw<AbortController | undefined>();

/** Keeping a temporary chat, while that goes on: a dialog says so, in which it can be cancelled, and takes all keys meanwhile. */
export const keeping = {
	get on(): boolean {
		return ending !== undefined;
	},
	/** Returns the signal of its end before its time. */
	begin(): AbortSignal {
		ending = new AbortController();
		return ending.signal;
	},
	end(): void {
		ending = undefined;
	},
	cancel(): void {
		ending?.abort();
	}
};
