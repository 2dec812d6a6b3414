/** The browser's name for the database. */
export const databaseName = 'snug';

declare global {
	/** The database as the page itself has opened it, until the app takes it over. */
	var earlyDatabase: Promise<IDBDatabase | undefined> | undefined;
}

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

/** Opens the database before the app runs, which takes a while in a browser that has just started. It gives way to an upgrade in another tab until it is taken over. */
export function openEarly(): void {
	// What fails is tried again by the app, which says why.
	globalThis.earlyDatabase = open().catch(() => undefined);
	async function open() {
		const db = await openAsItIs(indexedDB, databaseName);
		if (db) {
			db.onversionchange = () => {
				db.close();
				globalThis.earlyDatabase = undefined;
			};
		}
		return db;
	}
}

/** Takes over, once, the connection that was opened early, or opens one as `openAsItIs` does. */
export async function takeEarlyOrOpen(factory: IDBFactory, name: string): Promise<IDBDatabase | undefined> {
	const early = name === databaseName ? await globalThis.earlyDatabase : undefined;
	if (!early || !globalThis.earlyDatabase) return openAsItIs(factory, name);
	globalThis.earlyDatabase = undefined;
	early.onversionchange = null;
	return early;
}

/** The version that the code counts in; Dexie tells the browser ten times that, or a little more. */
export function versionOf(db: IDBDatabase): number {
	return Math.floor(db.version / 10);
}
