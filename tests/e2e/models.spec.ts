import { createServer, type Server } from 'node:http';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { answer, ask, expectAccessible, modelFiles, openModelDialog, say, useServer } from './chat';
import { tinyModelFile } from './tiny-model';

test.use({ weights: 'none' });

const tiny = readFileSync(tinyModelFile());
const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer });

async function openDialog(page: Page) {
	await page.goto('./');
	await page.getByRole('button', { name: 'a model', exact: true }).click();
	return page.getByRole('dialog', { name: 'Model' });
}

test('[P1] a GGUF file is imported from disk, answers, is listed with its size and can be removed', async ({ page }) => {
	const dialog = await openDialog(page);
	await dialog.getByLabel('GGUF file', { exact: true }).setInputFiles(file('Tiny.gguf', tiny));
	await expect(dialog).toBeHidden({ timeout: 30_000 });
	await expect(page.getByText('ready offline')).toBeVisible();
	await say(page, 'Hello');
	expect((await answer(page, { timeout: 60_000 })).length).toBeGreaterThan(10);

	const models = await page.evaluate(() => window.snug.models.list());
	expect(models).toMatchObject([{ name: 'Tiny', bytes: tiny.length, architecture: 'llama', contextLength: 256, hasChatTemplate: true }]);

	await page.goto('./settings');
	await expect(page.getByText(/Loaded, on|Tiny on this device\./)).toBeVisible();
	await page.getByRole('button', { name: 'Change model' }).click();
	const remove = page.getByRole('dialog').getByRole('button', { name: 'Remove Tiny' });
	await remove.click();
	await expect(page.getByRole('button', { name: 'Keep', exact: true })).toBeFocused();
	await page.keyboard.press('Enter');
	await expect(remove).toBeFocused();
	expect(await page.evaluate(() => window.snug.models.list())).toHaveLength(1);
	await remove.click();
	await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
	await expect(page.getByText('Tiny was removed from this browser.')).toBeVisible();
	expect(await page.evaluate(() => window.snug.models.list())).toEqual([]);
	await expect(page.getByText('Not chosen yet.')).toBeVisible();
});

for (const [what, buffer, sentence] of [
	['a truncated file', tiny.subarray(0, tiny.length - 1000), /not complete/],
	['a web page', Buffer.from('<!doctype html><title>Not found</title>'.padEnd(5000)), /web page|HTML/i],
	['an archive', Buffer.from('PK\u0003\u0004'.padEnd(5000)), /ZIP/i],
	['an empty file', Buffer.alloc(0), /empty|not a GGUF/i]
] as const) {
	test(`${what} in place of a GGUF file gets one sentence, and nothing is copied`, async ({ page }) => {
		const dialog = await openDialog(page);
		await dialog.getByLabel('GGUF file', { exact: true }).setInputFiles(file('model.gguf', buffer));
		await expect(dialog.getByRole('alert')).toHaveText(sentence);
		expect(await page.evaluate(() => window.snug.models.list())).toEqual([]);
		expect(await modelFiles(page)).toEqual([]);
	});
}

test('[P1] a download is cancelled, goes on after a reload where it stopped, and is checked', async ({ page }) => {
	const ranges: (string | undefined)[] = [];
	const server = await serveSlowly(tiny, ranges);
	const { port } = server.address() as { port: number };
	const dialog = await openDialog(page);
	await dialog.getByRole('textbox', { name: 'Address of a GGUF file' }).fill(`http://127.0.0.1:${port}/Slow.gguf`);
	await dialog.getByRole('button', { name: 'Download', exact: true }).click();
	await expect(dialog.getByRole('progressbar')).toBeVisible();
	await expect.poll(() => dialog.getByRole('progressbar').evaluate((bar: HTMLProgressElement) => bar.value)).toBeGreaterThan(100_000);
	await dialog.getByRole('button', { name: 'Cancel' }).click();
	await expect(dialog.getByText(/Partly downloaded/)).toBeVisible();

	await page.reload();
	await page.getByRole('button', { name: 'a model', exact: true }).click();
	await dialog.getByRole('button', { name: 'Resume' }).click();
	await expect(dialog).toBeHidden({ timeout: 30_000 });
	await expect(page.getByText('ready offline')).toBeVisible();
	expect(ranges[0]).toBeUndefined();
	expect(ranges.at(-1)).toMatch(/^bytes=[1-9]\d{4,}-/);
	expect(await page.evaluate(() => window.snug.models.list())).toMatchObject([{ name: 'Slow', bytes: tiny.length }]);
	server.close();
});

/** A server of one file that knows Range and takes about four seconds for the whole. */
async function serveSlowly(bytes: Buffer, ranges: (string | undefined)[]): Promise<Server> {
	const server = createServer((request, response) => {
		const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*', 'access-control-expose-headers': '*', 'accept-ranges': 'bytes', etag: '"one"' };
		if (request.method === 'OPTIONS') return response.writeHead(204, headers).end();
		ranges.push(request.headers.range);
		const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
		const range = { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
		response.writeHead(from ? 206 : 200, { ...headers, ...(from ? range : {}), 'content-length': bytes.length - from });
		void trickle(bytes.subarray(from));

		async function trickle(rest: Buffer) {
			const step = Math.ceil(bytes.length / 40);
			for (let at = 0; at < rest.length && !response.destroyed; at += step) {
				response.write(rest.subarray(at, at + step));
				await sleep(100);
			}
			response.end();
		}
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return server;
}

test('[P10] a server that is removed can be had back in the dialog, and its models are on offer no more', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	const dialog = await openModelDialog(page);
	await dialog.getByRole('button', { name: 'Choose a model' }).click();
	const search = dialog.getByRole('searchbox', { name: 'Filter models' });
	await expect(search).toBeFocused();
	await page.keyboard.type('no such model');
	await expect(dialog.getByText('No results.')).toBeVisible();
	await search.fill('');
	await dialog.getByRole('button', { name: /^Remove / }).click();
	await expect(search).toBeHidden();
	await expect(dialog.getByRole('button', { name: 'echo', exact: true })).toBeHidden();
	await dialog.getByRole('button', { name: 'Undo' }).click();
	await expect(dialog.getByRole('button', { name: 'Choose a model' })).toBeVisible();
	await dialog.getByRole('button', { name: 'echo', exact: true }).click();
	await expect(dialog).toBeHidden();
	await expect(page.getByText('echo at')).toBeVisible();
});

const strip = (page: Page) => page.getByRole('button', { name: /: Change model$/ });
const menu = (page: Page) => page.getByRole('group', { name: 'Models' });

test('[P3] a chat keeps its model; what is chosen for a new chat is for those that come', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	const before = server.requests.length;
	await ask(page, 'First');
	const first = page.url();
	await strip(page).click();
	await menu(page).getByRole('button', { name: 'echo@5', exact: true }).click();
	await expect(strip(page)).toHaveText('echo@5');
	await expect(menu(page)).toBeHidden();
	await ask(page, 'Again');
	expect(server.requests.slice(before).filter(({ path }) => path.endsWith('/completions')).map(({ body }) => (body as { model: string }).model)).toEqual(['echo', 'echo@5']);

	await page.getByRole('link', { name: 'New chat' }).first().click();
	await expect(strip(page)).toHaveText('echo');
	await strip(page).click();
	await menu(page).getByRole('button', { name: 'slow-tokens@100', exact: true }).click();
	await expect(strip(page)).toHaveText('slow-tokens@100');
	await page.goto(first);
	await expect(strip(page)).toHaveText('echo@5');
	await page.reload();
	await expect(strip(page)).toHaveText('echo@5');
	await page.goto('./');
	await expect(strip(page)).toHaveText('slow-tokens@100');
});

for (const [colorScheme, width] of [
	['light', 1280],
	['dark', 390]
] as const) {
	test(`[P3] the menu of models has all of them, those of before first, by keys alone and accessible (${colorScheme}, ${width} pixels)`, async ({ page, server }) => {
		await page.emulateMedia({ colorScheme });
		await page.setViewportSize({ width, height: 844 });
		await page.goto('./');
		await useServer(page, server.url, 'echo');
		await ask(page, 'First');
		await strip(page).click();
		const search = menu(page).getByRole('searchbox', { name: 'Filter models' });
		await expect(search).toBeFocused();
		const recent = menu(page).getByRole('region', { name: 'Recent' });
		await expect(recent.getByRole('button')).toHaveText([/^echo/]);
		await expect(recent.getByRole('button')).toHaveAttribute('aria-current', 'true');
		await expect(menu(page)).toBeInViewport({ ratio: 1 });
		await expectAccessible(page, 'menu of models');

		// What its server says that it can.
		await page.keyboard.type('reasoning');
		await expect(menu(page).locator('[data-model=reasoning]')).toContainText('up to 131,072 tokens · pictures · tools');
		await search.fill('');

		await page.keyboard.type('tokens@ 127');
		await expect(menu(page).locator('[data-model]')).toHaveText(['slow-tokens@100']);
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('Enter');
		await expect(strip(page)).toHaveText('slow-tokens@100');
		// What is typed next is the message.
		await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
		await strip(page).press('Enter');
		await expect(search).toBeFocused();
		await page.keyboard.type('no such model');
		await expect(menu(page).getByText('No models match.')).toBeVisible();
		// The field is cleared first.
		await page.keyboard.press('Escape');
		await expect(search).toHaveValue('');
		await page.keyboard.press('Escape');
		await expect(menu(page)).toBeHidden();

		// A server lists what it has by now.
		const before = server.requests.length;
		await strip(page).click();
		await menu(page).getByRole('button', { name: /^Update the list of/ }).click();
		await expect.poll(() => server.requests.slice(before).map(({ path }) => path)).toEqual(['/v1/models']);
		await menu(page).getByRole('button', { name: 'Add or remove models' }).click();
		await expect(page.getByRole('dialog', { name: 'Model' })).toBeVisible();
	});
}
