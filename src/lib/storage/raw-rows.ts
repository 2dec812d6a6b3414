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
