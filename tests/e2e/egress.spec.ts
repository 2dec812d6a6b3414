// What leaves the page, and what comes in from there [P8].
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './app';
import { answer, chooseServer, openModelDialog, putRows, rowsOf, say, storedId } from './chat';

test.use({ weights: 'none', serviceWorkers: 'allow' });

test.beforeEach(({ expectConsole }) => {
	expectConsole.push(/Failed to load resource/, /net::ERR_/);
});

test('[P8] a server that sends its requests on to another origin: the conversation goes nowhere, and a sentence says so', async ({ page, server }) => {
	await page.goto('./');
	await chooseServer(page, server.url, 'redirects');
	const before = server.requests.length;
	await say(page, 'Between us');
	await expect(page.getByRole('alert').filter({ hasText: 'redirects to another address' })).toBeVisible();
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
			outcome(fetch(url, { method: 'HEAD', credentials: 'omit', referrerPolicy: 'no-referrer' })),
			outcome(fetch(location.href, { method: 'POST', body: 'words' }))
		]);
	}, `${server.url}/models`);
	expect(ways).toEqual(Array(7).fill('held back'));
	expect(server.requests.length).toBe(before);
	// What does come through it is let pass.
	await chooseServer(page, server.url, 'echo');
	await say(page, 'Hello');
	expect(await answer(page)).toContain('Hello');
});

test('[P8] whether a server is there is asked without asking it for anything, at web addresses only', async ({ page }) => {
	const asked: string[] = [];
	const listen = async (name: string, respond: (response: ServerResponse) => void) => {
		const server = createServer(({ method, url }, response) => {
			asked.push(`${name} ${method} ${url}`);
			respond(response);
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
	};
	const other = await listen('other', (response) => response.end());
	const first = await listen('first', (response) => response.writeHead(302, { location: `${other.url}reboot` }).end());
	try {
		await page.goto('./');
		await page.evaluate(() => navigator.serviceWorker.ready);
		await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
		const isThere = (url: string) =>
			page.evaluate((url) => {
				const { port1, port2 } = new MessageChannel();
				navigator.serviceWorker.controller!.postMessage({ type: 'IS_THERE', url }, [port2]);
				return new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data)));
			}, url);
		expect(await isThere(first.url)).toBe(true);
		expect(asked).toEqual(['first HEAD /', 'other HEAD /reboot']);
		expect([await isThere('data:,'), await isThere('blob:x'), await isThere('nothing')]).toEqual([false, false, false]);
	} finally {
		for (const { server } of [first, other]) server.close();
	}
});

test('[P8] an answer without an end is kept up to a limit, which is said', async ({ page, server }) => {
	test.setTimeout(180_000);
	await page.goto('./');
	await chooseServer(page, server.url, 'never-ends');
	await say(page, 'Tell me everything');
	await expect(page.getByText('Cut off at the length limit')).toBeVisible({ timeout: 120_000 });
	await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
});

test('[P3] an answer that comes all at once can be stopped, and read, while it comes', async ({ page, server }) => {
	await page.goto('./');
	await chooseServer(page, server.url, 'all-at-once');
	await say(page, 'Tell me everything');
	await expect(page.getByText('word word word').first()).toBeVisible();
	await page.getByRole('button', { name: 'Stop' }).click();
	await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
	const [, , stored] = await rowsOf<{ parts: { text: string }[]; finishReason: string }>(page, 'messages');
	expect(stored?.finishReason).toBe('stopped');
	expect(stored!.parts[0]!.text.length).toBeLessThan(500_000);
});

test('[P8] figures that can not be leave the answer and its session as they are', async ({ page, server }) => {
	await page.goto('./');
	await chooseServer(page, server.url, 'odd-figures');
	await say(page, 'How much?');
	expect(await answer(page)).toContain('Fine.');
	await page.reload();
	expect(await answer(page)).toContain('Fine.');
	expect(await page.evaluate(() => window.snug.sessions.count())).toBe(1);
	expect(await quarantined(page)).toBe(0);
});

test('[E11] a host that is silent about its model keeps no one from a server that is chosen', async ({ page, server }) => {
	await page.goto('./');
	await chooseServer(page, server.url, 'echo');
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
	await expect(page.getByRole('button', { name: 'Send' })).toHaveAttribute('aria-busy', 'true');
	await expect(page.getByRole('alert')).toBeVisible({ timeout: 10_000 });
	await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Is anyone there?');
	await expect(page.getByRole('button', { name: 'a server' })).toBeVisible();
});

test('[P8] a list of 20 000 models is drawn at once, in part, and searched whole', async ({ page, server }) => {
	await page.goto('./');
	const dialog = await connectTo(page, server.url.replace('/v1', '/many/v1'));
	await expect(dialog.getByText(/more\. Type a part of a name/)).toBeVisible();
	expect(await dialog.getByRole('button', { name: /^model-/ }).count()).toBeLessThanOrEqual(200);
	await dialog.getByRole('searchbox', { name: 'Filter models' }).fill('model-9876');
	await dialog.getByRole('button', { name: 'model-9876', exact: true }).click();
	await expect(dialog).toBeHidden();
	await expect(page.getByText(`model-9876 at ${new URL(server.url).host}`)).toBeVisible();
});

test('[E11] a server that asks for a key says where it goes, and that is where one is', async ({ page, server }) => {
	await page.goto('./');
	const address = server.url.replace('/v1', '/401/v1');
	const dialog = await connectTo(page, address);
	await expect(dialog.getByRole('alert')).toContainText('Enter the key above.');
	await expect(dialog.getByRole('textbox', { name: 'Address' })).toHaveValue(address);
	await expect(dialog.getByRole('textbox', { name: /API key/ })).toBeFocused();
});

test('[E11] a server that asks for a key only when it answers gets one where the model is chosen', async ({ page, server }) => {
	await page.goto('./');
	await chooseServer(page, server.url, '401');
	await say(page, 'Let me in');
	await expect(page.getByRole('alert').filter({ hasText: 'Enter the key.' })).toBeVisible();
	const dialog = await openModelDialog(page);
	const key = dialog.getByRole('textbox', { name: /API key/ });
	await dialog.getByRole('textbox', { name: 'Address' }).fill(server.url);
	await expect(key).toHaveAttribute('placeholder', '');
	await key.fill('sk-the-right-key');
	await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
	await expect(dialog.getByRole('region', { name: /^Models of/ })).toBeVisible();
	await expect(dialog.getByRole('button', { name: 'Choose a model' })).toHaveCount(1);
	await expect(key).toHaveValue('');
	await dialog.getByRole('textbox', { name: 'Address' }).fill(server.url);
	await expect(key).toHaveAttribute('placeholder', 'A key is stored');
	await dialog.getByRole('button', { name: 'Close' }).click();
	await page.getByRole('button', { name: 'Retry' }).click();
	await expect.poll(() => server.requests.at(-1)).toMatchObject({ path: '/v1/chat/completions', headers: { authorization: 'Bearer sk-the-right-key' } });
});

test('[P8] a key that was typed for one server is not left beside the address of another', async ({ page, server }) => {
	await page.goto('./');
	await chooseServer(page, server.url, 'echo');
	const address = server.url.replace('/v1', '/401/v1');
	await putRows(page, { providers: [{ id: storedId(1), name: 'Strict', baseUrl: address, createdAt: Date.now() }] });
	await page.reload();
	const dialog = await openModelDialog(page);
	await dialog.getByRole('textbox', { name: /API key/ }).fill('sk-of-the-first');
	await dialog.getByRole('listitem').filter({ hasText: 'Strict' }).getByRole('button', { name: 'Choose a model' }).click();
	await expect(dialog.getByRole('textbox', { name: 'Address' })).toHaveValue(address);
	await expect(dialog.getByRole('textbox', { name: /API key/ })).toHaveValue('');
});

async function connectTo(page: Page, address: string): Promise<Locator> {
	await page.getByRole('button', { name: 'a server' }).click();
	const dialog = page.getByRole('dialog', { name: 'Model' });
	await dialog.getByRole('textbox', { name: 'Address' }).fill(address);
	await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
	return dialog;
}

/** How many rows are in quarantine. */
function quarantined(page: Page): Promise<number> {
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
