import { firefox } from '@playwright/test';
import { firefoxLaunch } from '../../scripts/browsers.mjs';
import { expect, test } from './app';
import { ask, chooseServer, say } from './chat';
import { tinyModelFile } from './tiny-model';

test.use({ weights: 'none' });

test('a browser that refuses to store: one sentence says so, and the page stands', async ({ app, watchConsole, expectConsole }) => {
	expectConsole.push(/service ?worker/i);
	// Of the two it refuses more: channels and locks, too.
	const browser = await firefox.launch({ ...firefoxLaunch(), firefoxUserPrefs: { 'network.cookie.cookieBehavior': 2 } });
	const context = await browser.newContext({ baseURL: app.url });
	watchConsole(context);
	const page = await context.newPage();
	await page.goto('./');
	await expect(page.getByRole('alert')).toHaveText(/does not let Snug store anything/);
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
	await browser.close();
});

test('WebAssembly that is not served: one sentence, the message is kept, and Retry is there', async ({ page, expectConsole }) => {
	expectConsole.push(/Failed to load resource/);
	await page.context().route(/\.wasm$/, (route) => route.abort());
	await page.goto('./');
	await page.getByRole('button', { name: 'a model', exact: true }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('GGUF file', { exact: true }).setInputFiles(tinyModelFile());
	await expect(dialog.getByRole('alert')).toHaveText(/WebAssembly|engine/i, { timeout: 20_000 });
	await dialog.getByRole('button', { name: 'Close' }).click();
	await say(page, 'Hello?');
	await expect(page.getByRole('article', { name: 'You' })).toHaveText('Hello?');
	await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible({ timeout: 20_000 });
});

test('[P2] a browser that has removed the database is told of until something is stored, and how one gets a backup back', async ({ page, server }) => {
	await page.goto('./');
	await chooseServer(page, server.url, 'echo');
	await ask(page, 'Remember me');
	const emptied = page.getByText('The browser has emptied Snug’s database', { exact: false });
	await page.goto('./repair');
	await page.evaluate(
		() =>
			new Promise<void>((resolve, reject) => {
				const request = indexedDB.deleteDatabase('snug');
				request.onsuccess = () => resolve();
				request.onerror = () => reject(request.error!);
			})
	);
	await page.goto('./');
	await expect(emptied).toBeVisible();
	await page.getByRole('button', { name: 'Restore a backup' }).click();
	await expect(page.getByRole('heading', { name: 'Storage', level: 1 })).toBeVisible();
	await page.goto('./');
	await expect(emptied).toBeVisible();
	await chooseServer(page, server.url, 'echo');
	await ask(page, 'Remember me now');
	await page.reload();
	await expect(page.getByRole('article', { name: 'You' })).toHaveText('Remember me now');
	await expect(emptied).toBeHidden();
});
