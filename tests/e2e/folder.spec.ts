// The folder of a chat: what its model reads there, what it changes once it may, and the way back.
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { unzipSync } from 'fflate';
import { startOpenAiServer } from '../fixtures/openai-server.mjs';
import { expect, test } from './app';
import { expectAccessible, inSessionMenu, pressOnceStill, rowsOf, said, say, useServer } from './chat';
import { folderDialog as dialog, openFolder as open, readFolder as read, standInFor, writeFolder as write, type Contents } from './folder';

test.use({ weights: 'none' });

let server: Awaited<ReturnType<typeof startOpenAiServer>>;
test.beforeAll(async () => {
	server = await startOpenAiServer();
});
test.afterAll(() => server.close());

const cards = (page: Page) => page.getByRole('group', { name: 'Approval' });
const call = (name: string, input: object) => `call files_${name} ${JSON.stringify(input)}`;
const allow = (page: Page, name = 'Allow once') => pressOnceStill(cards(page).first().getByRole('button', { name, exact: true }));
const last = (page: Page) => said(page).assistant.last();

/** The file that the dialog downloads. Over the protocol that drives Firefox, downloads can't be seen: there it is what the browser is given. */
async function downloaded(page: Page, browserName: string): Promise<Uint8Array> {
	const press = () => dialog(page).getByRole('button', { name: 'Download' }).click();
	if (browserName !== 'firefox') {
		const [download] = await Promise.all([page.waitForEvent('download'), press()]);
		return readFileSync(await download.path());
	}
	const given = page.evaluate(
		() =>
			new Promise<number[]>((resolve) => {
				const make = URL.createObjectURL.bind(URL);
				URL.createObjectURL = (file: Blob) => {
					void file.arrayBuffer().then((bytes) => resolve([...new Uint8Array(bytes)]));
					return make(file);
				};
			})
	);
	await press();
	return new Uint8Array(await given);
}

/** Opens a chat with a folder that has these files. */
async function begin(page: Page, files: Contents): Promise<void> {
	await standInFor(page);
	await beginChat(page);
	await write(page, files);
	await open(page);
}

test('[R3] a folder that is not picked after all opens none, without a word', async ({ page }) => {
	await page.addInitScript(() => Object.assign(window, { showDirectoryPicker: () => Promise.reject(new DOMException('The user aborted a request.', 'AbortError')) }));
	await beginChat(page);
	await inSessionMenu(page, 'Folder…');
	const open = dialog(page).getByRole('button', { name: 'Open a folder…' });
	await open.click();
	await expect(open).toBeEnabled();
	await expect(dialog(page).getByRole('status')).toHaveText('');
	await page.keyboard.press('Escape');
	expect(await rowsOf(page, 'folders')).toEqual([]);
	await say(page, 'And now?');
	await expect(last(page)).toContainText('And now?');
	expect((server.requests.at(-1)!.body as { tools?: unknown }).tools).toBeUndefined();
});

async function beginChat(page: Page): Promise<void> {
	await page.goto('./');
	await useServer(page, server.url, 'agent');
	await say(page, 'Hello.');
	await expect(last(page)).toContainText('Hello.');
}

test('[R3] a model lists, reads and searches the folder that the user opened, and nothing before', async ({ page }) => {
	await begin(page, { 'fruit/pears.md': 'Williams\nConference', 'notes.txt': 'Buy pears', 'picture.bin': 'a\0b' });
	await expect(page.getByRole('button', { name: 'picked' })).toBeVisible();
	expect((server.requests.at(-1)!.body as { tools?: unknown }).tools).toBeUndefined();
	await say(page, `${call('list', {})} && ${call('read', { path: 'fruit/pears.md', from_line: 2 })} && ${call('search', { query: 'PEARS' })} && ${call('read', { path: 'picture.bin' })}\nDone.`);
	await expect(last(page)).toContainText('Done.');
	const outputs = async () => (await rowsOf<{ role: string; parts: { output: unknown }[] }>(page, 'messages')).filter(({ role }) => role === 'tool').map(({ parts }) => parts[0]!.output);
	expect(await outputs()).toEqual([
		{ folder: 'picked', entries: ['fruit/', 'notes.txt', 'picture.bin', 'fruit/pears.md'] },
		{ path: 'fruit/pears.md', text: 'Conference', from_line: 2, lines_in_file: 2 },
		{ results: [{ path: 'notes.txt', line: 1, text: 'Buy pears' }], note: '1 files are binary, too large or unreadable, and were not searched.' },
		expect.stringContaining('is binary')
	]);
	await expect(page.getByRole('group', { name: 'Called files_read' }).first()).toContainText('Read files fruit/pears.md');
	await expectAccessible(page, 'a chat with a folder');

	// Closed, it is out of reach.
	await page.getByRole('button', { name: 'picked' }).click();
	await dialog(page).getByRole('button', { name: 'Close folder' }).click();
	await expect(dialog(page).getByRole('button', { name: 'Open a folder…' })).toBeVisible();
	await page.keyboard.press('Escape');
	await say(page, 'And now?');
	await expect(last(page)).toContainText('And now?');
	expect((server.requests.at(-1)!.body as { tools?: unknown }).tools).toBeUndefined();
});

test('[R3] a model’s change of a file is shown, made once it is allowed, and undone from its line and from the folder', async ({ page }) => {
	const files = { 'fruit.md': 'Pears\nPlums', 'other.md': 'Nuts' };
	await begin(page, files);
	await say(page, `${call('edit', { path: 'fruit.md', old_text: 'Plums', new_text: 'Figs' })}\n${call('write', { path: 'new/deep/list.md', text: 'Almonds' })}\nDone.`);
	await expect(cards(page)).toContainText('Edit the file “fruit.md”');
	await expect(cards(page).locator('pre').first()).toHaveText('  Pears− Plums+ Figs');
	expect(await read(page)).toEqual(files);
	await allow(page);
	await expect(cards(page)).toContainText('Create the file “new/deep/list.md”');
	await allow(page);
	await expect(last(page)).toContainText('Done.');
	expect(await read(page)).toEqual({ ...files, 'fruit.md': 'Pears\nFigs', 'new/deep/list.md': 'Almonds' });
	expect((await rowsOf<{ filesTouched: string[] }>(page, 'sessions'))[0]!.filesTouched).toEqual(['fruit.md', 'new/deep/list.md']);

	const line = page.getByRole('group', { name: 'Called files_edit' });
	await line.locator('summary').click();
	await page.getByRole('button', { name: 'Undo this change' }).click();
	await expect(page.getByText('This change was undone.')).toBeFocused();
	expect(await read(page)).toEqual({ ...files, 'new/deep/list.md': 'Almonds' });
	await expectAccessible(page, 'a change of a file that was undone');

	await page.reload();
	await page.getByRole('button', { name: 'picked' }).click();
	await expect(dialog(page)).toContainText('undone');
	await expectAccessible(page, 'the folder of a chat');
	const warning = dialog(page).getByText('Once you open another folder, you can’t undo changes in this one any more.');
	await expect(warning).toBeVisible();
	await dialog(page).getByRole('button', { name: 'Undo last change of new/deep/list.md' }).click();
	await expect(dialog(page).getByText('undone')).toHaveCount(2);
	await expect(warning).toHaveCount(0);
	expect(await read(page)).toEqual(files);
	await page.keyboard.press('Escape');
	await inSessionMenu(page, 'Details');
	await expect(page.getByRole('dialog', { name: 'Chat details' })).toContainText('new/deep/list.md');
});

test('[R3] what has changed since is not undone, and is left as it is', async ({ page }) => {
	await begin(page, { 'fruit.md': 'Pears' });
	await say(page, `${call('write', { path: 'fruit.md', text: 'Plums' })}\n${call('write', { path: 'fruit.md', text: 'Figs' })}\nDone.`);
	await allow(page, 'Allow in this chat');
	await expect(last(page)).toContainText('Done.');
	// The first of two changes, and then one that the user has gone on from.
	await page.getByRole('group', { name: 'Called files_write' }).first().locator('summary').click();
	await page.getByRole('button', { name: 'Undo this change' }).click();
	await expect(page.getByText('“fruit.md” was changed since, so this was not undone.')).toBeVisible();
	expect(await read(page)).toEqual({ 'fruit.md': 'Figs' });
	await write(page, { 'fruit.md': 'Mine' });
	await page.getByRole('button', { name: 'picked' }).click();
	await dialog(page).getByRole('button', { name: 'Undo last change of fruit.md' }).click();
	await expect(dialog(page).getByText('“fruit.md” was changed since, so this was not undone.')).toBeVisible();
	expect(await read(page)).toEqual({ 'fruit.md': 'Mine' });
	// As it was left, both can be.
	await write(page, { 'fruit.md': 'Figs' });
	await dialog(page).getByRole('button', { name: 'Undo last change of fruit.md' }).click();
	await expect(dialog(page)).toContainText('1 change');
	await dialog(page).getByRole('button', { name: 'Undo last change of fruit.md' }).click();
	await expect(dialog(page)).toContainText('undone');
	expect(await read(page)).toEqual({ 'fruit.md': 'Pears' });
});

test('[Z8] a file that has changed since it was shown is asked about again', async ({ page }) => {
	await begin(page, { 'fruit.md': 'Pears\nPlums' });
	await say(page, `${call('edit', { path: 'fruit.md', old_text: 'Plums', new_text: 'Figs' })}\nDone.`);
	await expect(cards(page)).toContainText('Pears');
	await write(page, { 'fruit.md': 'Nuts\nPlums' });
	await allow(page);
	await expect(cards(page).locator('pre').first()).toHaveText('  Nuts− Plums+ Figs');
	expect(await read(page)).toEqual({ 'fruit.md': 'Nuts\nPlums' });
	await allow(page);
	await expect(last(page)).toContainText('Done.');
	expect(await read(page)).toEqual({ 'fruit.md': 'Nuts\nFigs' });
});

test('[Z8] what was allowed for one folder is not done in another that is opened meanwhile', async ({ page }) => {
	await begin(page, { 'fruit.md': 'Pears' });
	await write(page, { 'fruit.md': 'Mine' }, 'precious');
	await say(page, `${call('write', { path: 'one.md', text: '1' })} && ${call('write', { path: 'fruit.md', text: '2' })}\n${call('write', { path: 'fruit.md', text: '3' })}\nDone.`);
	await allow(page);
	await expect(cards(page)).toHaveCount(1);
	await page.evaluate(() => Object.assign(window, { showDirectoryPicker: async () => (await navigator.storage.getDirectory()).getDirectoryHandle('precious') }));
	await page.getByRole('button', { name: 'picked' }).click();
	await dialog(page).getByRole('button', { name: 'Open another folder…' }).click();
	await expect(dialog(page)).toContainText('precious is open');
	await page.keyboard.press('Escape');
	// The first is asked about again: it is another call now.
	await expect(cards(page)).toHaveCount(2);
	expect(await read(page, 'precious')).toEqual({ 'fruit.md': 'Mine' });
	await allow(page, 'Allow in this chat');
	await expect(last(page)).toContainText('Done.');
	expect(await read(page, 'precious')).toEqual({ 'one.md': '1', 'fruit.md': '3' });

	// Nor is what was allowed in the chat.
	await page.evaluate(() => Object.assign(window, { showDirectoryPicker: async () => (await navigator.storage.getDirectory()).getDirectoryHandle('picked') }));
	await page.getByRole('button', { name: 'precious' }).click();
	await dialog(page).getByRole('button', { name: 'Open another folder…' }).click();
	await expect(dialog(page)).toContainText('picked is open');
	await page.keyboard.press('Escape');
	await say(page, `${call('write', { path: 'fruit.md', text: '4' })}\nDone.`);
	await expect(cards(page)).toContainText('Replace the file');
	expect(await read(page)).toEqual({ 'fruit.md': 'Pears' });
});

test('[Z8] what was allowed, and waits while another folder is opened, is done in neither', async ({ page }) => {
	await begin(page, { 'fruit.md': 'Pears' });
	await write(page, { 'fruit.md': 'Pears' }, 'precious');
	await say(page, `${call('write', { path: 'fruit.md', text: 'Figs' })}\nIt says: {last}`);
	await expect(cards(page)).toBeVisible();
	const id = /\/s\/([^/?]+)/.exec(page.url())![1]!;
	await page.evaluate((id) => new Promise<void>((held) => void navigator.locks.request(`folder:${id}`, () => (held(), new Promise((release) => Object.assign(window, { release }))))), id);
	await allow(page);
	await expect(page.getByRole('group', { name: 'Calls files_write' })).toContainText('running…');
	await expect.poll(() => page.evaluate(async () => (await navigator.locks.query()).pending!.some(({ name }) => name?.startsWith('folder:')))).toBe(true);
	await page.evaluate(() => Object.assign(window, { showDirectoryPicker: async () => (await navigator.storage.getDirectory()).getDirectoryHandle('precious') }));
	await page.getByRole('button', { name: 'picked' }).click();
	await dialog(page).getByRole('button', { name: 'Open another folder…' }).click();
	await expect(dialog(page)).toContainText('precious is open');
	await page.keyboard.press('Escape');
	await page.evaluate(() => (window as unknown as { release: () => void }).release());
	await expect(last(page)).toContainText('It says: Another folder was opened meanwhile. Nothing was done.');
	for (const folder of ['picked', 'precious']) expect(await read(page, folder)).toEqual({ 'fruit.md': 'Pears' });
});

test('[Z8] no path leads a model out of the folder, nor into what Git runs', async ({ page }) => {
	await begin(page, { 'fruit.md': 'Pears', '.git/config': '[core]' });
	await write(page, { 'secret.md': 'Secret' }, 'beside');
	const paths = ['../beside/secret.md', '/etc/passwd', 'a/../../beside/secret.md', '..\\beside\\secret.md', '.git/config', '.GIT/hooks/pre-commit', './fruit.md', 'fruit.md/', 'a//b'];
	await say(page, `${paths.flatMap((path) => [call('read', { path }), call('write', { path, text: 'x' })]).join(' && ')} && ${call('list', { path: '..' })} && ${call('search', { query: 'Secret', path: '../beside' })}\n${call('list', {})}\nIt says: {last}`);
	await expect(last(page)).toContainText('It says: {"folder":"picked","entries":["fruit.md"]}');
	await expect(page.getByRole('group', { name: /failed$/ })).toHaveCount(2 * paths.length + 2);
	expect(await read(page)).toEqual({ 'fruit.md': 'Pears', '.git/config': '[core]' });
	expect(await read(page, 'beside')).toEqual({ 'secret.md': 'Secret' });
	expect(JSON.stringify(server.requests.at(-1)!.body)).not.toContain('[core]');
});

test('[R3] a folder that has to be allowed again says so, to the model and to the user', async ({ page }) => {
	await begin(page, { 'fruit.md': 'Pears' });
	// As a browser that forgets what it was allowed with its last tab.
	await page.addInitScript(() => {
		let permission = 'prompt';
		Object.assign(FileSystemDirectoryHandle.prototype, {
			queryPermission: () => Promise.resolve(permission),
			requestPermission: () => Promise.resolve((permission = navigator.userActivation.isActive ? 'granted' : 'denied'))
		});
	});
	await page.reload();
	await say(page, `${call('read', { path: 'fruit.md' })}\nIt says: {last}`);
	await expect(last(page)).toContainText('has to be allowed again');
	await page.getByRole('button', { name: 'Allow “picked” again' }).click();
	await expect(page.getByRole('button', { name: 'Allow “picked” again' })).toHaveCount(0);
	await say(page, `${call('read', { path: 'fruit.md' })}\nNow it says: {last}`);
	await expect(last(page)).toContainText('"text":"Pears"');
});

test('[Z8] a file that can’t be read in time leaves the way on, and so does one that is gone', async ({ page }) => {
	await begin(page, { 'fruit.md': 'Pears' });
	await say(page, `${call('write', { path: 'fruit.md', text: 'Figs' })}\nIt says: {last}`);
	await expect(cards(page)).toBeVisible();
	await page.addInitScript(() => {
		const timeout = AbortSignal.timeout.bind(AbortSignal);
		AbortSignal.timeout = (milliseconds) => timeout(Math.min(milliseconds, 1000));
		FileSystemFileHandle.prototype.getFile = () => (sessionStorage.getItem('gone') ? Promise.reject(new DOMException('Gone.', 'NotFoundError')) : new Promise(() => undefined));
	});
	await page.reload();
	const resume = page.getByRole('button', { name: 'Resume' });
	await expect(page.getByText('could not be found out in time')).toBeVisible();
	await expect(resume).toBeVisible();
	await page.evaluate(() => sessionStorage.setItem('gone', 'yes'));
	await page.reload();
	await resume.click();
	await expect(last(page)).toContainText('It says: “fruit.md” is not there.');
});

test('[R3] where no folder can be picked a chat has one of its own, which is filled, downloaded, and goes with it', async ({ page, browserName }) => {
	await page.addInitScript(() => Reflect.deleteProperty(window, 'showDirectoryPicker'));
	await beginChat(page);
	const id = /\/s\/([^/?]+)/.exec(page.url())![1]!;
	await inSessionMenu(page, 'Folder…');
	await expect(dialog(page)).toContainText('This browser can’t open folders');
	await dialog(page).getByRole('button', { name: 'Use Snug’s folder' }).click();
	await dialog(page).getByLabel('Add files').setInputFiles({ name: 'fruit.md', mimeType: 'text/markdown', buffer: Buffer.from('Pears') });
	await expect(page.getByText('“fruit.md” is in the folder.')).toBeVisible();
	await expect(dialog(page)).toContainText('These files are in no backup. Download them to keep them.');
	await dialog(page).getByLabel('Add files').setInputFiles({ name: 'fruit.md', mimeType: 'text/markdown', buffer: Buffer.from('Plums') });
	await expect(page.getByText('There is a file “fruit.md” in the folder already.')).toBeVisible();
	await page.keyboard.press('Escape');
	await say(page, `${call('write', { path: 'new/nuts.md', text: 'Almonds' })}\nDone.`);
	await allow(page);
	await expect(last(page)).toContainText('Done.');

	await page.reload();
	await page.getByRole('button', { name: 'Snug’s folder' }).click();
	const packed = unzipSync(await downloaded(page, browserName));
	expect(Object.fromEntries(Object.entries(packed).map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]))).toEqual({ 'fruit.md': 'Pears', 'new/nuts.md': 'Almonds' });
	// Closed and opened again, it has its files.
	await dialog(page).getByRole('button', { name: 'Close folder' }).click();
	await dialog(page).getByRole('button', { name: 'Use Snug’s folder' }).click();
	await expect(dialog(page)).toContainText('new/nuts.md');
	await page.keyboard.press('Escape');
	expect(Object.keys(await read(page, 'folders')).sort()).toEqual([`${id}/fruit.md`, `${id}/new/nuts.md`]);

	await inSessionMenu(page, 'Delete chat');
	await expect.poll(() => rowsOf(page, 'sessions')).toEqual([]);
	await expect.poll(() => rowsOf(page, 'folders')).toEqual([]);
	await expect.poll(() => read(page, 'folders')).toEqual({});
	expect(await rowsOf(page, 'fileChanges')).toEqual([]);
});

test('[R3] the browser asks before the page goes while a file is added, and one of which nothing was written can be added again', async ({ page }) => {
	await beginChat(page);
	const id = /\/s\/([^/?]+)/.exec(page.url())![1]!;
	await write(page, { [`${id}/fruit.md`]: '' }, 'folders');
	await inSessionMenu(page, 'Folder…');
	await dialog(page).getByRole('button', { name: 'Use Snug’s folder' }).click();
	await expect(dialog(page)).toContainText('is open');
	const isAsked = () => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
	expect(await isAsked()).toBe(false);
	await page.evaluate((id) => new Promise<void>((held) => void navigator.locks.request(`folder:${id}`, () => new Promise<void>((release) => (addEventListener('release', () => release()), held())))), id);
	await dialog(page).getByLabel('Add files').setInputFiles({ name: 'fruit.md', mimeType: 'text/markdown', buffer: Buffer.from('Pears') });
	await expect.poll(isAsked).toBe(true);
	await page.evaluate(() => dispatchEvent(new Event('release')));
	await expect(page.getByText('“fruit.md” is in the folder.')).toBeVisible();
	await expect.poll(isAsked).toBe(false);
	expect(await read(page, 'folders')).toEqual({ [`${id}/fruit.md`]: 'Pears' });
});

test('[R3] a temporary chat has no folder', async ({ page }) => {
	await page.goto('./temporary');
	await useServer(page, server.url, 'agent');
	await say(page, 'Hello.');
	await expect(last(page)).toContainText('Hello.');
	await page.getByRole('button', { name: 'Chat menu' }).click();
	await expect(page.getByRole('button', { name: 'Model settings', exact: true })).toBeVisible();
	await expect(page.getByRole('button', { name: 'Folder…' })).toHaveCount(0);
});
