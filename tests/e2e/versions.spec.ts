import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import version1 from '../fixtures/database-v1.json' with { type: 'json' };
import { expect, test } from './app';
import { actionsOf, answer, countRows, openBlank, putRows, rowsOf, said, say, useServer } from './chat';

test.use({ weights: 'none' });

/** Makes the database of version 1 with what that version wrote, on a page where nothing of the app runs. */
async function writeVersion1(page: Page): Promise<void> {
	await openBlank(page);
	await page.evaluate(
		({ nativeVersion, stores, rows }) =>
			new Promise<void>((resolve, reject) => {
				const request = indexedDB.open('snug', nativeVersion);
				request.onerror = () => reject(request.error!);
				request.onupgradeneeded = () => {
					for (const [table, { keyPath, indexes }] of Object.entries(stores)) {
						const store = request.result.createObjectStore(table, { keyPath });
						for (const { name, keyPath, unique, multiEntry } of indexes) store.createIndex(name, keyPath, { unique, multiEntry });
						for (const row of rows[table as keyof typeof rows]) store.put(row);
					}
				};
				request.onsuccess = () => (request.result.close(), resolve());
			}),
		version1
	);
}

/** Opens the database as a newer Snug would, which gives it a higher version. */
function openNewer(page: Page): Promise<void> {
	return page.evaluate(
		() =>
			new Promise<void>((resolve, reject) => {
				const request = indexedDB.open('snug', 990);
				request.onerror = () => reject(request.error!);
				request.onupgradeneeded = () => {
					if (!request.result.objectStoreNames.contains('sessions')) request.result.createObjectStore('sessions', { keyPath: 'id' });
					request.result.createObjectStore('dreams', { keyPath: 'id' }).put({ id: 'of tomorrow' });
				};
				request.onsuccess = () => (request.result.close(), resolve());
			})
	);
}

const nativeVersion = (page: Page) => page.evaluate(async () => (await indexedDB.databases()).find(({ name }) => name === 'snug')?.version);

test('a temporary chat leaves a database of an older version to the start page, which upgrades it', async ({ page }) => {
	await writeVersion1(page);
	const before = await nativeVersion(page);
	await page.goto('./temporary');
	await expect(page).not.toHaveURL(/temporary/);
	await expect(page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: /What is a hedgehog/ })).toBeVisible();
	expect(await nativeVersion(page)).toBeGreaterThan(before!);
	await page.goto('./temporary');
	await expect(page.getByRole('complementary', { name: 'About this chat' })).toBeVisible();
	await expect(page).toHaveURL(/temporary$/);
});

test('[R6] [P8] what version 1 wrote is migrated: every session opens, and a copy from before can be downloaded, without keys', async ({ page }) => {
	await writeVersion1(page);
	await page.goto('./');
	const list = page.getByRole('navigation', { name: 'Sessions' });
	const living = version1.rows.sessions.filter((session) => !('deletedAt' in session));
	for (const { preview } of living) await expect(list.getByRole('link', { name: preview.slice(0, 20) }).first()).toBeVisible();
	await expect(list.getByRole('link', { name: 'Forget this' })).toHaveCount(0);

	await list.getByRole('link', { name: /What is a hedgehog/ }).click();
	await expect(said(page).you.first()).toHaveText('What is a hedgehog?');
	await expect(said(page).assistant.first()).toContainText('A small animal with spines.');
	await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('How many spines');
	await list.getByRole('link', { name: /Heads or tails/ }).click();
	await expect(actionsOf(said(page).you.last())).toContainText(/ \/ \d/);
	const cutOff = version1.rows.drafts.find((draft) => 'answer' in draft)!;
	await page.goto(`./s/${cutOff.sessionId}`);
	await expect(said(page).assistant).toContainText('Roses are');
	await page.getByRole('button', { name: 'Keep partial answer' }).click();
	await expect(page.getByText('Stopped ·')).toBeVisible();

	await page.goto('./settings/storage');
	const copies = page.getByRole('region', { name: 'Copies from before updates' });
	await expect(copies.getByRole('listitem')).toHaveCount(1);
	const download = page.waitForEvent('download');
	await copies.getByRole('button', { name: 'Download' }).click();
	const lines = gunzipSync(await readFile(await (await download).path())).toString().trimEnd().split('\n');
	const rows = lines.map((line) => JSON.parse(line) as { table: string; row: unknown });
	const providers = version1.rows.providers.map(({ id, name, baseUrl, createdAt }) => ({ id, name, baseUrl, createdAt }));
	for (const [table, expected] of Object.entries({ ...version1.rows, providers })) {
		expect(rows.filter((line) => line.table === table).map(({ row }) => row), table).toEqual(expected);
	}
	expect(lines.join('')).not.toContain('key-of-a-test');
	await page.goto('./repair');
	await expect(page.getByText('Every row is valid, and every chat is complete.')).toBeVisible();

	await page.goto('./settings/storage');
	await expect(copies.getByRole('listitem')).toHaveCount(1);
	await page.getByRole('main').getByRole('button', { name: 'Delete everything…' }).click();
	const dialog = page.getByRole('dialog', { name: 'Delete everything?' });
	await dialog.getByRole('textbox').fill('delete');
	await dialog.getByRole('button', { name: 'Delete everything' }).click();
	await expect(copies).toHaveCount(0);
});

test('[R6] while an older tab is still open the update waits for it, says so, and goes on by itself', async ({ page, context }) => {
	await writeVersion1(page);
	// A tab of that version which does not give way.
	await page.evaluate(
		() =>
			new Promise<void>((resolve) => {
				const request = indexedDB.open('snug');
				request.onsuccess = () => {
					Object.assign(window, { held: request.result });
					resolve();
				};
			})
	);
	const updated = await context.newPage();
	await updated.goto('./');
	await expect(updated.getByRole('alert')).toHaveText(/Close its other tabs/);
	await page.close();
	await expect(updated.getByRole('alert')).toHaveCount(0);
	await expect(updated.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: /What is a hedgehog/ })).toBeVisible();
});

test('[R6] what a newer version wrote is refused in a sentence, and left alone', async ({ page }) => {
	await openBlank(page);
	await openNewer(page);
	await page.goto('./');
	await expect(page.getByRole('alert')).toHaveText(/A newer version of Snug wrote this data/);
	await expect(page.getByRole('textbox', { name: 'Message' })).toHaveCount(0);
	expect(await nativeVersion(page)).toBe(990);
	expect(await countRows(page)).toEqual({ dreams: 1, sessions: 0 });
});

test('[R6] an open tab is told to reload when a newer version opens in another; nothing is lost', async ({ page, context, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await say(page, 'Remember this');
	await answer(page);
	const before = await rowsOf(page, 'messages');
	const newer = await context.newPage();
	await openBlank(newer);
	await openNewer(newer);
	await expect(page.getByRole('alert')).toHaveText('A newer version of Snug was opened in another tab. Reload this tab to go on; nothing is lost.');
	expect(await nativeVersion(page)).toBe(990);
	expect(await rowsOf(page, 'messages')).toEqual(before);
	await page.getByRole('button', { name: 'Reload' }).click();
	await expect(page.getByRole('alert')).toHaveText(/A newer version of Snug wrote this data/);
});

test('[R6] with broken rows the session opens without them; the repair page shows them, with the reasons', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	for (const text of ['One', 'Two']) {
		await say(page, text);
		await expect(said(page).assistant.last()).toContainText(text);
		await answer(page);
	}
	const messages = await rowsOf<{ role: string; parts: unknown }>(page, 'messages');
	const [session] = await rowsOf<object>(page, 'sessions');
	const broken = messages.find(({ role }) => role === 'assistant')!;
	await putRows(page, { messages: [{ ...broken, parts: 'gone' }], sessions: [{ ...session, steps: 'many' }] });
	await page.reload();
	const { you, assistant } = said(page);
	await expect(you).toHaveText(['One', 'Two']);
	await expect(assistant.first()).toContainText('This message is damaged and can’t be shown. Anything left of it is kept on the repair page.');
	await expect(assistant.last()).toContainText('Two');
	await say(page, 'Three');
	await expect(assistant.last()).toContainText('Three');
	await answer(page);

	await page.goto('./repair');
	await expect(page.getByText('2 rows were quarantined (see Quarantine below). Every other row is valid, and every chat is complete.')).toBeVisible();
	const set = page.getByRole('region', { name: 'Quarantine' });
	await expect(set.getByText('Its field “parts” is "gone", where a list belongs.')).toBeVisible();
	await expect(set.getByText('Its field “steps” is "many", where a number belongs.')).toBeVisible();
	expect(await rowsOf(page, 'quarantine')).toHaveLength(2);
});
