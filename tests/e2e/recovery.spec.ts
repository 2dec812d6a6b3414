import type { Page } from '@playwright/test';
import { expect, test, type Hold } from './app';
import { answer, chooseServer, countRows, crash, rowsOf, said, say, unfinishedText } from './chat';

test.use({ weights: 'none' });

const question = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');

interface Row {
	role: string;
	parts: { text?: string }[];
}

/** Asks, and waits until so much of the answer has come that a part of it is written down, as it is once a second. It ends once the returned function is called. */
async function askSlowly(page: Page, url: string, hold: Hold): Promise<() => void> {
	const letEnd = hold('slow-tokens@100');
	await page.goto('./');
	await chooseServer(page, url, 'slow-tokens@100');
	await say(page, question);
	await expect(said(page).assistant).toContainText('word20');
	return letEnd;
}

/** The stored messages, oldest first. */
async function stored(page: Page): Promise<string[]> {
	const rows = await rowsOf<Row>(page, 'messages');
	return rows.filter(({ role }) => role !== 'system').map(({ role, parts }) => `${role}: ${parts.map(({ text }) => text).join('')}`);
}

/** Reloads in the middle of an answer, which is not written on then, and says what is there of it. */
async function cutOff(page: Page): Promise<string> {
	await page.reload();
	await expect(page.getByText('Interrupted: the tab was closed or reloaded.')).toBeVisible();
	await expect(said(page).assistant).toHaveCount(1);
	await expect(said(page).assistant).toContainText('word3');
	await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0);
	expect(await stored(page)).toEqual([`user: ${question}`]);
	return (await unfinishedText(page))!;
}

test('[E11] a reload in the middle of an answer: what is there is kept, and the session goes on', async ({ page, server, hold }) => {
	await askSlowly(page, server.url, hold);
	const part = await cutOff(page);
	expect(question.startsWith(part)).toBe(true);
	await page.getByRole('button', { name: 'Keep partial answer' }).click();
	await expect(page.getByText('Stopped ·')).toBeVisible();
	await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
	expect(await stored(page)).toEqual([`user: ${question}`, `assistant: ${part}`]);
	expect(await countRows(page)).toMatchObject({ sessions: 1, drafts: 0, answers: 0 });

	await page.reload();
	await expect(said(page).assistant).toHaveCount(1);
	await chooseServer(page, server.url, 'echo');
	await say(page, 'Go on');
	await expect(said(page).assistant.last()).toContainText('Go on');
	await expect(said(page).assistant).toHaveCount(2);
});

test('[E11] a reload in the middle of an answer: another one is asked for, and the part stays beside it', async ({ page, server, hold }) => {
	const letEnd = await askSlowly(page, server.url, hold);
	await cutOff(page);
	await page.getByRole('button', { name: 'Retry' }).click();
	await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
	letEnd();
	await expect(said(page).assistant).toContainText('word59', { timeout: 30_000 });
	await answer(page);
	await expect(said(page).assistant).toHaveCount(1);
	await expect.poll(() => stored(page)).toEqual([`user: ${question}`, expect.stringMatching(/^assistant: word0 /), `assistant: ${question}`]);
	await expect(page.getByRole('group', { name: 'Versions' })).toContainText('2 / 2');
	expect(await countRows(page)).toMatchObject({ sessions: 1, drafts: 0, answers: 0 });
});

test('[E11] a reload in the middle of an answer: the part is discarded, and the question stays', async ({ page, server, hold }) => {
	await askSlowly(page, server.url, hold);
	await cutOff(page);
	await page.getByRole('button', { name: 'Discard' }).click();
	await expect(said(page).assistant).toHaveCount(0);
	await expect(page.getByRole('button', { name: 'Discard' })).toHaveCount(0);
	expect(await countRows(page)).toMatchObject({ sessions: 1, drafts: 0, answers: 0, messages: 2 });
	await page.reload();
	await expect(said(page).you).toHaveText([question]);
	await expect(said(page).assistant).toHaveCount(0);
	await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
});

test('[E11] an answer that was stopped is one message, also after a reload', async ({ page, server, hold }) => {
	await askSlowly(page, server.url, hold);
	await page.getByRole('button', { name: 'Stop' }).click();
	await expect(page.getByText('Stopped ·')).toBeVisible();
	const before = await stored(page);
	expect(before).toHaveLength(2);
	await page.reload();
	await expect(page.getByText('Stopped ·')).toBeVisible();
	await expect(said(page).assistant).toHaveCount(1);
	await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
	expect(await stored(page)).toEqual(before);
	expect(await countRows(page)).toMatchObject({ drafts: 0, answers: 0 });
});

for (const [how, end] of [
	['closed', (page: Page) => page.close()],
	['crashed', crash]
] as const) {
	test(`[E11] a tab that was ${how} in the middle of an answer leaves what had come, once`, async ({ page, context, server, hold }) => {
		await askSlowly(page, server.url, hold);
		const address = page.url();
		await end(page);
		const again = await context.newPage();
		await again.goto(address);
		await expect(again.getByText('Interrupted: the tab was closed or reloaded.')).toBeVisible();
		await expect(said(again).assistant).toContainText('word3');
		await again.getByRole('button', { name: 'Keep partial answer' }).click();
		await expect(again.getByText('Stopped ·')).toBeVisible();
		await expect(said(again).you).toHaveCount(1);
		await expect(said(again).assistant).toHaveCount(1);
		expect((await stored(again)).map((row) => row.slice(0, 11))).toEqual(['user: word0', 'assistant: ']);
	});
}
