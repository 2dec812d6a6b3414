export interface Lazy<T> {
	/** Resolves with what is made at the first call. After a failure the next call rebuilds it. */
	(): Promise<T>;
	/** The value, made or being made; undefined if it was not asked for, or that failed. */
	readonly begun: Promise<T> | undefined;
}

/** Makes something once, when it is first asked for. */
export function lazy<T>(make: () => Promise<T>): Lazy<T> {
	let begun: Promise<T> | undefined;
	const get = () => {
		begun ??= make().catch((error: unknown) => {
			begun = undefined;
			throw error;
		});
		return begun;
	};
	return Object.defineProperty(get, 'begun', { get: () => begun }) as Lazy<T>;
}
