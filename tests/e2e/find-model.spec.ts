import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { answer, expectAccessible, modelFiles, say } from './chat';
import { startHub, type Hub } from './hub';
import { tinyModelFile } from './tiny-model';

test.use({ weights: 'none' });

const tiny = readFileSync(tinyModelFile());

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Model' });
const download = (page: Page) => dialogOf(page).getByRole('button', { name: /^Download: Tiny-Q4_K_M/ });

async function openFinder(page: Page) {
	await page.goto('./');
	await page.getByRole('button', { name: 'a model', exact: true }).click();
	await dialogOf(page).getByRole('button', { name: 'Find a model' }).click();
	await expect(dialogOf(page).getByRole('list', { name: 'Good first choices' })).toBeVisible();
	return dialogOf(page);
}

/** Searches, and opens what is found. */
async function openTiny(page: Page) {
	const dialog = await openFinder(page);
	await dialog.getByRole('searchbox', { name: 'Search for a model' }).fill('tiny & small');
	await page.keyboard.press('Enter');
	await dialog.getByRole('button', { name: 'Show the files of owner/Tiny-GGUF' }).click();
	await expect(dialog.getByRole('list', { name: 'Files of owner/Tiny-GGUF' })).toBeVisible();
	return dialog;
}

/** Resolves when a part of a download has been written. */
async function somethingIsHere(page: Page) {
	const bar = dialogOf(page).getByRole('progressbar');
	await expect.poll(() => bar.evaluate((element: HTMLProgressElement) => element.value)).toBeGreaterThan(0);
}

let hub: Hub | undefined;
test.afterEach(() => hub?.close());

test('[P1] [P8] a model is found when the user asks, and only then; its download goes on after a broken connection, and it answers', async ({ page, context }) => {
	hub = await startHub(context, { bytes: tiny });
	const dialog = await openFinder(page);
	const field = dialog.getByRole('searchbox', { name: 'Search for a model' });
	await expect(field).toBeFocused();
	await expect(field).toHaveAccessibleDescription(/are sent to huggingface\.co\. Nothing is sent before that\./);
	await expect(dialog.getByRole('listitem').filter({ hasText: 'Gemma 3 1B' })).toContainText(/About 806 MB · gemma · Fits/);
	await page.keyboard.type('tiny & small');
	await expect(dialog.getByRole('button', { name: 'Search' })).toBeEnabled();
	expect(hub.asked).toEqual([]);

	await page.keyboard.press('Enter');
	const found = dialog.getByRole('list', { name: 'Found models' });
	await expect(dialog.getByText('2 found, the most downloaded first.')).toBeVisible();
	await expect(found.getByRole('listitem')).toHaveText([/owner\/Tiny-GGUF\s*apache-2\.0 · 12,345 downloads/, /vendor\/Gated-GGUF.*needs an account/]);
	expect(hub.asked).toEqual(['/api/models?search=tiny+%26+small&filter=gguf&sort=downloads&direction=-1&limit=20&expand%5B%5D=downloads&expand%5B%5D=gated&expand%5B%5D=tags']);

	await found.getByRole('button', { name: 'Show the files of owner/Tiny-GGUF' }).click();
	const files = dialog.getByRole('list', { name: 'Files of owner/Tiny-GGUF' });
	await expect(files.getByRole('listitem')).toHaveText([/Q4_K_M\s*Recommended.*Fits, with room for about 256 tokens/, /F16.*Too large: needs about 90 GB of memory, and a tab here has about/, /Tiny-Q8_0.*in 2 files, which Snug can’t use/]);
	await expect(dialog.getByText('License: apache-2.0')).toBeVisible();
	await expect(files.getByRole('button')).toHaveCount(1);
	await expect(dialog.getByRole('button', { name: 'Back to the list' })).toBeFocused();
	expect(hub.asked.slice(1)).toEqual(['/api/models/owner/Tiny-GGUF?blobs=true']);

	hub.stallAfter(200_000);
	await download(page).click();
	await somethingIsHere(page);
	hub.breakConnection();
	await expect(dialog).toBeHidden();
	await expect(page.getByText('ready offline')).toBeVisible();
	expect(hub.ranges).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
	expect(await page.evaluate(() => window.snug.models.list())).toMatchObject([{ name: 'Tiny · Q4_K_M', bytes: tiny.length }]);
	await say(page, 'Hello');
	expect((await answer(page, { timeout: 60_000 })).length).toBeGreaterThan(10);

	await page.getByRole('button', { name: /: Change model$/ }).click();
	await page.getByRole('button', { name: 'Add or remove models' }).click();
	await expect(dialog.getByRole('listitem').filter({ hasText: 'Tiny · Q4_K_M' })).toContainText(/In memory, on (one thread|\d+ threads) of the processor/);
});

test('[P1] a download of a found model is stopped, and goes on after a reload without a new search', async ({ page, context }) => {
	hub = await startHub(context, { bytes: tiny });
	const dialog = await openTiny(page);
	hub.stallAfter(200_000);
	await download(page).click();
	await somethingIsHere(page);
	await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
	await page.keyboard.press('Enter');
	await expect(dialog.getByText(/Partly downloaded: \d+ KB of/)).toBeVisible();
	await expect(dialog.getByRole('button', { name: 'Find a model' })).toBeFocused();

	await page.reload();
	const asked = hub.asked.length;
	await page.getByRole('button', { name: 'a model', exact: true }).click();
	hub.stallAfter(400_000);
	await dialog.getByRole('button', { name: 'Resume' }).click();
	await somethingIsHere(page);
	await expect(dialog.getByText(/ free in this browser/)).toBeVisible();
	await expect(dialog.getByText(/Partly downloaded/)).toHaveCount(0);
	hub.breakConnection();
	await expect(dialog).toBeHidden();
	await expect(page.getByText('ready offline')).toBeVisible();
	expect(hub.ranges.at(-1)).toMatch(/^bytes=[1-9]\d*-$/);
	expect([...new Set(hub.asked.slice(asked))]).toEqual([expect.stringMatching(/^\/owner\/Tiny-GGUF\/resolve\/c0ffee0+\/Tiny-Q4_K_M\.gguf$/)]);
});

test('[P1] [P8] a file that is not the one which Hugging Face names by its hash is refused, and nothing of it is left', async ({ page, context }) => {
	hub = await startHub(context, { bytes: tiny, sha256: 'cd'.repeat(32) });
	const dialog = await openTiny(page);
	await download(page).click();
	await expect(dialog.getByRole('alert')).toContainText('is not the file that was announced: its checksum differs. It was deleted');
	expect(await page.evaluate(() => window.snug.models.list())).toEqual([]);
	expect(await modelFiles(page)).toEqual([]);
	await expect(dialog.getByText(/Partly downloaded/)).toBeHidden();
});

test('[P8] a search that finds nothing that can be read is explained, and the next one is asked', async ({ page, context }) => {
	hub = await startHub(context, { bytes: tiny });
	const dialog = await openFinder(page);
	await context.route('https://huggingface.co/**', (route) => route.fulfill({ status: 200, headers: { 'access-control-allow-origin': '*' }, body: '<!doctype html>' }), { times: 1 });
	const field = dialog.getByRole('searchbox', { name: 'Search for a model' });
	await field.fill('tiny');
	await page.keyboard.press('Enter');
	await expect(dialog.getByRole('alert')).toContainText('What Hugging Face answered could not be read.');
	await expect(dialog.getByRole('list', { name: 'Good first choices' })).toBeVisible();
	await page.keyboard.press('Enter');
	await expect(dialog.getByText('2 found, the most downloaded first.')).toBeVisible();
	await expect(dialog.getByRole('alert')).toBeHidden();
});

test('[P1] a model of which only an estimate says that it is too large can be tried', async ({ page, context }) => {
	hub = await startHub(context, { bytes: tiny });
	await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'deviceMemory', { get: () => 0.25 }));
	const dialog = await openTiny(page);
	const files = dialog.getByRole('list', { name: 'Files of owner/Tiny-GGUF' });
	await expect(files.getByRole('listitem')).toContainText([/May be too large: needs about \d+ MB of memory, and a tab here has about 134 MB/, /F16.*Too large/, /in 2 files/]);
	await expect(files.getByRole('button')).toHaveCount(1);
	await files.getByRole('button', { name: 'Try anyway: Tiny-Q4_K_M' }).click();
	await expect(dialog).toBeHidden();
	await expect(page.getByText('ready offline')).toBeVisible();
	await say(page, 'Hello');
	expect((await answer(page, { timeout: 60_000 })).length).toBeGreaterThan(10);
});

test('[P1] one of the first choices is recommended for the device, and downloaded by one button; its other files are behind another', async ({ page, context }) => {
	hub = await startHub(context, { bytes: tiny });
	await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'deviceMemory', { get: () => 4 }));
	const dialog = await openFinder(page);
	const choices = dialog.getByRole('list', { name: 'Good first choices' }).getByRole('listitem');
	await expect(choices.filter({ hasText: 'Recommended' })).toContainText(['Llama 3.2 1B']);
	const row = choices.first();
	await expect(row).toContainText(/llama3\.2 · Fits(?!,)/);
	await expect(row.getByTitle('Fits, with room for about')).toBeVisible();
	await expect(choices.filter({ hasText: 'Qwen3 4B' })).toContainText('May be too large');
	await expect(choices.filter({ hasText: 'Qwen3 4B' }).getByRole('button')).toHaveText(['Files']);
	await row.getByRole('button', { name: 'Show the files of Llama 3.2 1B' }).click();
	await expect(dialog.getByRole('list', { name: /^Files of/ }).getByRole('listitem')).toHaveCount(3);
	await dialog.getByRole('button', { name: 'Back to the list' }).click();
	await row.getByRole('button', { name: 'Download Llama 3.2 1B' }).click();
	await expect(dialog).toBeHidden();
	await expect(page.getByText('ready offline')).toBeVisible();
	expect(await page.evaluate(() => window.snug.models.list())).toMatchObject([{ bytes: tiny.length }]);
});

test('[P8] what keeps the files of a model from being listed is told in its row, in sight', async ({ page, context, expectConsole }) => {
	expectConsole.push(/status of 404/);
	await page.setViewportSize({ width: 800, height: 500 });
	hub = await startHub(context, { bytes: tiny });
	const dialog = await openFinder(page);
	const open = dialog.getByRole('button', { name: 'Show the files of Qwen3 4B' });
	await open.click();
	const alert = dialog.getByRole('listitem').filter({ hasText: 'Qwen3 4B' }).getByRole('alert');
	await expect(alert).toContainText('There is no such repository at Hugging Face');
	await expect(alert).toBeInViewport({ ratio: 1 });
	await expect(open).toBeFocused();
	await expect(dialog.getByRole('alert')).toHaveCount(1);
	await expectAccessible(page, 'a model whose files can’t be listed');
});

test('[R9] [P1] scripts search for models, and download one that is checked', async ({ page, context }) => {
	hub = await startHub(context, { bytes: tiny });
	await page.goto('./');
	await page.waitForFunction(() => 'snug' in window);
	expect(await page.evaluate(() => window.snug.models.search('tiny'))).toMatchObject([{ id: 'owner/Tiny-GGUF', license: 'apache-2.0' }, { needsAccount: true }]);
	const files = await page.evaluate(() => window.snug.models.files('owner/Tiny-GGUF'));
	expect(files).toMatchObject([{ name: 'Tiny-Q4_K_M', quantization: 'Q4_K_M', bytes: tiny.length, fit: { fits: true } }, { name: 'Tiny-F16', fit: { fits: false, lacks: 'memory' } }]);
	const { address } = files[0]!;
	const refusal = await page.evaluate((wrong) => window.snug.models.fetch(wrong).catch((error: { code: string }) => error.code), { ...address, sha256: '0'.repeat(64) });
	expect(refusal).toBe('download-mismatch');
	expect(await page.evaluate((right) => window.snug.models.fetch(right), address)).toMatchObject({ name: 'Tiny · Q4_K_M', sha256: address.sha256 });
});

for (const [colorScheme, width] of [
	['light', 1280],
	['dark', 390]
] as const) {
	test(`[P10] the search for a model is reached from the commands, by keys alone, and accessible (${colorScheme}, ${width} pixels)`, async ({ page, context }) => {
		hub = await startHub(context, { bytes: tiny });
		await page.emulateMedia({ colorScheme });
		await page.setViewportSize({ width, height: 844 });
		await page.goto('./');
		await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
		await page.keyboard.press('ControlOrMeta+K');
		await page.keyboard.type('find a model for');
		await page.getByRole('option', { name: /^Find a model for this device/ }).waitFor();
		await page.keyboard.press('Enter');
		const dialog = dialogOf(page);
		const field = dialog.getByRole('searchbox', { name: 'Search for a model' });
		await expect(field).toBeFocused();
		await expect(dialog.getByRole('list', { name: 'Good first choices' })).toBeVisible();
		await expectAccessible(page, 'first choices of models');
		await field.fill('tiny');
		await page.keyboard.press('Enter');
		const open = dialog.getByRole('button', { name: 'Show the files of owner/Tiny-GGUF' });
		await open.waitFor();
		await expectAccessible(page, 'found models');
		await page.keyboard.press('Tab');
		await page.keyboard.press('Tab');
		await expect(open).toBeFocused();
		await page.keyboard.press('Enter');
		await expect(dialog.getByRole('button', { name: 'Back to the list' })).toBeFocused();
		await expectAccessible(page, 'files of a model');
		expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
		await page.keyboard.press('Enter');
		await expect(open).toBeFocused();
	});
}
