import type { Locator, Page } from '@playwright/test';
import { startAnthropicServer } from '../fixtures/anthropic-server.mjs';
import { startGoogleServer } from '../fixtures/google-server.mjs';
import { startOpenRouterServer } from '../fixtures/openrouter-server.mjs';
import type { startProtocolServer } from '../fixtures/protocol-server.mjs';
import { startResponsesServer } from '../fixtures/responses-server.mjs';
import { expect, test } from './app';
import { answer, expectAccessible, openModelDialog, putRows, say, useServer } from './chat';

test.use({ weights: 'none' });

const key = 'key-0123456789abcdefghijklmnopqrstuvwxyz';

const services: [name: string, path: string, start: () => ReturnType<typeof startProtocolServer>][] = [
	['OpenAI', '/v1', startResponsesServer],
	['Anthropic', '/v1', startAnthropicServer],
	['Google Gemini', '/v1beta', startGoogleServer],
	['OpenRouter', '/api/v1', startOpenRouterServer]
];

/** Opens the form of a service, with the address of a server of ours. */
async function openForm(page: Page, name: string, baseUrl: string): Promise<Locator> {
	const dialog = await openModelDialog(page);
	await dialog.getByRole('radio', { name: /A server/ }).check();
	await dialog.getByRole('radio', { name, exact: true }).check();
	await dialog.getByText('Address', { exact: true }).first().click();
	await dialog.getByRole('textbox', { name: 'Address' }).fill(baseUrl);
	return dialog;
}

async function paste(page: Page, dialog: Locator, text: string): Promise<void> {
	const field = dialog.getByLabel('API key', { exact: true });
	await field.fill('');
	await page.evaluate((text) => navigator.clipboard.writeText(text), text);
	await field.focus();
	await page.keyboard.press('ControlOrMeta+V');
}

async function choose(dialog: Locator, model: string): Promise<void> {
	const search = dialog.getByRole('searchbox', { name: 'Filter models' });
	await search.fill(model);
	await dialog.getByRole('button', { name: model, exact: true }).click();
	await expect(dialog).toBeHidden();
}

for (const [name, path, start] of services) {
	test(`[P8] ${name} is added by its key alone, which is tried as it is pasted, and answers with reasoning; the key is nowhere after`, async ({ page, context, expectConsole }) => {
		expectConsole.push(/Failed to load resource/);
		await context.grantPermissions(['clipboard-read', 'clipboard-write']);
		const server = await start();
		try {
			await page.goto('./');
			const dialog = await openForm(page, name, `${server.origin}${path}`);
			await expectAccessible(page, `the form of ${name}`);
			await paste(page, dialog, 'wrong-key-that-nobody-made');
			await expect(dialog.getByRole('alert')).toContainText('did not accept the API key (401)');
			await expect(dialog.getByLabel('API key', { exact: true })).toHaveAttribute('aria-invalid', 'true');
			await paste(page, dialog, key);
			await choose(dialog, 'reasoning');
			await say(page, 'Two and two?');
			expect(await answer(page)).toContain('Four.');
			await page.getByRole('article', { name: 'Assistant' }).getByText(/^Thought|Reasoning/).first().click();
			await expect(page.getByRole('article', { name: 'Assistant' })).toContainText('Two and two.');

			expect(await page.content()).not.toContain(key);
			expect(await page.locator('input').evaluateAll((fields: HTMLInputElement[]) => fields.map(({ value }) => value).join())).not.toContain(key);
			const backup = await page.evaluate(async () => new Response((await window.snug.backup.create()).stream().pipeThrough(new DecompressionStream('gzip'))).text());
			expect(backup).toContain('Two and two?');
			expect(backup).not.toContain(key);
		} finally {
			await server.close();
		}
	});

	test(`[P11] ${name} that is asked too often says in how many seconds to try again`, async ({ page, expectConsole }) => {
		expectConsole.push(/Failed to load resource/);
		const server = await start();
		try {
			await page.goto('./');
			const dialog = await openForm(page, name, `${server.origin}${path}`);
			await dialog.getByLabel('API key', { exact: true }).fill(key);
			await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
			await choose(dialog, '429');
			await say(page, 'Are you there?');
			await expect(page.getByRole('alert').filter({ hasText: `${new URL(server.origin).host} is busy. Try again in a moment.` })).toBeVisible();
			await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
		} finally {
			await server.close();
		}
	});
}

test('[P11] an answer that fails without a network says so, and not that the server is at fault; one of this device is not told so', async ({ page, server, expectConsole }) => {
	expectConsole.push(/Failed to load resource|CORS policy|net::ERR/);
	const far = 'https://models.example/v1';
	await page.route(`${far}/models`, (route) => route.fulfill({ json: { data: [{ id: 'far' }] }, headers: { 'access-control-allow-origin': '*' } }));
	await page.goto('./');
	await useServer(page, far, 'far');
	await page.route(`${far}/chat/completions`, (route) => route.abort('internetdisconnected'));
	await page.evaluate(() => Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => false }));
	await say(page, 'Are you there?');
	const end = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Retry' }) });
	await expect(end).toContainText('You were offline. Try again once you are connected.');
	await expect(end).not.toContainText('models.example');

	await page.evaluate(() => Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => true }));
	await useServer(page, server.url, 'echo');
	await page.getByRole('button', { name: 'Retry' }).click();
	await expect(page.getByRole('article', { name: 'Assistant' })).toContainText('Are you there?');
});

test('[P8] [P11] on a phone what went wrong comes into sight, and Enter chooses the first model that fits', async ({ page, server, expectConsole }) => {
	expectConsole.push(/Failed to load resource/);
	await page.setViewportSize({ width: 390, height: 640 });
	await page.goto('./');
	const dialog = await openModelDialog(page);
	await dialog.getByRole('radio', { name: /A server/ }).check();
	await dialog.getByRole('textbox', { name: 'Address' }).fill(server.url.replace('/v1', '/401/v1'));
	await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
	await expect(dialog.getByRole('alert')).toContainText('asks for an API key');
	await expect(dialog.getByRole('alert')).toBeInViewport({ ratio: 1 });
	await expect(dialog.getByRole('button', { name: 'Find out why' })).toBeInViewport({ ratio: 1 });
	await expect(dialog.getByRole('textbox', { name: 'API key' })).toBeFocused();

	await dialog.getByRole('textbox', { name: 'Address' }).fill(server.url);
	await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
	const filter = dialog.getByRole('searchbox', { name: 'Filter models' });
	await expect(filter).toBeFocused();
	await filter.press('Enter');
	await expect(dialog).toBeVisible();
	await filter.fill('slow-f');
	await filter.press('Enter');
	await expect(dialog).toBeHidden();
	await expect(page.getByText('slow-first-byte at ')).toBeVisible();
});

test('[P8] a server that only has the name of a service is shown by its address, and sent no key at the paste of one', async ({ page, context, expectConsole }) => {
	expectConsole.push(/Failed to load resource/);
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	const server = await startAnthropicServer();
	try {
		await page.goto('./');
		await page.getByRole('textbox', { name: 'Message' }).waitFor();
		await putRows(page, { providers: [{ id: '01900000-0000-7000-8000-0000000000aa', name: 'Anthropic', protocol: 'anthropic', baseUrl: `${server.origin}/v1`, createdAt: 1 }] });
		await page.reload();
		const dialog = await openModelDialog(page);
		await dialog.getByRole('radio', { name: /A server/ }).check();
		await dialog.getByRole('button', { name: 'Choose a model' }).click();
		await expect(dialog.getByRole('alert')).toContainText('asks for an API key (401)');
		await expect(dialog.getByRole('radio', { name: 'Anthropic', exact: true })).toBeChecked();
		await expect(dialog.getByRole('textbox', { name: 'Address' })).toHaveValue(`${server.origin}/v1`);
		await expect(dialog.getByRole('link', { name: /API keys/ })).toHaveCount(0);
		await page.evaluate((text) => navigator.clipboard.writeText(text), key);
		await page.keyboard.press('ControlOrMeta+V');
		await expect(dialog.getByLabel('API key, if it needs one')).toHaveValue(key);
		await expect(dialog.getByRole('button', { name: 'Connect', exact: true })).toBeEnabled();
		expect(server.requests.some(({ headers }) => headers['x-api-key'] === key)).toBe(false);
		await dialog.getByRole('radio', { name: 'Anthropic', exact: true }).focus();
		await expectAccessible(page, 'a server that has the name of a service');
	} finally {
		await server.close();
	}
});

test('[P8] [P10] beside a connected server the form is for another one: with a heading, empty, and not what stands out', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	const dialog = await openModelDialog(page);
	await dialog.getByRole('radio', { name: /A server/ }).check();
	await expect(dialog.getByRole('heading', { name: 'Add another server' })).toBeVisible();
	const address = dialog.getByRole('textbox', { name: 'Address' });
	const connect = dialog.getByRole('button', { name: 'Connect', exact: true });
	await expect(address).toHaveValue('');
	await expect(connect).not.toHaveClass(/primary/);
	// One whose address is typed again is that one.
	await address.fill(server.url);
	await expect(dialog.getByRole('heading', { name: new URL(server.url).host, exact: true })).toBeVisible();
	await connect.click();
	await expect(dialog.getByRole('searchbox', { name: 'Filter models' })).toBeFocused();
	await expect(address).toHaveValue('');

	// It is given another key from its row.
	await dialog.getByRole('button', { name: /Change the key of/ }).click();
	await expect(address).toHaveValue(server.url);
	await expect(dialog.getByRole('textbox', { name: 'API key, if it needs one' })).toBeFocused();
	await page.keyboard.type('another-key');
	const before = server.requests.length;
	await page.keyboard.press('Enter');
	await expect(dialog.getByRole('searchbox', { name: 'Filter models' })).toBeFocused();
	expect(server.requests.slice(before).map(({ headers }) => headers.authorization)).toContain('Bearer another-key');

	await page.setViewportSize({ width: 390, height: 844 });
	const row = dialog.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Choose a model' }) });
	const [name, choose] = [row.locator('b'), row.getByRole('button', { name: 'Choose a model' })];
	const nameBox = (await name.boundingBox())!;
	expect(nameBox.height).toBeLessThan(30);
	expect((await choose.boundingBox())!.y).toBeGreaterThan(nameBox.y + nameBox.height);
});
