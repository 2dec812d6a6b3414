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

export interface RawRow {
	key: IDBValidKey;
	row: unknown;
}

/** Every row of a table, in the order of its keys, some at a time. Each batch is read in a transaction of its own. */
export async function* rowsOf(db: IDBDatabase, table: string, range?: IDBKeyRange, batch = 100): AsyncGenerator<RawRow[]> {
	let rest = range;
	for (;;) {
		const store = db.transaction(table).objectStore(table);
		const [keys, rows] = await Promise.all([
			settled(store.getAllKeys(rest ?? null, batch)),
			settled(store.getAll(rest ?? null, batch) as IDBRequest<unknown[]>)
		]);
		if (keys.length > 0) yield keys.map((key, index) => ({ key, row: rows[index] }));
		if (keys.length < batch) return;
		const last = keys.at(-1);
		rest = range ? IDBKeyRange.bound(last, range.upper, true, range.upperOpen) : IDBKeyRange.lowerBound(last, true);
	}
}

export function countOf(db: IDBDatabase, table: string): Promise<number> {
	return settled(db.transaction(table).objectStore(table).count());
}

/** The result of a request. */
export function settled<T>(request: IDBRequest<T>): Promise<T> {
	return new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error!);
	});
}
