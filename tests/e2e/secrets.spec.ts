import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { answer, openModelDialog, say } from './chat';

test.use({ weights: 'none' });

const key = 'sk-canary-Zq7Wm3Xv9Lp2Rt5Yk8Nd';
const forms = [key, btoa(key), encodeURIComponent(`Bearer ${key}`), key.slice(3)];

/** Every place of the browser but the table of keys that holds something of this app, and everything that `window.snug` reads. */
function allThatIsKept(page: Page): Promise<Record<string, string>> {
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

test('[P8] the key of a server is nowhere but in its table, whatever the server does with it', async ({ page, server, expectConsole }) => {
	test.slow();
	expectConsole.push(/Failed to load resource/, /net::ERR_/);
	const logged: string[] = [];
	page.on('console', (message) => logged.push(message.text()));
	const shown: string[] = [];
	const look = async () => shown.push(await page.locator('html').innerText(), await page.locator('html').innerHTML());

	await page.goto('./');
	await page.getByRole('button', { name: 'a server' }).click();
	const dialog = page.getByRole('dialog', { name: 'Model' });
	await dialog.getByRole('textbox', { name: 'Address' }).fill(server.url);
	await dialog.getByRole('textbox', { name: /API key/ }).fill(key);
	await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
	const choose = async (model: string) => {
		await dialog.getByRole('searchbox', { name: 'Find a model' }).fill(model);
		await dialog.getByRole('button', { name: model, exact: true }).click();
		await expect(dialog).toBeHidden();
	};
	await choose('tells-key');
	await say(page, 'What is my key?');
	await answer(page);
	await look();
	for (const model of ['tells-key-in-error', '401', 'html', 'error-event', 'redirects', 'nonsense']) {
		await openModelDialog(page);
		await dialog.getByRole('radio', { name: /A server/ }).check();
		await dialog.getByRole('button', { name: 'Choose a model' }).click();
		await look();
		await choose(model);
		await say(page, `And now, ${model}?`);
		await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
		await look();
	}
	expect(server.requests.at(-1)!.headers.authorization).toBe(`Bearer ${key}`);
	const kept = await allThatIsKept(page);
	expect(Object.keys(kept).length).toBeGreaterThan(20);
	expect(kept['snug.backup']).toContain('What is my key?');
	await page.goto('./repair');
	await expect(page.getByRole('heading', { name: 'Result' })).toBeVisible();
	await look();
	const all = { ...kept, console: logged.join('\n'), screens: shown.join('\n') };
	for (const [place, text] of Object.entries(all)) {
		for (const form of forms) expect(text.includes(form), `${form} in ${place}`).toBe(false);
	}
});
