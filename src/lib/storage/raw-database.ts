/**
 * The browser's own view of the database: at whatever version it is, with nothing made or changed by looking. Undefined if
 * there is none. The connection does not give way to an upgrade; its owner closes it soon.
 */
export function openAsItIs(factory: IDBFactory, name: string): Promise<IDBDatabase | undefined> {
	return new Promise((resolve, reject) => {
		let absent = false;
		const request = factory.open(name);
		request.onupgradeneeded = () => {
			absent = true;
			request.transaction!.abort();
		};
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => (absent ? resolve(undefined) : reject(request.error!));
	});
}

/** The version that the code counts in; Dexie tells the browser ten times that, or a little more. */
export function versionOf(db: IDBDatabase): number {
	return Math.floor(db.version / 10);
}
