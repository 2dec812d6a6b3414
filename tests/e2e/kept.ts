import type { Page } from '@playwright/test';

/** Every place of the browser but the table of keys that holds something of this app, and everything that `window.snug` reads. */
export function allThatIsKept(page: Page): Promise<Record<string, string>> {
	return page.evaluate(async () => {
		const settled = <T>(request: IDBRequest<T>) =>
			new Promise<T>((resolve, reject) => {
				request.onsuccess = () => resolve(request.result);
				request.onerror = () => reject(request.error!);
			});
		const textOf = (file: Blob) =>
			file
				.slice(0, 2)
				.arrayBuffer()
				.then((start) => new Uint8Array(start)[0] === 0x1f)
				.then((packed) => new Response(packed ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file).text());
		const kept: Record<string, string> = {};

		const db = await settled(indexedDB.open('snug'));
		for (const table of db.objectStoreNames) {
			if (table !== 'secrets') kept[`table ${table}`] = JSON.stringify(await settled(db.transaction(table).objectStore(table).getAll()));
		}
		db.close();

		for (const [name, storage] of Object.entries({ localStorage, sessionStorage })) kept[name] = JSON.stringify({ ...storage });
		kept.address = location.href;
		kept.history = JSON.stringify(history.state);
		kept.cookies = document.cookie;
		for (const name of await caches.keys()) {
			const cache = await caches.open(name);
			kept[`cache ${name}`] = (await cache.keys()).map(({ url }) => url).join('\n');
		}
		const readFolder = async (folder: FileSystemDirectoryHandle, path: string): Promise<void> => {
			for await (const [name, handle] of (folder as unknown as { entries(): AsyncIterable<[string, FileSystemHandle]> }).entries()) {
				if (handle.kind === 'directory') await readFolder(handle as FileSystemDirectoryHandle, `${path}/${name}`);
				else kept[`file ${path}/${name}`] = await textOf(await (handle as FileSystemFileHandle).getFile());
			}
		};
		await readFolder(await navigator.storage.getDirectory(), '');

		const { snug } = window;
		const sessions = await snug.sessions.list();
		kept['snug.sessions'] = JSON.stringify(sessions);
		kept['snug.search'] = JSON.stringify(await snug.search('key OR canary OR sk'));
		kept['snug.models'] = JSON.stringify(await snug.models.list());
		kept['snug.backup'] = await textOf(await snug.backup.create());
		for (const { id } of sessions) {
			const reads = {
				messages: snug.messages.all(id),
				tree: snug.tree.text(id),
				notes: snug.scratchpad.list(id),
				preview: snug.context.preview(id),
				payload: snug.context.payload(id),
				export: snug.export(id)
			};
			for (const [name, read] of Object.entries(reads)) kept[`snug.${name} ${id}`] = JSON.stringify(await (read as Promise<unknown>).catch(String));
		}
		return kept;
	});
}
