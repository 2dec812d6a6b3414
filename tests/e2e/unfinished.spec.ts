// What becomes of an answer that is not whole when something else happens: its question is deleted, its tab dies, the disk
// fills up, another answer is asked for in vain. No word that was shown may be lost, and nothing may be stuck.
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './app';
import { actionsOf, answer, inMessageMenu, refuseRows, rowsOf, said, say, unfinishedText, useServer } from './chat';

test.use({ weights: 'none', expectConsole: [/Failed to load resource/] });

const question = Array.from({ length: 80 }, (_, index) => `word${index}`).join(' ');
const retry = (page: Page) => page.getByRole('button', { name: 'Retry' });

interface Row {
	id: string;
	role: string;
	parts: { text?: string }[];
}

async function texts(page: Page): Promise<string[]> {
	const rows = await rowsOf<Row>(page, 'messages');
	return rows.filter(({ role }) => role !== 'system').map(({ role, parts }) => `${role}: ${parts.map(({ text }) => text).join('')}`);
}

/** Two questions; the second is answered in part. */
async function askTwice(page: Page, url: string): Promise<void> {
	await page.goto('./');
	await useServer(page, url, 'echo');
	await say(page, 'One');
	await answer(page);
	await useServer(page, url, 'breaks-off@500');
	await say(page, 'Two');
	await expect(retry(page)).toBeVisible();
	await useServer(page, url, 'echo');
}

async function regenerate(message: Locator): Promise<void> {
	await message.hover();
	await actionsOf(message).getByRole('button', { name: 'Regenerate' }).click();
}

test('[E11] [A14] a part of an answer goes with its question, stops nothing, and comes back with Undo', async ({ page, server }) => {
	await askTwice(page, server.url);
	await inMessageMenu(page, said(page).you.last(), 'Delete from here on');
	await expect(said(page).you).toHaveCount(1);
	await expect(said(page).assistant).toHaveCount(1);
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(said(page).assistant.last()).toContainText('This will not be');
	await expect(retry(page)).toBeVisible();
	await inMessageMenu(page, said(page).you.last(), 'Delete from here on');
	await expect(said(page).you).toHaveCount(1);
	await say(page, 'Three');
	await expect(said(page).you).toHaveText(['One', 'Three']);
	await expect(said(page).assistant.last()).toContainText('Three');
	await regenerate(said(page).assistant.first());
	await expect(page.getByRole('group', { name: 'Versions' })).not.toHaveCount(0);
	await expect(page.locator('.frame-dock [role=alert]')).toHaveCount(0);
});

test('[E11] Continue keeps a part and goes on below it; the ways on have one order, whether there is a part or not', async ({ page, server }) => {
	const ways = page.getByRole('log').locator('.end').getByRole('button');
	await askTwice(page, server.url);
	await expect(ways).toHaveText(['Continue', 'Retry', 'Keep partial answer', 'Discard']);
	await page.reload();
	await expect(ways).toHaveText(['Continue', 'Retry', 'Keep partial answer', 'Discard']);
	const part = (await unfinishedText(page))!;
	await useServer(page, server.url, '401');
	await ways.getByText('Continue').click();
	await expect(ways).toHaveText(['Retry', 'Enter key', 'Find out why', 'Change model']);
	expect(await texts(page)).toEqual(['user: One', 'assistant: One', 'user: Two', `assistant: ${part}`]);
	await useServer(page, server.url, 'cut-off');
	await retry(page).click();
	await expect(said(page).assistant).toHaveText([/One/, /This will not be/, /n, blue and violet/]);
	await expect(said(page).you).toHaveCount(2);
	await expect(ways).toHaveCount(0);
});

test('[A13] [E11] an export has the part that there is of an answer', async ({ page, server }) => {
	await askTwice(page, server.url);
	const id = page.url().split('/').at(-1)!;
	const exported = () => page.evaluate((id) => window.snug.export(id), id);
	expect(await exported()).toMatch(/Message 5 of 5[^]*This will not be/);
	await page.getByRole('button', { name: 'Keep' }).click();
	await expect(retry(page)).toBeHidden();
	expect((await exported()).split('This will not be')).toHaveLength(2);
});

test('[E11] [Z9] what is sent below a part that was looked at keeps the part, and is answered there', async ({ page, server }) => {
	await askTwice(page, server.url);
	const two = await said(page).you.last().getAttribute('data-id');
	await inMessageMenu(page, said(page).assistant.first(), 'Branch from here');
	await expect(said(page).you).toHaveCount(1);
	await page.goto(`${page.url().split('?')[0]}?at=${two}`);
	await expect(said(page).assistant.last()).toContainText('This will not be');
	await say(page, 'Go on from the part');
	await expect(said(page).you).toHaveText(['One', 'Two', 'Go on from the part']);
	await expect(said(page).assistant.last()).toContainText('Go on from the part');
	// An answer is shown before it is a message.
	await expect.poll(() => texts(page)).toEqual([
		'user: One',
		'assistant: One',
		'user: Two',
		expect.stringContaining('assistant: This will'),
		'user: Go on from the part',
		'assistant: Go on from the part'
	]);
});

test('[A5] [E11] a tab that follows an answer goes on at once when the tab that writes it is closed, with all that it showed', async ({
	page,
	context,
	server,
	hold
}) => {
	hold('slow-tokens@100');
	await page.goto('./');
	await useServer(page, server.url, 'slow-tokens@100');
	await say(page, question);
	await expect(said(page).assistant).toContainText('word5');
	const second = await context.newPage();
	await second.goto(page.url());
	await expect(said(second).assistant).toContainText('word20');
	await page.close();
	await expect(retry(second)).toBeVisible();
	await expect(second.getByRole('button', { name: 'Discard' })).toBeVisible();
	await expect(second.getByRole('button', { name: 'Stop' })).toHaveCount(0);
	await expect(said(second).assistant).toContainText('word20');
	await second.getByRole('button', { name: 'Keep partial answer' }).click();
	await expect(second.getByText('Stopped ·')).toBeVisible();
	expect((await texts(second))[1]).toContain('word20');
});

test('[A5] a tab that takes over and shows something else by then does not keep the session', async ({ page, context, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await say(page, 'Hello');
	await answer(page);
	const second = await context.newPage();
	// The take-over is still under way when the screen changes.
	await second.addInitScript(() => {
		const request = navigator.locks.request.bind(navigator.locks) as (...all: unknown[]) => Promise<unknown>;
		navigator.locks.request = (async (name: string, ...rest: unknown[]) => {
			if (name.startsWith('taking:')) await new Promise((resolve) => Object.assign(window, { letThrough: resolve }));
			return request(name, ...rest);
		}) as typeof navigator.locks.request;
	});
	await second.goto(page.url());
	await second.getByRole('button', { name: 'Take over' }).click();
	await second.waitForFunction(() => 'letThrough' in window);
	await second.getByRole('link', { name: 'New chat' }).click();
	await expect(second.getByRole('log', { name: 'Conversation' })).toHaveCount(0);
	await second.evaluate(() => (window as unknown as { letThrough: () => void }).letThrough());
	// The first tab is told that it was taken from, and writes again as soon as it is free.
	await say(page, 'Mine again');
	await expect(said(page).assistant.last()).toContainText('Mine again');
});

test('[Z9] a Regenerate that fails leaves the answer, also after a reload, and says why', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await say(page, 'Tell me something');
	await answer(page);
	await useServer(page, server.url, '500');
	await regenerate(said(page).assistant.last());
	await expect(retry(page)).toBeVisible();
	await expect(said(page).assistant).toHaveText([/Tell me something/]);
	await page.reload();
	await expect(said(page).assistant).toHaveText([/Tell me something/]);
	await expect(page.getByRole('log').getByText('The backend crashed')).toBeVisible();
	await useServer(page, server.url, 'echo');
	await regenerate(said(page).assistant.last());
	await expect(page.getByRole('group', { name: 'Versions' })).toBeVisible();
});

test('[E11] [Z9] a Regenerate that breaks off gives the old answer back when its part is discarded, also after a reload', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await say(page, 'One');
	await answer(page);
	await useServer(page, server.url, 'breaks-off@500');
	await regenerate(said(page).assistant);
	await expect(retry(page)).toBeVisible();
	await expect(said(page).assistant).toContainText('This will not be');
	await page.reload();
	const discard = page.getByRole('button', { name: 'Discard' });
	await discard.click();
	await expect(said(page).assistant).toHaveText(/One/);
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(said(page).assistant).toContainText('This will not be');
	await discard.click();
	await expect(said(page).assistant).toHaveText(/One/);
	await page.reload();
	await expect(said(page).assistant).toHaveText(/One/);
	await expect(retry(page)).toBeHidden();
});

test('[Z9] a Regenerate of an earlier answer that fails says so below that answer', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	for (const text of ['One', 'Two']) {
		await say(page, text);
		await expect(said(page).assistant.last()).toContainText(text);
		await answer(page);
	}
	await useServer(page, server.url, '500');
	await regenerate(said(page).assistant.first());
	await expect(retry(page)).toHaveCount(1);
	const [card, second] = [(await retry(page).boundingBox())!, (await said(page).you.last().boundingBox())!];
	expect(card.y).toBeLessThan(second.y);
	await expect(said(page).assistant).toHaveCount(2);
});

test('[E11] a Retry that fails leaves the part that was there, also after a reload', async ({ page, server }) => {
	await askTwice(page, server.url);
	const part = await unfinishedText(page);
	await useServer(page, server.url, '500');
	await retry(page).click();
	await expect(page.getByRole('log').getByText('The backend crashed')).toBeVisible();
	await expect(said(page).assistant.last()).toContainText('This will not be');
	await page.reload();
	await expect(said(page).assistant.last()).toContainText('This will not be');
	await expect(page.getByRole('log').getByText('The backend crashed')).toBeVisible();
	expect(await unfinishedText(page)).toBe(part);
});

test('[E11] [Z9] a Retry keeps the part beside it; discarded, it goes back to that', async ({ page, server }) => {
	await askTwice(page, server.url);
	await useServer(page, server.url, 'breaks-off@500');
	await retry(page).click();
	await expect(page.getByText('Discard shows it.')).toBeVisible();
	await expect.poll(() => texts(page)).toHaveLength(4);
	await page.reload();
	await page.getByRole('button', { name: 'Discard' }).click();
	await expect(retry(page)).toHaveCount(0);
	await expect(said(page).assistant.last()).toContainText('This will not be');
	await useServer(page, server.url, 'echo');
	await page.getByRole('button', { name: 'Undo' }).click();
	await retry(page).click();
	await expect(said(page).assistant.last()).toContainText('Two');
	await expect(actionsOf(said(page).assistant.last())).toContainText('3 / 3');
});

test('[A14] a session that is deleted while another tab answers in it: the turn ends, and nothing of it is left after the purge', async ({
	page,
	context,
	server,
	hold
}) => {
	hold('slow-tokens@100');
	await page.goto('./');
	await useServer(page, server.url, 'slow-tokens@100');
	await say(page, question);
	await expect(said(page).assistant).toContainText('word5');
	const id = page.url().split('/s/')[1]!;
	const second = await context.newPage();
	await second.goto('./');
	await second.waitForFunction(() => 'snug' in window);
	await second.evaluate((id) => window.snug.sessions.delete(id), id);
	await expect.poll(() => second.evaluate(async () => (await navigator.locks.query()).held?.filter(({ name }) => name!.startsWith('answering:')).length)).toBe(0);
	expect(await unfinishedText(second)).toContain('word5');
	// The purge comes ten seconds after the deletion.
	await expect.poll(() => rowsOf(second, 'trash'), { timeout: 30_000 }).toEqual([]);
	for (const table of ['sessions', 'messages', 'trees', 'drafts', 'answers']) expect(await rowsOf(second, table), table).toEqual([]);
});

test('[A14] Undo of a deletion after something else was sent leaves the user where that is answered', async ({ page, server, hold }) => {
	const letEnd = hold('slow-tokens@100');
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await say(page, 'One');
	await answer(page);
	await say(page, 'Two');
	await expect(said(page).assistant.last()).toContainText('Two');
	await answer(page);
	await useServer(page, server.url, 'slow-tokens@100');
	await inMessageMenu(page, said(page).you.last(), 'Delete from here on');
	await expect(said(page).you).toHaveCount(1);
	await say(page, 'Three takes a while to be answered, word by word, one after the other');
	await expect(said(page).assistant.last()).toContainText('Three takes');
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(page.getByRole('group', { name: 'Versions' })).toBeVisible();
	await expect(said(page).you.last()).toContainText('Three takes');
	letEnd();
	await expect(said(page).assistant.last()).toContainText('one after the other');
	await answer(page);
	expect(await texts(page)).toHaveLength(6);
});

test('[E11] a reload keeps all that was shown of a fast answer, from its first word on', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo@5');
	const words = Array.from({ length: 1500 }, (_, index) => `w${index}`);
	for (const shown of ['w2 ', 'w300 ']) {
		await say(page, `${shown} ${words.join(' ')}`);
		await expect(said(page).assistant.last()).toContainText(` ${shown}`);
		const before = await said(page).assistant.last().getByRole('paragraph').innerText();
		await page.reload();
		await expect(retry(page)).toBeVisible();
		await expect(said(page).assistant.last()).toContainText(before);
		expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('snug:answer:')))).toEqual([]);
		await page.getByRole('button', { name: 'Keep partial answer' }).click();
		await expect(retry(page)).toHaveCount(0);
	}
});

test('[A5] [E11] words that a tab shows and could not write down are there for the tab that takes over', async ({ page, context, server, hold }) => {
	hold('slow-tokens@100');
	await page.goto('./');
	await useServer(page, server.url, 'slow-tokens@100');
	await say(page, question);
	await expect(said(page).assistant).toContainText('word9 ');
	await refuseRows(page, ['answers']);
	await expect(page.getByText('There is no space left for Snug').first()).toBeVisible();
	const shown = await said(page).assistant.getByRole('paragraph').innerText();
	const second = await context.newPage();
	await second.goto(page.url());
	await second.getByRole('button', { name: 'Take over' }).click();
	await expect(retry(second)).toBeVisible();
	await expect(said(second).assistant).toContainText(shown.trim());
	expect(await unfinishedText(second)).toContain(shown.trim());
	await second.getByRole('button', { name: 'Keep partial answer' }).click();
	await expect.poll(() => texts(second)).toEqual([`user: ${question}`, expect.stringContaining(shown.trim())]);
});
