// Signing in for a tool server (OAuth): in a window of its own, at a host that is shown before.
import type { Locator, Page } from '@playwright/test';
import { startSignInServer } from '../fixtures/sign-in-server.mjs';
import { startToolServer } from '../fixtures/tool-server.mjs';
import { expect, test } from './app';
import { expectAccessible, newChat, pressOnceStill, rowsOf, said, say, useServer } from './chat';
import { allThatIsKept } from './kept';
import { switchTools } from './tools';

test.use({ weights: 'none' });

const running: { close(): Promise<unknown> }[] = [];
test.afterEach(async () => {
	for (const server of running.splice(0)) await server.close();
});

// A server that asks for a token is asked without one first.
test.beforeEach(({ expectConsole }) => void expectConsole.push(/status of 40[014]/));

async function start(options: Parameters<typeof startSignInServer>[0] = {}) {
	const gate = await startSignInServer(options);
	const orchard = await startToolServer({ signIn: gate });
	running.push(gate, orchard);
	return { gate, orchard, label: `Orchard (${new URL(orchard.url).host})`, host: new URL(gate.issuer).host };
}

/** Adds a tool server that has one sign in, and returns the dialog for that. */
async function add(page: Page, address: string): Promise<Locator> {
	await page.getByRole('button', { name: 'Add a tool server' }).click();
	const form = page.getByRole('dialog', { name: 'Add a tool server' });
	await form.getByRole('textbox', { name: 'Address' }).fill(address);
	await form.getByRole('textbox', { name: 'Name' }).fill('Orchard');
	await form.getByRole('button', { name: 'Connect' }).click();
	return page.getByRole('dialog', { name: 'Sign in to Orchard' });
}

/** Opens the window of a sign-in and returns its page. */
async function open(dialog: Locator, name: string | RegExp = /^Continue at/): Promise<Page> {
	const popup = dialog.page().waitForEvent('popup');
	await dialog.getByRole('button', { name }).click();
	return popup;
}

const tokens = (page: Page) => rowsOf<{ apiKey: string }>(page, 'secrets');

for (const serviceWorkers of ['block', 'allow'] as const) {
	test.describe(`${serviceWorkers === 'allow' ? 'with' : 'without'} the service worker`, () => {
		test.use({ serviceWorkers });

		test('[R1] [P8] the user signs in at a host that was shown, has the tools, and signs out', async ({ page, server }) => {
			const { gate, orchard, label, host } = await start();
			await page.goto('./settings');
			if (serviceWorkers === 'allow') await expect.poll(() => page.evaluate(() => Boolean(navigator.serviceWorker.controller))).toBe(true);
			const dialog = await add(page, orchard.url);
			await expect(dialog).toContainText(`${label} has you sign in at another host: ${host}`);
			await expect(dialog).toContainText('It asks for these rights: fruit.');
			await expectAccessible(page, 'the dialog to sign in');
			expect(gate.requests).toEqual([]);
			const popup = await open(dialog);
			await expect(dialog).toContainText(`Waiting for the window of ${host}.`);
			const closed = popup.waitForEvent('close');
			await popup.getByRole('link', { name: 'Allow' }).click();
			await closed;
			await expect(dialog).toBeHidden();
			await expect(page.getByText(`${label} has 4 tools. They are off until you switch them on.`)).toBeVisible();

			const [{ apiKey }] = (await tokens(page)) as [{ apiKey: string }];
			expect(gate.secrets()).toContain(apiKey);
			await newChat(page);
			await useServer(page, server.url, 'agent');
			await switchTools(page, 'Pear of the month');
			const [{ tools }] = (await rowsOf<{ tools: { callName: string }[] }>(page, 'toolServers')) as [{ tools: { callName: string }[] }];
			await say(page, `call ${tools[0]!.callName} {"month":"May"}\nIt says: {last}`);
			await pressOnceStill(page.getByRole('group', { name: 'Approval' }).getByRole('button', { name: 'Allow once', exact: true }));
			await expect(said(page).assistant.last()).toContainText('It says: In May: Williams');
			const kept: Record<string, string> = { ...(await allThatIsKept(page)), model: JSON.stringify(server.requests) };
			expect(kept['table messages']).toContain('Williams');
			for (const [place, text] of Object.entries(kept)) for (const secret of gate.secrets()) expect(text.includes(secret), `${secret} in ${place}`).toBe(false);

			await page.goto('./settings');
			await page.getByRole('button', { name: `Sign out of ${label}` }).click();
			const again = page.getByRole('button', { name: `Sign in to ${label}` });
			await expect(again).toBeFocused();
			expect((await tokens(page)).map(({ apiKey }) => apiKey)).not.toContain(apiKey);

			await page.keyboard.press('Enter');
			await (await open(dialog)).getByRole('link', { name: 'Allow' }).click();
			await expect(page.getByRole('button', { name: `Sign out of ${label}` })).toBeFocused();

			// A server that was removed had its token revoked too.
			await page.getByRole('button', { name: `Remove ${label}` }).click();
			await page.getByRole('button', { name: 'Undo' }).click();
			await expect(again).toBeVisible();
			expect(await tokens(page)).toEqual([]);
		});
	});
}

test('[R1] a sign-in that is denied, closed, blocked, or answered for another one is a sentence, and can be begun again', async ({ page }) => {
	const { gate, orchard, host } = await start();
	await page.goto('./settings');
	const dialog = await add(page, orchard.url);
	const problem = dialog.getByRole('alert');
	let popup = await open(dialog);
	await popup.getByRole('link', { name: 'Deny' }).click();
	await expect(problem).toContainText(`Access to ${host} was denied. You are not signed in.`);

	gate.options.answer = { state: 'another' };
	popup = await open(dialog);
	await popup.getByRole('link', { name: 'Allow' }).click();
	await expect(problem).toContainText(`What came back from ${host} does not belong to this sign-in`);
	gate.options.answer = {};

	await page.evaluate(() => {
		const { open } = window;
		window.open = () => {
			window.open = open;
			return null;
		};
	});
	await dialog.getByRole('button', { name: /^Continue at/ }).click();
	await expect(problem).toContainText('The browser did not open the window to sign in.');

	// Where it goes on once the window has gone to another host can't be seen: the dialog says what to do.
	popup = await open(dialog);
	await popup.getByRole('link', { name: 'Allow' }).waitFor();
	await popup.close();
	await expect(dialog).toContainText('If you have closed it, open it again.');
	popup = await open(dialog, 'Open it again');
	const link = popup.getByRole('link', { name: 'Allow' });
	await link.waitFor();

	// Nobody waits any more.
	await dialog.getByRole('button', { name: 'Cancel' }).click();
	await expect(dialog).toBeHidden();
	await link.click();
	await expect(popup.getByRole('status')).toContainText('Snug does not wait for this sign-in');
	expect(new URL(popup.url()).search).toBe('');
	expect(await tokens(page)).toEqual([]);

	await page.getByRole('button', { name: /^Sign in to Orchard/ }).click();
	popup = await open(dialog);
	await popup.getByRole('link', { name: 'Allow' }).click();
	await expect(dialog).toBeHidden();
	expect(await tokens(page)).toHaveLength(1);
});

test('[R1] where a sign-in counts no more, the row of its server says what to do', async ({ page }) => {
	const { gate, orchard, label } = await start();
	await page.goto('./settings');
	const dialog = await add(page, orchard.url);
	await (await open(dialog)).getByRole('link', { name: 'Allow' }).click();
	await expect(dialog).toBeHidden();
	gate.expire(true);
	const refresh = page.getByRole('button', { name: `Ask ${label} for its tools again` });
	await refresh.click();
	const problem = page.getByRole('listitem').filter({ has: refresh }).getByRole('alert');
	await expect(problem).toHaveText('It asks you to sign in again: choose “Sign in”.');
	await page.getByRole('button', { name: `Sign in to ${label}` }).click();
	await (await open(dialog)).getByRole('link', { name: 'Allow' }).click();
	await expect(dialog).toBeHidden();
	await expect(problem).toHaveCount(0);
	await refresh.click();
	await expect(problem).toHaveCount(0);
});

test('[R1] a window that is closed before its page is there ends the sign-in', async ({ page }) => {
	const { orchard, gate } = await start();
	await page.goto('./settings');
	const dialog = await add(page, orchard.url);
	let goOn = () => {};
	const isClosed = new Promise<void>((resolve) => (goOn = resolve));
	await page.route(`${gate.issuer}/register`, async (route) => {
		await isClosed;
		await route.continue();
	});
	const asked = page.waitForRequest(`${gate.issuer}/register`);
	const popup = await open(dialog);
	await asked;
	await popup.close();
	goOn();
	await expect(dialog.getByRole('alert')).toContainText('The window to sign in was closed before you could.');
});

test('[R1] where Snug is not made known by itself, the user enters a client ID', async ({ page, app }) => {
	const { gate, orchard, host } = await start({ closed: true });
	await page.goto('./settings');
	const dialog = await add(page, orchard.url);
	await open(dialog);
	await expect(dialog.getByRole('alert')).toContainText(`${host} does not let apps register themselves.`);
	const back = `${app.url}oauth.html`;
	await expect(dialog).toContainText(`Snug comes back to ${back}`);
	await dialog.getByRole('textbox', { name: 'Client ID' }).fill(gate.makeKnown(back));
	const popup = await open(dialog);
	await popup.getByRole('link', { name: 'Allow' }).click();
	await expect(dialog).toBeHidden();
	expect(await tokens(page)).toHaveLength(1);
});
