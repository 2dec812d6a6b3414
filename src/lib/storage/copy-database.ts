import { settled } from './raw-rows';
import type { TableName } from './tables';

/** The tables that say how this device answers: what a temporary chat needs, and nothing that was said in any chat. */
export const tablesOfDevice: readonly TableName[] = ['settings', 'providers', 'secrets', 'presets', 'models', 'modelLists', 'toolServers', 'calibrations'];

/** Makes in `factory` a database with the stores and indexes of another one, and the rows of those of its stores that are named. */
export async function copyDatabase(from: IDBDatabase, factory: IDBFactory, withRows: readonly string[]): Promise<void> {
	const names = [...from.objectStoreNames];
	const looked = from.transaction(names);
	const stores = names.map((name) => {
		const store = looked.objectStore(name);
		const indexes = [...store.indexNames].map((index) => store.index(index));
		return { store, indexes, rows: withRows.includes(name) ? settled(store.getAll() as IDBRequest<unknown[]>) : [] };
	});
	const read = await Promise.all(stores.map(async ({ rows, ...store }) => ({ ...store, rows: await rows })));
	const request = factory.open(from.name, from.version);
	request.onupgradeneeded = () => {
		for (const { store, indexes, rows } of read) {
			const made = request.result.createObjectStore(store.name, { keyPath: store.keyPath, autoIncrement: store.autoIncrement });
			for (const { name, keyPath, unique, multiEntry } of indexes) made.createIndex(name, keyPath, { unique, multiEntry });
			for (const row of rows) made.put(row);
		}
	};
	(await settled(request)).close();
}
