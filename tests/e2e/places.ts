import type { Page } from '@playwright/test';

/** Names the places of the origin that hold the word, in order: tables, storages, caches and files, and what the page has. */
export function placesWith(page: Page, word: string): Promise<string[]> {
	return page.evaluate(async (word) => {
		const settled = <T>(request: IDBRequest<T>) =>
			new Promise<T>((resolve, reject) => {
				request.onsuccess = () => resolve(request.result);
				request.onerror = () => reject(request.error!);
			});
		/** All that a stored value says, with what is in its files and bytes. */
		const textOf = async (value: unknown): Promise<string> => {
			if (value instanceof Blob) return textOf(await value.arrayBuffer());
			if (value instanceof ArrayBuffer) return new TextDecoder('latin1').decode(value);
			if (ArrayBuffer.isView(value)) return new TextDecoder('latin1').decode(value.buffer);
			if (typeof value !== 'object' || value === null) return String(value);
			return (await Promise.all(Object.entries(value).map(async ([name, part]) => `${name} ${await textOf(part)}`))).join('\n');
		};
		const kept: Record<string, unknown> = { localStorage: { ...localStorage }, sessionStorage: { ...sessionStorage }, history: history.state, cookies: document.cookie };
		for (const { name } of await indexedDB.databases()) {
			const db = await settled(indexedDB.open(name!));
			for (const table of db.objectStoreNames) {
				const store = db.transaction(table).objectStore(table);
				kept[table] = await Promise.all([settled(store.getAll()), settled(store.getAllKeys())]);
			}
			db.close();
		}
		for (const name of await caches.keys()) {
			const cache = await caches.open(name);
			for (const request of await cache.keys()) kept[`cache ${request.url}`] = [request.url, await (await cache.match(request))!.blob()];
		}
		const readFolder = async (folder: FileSystemDirectoryHandle, path: string): Promise<void> => {
			for await (const [name, handle] of (folder as unknown as { entries(): AsyncIterable<[string, FileSystemHandle]> }).entries()) {
				if (handle.kind === 'directory') await readFolder(handle as FileSystemDirectoryHandle, `${path}/${name}`);
				else kept[`file ${path}/${name}`] = [name, await (handle as FileSystemFileHandle).getFile()];
			}
		};
		await readFolder(await navigator.storage.getDirectory(), '');
		const texts = await Promise.all(Object.entries(kept).map(async ([place, value]) => [place, `${place} ${await textOf(value)}`] as const));
		return texts.filter(([, text]) => text.includes(word)).map(([place]) => place).sort();
	}, word);
}
