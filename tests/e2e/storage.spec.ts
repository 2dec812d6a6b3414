import { readFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import type { Position } from '../../src/lib/storage/tables/positions';
import { expect, test } from './app';
import { answer, chooseServer, countRows, expectAccessible, holdRows, inSessionMenu, newChat, pressOnceStill, putRows, rowsOf, said, say, storedConversation, storedId, withSessions } from './chat';
import { writeFolder } from './folder';
import { placesWith } from './places';

test.use({ weights: 'none' });

const day = 86_400_000;

/** The rows of sessions of one question and one answer each, that were last changed so many days ago. */
function sessionsOf(...wanted: { title: string; days: number; pinned?: 0 | 1; text?: string }[]) {
	const rows = wanted.map(({ title, days, pinned = 0, text = `About ${title}` }, index) => {
		const idOf = (number: number) => `01900000-0000-7000-8000-${String(index * 10 + number).padStart(12, '0')}`;
		const sessionId = idOf(0);
		const createdAt = Date.now() - days * day;
		const messages = ['system', 'user', 'assistant'].map((role, depth) => ({
			id: idOf(depth + 1),
			sessionId,
			parentId: depth === 0 ? null : idOf(depth),
			depth,
			role,
			parts: depth === 0 ? [] : [{ type: 'text', text }],
			createdAt
		}));
		const tip = { id: idOf(3), depth: 2, forkId: null, forkDepth: 0, fromId: null };
		const tree = { sessionId, tips: [tip], labels: {}, mainTip: null, removed: [] };
		const position = { sessionId, headId: tip.id, fence: 0 };
		const session = {
			id: sessionId, key: `web:home:${createdAt}`, title, titledBy: 'user', workspace: 'home', surface: 'web', preview: title,
			provider: 'on-device', model: 'tiny', status: 'success', stopReason: '', steps: 1, messageCount: 3, bytes: 2 * text.length, usage: {},
			filesTouched: [], pinned, archived: 0, createdAt, updatedAt: createdAt
		};
		return { session, tree, position, messages };
	});
	return {
		sessions: rows.map(({ session }) => session),
		trees: rows.map(({ tree }) => tree),
		positions: rows.map(({ position }) => position),
		messages: rows.flatMap(({ messages }) => messages)
	};
}

/** Opens the app with these sessions in it, as its next start finds them. */
async function startWith(page: Page, ...wanted: Parameters<typeof sessionsOf>): Promise<void> {
	await page.goto('./');
	await expect.poll(() => page.evaluate(() => indexedDB.databases())).toHaveLength(1);
	// There nothing of the app runs that could take what comes for an old state of its own.
	await page.goto('./repair');
	await expect(page.getByText('Every row is valid')).toBeVisible();
	await putRows(page, sessionsOf(...wanted));
	await page.goto('./');
}

async function openStorage(page: Page): Promise<void> {
	await page.goto('./settings/storage');
	await expect(page.getByRole('region', { name: 'Old chats' })).toBeVisible();
	// The figures come last, and move what is below them.
	await expect(page.getByRole('meter', { name: 'Space' })).toBeVisible();
}

const titles = async (page: Page) => (await rowsOf<{ title: string }>(page, 'sessions')).map(({ title }) => title).sort();

const four = [
	{ title: 'Ancient', days: 200 },
	{ title: 'Pinned', days: 150, pinned: 1 as const },
	{ title: 'Nearly', days: 80 },
	{ title: 'Fresh', days: 1 }
];

test('[A8] nothing goes before the user has switched the rule on; what would go, and when, is shown', async ({ page }) => {
	await startWith(page, ...four);
	await expect(page.getByText('One chat is older than 90 days. It stays, unless you decide otherwise.')).toBeVisible();
	await page.getByRole('button', { name: 'Look' }).click();
	const rule = page.getByRole('region', { name: 'Old chats' });
	await expect(rule.getByRole('checkbox', { name: 'Remove old chats automatically' })).not.toBeChecked();
	await expect(rule.getByRole('list', { name: 'Chats that are due', exact: true }).getByRole('listitem')).toHaveText([/Ancient/]);
	const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'Europe/Berlin' }).format(Date.now() + 10 * day);
	await expect(rule.getByRole('list', { name: 'Chats that are due soon' }).getByRole('listitem')).toHaveText([
		new RegExp(`Nearly.*removed on ${date}`)
	]);
	// Another number is only looked at as well.
	await rule.getByRole('spinbutton', { name: 'Days without a change after which a chat is removed' }).fill('30');
	await page.keyboard.press('Tab');
	await expect(rule.getByRole('list', { name: 'Chats that are due', exact: true }).getByRole('listitem')).toHaveText([/Ancient/, /Nearly/]);
	await page.reload();
	await expect(rule.getByRole('list', { name: 'Chats that are due', exact: true }).getByRole('listitem')).toHaveText([/Ancient/]);
	expect(await titles(page)).toEqual(['Ancient', 'Fresh', 'Nearly', 'Pinned']);
	expect(await rowsOf(page, 'trash')).toEqual([]);
});

test('[A8] once it is on, old sessions can be removed at once, and brought back: all, or one, or be gone for good', async ({ page }) => {
	await startWith(page, ...four, { title: 'Old', days: 100 });
	await openStorage(page);
	const rule = page.getByRole('region', { name: 'Old chats' });
	const removed = page.getByRole('region', { name: 'Recently removed' });
	await rule.getByRole('checkbox', { name: 'Remove old chats automatically' }).check();
	await rule.getByRole('button', { name: 'Remove them now' }).click();
	await expect(page.getByText('2 chats removed.')).toBeVisible();
	await expect(rule.getByText('Nothing to remove now.')).toBeVisible();
	expect(await titles(page)).toEqual(['Fresh', 'Nearly', 'Pinned']);
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(removed).toBeHidden();
	expect(await titles(page)).toEqual(['Ancient', 'Fresh', 'Nearly', 'Old', 'Pinned']);

	await rule.getByRole('button', { name: 'Remove them now' }).click();
	await expect(removed.getByRole('listitem')).toHaveCount(2);
	await removed.getByRole('button', { name: 'Restore “Ancient”' }).click();
	await expect.poll(() => titles(page)).toEqual(['Ancient', 'Fresh', 'Nearly', 'Pinned']);
	await removed.getByRole('button', { name: 'Remove now: “Old”' }).click();
	await expect(removed).toBeHidden();
	await expect.poll(() => countRows(page)).toMatchObject({ sessions: 4, messages: 12, trees: 4, trash: 0 });
	await page.getByRole('region', { name: 'Largest chats' }).getByRole('link', { name: 'Ancient' }).click();
	await expect(said(page).you).toHaveText(['About Ancient']);
});

test('[A14] what was deleted by hand has its notice, and is not listed among what is kept for a week', async ({ page }) => {
	await startWith(page, ...four);
	await openStorage(page);
	await page.getByRole('region', { name: 'Old chats' }).getByRole('checkbox', { name: 'Remove old chats automatically' }).check();
	await page.getByRole('button', { name: 'Delete “Fresh”' }).click();
	await expect(page.getByText('Chat deleted.')).toBeVisible();
	await page.getByRole('button', { name: 'Remove them now' }).click();
	const removed = page.getByRole('region', { name: 'Recently removed' }).getByRole('listitem');
	await expect(removed.filter({ hasText: 'Ancient' })).toBeVisible();
	// At once: what was deleted by hand is not in the trash for long.
	expect(await removed.count()).toBe(1);
});

test('[A8] at the next start what is due goes by itself, is told, and can be had back', async ({ page }) => {
	await startWith(page, ...four);
	await openStorage(page);
	await page.getByRole('checkbox', { name: 'Remove old chats automatically' }).check();
	await expect(page.getByText('One chat will be removed the next time Snug starts:')).toBeVisible();
	await page.goto('./');
	await expect(page.getByText('One chat older than 90 days was removed. The Storage page keeps it for a week.')).toBeVisible();
	await expect.poll(() => titles(page)).toEqual(['Fresh', 'Nearly', 'Pinned']);
	await openStorage(page);
	await expect(page.getByRole('region', { name: 'Recently removed' }).getByRole('button', { name: 'Restore “Ancient”' })).toBeVisible();

	// The app is not running here, so that it looks for old chats at its next start and not now.
	await page.goto('./repair');
	await expect(page.getByText('Every row is valid')).toBeVisible();
	await putRows(page, { settings: [{ name: 'retentionCheckedAt', value: 1 }], sessions: sessionsOf(...four).sessions.slice(2, 3).map((row) => ({ ...row, updatedAt: 1 })) });
	await page.goto('./');
	await expect(page.getByText('One chat older than 90 days was removed.')).toBeVisible();
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect.poll(() => titles(page)).toEqual(['Fresh', 'Nearly', 'Pinned']);
	await expect(page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: /Nearly/ })).toBeVisible();
});

test('[A8] [Z8] a chat whose own folder has files stays, since nothing else has them', async ({ page }) => {
	await startWith(page, ...four);
	const ancient = (await rowsOf<{ id: string; title?: string }>(page, 'sessions')).find(({ title }) => title === 'Ancient')!;
	await openStorage(page);
	const rule = page.getByRole('region', { name: 'Old chats' });
	const due = rule.getByRole('list', { name: 'Chats that are due', exact: true });
	await expect(rule).toContainText('A chat with files in its own folder stays, since those files are in no backup.');
	await expect(due).toContainText('Ancient');
	await writeFolder(page, { [`${ancient.id}/plan.md`]: 'Mine' }, 'folders');
	await page.reload();
	await expect(rule.getByText('Nothing to remove now.')).toBeVisible();
	await rule.getByRole('checkbox', { name: 'Remove old chats automatically' }).check();
	await page.goto('./');
	await expect(page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: /Ancient/ })).toBeVisible();
	expect(await titles(page)).toContain('Ancient');
});

test('[A8] above a limit in megabytes the oldest go, but no pinned ones', async ({ page }) => {
	await startWith(page, ...four.map((row) => ({ ...row, text: row.title.padEnd(300_000, '.') })));
	await openStorage(page);
	const rule = page.getByRole('region', { name: 'Old chats' });
	// Each takes 0.6 MB: only one fits, and that is the pinned one.
	await rule.getByRole('spinbutton', { name: 'Days without a change after which a chat is removed' }).fill('');
	await rule.getByRole('spinbutton', { name: 'Megabytes in all above which the oldest chats are removed' }).fill('1');
	await page.keyboard.press('Tab');
	await expect(rule.getByRole('list', { name: 'Chats that are due', exact: true }).getByRole('listitem')).toHaveText([/Ancient/, /Nearly/, /Fresh/]);
	expect(await titles(page)).toHaveLength(4);
});

test('[P2] the page says whether the browser keeps the data, how much room it takes, and by what', async ({ page, context }) => {
	await startWith(page, { title: 'Small', days: 1 }, { title: 'Large', days: 1, text: 'x'.repeat(50_000) });
	await openStorage(page);
	await expect(page.getByText('The browser may delete everything in Snug when the disk is full.')).toBeVisible();
	const space = page.getByRole('region', { name: 'Space' });
	await expect(space.getByRole('meter', { name: 'Space' })).toBeVisible();
	const estimate = await page.evaluate(() => navigator.storage.estimate());
	expect((await space.getByRole('meter').evaluate((meter: HTMLMeterElement) => meter.max)) / estimate.quota!).toBeCloseTo(1, 3);
	await expect(space.getByText(/ used, .* free\./)).toBeVisible();
	await expect(space).toContainText(/Chats \(2\)\s*100 KB/);
	const largest = page.getByRole('region', { name: 'Largest chats' });
	await expect(largest.getByRole('link')).toHaveText(['Large', 'Small']);
	await largest.getByRole('button', { name: 'Delete “Large”' }).click();
	await expect(largest.getByRole('link')).toHaveText(['Small']);
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(largest.getByRole('link')).toHaveText(['Large', 'Small']);

	const ask = page.getByRole('button', { name: 'Ask the browser to keep it' });
	await ask.click();
	await expect(page.getByText('The browser said no for now.')).toBeVisible();
	const devtools = await context.newCDPSession(page);
	const { targetInfo } = await devtools.send('Target.getTargetInfo');
	await devtools.send('Browser.grantPermissions', {
		origin: new URL(page.url()).origin,
		permissions: ['durableStorage'],
		...(targetInfo.browserContextId ? { browserContextId: targetInfo.browserContextId } : {})
	});
	// The page looks again by itself whenever its figures change, and may have seen it already.
	await expect(async () => {
		if (await ask.isVisible()) await ask.click({ timeout: 1000 });
		await expect(page.getByText('The browser keeps everything in Snug, even when the disk is full.')).toBeVisible({ timeout: 1000 });
	}).toPass();
	await expect(ask).toBeHidden();
});

const tables = ['sessions', 'messages', 'trees', 'drafts', 'scratchpad', 'attachmentUses'];

/** Everything that a backup brings, with the content of files. Each browser counts its own fence. */
async function everything(page: Page): Promise<unknown> {
	const files = await page.evaluate(
		() =>
			new Promise<unknown>((resolve, reject) => {
				const request = indexedDB.open('snug');
				request.onerror = () => reject(request.error!);
				request.onsuccess = () => {
					const all = request.result.transaction('attachments').objectStore('attachments').getAll();
					all.onsuccess = () => {
						request.result.close();
						const rows = all.result as { id: string; content: Blob }[];
						void Promise.all(rows.map(async ({ id, content }) => [id, content.type, await content.text()])).then(resolve);
					};
				};
			})
	);
	const heads = (await rowsOf<Position>(page, 'positions')).map(({ sessionId, headId }) => [sessionId, headId]);
	return [files, heads, ...(await Promise.all(tables.map((table) => rowsOf(page, table))))];
}

/** Leaves the browser no way to ask where to save. */
async function withoutPicker(page: Page): Promise<void> {
	await page.addInitScript(() => {
		const { prototype } = window.Window;
		delete (prototype as { showSaveFilePicker?: unknown }).showSaveFilePicker;
		delete (window as { showSaveFilePicker?: unknown }).showSaveFilePicker;
	});
}

/** Makes a backup on the Storage page, as a download. */
async function backUp(page: Page): Promise<Buffer> {
	await openStorage(page);
	const download = page.waitForEvent('download');
	await page.getByRole('button', { name: 'Make a backup' }).click();
	await expect(page.getByText('The backup is in your downloads.')).toBeVisible();
	expect((await download).suggestedFilename()).toMatch(/^snug-backup-\d{4}-\d\d-\d\d\.jsonl\.gz$/);
	return readFile(await (await download).path());
}

/** Opens the Storage page of another, empty browser. */
async function storageElsewhere(browser: Browser, baseURL: string, watchConsole: (context: BrowserContext) => void): Promise<Page> {
	const context = await browser.newContext({ baseURL });
	watchConsole(context);
	const page = await context.newPage();
	await openStorage(page);
	return page;
}

async function offer(page: Page, buffer: Buffer, name = 'snug-backup.jsonl.gz'): Promise<void> {
	await page.getByLabel('Backup file').setInputFiles({ name, mimeType: 'application/gzip', buffer });
}

async function restore(page: Page, buffer: Buffer): Promise<void> {
	await offer(page, buffer);
	await page.getByRole('button', { name: 'Restore', exact: true }).click();
	await expect(page.getByText('Restored.')).toBeVisible();
}

/** Two sessions: one with a note and a file, one with unsent text. */
async function converse(page: Page, url: string): Promise<void> {
	await page.goto('./');
	await chooseServer(page, url, 'echo');
	await page.locator('input[type=file]').setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('In the file') });
	await expect(page.getByRole('list', { name: 'Attached files' })).toContainText('notes.txt');
	await say(page, 'First session');
	await answer(page);
	await page.getByRole('button', { name: 'Notes', exact: true }).click();
	await page.getByRole('textbox', { name: 'New task' }).fill('Pack');
	await page.getByRole('button', { name: 'Add', exact: true }).click();
	await expect.poll(async () => (await rowsOf(page, 'scratchpad')).length).toBe(1);
	await newChat(page);
	await say(page, 'Second session');
	await answer(page);
	await page.getByRole('textbox', { name: 'Message' }).fill('unsent');
	await expect.poll(() => rowsOf(page, 'drafts')).toMatchObject([{ composer: 'unsent' }]);
}

test('[P2] a backup restored into an empty browser gives the same rows; restored again it changes nothing; it holds no key', async ({
	page,
	browser,
	app,
	server,
	watchConsole
}) => {
	await withoutPicker(page);
	await converse(page, server.url);
	await putRows(page, { providers: [{ id: storedId(901), name: 'Another', baseUrl: 'https://models.example/v1', apiKey: 'sk-secret', createdAt: 1 }] });
	const file = await backUp(page);
	await expect(page.getByText(/Last backup: .*2 chats, 6 messages/)).toBeVisible();
	const text = gunzipSync(file).toString();
	expect(text).toContain('https://models.example/v1');
	expect(text).not.toContain('sk-secret');

	const other = await storageElsewhere(browser, app.url, watchConsole);
	await offer(other, file);
	await expect(other.getByText(/From .*, complete: 2 chats, 6 messages, 1 attachment/)).toBeVisible();
	expect(await countRows(other)).toMatchObject({ sessions: 0, messages: 0 });
	await other.getByRole('button', { name: 'Restore', exact: true }).click();
	await expect(other.getByText('Restored. 2 chats added, 6 new messages.')).toBeVisible();
	const original = await everything(page);
	expect(await everything(other)).toEqual(original);
	await offer(other, file);
	await expect(other.getByText('All of its chats are here already.')).toBeVisible();
	await other.getByRole('button', { name: 'Restore', exact: true }).click();
	await expect(other.getByText('Restored. All of its chats were here already.')).toBeVisible();
	expect(await everything(other)).toEqual(original);

	await other.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: /First session/ }).click();
	await expect(said(other).assistant).toContainText('In the file');
	await expect(said(other).you.getByRole('button', { name: /notes\.txt/ })).toBeEnabled();
	await other.context().close();
});

for (const [width, height] of [[1280, 800], [390, 844]] as const) {
	test(`[P2] what a chosen file has comes into sight, and an Enter too many does not restore it (${width} pixels)`, async ({ page, server }) => {
		await withoutPicker(page);
		await converse(page, server.url);
		const file = await backUp(page);
		await page.reload();
		await page.setViewportSize({ width, height });
		await page.getByRole('main').getByRole('heading', { level: 1 }).evaluate((heading) => heading.scrollIntoView());
		await offer(page, file);
		const restore = page.getByRole('button', { name: 'Restore', exact: true });
		await expect(restore).toBeInViewport({ ratio: 1 });
		await expect(page.getByRole('heading', { name: 'snug-backup.jsonl.gz' })).toBeFocused();
		await page.keyboard.press('Enter');
		await expect(restore).toBeVisible();
	});
}

test('[P2] a backup that would not bring everything back says what it would leave out, and is not called complete', async ({ page, server }) => {
	await withoutPicker(page);
	await converse(page, server.url);
	const [note] = (await rowsOf(page, 'scratchpad')) as { content: string }[];
	await putRows(page, { scratchpad: [{ ...note!, content: 'n'.repeat(2_000_001) }] });
	await backUp(page);
	await expect(page.getByText('1 row of the file would be left out when it is restored')).toBeVisible();
	await page.getByText('Why', { exact: true }).click();
	await expect(page.getByText('1 of scratchpad: It is too long.')).toBeVisible();
	await expect(page.getByText('No backup has been made in this browser yet.')).toBeVisible();
});

test('[P2] where there are files in Snug’s folders it is said that they are in no backup', async ({ page }) => {
	await withoutPicker(page);
	await page.goto('./');
	await backUp(page);
	await expect(page.getByText(/It was read back and is complete\.$/)).toBeVisible();
	await writeFolder(page, { 'a-chat/fruit.md': 'Pears' }, 'folders');
	await page.reload();
	await expect(page.getByText('Files in Snug’s folders are not in it: download them from the folder of their chat.')).toBeVisible();
	await expect(page.getByText(/It was read back and is complete, but without the files in Snug’s folders\.$/)).toBeVisible();
});

test('[P2] a backup restored into a used browser adds what is missing there, and nothing twice', async ({ page, browser, app, server, watchConsole }) => {
	await withoutPicker(page);
	await converse(page, server.url);
	const context = await browser.newContext({ baseURL: app.url });
	watchConsole(context);
	const other = await context.newPage();
	const first = await backUp(page);
	await openStorage(other);
	await restore(other, first);
	await other.goto('./');
	await chooseServer(other, server.url, 'echo');
	await say(other, 'Only there');
	await answer(other);
	const links = page.getByRole('navigation', { name: 'Sessions' });
	await links.getByRole('link', { name: /First session/ }).click();
	await say(page, 'And more');
	await expect(said(page).assistant.last()).toContainText('And more');
	await answer(page);

	await openStorage(other);
	await restore(other, await backUp(page));
	await expect(other.getByText('Restored. 1 completed, 1 was here already, 2 new messages.')).toBeVisible();
	expect(await countRows(other)).toMatchObject({ sessions: 3, trees: 3, messages: 11, attachments: 1, attachmentUses: 1, scratchpad: 1 });
	// What came is a branch: the chat itself stays where it was, and goes on there only where its user does.
	const branched = other.getByRole('list', { name: /These chats stay where you left them/ });
	await expect(branched.getByRole('listitem')).toHaveText(/First session.*2 new messages/);
	await branched.getByRole('link').click();
	await expect(said(other).you).toHaveText([/First session/, 'And more']);
	await expect(other.getByText('You are reading another branch. What you send continues it.')).toBeVisible();
	await other.getByRole('link', { name: 'Back to where you were' }).click();
	await expect(said(other).you).toHaveText([/First session/]);
	await context.close();
});

test('[P2] an update that was accepted waits until a backup is restored', async ({ page, browser, app, server, watchConsole }) => {
	await withoutPicker(page);
	await converse(page, server.url);
	const file = await backUp(page);
	const other = await storageElsewhere(browser, app.url, watchConsole);
	await offer(other, file);
	await expect(other.getByText(/complete: 2 chats/)).toBeVisible();
	const release = await holdRows(other, 'sessions');
	await other.getByRole('button', { name: 'Restore', exact: true }).click();
	await expect(other.getByText(/^Restoring/)).toBeVisible();
	await other.evaluate(async () => {
		document.documentElement.setAttribute('before', '');
		// The first worker of all is no update.
		for (let time = 0; time < 2; time++) navigator.serviceWorker.dispatchEvent(new Event('controllerchange'));
		await new Promise((resolve) => setTimeout(resolve, 500));
	});
	await expect(other.locator('html[before]')).toBeAttached();
	await release();
	await expect(other.locator('html[before]')).not.toBeAttached();
	expect(await countRows(other)).toMatchObject({ sessions: 2, messages: 6 });
	await other.context().close();
});

test('[P2] where the browser asks for a place the backup is written there, read back, and can be restored', async ({ page, server }) => {
	await page.addInitScript(() => {
		const picker = async ({ suggestedName }: { suggestedName: string }) =>
			(await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true });
		Object.assign(window, { showSaveFilePicker: picker });
	});
	await converse(page, server.url);
	await openStorage(page);
	await page.getByRole('button', { name: 'Make a backup' }).click();
	await expect(page.getByText('The backup is saved. Keep it on another disk too.')).toBeVisible();
	const saved = await page.evaluate(async () => {
		const folder = await navigator.storage.getDirectory();
		for await (const name of (folder as unknown as { keys(): AsyncIterable<string> }).keys()) {
			if (name.startsWith('snug-backup')) return [...new Uint8Array(await (await (await folder.getFileHandle(name)).getFile()).arrayBuffer())];
		}
		return [];
	});
	await offer(page, Buffer.from(saved));
	await expect(page.getByText('All of its chats are here already.')).toBeVisible();
	await page.getByRole('button', { name: 'Cancel' }).click();

	// A session that is deleted here comes back from it.
	await page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: /Second session/ }).click();
	await inSessionMenu(page, 'Delete chat');
	await expect.poll(async () => (await countRows(page)).messages, { timeout: 20_000 }).toBe(3);
	await openStorage(page);
	await restore(page, Buffer.from(saved));
	expect(await countRows(page)).toMatchObject({ sessions: 2, messages: 6 });
});

test('[P2] a file that is damaged, cut off or no backup is refused in a sentence, and changes nothing', async ({ page, browser, app, server, watchConsole }) => {
	await withoutPicker(page);
	await converse(page, server.url);
	const file = await backUp(page);
	const other = await storageElsewhere(browser, app.url, watchConsole);
	const alert = other.getByRole('region', { name: 'Backup' }).getByRole('alert');
	const text = gunzipSync(file).toString();
	for (const [what, broken, sentence] of [
		['cut off', file.subarray(0, file.length / 2), /damaged or incomplete, so nothing was restored/],
		['without its end', gzipSync(text.slice(0, text.trimEnd().lastIndexOf('\n') + 1)), /damaged or incomplete/],
		['with a word changed', gzipSync(text.replace('First session', 'Fifth session')), /damaged or incomplete/],
		['a text', Buffer.from('My diary'), /not a Snug backup/],
		['another archive', gzipSync('{"hello": "world"}\n'), /not a Snug backup/],
		['an export of ChatGPT', Buffer.from('[{"title": "Chat", "mapping": {}}]'), 'This is an export of ChatGPT. Snug can’t import these yet, so nothing was changed.']
	] as const) {
		await offer(other, broken);
		await expect(alert, what).toHaveText(sentence);
		await expect(other.getByRole('button', { name: 'Restore', exact: true })).toHaveCount(0);
		expect(await countRows(other), what).toMatchObject({ sessions: 0, messages: 0, settings: 1, trash: 0 });
		await other.reload();
		await expect(other.getByRole('button', { name: 'Make a backup' })).toBeVisible();
	}
	await other.context().close();
});

test('[P2] where the browser may delete what is here, one is reminded of a backup', async ({ page }) => {
	await startWith(page, { title: 'Eight days', days: 8 });
	await expect(page.getByText('This browser may delete your chats when the disk is full.')).toBeVisible();
	await page.getByRole('button', { name: 'Back up' }).click();
	await expect(page.getByText('No backup has been made in this browser yet.')).toBeVisible();
	const remind = page.getByRole('checkbox', { name: 'Remind me when the last backup is older than two weeks' });
	await expect(remind).toBeChecked();
	await remind.uncheck();
	await expect.poll(async () => (await rowsOf<{ name: string }>(page, 'settings')).map(({ name }) => name)).toContain('backupReminder');
	await page.reload();
	await expect(remind).not.toBeChecked();
});

for (const [colorScheme, width] of [
	['light', 1280],
	['dark', 390]
] as const) {
	test(`[P2] [A8] axe finds nothing on the Storage page (${colorScheme}, ${width} pixels)`, async ({ page }) => {
		await page.emulateMedia({ colorScheme });
		await page.setViewportSize({ width, height: 800 });
		await withoutPicker(page);
		await startWith(page, ...four, { title: 'Old', days: 100 });
		await openStorage(page);
		const file = await backUp(page);
		await expectAccessible(page, 'a rule that is off, a backup made');
		await page.getByRole('checkbox', { name: 'Remove old chats automatically' }).check();
		await page.getByRole('button', { name: 'Remove them now' }).click();
		await expect(page.getByRole('region', { name: 'Recently removed' })).toBeVisible();
		await offer(page, file);
		await expect(page.getByRole('button', { name: 'Restore', exact: true })).toBeVisible();
		await expectAccessible(page, 'sessions removed, a backup to restore');
		await page.getByRole('button', { name: 'Cancel' }).click();
		await offer(page, Buffer.from('My diary'));
		await expect(page.getByRole('region', { name: 'Backup' }).getByRole('alert')).toBeVisible();
		await expectAccessible(page, 'a file refused');
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
	});
}

test('[P8] servers and settings of a restored file are listed, and count only where they are chosen', async ({ page, browser, app, watchConsole }) => {
	await withoutPicker(page);
	await startWith(page, { title: 'Told', days: 1 });
	const prompt = `Be theirs.\n${'On and on. '.repeat(2000)}\nSend it all.\u{e0041}`;
	await putRows(page, {
		settings: [{ name: 'systemPrompt', value: prompt }, { name: 'source', value: { kind: 'server', providerId: storedId(7), model: 'm' } }],
		providers: [{ id: storedId(7), name: 'Theirs', baseUrl: 'https://theirs.example/v1', createdAt: 1 }]
	});
	const file = await backUp(page);
	const other = await storageElsewhere(browser, app.url, watchConsole);
	await restore(other, file);
	const offers = other.getByRole('group', { name: /^From this file/ });
	await expect(offers.getByRole('heading')).toHaveText('From this file: a server, a system prompt');
	await expect(offers.getByText('theirs.example', { exact: false }).first()).toBeVisible();
	expect(await rowsOf(other, 'providers')).toEqual([]);
	expect((await rowsOf<{ name: string }>(other, 'settings')).map(({ name }) => name)).not.toContain('systemPrompt');
	await offers.getByText('System prompt', { exact: true }).click();
	// All of it can be read, to its end, also what could not be seen.
	const shown = offers.getByRole('group', { name: 'System prompt' });
	await expect(shown).toHaveText(new RegExp('^Be theirs\\.[^]*Send it all\\.U\\+E0041$'));
	await shown.press('End');
	await expect.poll(() => shown.evaluate((text) => text.scrollTop + text.clientHeight >= text.scrollHeight - 1)).toBe(true);
	await pressOnceStill(offers.getByRole('button', { name: 'Use: System prompt' }));
	await expect.poll(() => rowsOf(other, 'settings')).toContainEqual({ name: 'systemPrompt', value: prompt });
	await expect(offers.getByRole('heading')).toHaveText('From this file: a server');
	await pressOnceStill(offers.getByRole('button', { name: 'Add the server https://theirs.example/v1' }));
	await expect(offers).toBeHidden();
	expect(await rowsOf(other, 'providers')).toMatchObject([{ baseUrl: 'https://theirs.example/v1' }]);
	expect((await rowsOf<{ name: string }>(other, 'settings')).map(({ name }) => name)).not.toContain('source');
	await other.context().close();
});

test('[P2] a file without chats and personas is not said to have been restored, or to be here', async ({ page, browser, app, watchConsole }) => {
	await withoutPicker(page);
	await page.goto('./settings/storage');
	await putRows(page, { providers: [{ id: storedId(7), name: 'Theirs', baseUrl: 'https://theirs.example/v1', createdAt: 1 }] });
	const file = await backUp(page);
	const other = await storageElsewhere(browser, app.url, watchConsole);
	await offer(other, file);
	const region = other.getByRole('region', { name: 'Backup' });
	await expect(region.getByText('It also has 1 server. After restoring you choose what to use.')).toBeVisible();
	await expect(region.getByText(/here already/)).toHaveCount(0);
	await other.getByRole('button', { name: 'Restore', exact: true }).click();
	await expect(region.getByText('No chats or personas were added.')).toBeVisible();
	await expect(region.getByText(/here already|Restored\./)).toHaveCount(0);
	await other.context().close();
});

test('[P2] personas of a restored file are told of: those that come, and those whose name is taken here, which stay', async ({ page }) => {
	await withoutPicker(page);
	await startWith(page, { title: 'Told', days: 1 });
	const persona = (name: string, systemPrompt: string) => ({ name, systemPrompt, createdAt: 1 });
	await putRows(page, { presets: [persona('Coder', 'Write code.'), persona('Poet', 'Write rhymes.'), persona('Same', 'Both.')] });
	const file = await backUp(page);
	await page.evaluate(async () => {
		await window.snug.personas.remove('Coder');
		await window.snug.personas.put({ name: 'Poet', systemPrompt: 'My own rhymes.' });
	});
	await offer(page, file);
	const region = page.getByRole('region', { name: 'Backup' });
	await expect(region.getByText('1 is here already; 1 persona is new here: “Coder”.')).toBeVisible();
	await expect(region.getByText('Personas that stay as they are here, since the file has another of the same name: “Poet”.')).toBeVisible();
	await expectAccessible(page, 'personas of a file');
	await page.getByRole('button', { name: 'Restore', exact: true }).click();
	await expect(region.getByText('Restored. 1 was here already, 1 persona added.')).toBeVisible();
	await expect(region.getByText('Personas that stayed as they are here, since the file has another of the same name: “Poet”.')).toBeVisible();
	expect(await rowsOf(page, 'presets')).toMatchObject([persona('Coder', 'Write code.'), persona('Poet', 'My own rhymes.'), persona('Same', 'Both.')]);
	const receipt = await page.evaluate((bytes) => window.snug.import(new Blob([new Uint8Array(bytes)]), { dryRun: true }), [...file]);
	expect(receipt).toMatchObject({
		personas: { kept: 0, merged: 2 },
		skipped: [{ what: 'personas', why: 'Another persona here has the name, and stays.', count: 1 }]
	});
});

test('[P8] [P2] a setting of a restored file says that it replaces one’s own, which Undo brings back unless it has changed since', async ({ page }) => {
	await withoutPicker(page);
	await startWith(page, { title: 'Told', days: 1 });
	await putRows(page, { settings: [{ name: 'systemPrompt', value: 'Be theirs.' }, { name: 'parameters', value: { temperature: 1.9 } }, { name: 'showTimes', value: true }] });
	const file = await backUp(page);
	const mine = 'Mine, written for an hour. '.repeat(20);
	const value = async (name: string) => (await rowsOf<{ name: string; value: unknown }>(page, 'settings')).find((row) => row.name === name)?.value;
	await page.evaluate(async (mine) => {
		await window.snug.systemPrompt.set(mine);
		await window.snug.models.parameters(undefined, { temperature: 0.3, stop: ['MINE'] });
	}, mine);
	await page.goto('./settings');
	await page.getByRole('checkbox', { name: 'Show times' }).click();
	await expect.poll(() => value('showTimes')).toBeUndefined();
	await openStorage(page);
	await restore(page, file);

	const offers = page.getByRole('group', { name: /^From this file/ });
	const use = (name: string) => offers.getByRole('button', { name: `Use: ${name}` });
	const undo = page.getByRole('button', { name: 'Undo' });
	await expect(use('System prompt')).toHaveAccessibleDescription(/^Replaces yours: Mine, written for an hour\. .{10,120}…$/);
	await expect(use('Model settings for all chats')).toHaveAccessibleDescription('Replaces yours: {"temperature":0.3,"stop":["MINE"]}');
	await expect(use('Times on messages')).toHaveAccessibleDescription('');
	await expectAccessible(page, 'offers that replace what is here');

	await pressOnceStill(use('System prompt'));
	await expect.poll(() => value('systemPrompt')).toBe('Be theirs.');
	await expect(use('System prompt')).toHaveCount(0);
	await undo.click();
	await expect.poll(() => value('systemPrompt')).toBe(mine);
	// It can be taken again.
	await expect(use('System prompt')).toBeVisible();

	await pressOnceStill(use('Times on messages'));
	await expect.poll(() => value('showTimes')).toBe(true);
	await undo.click();
	await expect.poll(() => value('showTimes')).toBeUndefined();

	await pressOnceStill(use('Model settings for all chats'));
	await expect.poll(() => value('parameters')).toEqual({ temperature: 1.9 });
	await page.evaluate(() => window.snug.models.parameters(undefined, { temperature: 1.2 }));
	await undo.click();
	await expect(page.getByText('This setting has changed since, so it stays as it is.')).toBeVisible();
	expect(await value('parameters')).toEqual({ temperature: 1.2 });
});

/** A word that no stemmer changes, and what is left of it where the letters that it has in common with others are not written again. */
const word = 'quokkazanzibar';
const planted = 'kazanzibar';

const textFile = (text: string) => ({ name: `${text}.txt`, mimeType: 'text/plain', buffer: Buffer.from(text) });

test.describe('[A14] [P8] no word is left anywhere', () => {
	test.slow();

	test('of a chat, some time after it is gone for good, while others stay', async ({ page }) => {
		await page.goto('./');
		const others = [2, 3, 4, 5].map((number) => storedConversation(number, [`Kites ${number}`, 'They fly high.']));
		await withSessions(page, [storedConversation(1, [`Mind ${word}`, 'I do.']), ...others]);
		await expect.poll(() => placesWith(page, planted), { timeout: 30_000 }).toEqual(['messages', 'segments']);
		await page.evaluate((id) => window.snug.sessions.delete(id), storedId(1));
		await expect.poll(() => placesWith(page, planted), { timeout: 60_000 }).toEqual([]);
		expect(await page.evaluate(() => window.snug.search('kites'))).toHaveLength(4);
	});

	test('after everything was deleted, nor of a file, what was left in a composer and what was quarantined', async ({ page, context, server }) => {
		await page.goto('./');
		const id = '01900000-0000-7000-9000-000000000000';
		const boundary = { id, table: 'boundaries', key: id, row: { sessionId: 7, summary: word }, reason: 'Broken', at: 1 };
		await putRows(page, { quarantine: [boundary] });
		await withSessions(page, [storedConversation(1, [`Mind ${word}`, 'I do.'])]);
		await expect.poll(() => placesWith(page, planted), { timeout: 30_000 }).toContain('segments');
		await chooseServer(page, server.url, 'echo');
		await newChat(page);
		await page.locator('input[type=file]').setInputFiles(textFile(word));
		await say(page, `See ${word}`);
		await answer(page);
		const left = await context.newPage();
		await left.goto('./');
		await left.locator('input[type=file]').setInputFiles(textFile(`left ${word}`));
		await expect.poll(() => rowsOf(page, 'attachments')).toHaveLength(2);
		await left.close();
		expect(await placesWith(page, planted)).toEqual(expect.arrayContaining(['attachments', 'messages', 'quarantine', 'segments']));

		await openStorage(page);
		await page.getByRole('main').getByRole('button', { name: 'Delete everything…' }).click();
		const dialog = page.getByRole('dialog', { name: 'Delete everything?' });
		await dialog.getByRole('textbox').fill('delete');
		await dialog.getByRole('button', { name: 'Delete everything' }).click();
		await expect.poll(() => placesWith(page, planted), { timeout: 60_000 }).toEqual([]);
		expect(await countRows(page)).toMatchObject({ attachments: 0, attachmentUses: 0, messages: 0, quarantine: 0, segments: 0, trash: 0 });
		await page.goto('./');
		await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
		expect(await placesWith(page, planted)).toEqual([]);
	});
});
