import { readFile } from 'node:fs/promises';
import { tinyModelFile } from './tiny-model';
import { expect, test } from './app';
import { answer, inSessionMenu, say } from './chat';

test.use({ weights: tinyModelFile(), serviceWorkers: 'allow' });

// One thread: several wait for each other where the machine is busy, in Firefox for more than a minute now and then, and nothing here is about them.
test.beforeEach(({ context }) => context.addInitScript(() => Object.defineProperty(navigator, 'hardwareConcurrency', { value: 1 })));

test('[P1] with the server process killed: reload, deep link, new session, answer on this device, export', async ({ page, app, browserName, expectConsole }) => {
	test.slow();
	// Firefox says this, with no address, when a page is left while its worker still answers something.
	expectConsole.push(/Failed to load ‘’\. A ServiceWorker intercepted the request/);
	await page.goto('./');
	await expect(page.getByText(/downloads when you first send/)).toBeVisible();
	await say(page, 'Before the plug is pulled');
	await answered();
	await expect(page.getByText('ready offline')).toBeVisible();
	await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
	const deepLink = page.url();

	await app.kill();
	await expect(fetch(app.url)).rejects.toThrow();

	await page.reload();
	await drawn();
	expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);

	await page.goto('./');
	await expect(page.getByText(/loads with your next message/)).toBeVisible();
	await say(page, 'After the plug is pulled');
	await answered();
	await expect(page).toHaveURL(/\/s\//);
	expect(page.url()).not.toBe(deepLink);

	expect(await exported()).toContain('After the plug is pulled');

	await page.goto(deepLink);
	await drawn();
	await page.goto('./settings');
	await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();

	/** The file that the button downloads; over the protocol that drives Firefox, downloads can't be seen, so there it is asked for. */
	async function exported(): Promise<string> {
		if (browserName === 'firefox') return page.evaluate((id) => window.snug.export(id), page.url().split('/').at(-1)!);
		const [download] = await Promise.all([page.waitForEvent('download'), inSessionMenu(page, 'Download as Markdown')]);
		return readFile(await download.path(), 'utf8');
	}

	/** The session and the list beside it, which are loaded when there is one. */
	async function drawn() {
		await expect(page.getByRole('article', { name: 'You' })).toHaveText('Before the plug is pulled');
		await expect(page.getByRole('button', { name: /Actions for “Before/ })).toBeVisible();
		await page.waitForLoadState('networkidle');
	}

	async function answered() {
		await expect(page.getByRole('article', { name: 'Assistant' })).toContainText(/\S/, { timeout: 120_000 });
		await answer(page, { timeout: 120_000 });
		// What is on its way when a page is left is an error in Firefox.
		await page.waitForLoadState('networkidle');
	}
});
