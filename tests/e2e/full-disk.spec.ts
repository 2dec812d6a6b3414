import { randomBytes } from 'node:crypto';
import type { BrowserContext, Page } from '@playwright/test';
import { chromiumLaunch } from '../../scripts/browsers.mjs';
import { expect, test, type App } from './app';
import { actionsOf, answer, countRows, modelFiles, openBlank, rowsOf, said, say, useServer } from './chat';
import { tinyModelFile } from './tiny-model';

// Without this feature, which makes the estimate say ten gigabytes to everyone, it tells the quota that is in force.
test.use({
	weights: 'none',
	serviceWorkers: 'block',
	launchOptions: chromiumLaunch('StaticStorageQuota')
});

/** Gives the app `bytes` of storage from before its first write on: the browser looks at the quota only now and then. */
async function openWithQuota(page: Page, context: BrowserContext, app: App, bytes: number) {
	await openBlank(page);
	const devtools = await context.newCDPSession(page);
	const { origin } = new URL(app.url);
	await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: bytes });
	await page.goto('./');
	return { liftQuota: () => devtools.send('Storage.overrideQuotaForOrigin', { origin }) };
}

const sentence = 'There is no space left for Snug';

/** Random, since the browser compresses what it stores. */
function incompressible(length: number): string {
	return randomBytes(length * 0.75).toString('base64').replace(/\W/g, ' ');
}

/** Takes up what is left of the quota, to the last few bytes. */
function fillUp(page: Page): Promise<void> {
	return page.evaluate(async () => {
		const db = await new Promise<IDBDatabase>((resolve) => {
			const request = indexedDB.open('snug');
			request.onsuccess = () => resolve(request.result);
		});
		for (const bytes of [50_000, 5000, 500, 50]) {
			for (let fits = true; fits; ) {
				const transaction = db.transaction('quarantine', 'readwrite', { durability: 'strict' });
				const row = crypto.getRandomValues(new Uint8Array(bytes));
				transaction.objectStore('quarantine').put({ id: crypto.randomUUID(), table: 'none', key: '', row, reason: '', at: 0 });
				fits = await new Promise<boolean>((resolve) => {
					transaction.oncomplete = () => resolve(true);
					transaction.onabort = () => resolve(false);
				});
			}
		}
		db.close();
	});
}

test('a full disk: one sentence, nothing half-written, the text stays in the composer, and sending again works', async ({ page, context, app, server }) => {
	const { liftQuota } = await openWithQuota(page, context, app, 300_000);
	await useServer(page, server.url, '429');
	await page.getByRole('textbox', { name: 'Message' }).fill('x'.repeat(500_000));
	await page.getByRole('button', { name: 'Send' }).click();
	await expect(page.getByRole('alert').filter({ hasText: sentence })).toBeVisible();
	expect((await page.getByRole('textbox', { name: 'Message' }).inputValue()).length).toBe(500_000);
	expect(await countRows(page)).toMatchObject({ sessions: 0, messages: 0, trees: 0 });

	await page.getByRole('textbox', { name: 'Message' }).fill('Short');
	await useServer(page, server.url, 'echo');
	await page.getByRole('button', { name: 'Send' }).click();
	expect(await answer(page)).toContain('Short');
	await liftQuota();
});

test('a disk that fills up while an answer streams: the question is kept, the reason is said, Retry answers it', async ({ page, context, app, server }) => {
	const { liftQuota } = await openWithQuota(page, context, app, 300_000);
	await useServer(page, server.url, 'echo');
	// The question fits; the same again, as its answer, does not.
	const question = incompressible(100_000);
	await say(page, question);
	await expect(page.getByText(sentence).first()).toBeVisible({ timeout: 60_000 });
	expect(await countRows(page)).toMatchObject({ sessions: 1, messages: 2 });
	await liftQuota();
	await page.getByRole('button', { name: 'Retry' }).click();
	// The part that was shown is kept beside the whole answer.
	await expect.poll(() => countRows(page), { timeout: 60_000 }).toMatchObject({ messages: 4, answers: 0 });
});

test('[P2] a disk that fills up while an answer streams: all that is shown is kept', async ({ page, context, app, server }) => {
	const { liftQuota } = await openWithQuota(page, context, app, 300_000);
	await useServer(page, server.url, 'echo@5');
	await say(page, incompressible(100_000));
	await expect(page.getByText(sentence).first()).toBeVisible({ timeout: 60_000 });
	// What is not drawn yet stands apart.
	await expect(said(page).assistant.last().locator('[data-unfinished]')).toHaveCount(0);
	const shown = await said(page).assistant.last().getByRole('paragraph').innerText();
	await liftQuota();
	await page.getByRole('button', { name: 'Keep partial answer' }).click();
	await expect(page.getByText('Stopped ·')).toBeVisible();
	const rows = await rowsOf<{ role: string; parts: { text: string }[] }>(page, 'messages');
	const kept = rows.find(({ role }) => role === 'assistant')!.parts[0]!.text;
	expect(kept.replace(/\s+/g, ' ').startsWith(shown.replace(/\s+/g, ' ').trim())).toBe(true);
});

test('a model that does not fit gets a sentence with both sizes, and nothing of it is copied', async ({ page, context, app }) => {
	await openWithQuota(page, context, app, 300_000);
	await page.getByRole('button', { name: 'a model', exact: true }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('GGUF file', { exact: true }).setInputFiles(tinyModelFile());
	await expect(dialog.getByRole('alert')).toHaveText(/\d+ KB.*\d+ KB/);
	expect(await modelFiles(page)).toEqual([]);
});

/** A session of one question and its answer, in a browser that has room for little more. */
async function askWithQuota(page: Page, context: BrowserContext, app: App, url: string) {
	const opened = await openWithQuota(page, context, app, 300_000);
	await useServer(page, url, 'echo');
	await say(page, 'Short');
	await answer(page);
	return opened;
}

test('an edited message that does not fit stays in its field, and is sent once there is room', async ({ page, context, app, server }) => {
	const { liftQuota } = await askWithQuota(page, context, app, server.url);
	const { you } = said(page);
	await you.hover();
	await actionsOf(you).getByRole('button', { name: 'Edit' }).click();
	const field = page.getByRole('textbox', { name: 'Edited message' });
	const text = incompressible(600_000).trim();
	await field.fill(text);
	// The edit itself is kept as it is typed; that it can't be is told above the conversation, which makes room for it.
	await expect(page.getByRole('status').filter({ hasText: sentence })).toBeVisible();
	await page.getByRole('form', { name: 'Edit message' }).getByRole('button', { name: 'Send' }).click();
	await expect(page.getByRole('form', { name: 'Edit message' }).getByRole('alert')).toContainText(sentence);
	await expect(field).toHaveValue(text);
	expect(await countRows(page)).toMatchObject({ messages: 3 });
	expect(await rowsOf(page, 'trees')).toMatchObject([{ tips: [{ depth: 2 }] }]);
	await liftQuota();
	await field.fill('Shorter');
	await page.getByRole('form', { name: 'Edit message' }).getByRole('button', { name: 'Send' }).click();
	await expect(you).toHaveText(['Shorter']);
});

test('a file that does not fit is not attached, and the text stays', async ({ page, context, app, server }) => {
	await askWithQuota(page, context, app, server.url);
	await page.getByRole('textbox', { name: 'Message' }).fill('Read this');
	const buffer = Buffer.from(incompressible(900_000));
	await page.locator('input[type=file]').setInputFiles({ name: 'large.txt', mimeType: 'text/plain', buffer });
	await expect(page.locator('form').getByRole('alert')).toContainText(sentence);
	await expect(page.getByRole('list', { name: 'Attached files' })).toHaveCount(0);
	await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Read this');
	expect(await countRows(page)).toMatchObject({ attachments: 0, attachmentUses: 0 });
});

test('a note that does not fit stays in its field, and is kept once there is room', async ({ page, context, app, server }) => {
	const { liftQuota } = await askWithQuota(page, context, app, server.url);
	await page.getByRole('button', { name: 'Notes', exact: true }).click();
	await page.getByRole('textbox', { name: 'Name of the new note' }).fill('Budget');
	await page.getByRole('button', { name: 'New note' }).click();
	const field = page.getByRole('textbox', { name: 'Text of note Budget' });
	const text = incompressible(600_000).trim();
	await field.fill(text);
	await expect(page.getByText(sentence)).toHaveCount(1);
	await expect(field).toHaveValue(text);
	expect(await rowsOf(page, 'scratchpad')).toMatchObject([{ name: 'Budget', content: '' }]);
	await liftQuota();
	await field.press('End');
	await field.press('!');
	await expect.poll(async () => (await rowsOf<{ content: string }>(page, 'scratchpad'))[0]!.content.length).toBe(text.length + 1);
});

test('a name that does not fit any more leaves the old one', async ({ page, context, app, server }) => {
	await askWithQuota(page, context, app, server.url);
	await fillUp(page);
	const before = await rowsOf(page, 'sessions');
	await page.getByRole('heading', { level: 1 }).getByRole('button').click();
	await page.getByRole('textbox', { name: 'Chat name' }).fill('Another name');
	await page.keyboard.press('Enter');
	await expect(page.getByText(sentence)).toBeVisible();
	expect(await rowsOf(page, 'sessions')).toEqual(before);
	await expect(page.getByRole('heading', { level: 1 })).not.toContainText('Another name');
});

test('a backup that does not fit says what is missing, and brings nothing', async ({ page, context, app, browser, server, watchConsole, expectConsole }) => {
	expectConsole.push(/429/);
	const roomy = await browser.newContext({ baseURL: app.url });
	watchConsole(roomy);
	const other = await roomy.newPage();
	await other.addInitScript(() => delete (window as { showSaveFilePicker?: unknown }).showSaveFilePicker);
	await other.goto('./');
	await useServer(other, server.url, '429');
	await say(other, incompressible(900_000));
	await expect(other.getByRole('button', { name: 'Retry' })).toBeVisible();
	await other.goto('./settings/storage');
	const download = other.waitForEvent('download');
	await other.getByRole('button', { name: 'Make a backup' }).click();
	const file = await (await download).path();

	await openWithQuota(page, context, app, 300_000);
	await page.goto('./settings/storage');
	await page.getByLabel('Backup file').setInputFiles(file);
	await page.getByRole('button', { name: 'Restore', exact: true }).click();
	const alert = page.getByRole('region', { name: 'Backup' }).getByRole('alert');
	await expect(alert).toHaveText(/takes about .*, but only .* are free for this site.*Nothing was changed/);
	expect(await countRows(page)).toMatchObject({ sessions: 0, messages: 0, trees: 0, providers: 0 });
	await roomy.close();
});
