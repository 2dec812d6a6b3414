import type { Page } from '@playwright/test';
import { expect, test } from './app';
import type { Position } from '../../src/lib/storage/tables/positions';
import { answer, newChat, putRows, refusals, refuseRows, rowsOf, said, say, useServer } from './chat';

test.use({ weights: 'none' });

const reading = /is open in another tab|has taken over this chat/;

const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');

/** Says 'Mine' in a new chat and returns a second tab, which reads it. */
async function openTwice(page: Page, server: string): Promise<Page> {
	await page.goto('./');
	await useServer(page, server, 'echo');
	await say(page, 'Mine');
	await answer(page);
	const second = await page.context().newPage();
	await second.goto(page.url());
	await expect(second.getByText(reading)).toBeVisible();
	return second;
}

test('[A5] a second tab reads live, to the token, says who writes, and can take over', async ({ page, context, server, hold }) => {
	hold('slow-tokens@100');
	await page.goto('./');
	await useServer(page, server.url, 'slow-tokens@100');
	await say(page, words);
	await expect(said(page).assistant).toContainText('word3');

	const second = await context.newPage();
	await second.goto(page.url());
	await expect(second.getByText(reading)).toBeVisible();
	await expect(second.getByRole('textbox', { name: 'Message' })).toHaveAttribute('readonly', '');
	// What was said before it came is there, and each new token shows in both within the time of a few.
	await expect(said(second).assistant).toContainText('word0');
	for (const word of ['word12', 'word20', 'word28']) {
		await expect(said(page).assistant).toContainText(word);
		await expect(said(second).assistant).toContainText(word, { timeout: 800 });
	}

	await expect(second.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0);
	await second.getByRole('textbox', { name: 'Message' }).press('x');
	await expect(second.getByText('Take over to write here.')).toBeVisible();

	await page.getByRole('textbox', { name: 'Message' }).fill('half a thought');
	await second.getByRole('button', { name: 'Take over and stop the answer' }).click();
	await expect(second.getByRole('textbox', { name: 'Message' })).toBeFocused();
	await expect(page.getByText('Another tab has taken over this chat.')).toBeVisible();
	await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('half a thought');
	await expect(page.getByRole('textbox', { name: 'Message' })).toHaveAttribute('readonly', '');
	await expect(second.getByText(reading)).toBeHidden();
	await expect(second.getByRole('button', { name: 'Retry' })).toBeVisible();
	await expect(said(second).assistant).toContainText('word28');
	await second.getByRole('button', { name: 'Keep partial answer' }).click();
	await expect(second.getByText('Stopped ·')).toBeVisible();
	await expect(said(page).assistant).toHaveCount(1);
	const rows = await rowsOf<{ role: string }>(second, 'messages');
	expect(rows.map(({ role }) => role)).toEqual(['system', 'user', 'assistant']);
});

test('[A5] a take-over that the store refuses is said', async ({ page, server }) => {
	const second = await openTwice(page, server.url);
	await refuseRows(second, ['positions']);
	await second.getByRole('button', { name: 'Take over' }).click();
	await expect(second.getByText(/no space left/)).toBeVisible();
});

test('[A5] one takes over once, however often one clicks', async ({ page, server }) => {
	const second = await openTwice(page, server.url);
	await second.getByRole('button', { name: 'Take over' }).dblclick();
	await expect(second.getByRole('textbox', { name: 'Message' })).toBeFocused();
	await newChat(second);
	await expect(page.getByText(reading)).toBeHidden();
	await say(page, 'Mine again');
	await expect(said(page).assistant.last()).toContainText('Mine again');
});

test('[A5] [E11] a chat that is replaced under the tab that writes it, as by restoring a backup, takes what is typed and sent there', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await say(page, 'Mine');
	await answer(page);
	const [position] = await rowsOf<Position>(page, 'positions');
	await putRows(page, { positions: [{ ...position!, fence: 7 }] });
	await page.getByRole('textbox', { name: 'Message' }).fill('typed after it');
	await expect.poll(async () => (await rowsOf<{ composer: string }>(page, 'drafts'))[0]?.composer).toBe('typed after it');
	await putRows(page, { positions: [{ ...position!, fence: 3 }] });
	await page.getByRole('button', { name: 'Send' }).click();
	await expect(said(page).assistant.last()).toContainText('typed after it');
	expect(await rowsOf(page, 'drafts')).toEqual([]);
});

test('[A5] how a turn ended is over when another tab takes the chat over', async ({ page, context, server, expectConsole }) => {
	expectConsole.push(/net::ERR_/);
	await page.goto('./');
	await useServer(page, server.url, 'breaks-off@500');
	await say(page, 'Mine');
	await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
	const second = await context.newPage();
	await second.goto(page.url());
	await second.getByRole('button', { name: 'Take over' }).click();
	await useServer(second, server.url, 'echo');
	await second.getByRole('button', { name: 'Retry' }).click();
	await expect(said(second).assistant.last()).toContainText('Mine');
	await expect(said(page).assistant.last()).toContainText('Mine');
	await expect(page.getByRole('log').getByText('broke off')).toHaveCount(0);
});

test('[A5] a killed tab’s session is free at once', async ({ page, server }) => {
	const second = await openTwice(page, server.url);
	await page.close();
	await expect(second.getByText(reading)).toBeHidden();
	await say(second, 'Now mine');
	await expect(said(second).assistant.last()).toContainText('Now mine');
});

test('[A5] [P2] a tab that inherits a chat that the store can’t settle offers all the same what can be done', async ({ page, context, server, hold }) => {
	hold('slow-tokens@100');
	await page.goto('./');
	await useServer(page, server.url, 'slow-tokens@100');
	await say(page, words);
	await expect(said(page).assistant).toContainText('word5');
	const second = await context.newPage();
	await second.goto(page.url());
	await expect(second.getByText(reading)).toBeVisible();
	await refuseRows(second, ['sessions']);
	await page.close();
	await expect(second.getByRole('button', { name: 'Retry' })).toBeVisible();
	expect(await refusals(second)).toBeGreaterThan(0);
	await refuseRows(second, []);
	await second.getByRole('button', { name: 'Keep partial answer' }).click();
	await expect(second.getByText('Stopped ·')).toBeVisible();
	await expect(said(second).assistant).toContainText('word5');
});

test('[A5] a tab that only reads shows each answer of the other, and offers nothing that writes', async ({ page, server }) => {
	const second = await openTwice(page, server.url);
	await say(page, 'Second');
	await expect(said(second).assistant.last()).toContainText('Second');
	await expect(said(second).assistant).toHaveCount(2);
	await expect(second.getByRole('button', { name: 'Regenerate' })).toHaveCount(0);
	await expect(second.getByRole('button', { name: 'Edit' })).toHaveCount(0);
});

test('[E11] unsent text comes back, per session, also after the tab was killed', async ({ page, context, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await say(page, 'One session');
	await answer(page);
	const first = page.url();
	await page.getByRole('textbox', { name: 'Message' }).fill('for the first');
	await newChat(page);
	await say(page, 'Another session');
	await answer(page);
	await page.getByRole('textbox', { name: 'Message' }).fill('for the second');
	const other = page.url();
	await expect.poll(async () => (await rowsOf<{ composer: string }>(page, 'drafts')).map(({ composer }) => composer)).toContain('for the second');
	await page.close();
	const again = await context.newPage();
	await again.goto(first);
	await expect(again.getByRole('textbox', { name: 'Message' })).toHaveValue('for the first');
	await again.goto(other);
	await expect(again.getByRole('textbox', { name: 'Message' })).toHaveValue('for the second');
});

test('[A5] a tab that is not on the screen leaves the chat to the tab that wrote it where that is reloaded, and inherits it where that is closed', async ({ page, server }) => {
	const second = await openTwice(page, server.url);
	await second.evaluate(() => Object.defineProperty(document, 'hidden', { get: () => true }));
	await page.reload();
	await say(page, 'Still mine');
	await expect(said(second).you).toHaveText(['Mine', 'Still mine']);
	await expect(second.getByText(reading)).toBeVisible();
	await page.close();
	await expect(second.getByText(reading)).toBeHidden();
	await say(second, 'Now mine');
	await expect(said(second).you).toHaveText(['Mine', 'Still mine', 'Now mine']);
});

test('[A5] [E11] a tab that only reads says nothing of buttons that it has not', async ({ page, server, expectConsole }) => {
	expectConsole.push(/net::ERR_INCOMPLETE_CHUNKED_ENCODING/);
	const second = await openTwice(page, server.url);
	await useServer(page, server.url, 'breaks-off@500');
	await said(page).assistant.getByRole('button', { name: 'Regenerate' }).click();
	await expect(page.getByText('Discard shows it.')).toBeVisible();
	await expect(said(second).assistant).toContainText('This will not be');
	await expect(second.getByText('Discard shows it.')).toBeHidden();
});
