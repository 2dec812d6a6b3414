import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { answer, newChat, refusals, refuseRows, rowsOf, said, say, useServer } from './chat';

test.use({ weights: 'none' });

const reading = /is open in another tab|has taken over this chat/;

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

test('[A5] a second tab reads live, to the token, says who writes, and can take over', async ({ page, context, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'slow-tokens@100');
	await say(page, Array.from({ length: 60 }, (_, index) => `word${index}`).join(' '));
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

	await expect(second.getByRole('button', { name: 'Stop' })).toHaveCount(0);
	await second.getByRole('textbox', { name: 'Message' }).press('x');
	await expect(second.getByText('Take over to write here.')).toBeVisible();

	await page.getByRole('textbox', { name: 'Message' }).fill('half a thought');
	await second.getByRole('button', { name: 'Take over' }).click();
	await expect(second.getByRole('textbox', { name: 'Message' })).toBeFocused();
	await expect(page.getByText('Another tab has taken over this chat.')).toBeVisible();
	await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('half a thought');
	await expect(page.getByRole('textbox', { name: 'Message' })).toHaveAttribute('readonly', '');
	await expect(second.getByText(reading)).toBeHidden();
	await expect(second.getByRole('button', { name: 'Retry' })).toBeVisible();
	await expect(said(second).assistant).toContainText('word28');
	await second.getByRole('button', { name: 'Keep partial answer' }).click();
	await expect(second.getByText('Stopped here.')).toBeVisible();
	await expect(said(page).assistant).toHaveCount(1);
	const rows = await rowsOf<{ role: string }>(second, 'messages');
	expect(rows.map(({ role }) => role)).toEqual(['system', 'user', 'assistant']);
});

test('[A5] a take-over that the store refuses is said', async ({ page, server }) => {
	const second = await openTwice(page, server.url);
	await refuseRows(second, ['trees']);
	await second.getByRole('button', { name: 'Take over' }).click();
	await expect(second.getByText(/no space left/)).toBeVisible();
});

test('[A5] a killed tab’s session is free at once', async ({ page, server }) => {
	const second = await openTwice(page, server.url);
	await page.close();
	await expect(second.getByText(reading)).toBeHidden();
	await say(second, 'Now mine');
	await expect(said(second).assistant.last()).toContainText('Now mine');
});

test('[A5] a tab that inherits a chat while the store refuses it writes as soon as it can', async ({ page, server }) => {
	const second = await openTwice(page, server.url);
	await refuseRows(second, ['trees']);
	await page.close();
	await expect.poll(() => refusals(second)).toBeGreaterThan(0);
	await expect(second.getByText(reading)).toBeVisible();
	await refuseRows(second, []);
	await expect(second.getByText(reading)).toBeHidden();
	await say(second, 'Now mine');
	await expect(said(second).assistant.last()).toContainText('Now mine');
});

test('[A5] a chat that is opened while the store refuses it can be written as soon as the store takes it', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await say(page, 'Mine');
	await answer(page);
	await newChat(page);
	await refuseRows(page, ['trees']);
	await page.getByRole('link', { name: 'Continue last' }).click();
	await expect.poll(() => refusals(page)).toBeGreaterThan(0);
	await refuseRows(page, []);
	await say(page, 'Now it works');
	await expect(said(page).assistant.last()).toContainText('Now it works');
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
	await page.waitForTimeout(300);
	await page.close();
	const again = await context.newPage();
	await again.goto(first);
	await expect(again.getByRole('textbox', { name: 'Message' })).toHaveValue('for the first');
	await again.goto(other);
	await expect(again.getByRole('textbox', { name: 'Message' })).toHaveValue('for the second');
});
