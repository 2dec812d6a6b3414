import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { answer, chooseServer, pressOnceStill, said, say, useServer } from './chat';
import { chunkWith } from './chunks';
import { tinyModelFile } from './tiny-model';
import { switchTools } from './tools';

// Files that the service worker has precached would not be asked for.
test.use({ serviceWorkers: 'block', weights: 'none' });
test.beforeEach(({ expectConsole }) => {
	expectConsole.push(/net::ERR_FAILED/, /Failed to fetch dynamically imported module/);
});

/** Has every request for the chunk with these words fail, until the returned function is called, which tells how many did. */
async function failChunk(page: Page, folder: string, words: string): Promise<() => Promise<number>> {
	const name = chunkWith(folder, words);
	let failed = 0;
	await page.route(`**/${name}`, (route) => {
		failed++;
		return route.abort();
	});
	return async () => {
		await page.unroute(`**/${name}`);
		return failed;
	};
}

test('[E11] a message that can’t be sent, since a part of the app did not arrive, stays in the composer, and is sent at the second try', async ({ page, server, folder }) => {
	await page.goto('./');
	await chooseServer(page, server.url, 'echo');
	await page.reload();
	const arrive = await failChunk(page, folder, 'There is nothing to answer in this chat');
	await say(page, 'Are you there?');
	await expect(page.getByRole('alert')).toBeVisible();
	await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Are you there?');
	expect(await arrive()).toBeGreaterThan(0);
	await page.getByRole('button', { name: 'Send' }).click();
	expect(await answer(page)).toContain('Are you there?');
});

test('[E11] a provider that did not arrive is a turn that failed; the next is answered', async ({ page, server, folder }) => {
	await page.goto('./');
	await chooseServer(page, server.url, 'echo');
	await page.reload();
	const arrive = await failChunk(page, folder, 'gpt-4o|chatgpt-4o');
	await say(page, 'Are you there?');
	await expect(page.getByRole('alert')).toBeVisible();
	expect(await arrive()).toBeGreaterThan(0);
	await say(page, 'And now?');
	expect(await answer(page)).toContain('And now?');
});

test('[E11] [S11] where the part that pastes a long text or queues a message did not arrive, that is said, and it is done at the second try', async ({ page, server, hold, folder }) => {
	hold('slow-tokens@100');
	await page.goto('./');
	await useServer(page, server.url, 'slow-tokens@100');
	const box = page.getByRole('textbox', { name: 'Message', exact: true });
	const notice = page.getByText('A part of Snug could not be loaded.');
	const paste = () =>
		box.evaluate((field) => {
			const clipboardData = new DataTransfer();
			clipboardData.setData('text/plain', 'x y '.repeat(3000));
			field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
		});
	const pasteArrives = await failChunk(page, folder, 'Long text attached as a file.');
	await paste();
	await expect(notice).toBeVisible();
	// Without it there is no offer to have it as text.
	await expect(page.getByRole('list', { name: 'Attached files' })).toContainText('Pasted text.txt');
	expect(await pasteArrives()).toBeGreaterThan(0);
	await page.getByRole('button', { name: 'Dismiss' }).click();
	await page.getByRole('button', { name: 'Remove Pasted text.txt' }).click();
	await paste();
	await expect(page.getByRole('button', { name: 'Paste as text instead' })).toBeVisible();
	await expect(page.getByRole('list', { name: 'Attached files' })).toContainText('Pasted text.txt');
	await box.press('ControlOrMeta+z');
	await box.fill(Array.from({ length: 60 }, (_, index) => `word${index}`).join(' '));
	await box.press('Enter');
	await expect(said(page).assistant).toContainText('word1');

	const queueArrives = await failChunk(page, folder, 'Your queued message is back in its composer');
	await box.fill('Next');
	await box.press('Enter');
	await expect(notice).toBeVisible();
	await expect(box).toHaveValue('Next');
	expect(await queueArrives()).toBeGreaterThan(0);
	await box.press('Enter');
	await expect(page.getByRole('group', { name: 'Queued message' })).toContainText('Next');
});

test('[P2] a backup that can’t be made, since a part of the app did not arrive, says so, and is made at the second try', async ({ page, folder }) => {
	await page.goto('./settings/storage');
	// Else it asks where to save, which nobody answers here.
	await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
	const arrive = await failChunk(page, folder, 'The file could not be written there');
	await page.getByRole('button', { name: 'Make a backup' }).click();
	await expect(page.getByRole('alert')).toHaveText('A part of Snug could not be loaded. Check the connection and reload.');
	expect(await arrive()).toBeGreaterThan(0);
	const download = page.waitForEvent('download');
	await page.getByRole('button', { name: 'Make a backup' }).click();
	expect((await download).suggestedFilename()).toMatch(/^snug-backup/);
	await expect(page.getByRole('alert')).toHaveCount(0);
});

test.describe('with a model on this device', () => {
	test.use({ weights: tinyModelFile() });

	test('[E11] an engine that did not arrive is a turn that failed; the next is answered', async ({ page, folder }) => {
		await page.goto('./');
		const arrive = await failChunk(page, folder, 'ended an answer without its token counts');
		await say(page, 'Are you there?');
		await expect(page.getByRole('alert')).toBeVisible();
		expect(await arrive()).toBeGreaterThan(0);
		await page.getByRole('button', { name: 'Retry' }).click();
		// Its first words are enough: all of them may take a busy machine a while.
		await expect(page.getByRole('article', { name: 'Assistant' })).toContainText(/river|lamp|garden|boat|letter|morning|window|stone|bird|road/);
	});
});

test('[E7] [E11] what is typed for “Commands” before it is there goes there and nowhere else; where it does not arrive, that is said, and its keys work again', async ({ page, folder, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	const message = page.getByRole('textbox', { name: 'Message' });
	const field = page.getByRole('combobox', { name: 'Search or run a command' });
	await message.focus();
	const arrive = await failChunk(page, folder, 'Search or run a command');
	await page.keyboard.press('ControlOrMeta+k');
	await expect(page.getByText('A part of Snug could not be loaded.')).toBeVisible();
	expect(await arrive()).toBeGreaterThan(0);
	await expect(message).toBeFocused();
	await page.reload();
	await message.focus();

	let letGo = () => {};
	const held = new Promise<void>((resolve) => (letGo = resolve));
	await page.route(`**/${chunkWith(folder, 'Search or run a command')}`, async (route) => {
		await held;
		await route.continue();
	});
	await page.keyboard.press('ControlOrMeta+k');
	await page.keyboard.type('settings');
	await page.keyboard.press('Enter');
	letGo();
	await expect(field).toHaveValue('settings');
	await expect(field).toBeFocused();
	await page.keyboard.press('Escape');
	await expect(message).toBeFocused();
	await expect(message).toHaveValue('');
	await expect(page.getByRole('article')).toHaveCount(0);
});

test('[Z8] where the tool of a call that waits did not arrive, that is said, and Resume asks about the call', async ({ page, server, folder }) => {
	await page.goto('./');
	await useServer(page, server.url, 'agent');
	await switchTools(page, 'Write notes');
	await say(page, 'call notes_write {"name":"Fruit","text":"Pears"}\nDone.');
	const card = page.getByRole('group', { name: 'Approval' });
	await expect(card).toBeVisible();
	const arrive = await failChunk(page, folder, 'Adds lines to the end of a note');
	await page.reload();
	await expect(page.getByText('A part of Snug could not be loaded.')).toBeVisible();
	expect(await arrive()).toBeGreaterThan(0);
	await page.getByRole('button', { name: 'Resume' }).click();
	await pressOnceStill(card.getByRole('button', { name: 'Allow once', exact: true }));
	await expect(said(page).assistant.last()).toContainText('Done.');
});
