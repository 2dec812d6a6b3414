export interface Lazy<T> {
	/** Resolves with what is made at the first call. After a failure the next call rebuilds it. */
	(): Promise<T>;
	/** The value, once it is made. */
	made?: T;
}

/** Makes something once, when it is first asked for. */
export function lazy<T>(make: () => Promise<T>): Lazy<T> {
	let begun: Promise<T> | undefined;
	const get: Lazy<T> = () =>
		(begun ??= make().then(
			(made) => (get.made = made),
			(error: unknown) => {
				begun = undefined;
				throw error;
			}
		));
	return get;
}
