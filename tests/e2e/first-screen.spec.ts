import { startOpenAiServer } from '../fixtures/openai-server.mjs';
import { expect, test } from './app';
import { answer, chooseServer, say } from './chat';
import { tinyModelFile } from './tiny-model';

test.describe('with weights at hand', () => {
	test.use({ weights: tinyModelFile() });

	test('the model on this device is the default: its size first, progress while it loads, then “ready offline”', async ({ page }) => {
		await page.goto('./');
		await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
		await expect(page.getByText(/Tiny on this device · 4\d\d KB, downloads when you first send/)).toBeVisible();
		await say(page, 'Hello');
		await expect(page.getByText('ready offline')).toBeVisible({ timeout: 30_000 });
		await answer(page);

		await page.getByRole('link', { name: 'Settings' }).click();
		const threads = await page.evaluate(() => (crossOriginIsolated ? navigator.hardwareConcurrency : 1));
		await expect(page.getByText(threads > 1 ? /Loaded, on \d+ threads/ : /Loaded, on one thread/)).toBeVisible();
	});
});

test.describe('with no weights', () => {
	test.use({ weights: 'none' });

	test('the three ways are offered, and sending before one is chosen asks for it and keeps the text', async ({ page }) => {
		await page.goto('./');
		await expect(page.getByRole('button', { name: 'a server' })).toBeVisible();
		await expect(page.getByRole('button', { name: 'a model', exact: true })).toBeVisible();
		await say(page, 'Is anybody there?');
		const dialog = page.getByRole('dialog', { name: 'Model' });
		await expect(dialog).toBeVisible();
		await dialog.getByRole('button', { name: 'Close' }).click();
		await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Is anybody there?');
	});

	test('local servers are looked for only when asked, found at their usual port, and used', async ({ page, expectConsole }) => {
		// The ports where nothing listens.
		expectConsole.push(/net::ERR_CONNECTION_REFUSED/);
		const server = await startOpenAiServer(11434).catch((error: NodeJS.ErrnoException) => error);
		test.skip(server instanceof Error, 'Port 11434 is in use on this machine, perhaps by a real Ollama, so the test can’t stand in for one.');
		if (server instanceof Error) return;

		await page.goto('./');
		await page.getByRole('button', { name: 'a server' }).click();
		const dialog = page.getByRole('dialog');
		await page.waitForTimeout(500);
		expect(server.requests).toEqual([]);
		await dialog.getByRole('button', { name: 'Look for servers on this computer' }).click();
		await dialog.getByRole('listitem').filter({ hasText: 'Ollama' }).getByRole('button', { name: 'Connect' }).click();
		await dialog.getByRole('button', { name: 'echo', exact: true }).click();
		await expect(page.getByText('echo at Ollama (localhost:11434)')).toBeVisible();
		await say(page, 'Hello, Ollama');
		expect(await answer(page)).toContain('Hello, Ollama');

		await page.goto('./settings');
		await expect(page.getByText(/The browser keeps this data|The browser may delete this data/)).toBeVisible();
		await server.close();
	});

	test('nothing is said of where a message goes before it is known', async ({ page, server }) => {
		await page.addInitScript(() => {
			const said = new Set<string>();
			const look = () => document.querySelectorAll('.frame-welcome p').forEach((line) => said.add(line.textContent));
			new MutationObserver(look).observe(document, { childList: true, characterData: true, subtree: true });
			Object.assign(window, { said });
		});
		const said = () => page.evaluate(() => [...(window as unknown as { said: Set<string> }).said]);
		const kept = 'Your chats stay in this browser.';
		await page.goto('./');
		await expect(page.getByRole('button', { name: 'a server' })).toBeVisible();
		expect(await said()).toEqual([kept]);
		await chooseServer(page, server.url, 'echo');
		await page.goto('./');
		await expect(page.getByText('Your messages go to')).toBeVisible();
		expect(await said()).toEqual([kept, expect.stringMatching(/^Your chats stay in this browser\. Your messages go to \S+ for an answer\.$/)]);
	});

	test('the browser is asked to keep the data at the first send, and not before', async ({ page }) => {
		await page.goto('./settings');
		await expect(page.getByText('The browser will be asked to keep this data when you send your first message.')).toBeVisible();
	});
});
