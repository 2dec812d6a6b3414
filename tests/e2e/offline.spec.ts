import { readFile } from 'node:fs/promises';
import { tinyModelFile } from './tiny-model';
import { expect, test } from './app';
import { answer, say } from './chat';

test.use({ weights: tinyModelFile() });

test('[P1] with the server process killed: reload, deep link, new session, answer on this device, export', async ({ page, app, browserName, expectConsole }) => {
	test.slow();
	// Firefox says this, with no address, when a page is left while its worker still answers something.
	expectConsole.push(/Failed to load ‘’\. A ServiceWorker intercepted the request/);
	await page.goto('./');
	await expect(page.getByText(/fetched once with your first message/)).toBeVisible();
	await say(page, 'Before the plug is pulled');
	await answered();
	await expect(page.getByText('ready offline')).toBeVisible();
	await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
	const deepLink = page.url();

	await app.kill();
	await expect(fetch(app.url)).rejects.toThrow();

	await page.reload();
	await expect(page.getByRole('article', { name: 'You' })).toHaveText('Before the plug is pulled');
	expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);

	await page.goto('./');
	await expect(page.getByText(/loads with your next message/)).toBeVisible();
	await say(page, 'After the plug is pulled');
	await answered();
	await expect(page).toHaveURL(/\/s\//);
	expect(page.url()).not.toBe(deepLink);

	expect(await exported()).toContain('After the plug is pulled');

	await page.goto(deepLink);
	await expect(page.getByRole('article', { name: 'You' })).toHaveText('Before the plug is pulled');
	await page.goto('./settings');
	await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();

	/** The file that the button downloads; over the protocol that drives Firefox, downloads can't be seen, so there it is asked for. */
	async function exported(): Promise<string> {
		if (browserName === 'firefox') return page.evaluate((id) => window.snug.export(id), page.url().split('/').at(-1)!);
		const button = page.getByRole('button', { name: 'Download as Markdown' });
		const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
		return readFile(await download.path(), 'utf8');
	}

	
	async function answered() {
		await expect(page.getByRole('article', { name: 'Assistant' })).toContainText(/\S/, { timeout: 60_000 });
		await answer(page);
	}
});
