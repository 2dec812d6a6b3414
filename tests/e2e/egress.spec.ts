// What leaves the page, and what comes in from there [P8].
import { expect, test } from './app';
import { answer, say, useServer } from './chat';

test.use({ weights: 'none' });

test.beforeEach(({ expectConsole }) => {
	expectConsole.push(/Failed to load resource/, /net::ERR_/);
});

test('[P8] a server that sends its requests on to another origin: the conversation goes nowhere, and a sentence says so', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'redirects');
	const before = server.requests.length;
	await say(page, 'Between us');
	await expect(page.getByRole('alert').filter({ hasText: 'passes requests on to another address' })).toBeVisible();
	expect(server.requests.slice(before).map(({ headers }) => headers.host)).toEqual([new URL(server.url).host]);
	await expect(page.getByRole('article', { name: 'You' })).toHaveText('Between us');
});

test('[P8] the service worker holds back what does not come through the one way out', async ({ page, server }) => {
	await page.goto('./');
	await page.evaluate(() => navigator.serviceWorker.ready);
	await expect.poll(() => page.evaluate(() => Boolean(navigator.serviceWorker.controller))).toBe(true);
	const before = server.requests.length;
	const ways = await page.evaluate(async (url) => {
		const outcome = (request: Promise<Response>) => request.then(() => 'sent', () => 'held back');
		return Promise.all([
			outcome(fetch(url, { method: 'POST', body: 'words' })),
			outcome(fetch(url, { method: 'POST', body: 'words', credentials: 'omit', referrerPolicy: 'no-referrer' })),
			outcome(fetch(url, { headers: { authorization: 'Bearer key' }, credentials: 'omit', referrerPolicy: 'no-referrer' })),
			outcome(fetch(`${url}?words`, { mode: 'no-cors' })),
			outcome(fetch(`${url}?words`)),
			outcome(fetch(location.href, { method: 'POST', body: 'words' }))
		]);
	}, `${server.url}/models`);
	expect(ways).toEqual(Array(6).fill('held back'));
	expect(server.requests.length).toBe(before);
	// What does come through it is let pass.
	await useServer(page, server.url, 'echo');
	await say(page, 'Hello');
	expect(await answer(page)).toContain('Hello');
});

test('[P8] an answer without an end is kept up to a limit, which is said', async ({ page, server }) => {
	test.setTimeout(180_000);
	await page.goto('./');
	await useServer(page, server.url, 'never-ends');
	await say(page, 'Tell me everything');
	await expect(page.getByText('Cut off at the length limit.')).toBeVisible({ timeout: 120_000 });
	await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
});

test('[P8] figures that can not be leave the answer and its session as they are', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'odd-figures');
	await say(page, 'How much?');
	expect(await answer(page)).toContain('Fine.');
	await page.reload();
	expect(await answer(page)).toContain('Fine.');
	expect(await page.evaluate(() => window.snug.sessions.count())).toBe(1);
	expect(await quarantined(page)).toBe(0);
});

test('[E11] a host that is silent about its model keeps no one from a server that is chosen', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await say(page, 'Hello');
	await answer(page);
	await page.route('**/weights/manifest.json', () => undefined);
	await page.reload();
	await say(page, 'Are you there?');
	await expect(page.getByRole('article', { name: 'Assistant' }).last()).toContainText('Are you there?');
});

test('[E11] where nothing is chosen, a silent host is waited for a few seconds only', async ({ page }) => {
	await page.route('**/weights/manifest.json', () => undefined);
	await page.goto('./');
	await say(page, 'Is anyone there?');
	await expect(page.getByText(/Nothing answers yet/)).toBeVisible({ timeout: 30_000 });
	await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Is anyone there?');
	await expect(page.getByRole('button', { name: 'a server' })).toBeVisible();
});

/** How many rows are in quarantine. */
function quarantined(page: import('@playwright/test').Page): Promise<number> {
	return page.evaluate(
		() =>
			new Promise<number>((resolve, reject) => {
				const open = indexedDB.open('snug');
				open.onerror = () => reject(open.error!);
				open.onsuccess = () => {
					const count = open.result.transaction('quarantine').objectStore('quarantine').count();
					count.onsuccess = () => resolve(count.result);
				};
			})
	);
}
