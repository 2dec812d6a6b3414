import { randomBytes } from 'node:crypto';
import type { BrowserContext, Page } from '@playwright/test';
import { chromiumLaunch } from '../../scripts/browsers.mjs';
import { expect, test, type App } from './app';
import { answer, countRows, modelFiles, say, useServer } from './chat';
import { tinyModelFile } from './tiny-model';

// Without this feature, which makes the estimate say ten gigabytes to everyone, it tells the quota that is in force.
const launch = chromiumLaunch();
test.use({
	weights: 'none',
	serviceWorkers: 'block',
	launchOptions: { ...launch, args: [...launch.args, '--disable-features=StaticStorageQuota'] }
});

/** Gives the app `bytes` of storage from before its first write on: the browser looks at the quota only now and then. */
async function openWithQuota(page: Page, context: BrowserContext, app: App, bytes: number) {
	await page.route('**/blank', (route) => route.fulfill({ contentType: 'text/html', body: '<link rel="icon" href="data:,">' }));
	await page.goto('./blank');
	const devtools = await context.newCDPSession(page);
	const { origin } = new URL(app.url);
	await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: bytes });
	await page.goto('./');
	return { liftQuota: () => devtools.send('Storage.overrideQuotaForOrigin', { origin }) };
}

test('a full disk: one sentence, nothing half-written, the text stays in the composer, and sending again works', async ({ page, context, app, server }) => {
	const { liftQuota } = await openWithQuota(page, context, app, 1_000_000);
	await useServer(page, server.url, '429');
	await page.getByRole('textbox', { name: 'Message' }).fill('x'.repeat(1_500_000));
	await page.getByRole('button', { name: 'Send' }).click();
	await expect(page.getByRole('alert').filter({ hasText: 'There is no space left for Snug' })).toBeVisible();
	expect((await page.getByRole('textbox', { name: 'Message' }).inputValue()).length).toBe(1_500_000);
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
	// The question fits; the same again, as its answer, does not. Random, since the browser compresses what it stores.
	const question = randomBytes(75_000).toString('base64').replace(/\W/g, ' ');
	await say(page, question);
	await expect(page.getByText('There is no space left for Snug').first()).toBeVisible({ timeout: 20_000 });
	expect(await countRows(page)).toMatchObject({ sessions: 1, messages: 2 });
	await liftQuota();
	await page.getByRole('button', { name: 'Retry' }).click();
	await expect.poll(() => countRows(page), { timeout: 20_000 }).toMatchObject({ messages: 3, drafts: 0 });
});

test('a model that does not fit gets a sentence with both sizes, and nothing of it is copied', async ({ page, context, app }) => {
	await openWithQuota(page, context, app, 300_000);
	await page.getByRole('button', { name: 'a GGUF file' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('GGUF file', { exact: true }).setInputFiles(tinyModelFile());
	await expect(dialog.getByRole('alert')).toHaveText(/\d+ KB.*\d+ KB/);
	expect(await modelFiles(page)).toEqual([]);
});
