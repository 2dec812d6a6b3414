import type { Page } from '@playwright/test';
import type { Boundary } from '../../src/lib/conversation/boundary';
import type { Message } from '../../src/lib/conversation/message';
import { expect, test } from './app';
import { chunkWith, holdFile } from './chunks';
import {
	actionsOf,
	answer,
	ask,
	expectAccessible,
	inMessageMenu,
	openPanel,
	putRows,
	rowsOf,
	said,
	say,
	storedConversation,
	storedId,
	useServer,
	withSessions
} from './chat';

test.use({ weights: 'none' });

const tag = '[COMPACTION SUMMARY]';
const id = storedId(1);

const two = (number: number) => String(number).padStart(2, '0');
const question = (number: number) => `Question ${two(number)}: what about stone ${two(number)} of the wall?`;
const reply = (number: number) => `Answer ${two(number)}: it is laid.`;

/** So many questions, each with its answer, about a wall. */
function wall(exchanges: number, { more = '', system = '' } = {}): ReturnType<typeof storedConversation> {
	const texts = Array.from({ length: exchanges }, (_, index) => [question(index + 1) + more, reply(index + 1) + more]);
	return storedConversation(1, texts.flat(), { system });
}

/** Compaction by rules above so many messages. */
const byRules = { strategy: 'code-aware', cheapMessages: 50 };

/** Opens a stored conversation, to be answered by that model of the server's. */
async function openWall(page: Page, url: string, model: string, stored = wall(10)): Promise<void> {
	await page.goto('./');
	await withSessions(page, [stored]);
	await useServer(page, url, model);
	await page.goto(`./s/${id}`);
	await expect(page.getByRole('article').last()).toBeVisible();
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Compact this chat' });
const summary = (page: Page) => dialog(page).getByRole('textbox', { name: 'Summary' });
const strategy = (page: Page) => dialog(page).getByRole('combobox', { name: 'Strategy' });
const accept = (page: Page) => dialog(page).getByRole('button', { name: 'Compact', exact: true });
const mark = (page: Page) => page.getByRole('region', { name: 'Compaction', exact: true });
const output = (page: Page) => page.getByRole('region', { name: 'Command output' });
const boundaries = (page: Page) => rowsOf<Boundary>(page, 'boundaries');

/** Compacts by that strategy, with the summary as it is proposed. */
async function compact(page: Page, name: string): Promise<void> {
	await say(page, `/compact ${name}`);
	await expect(summary(page)).not.toHaveValue('');
	await accept(page).click();
	await expect(dialog(page)).toBeHidden();
	await expect(mark(page)).toBeVisible();
}

interface Requests {
	requests: { body?: { messages?: { role: string; content: unknown }[] } }[];
}

/** What the server was sent last: the system prompt, and what was said. */
function sent({ requests }: Requests): { system: string; said: string[] } {
	const messages = requests.at(-1)!.body!.messages!.map(({ role, content }) => ({ role, text: content as string }));
	return {
		system: messages.find(({ role }) => role === 'system')?.text ?? '',
		said: messages.filter(({ role }) => role !== 'system').map(({ text }) => text)
	};
}

/** What was said from one number to another, question and answer. */
const between = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, index) => [question(from + index), reply(from + index)]).flat();

test('[A10] [R5] a compaction is previewed, edited and accepted, changes what is sent and no message, and is undone after a reload', async ({
	page,
	server
}) => {
	await openWall(page, server.url, 'echo');
	const before = await rowsOf<Message>(page, 'messages');

	await say(page, '/compact code-aware');
	await expect(strategy(page)).toHaveValue('code-aware');
	await expect(summary(page)).toHaveValue(/User: Question 01.*\nAssistant: Answer 01/);
	const figures = dialog(page).getByText(/^20 → 7 messages, \d+ → \d+ tokens$/);
	await expect(figures).toBeVisible();
	const proposed = await figures.textContent();
	await summary(page).fill('Seven stones are laid. The wall must be grey.');
	await expect(figures).not.toHaveText(proposed!);
	const accepted = await figures.textContent();
	await accept(page).click();
	await expect(dialog(page)).toBeHidden();

	await expect(mark(page).getByText(accepted!)).toBeInViewport();
	await expect(mark(page).getByText('The wall must be grey.')).toBeHidden();
	await page.getByRole('button', { name: 'Jump to the newest message' }).click();
	await expect(mark(page).getByText(accepted!)).not.toBeInViewport();
	const line = mark(page).getByText('Replaces the 14 messages above');
	await line.click();
	await expect(mark(page).getByText('Seven stones are laid. The wall must be grey.')).toBeVisible();
	// The end is not gone back to.
	await expect(line).toBeInViewport();
	const [row] = await boundaries(page);
	expect(row).toMatchObject({ strategy: 'code-aware', automatic: false, upToId: before[14]!.id, depth: 14, excluded: [] });

	await ask(page, 'What comes next?');
	expect(sent(server).system).toMatch(/^\[COMPACTION SUMMARY\]\nSeven stones are laid\. The wall must be grey\.\n\n\[ENVIRONMENT\]\nDate: \d{4}-\d\d-\d\d$/);
	expect(sent(server).said).toEqual([...between(8, 10), 'What comes next?']);

	await expect(said(page).you).toHaveText([...Array.from({ length: 10 }, (_, index) => question(index + 1)), 'What comes next?']);
	const stored = await rowsOf<Message>(page, 'messages');
	expect(stored.slice(0, before.length)).toEqual(before);
	const [all, exported] = await page.evaluate(async (id) => [await window.snug.messages.all(id), await window.snug.export(id)] as const, id);
	expect(all).toEqual(stored);
	for (const text of between(1, 10)) expect(exported).toContain(text);

	await page.reload();
	await mark(page).getByRole('button', { name: 'Undo' }).click();
	await expect(mark(page)).toBeHidden();
	await expect(page.getByText('Compaction undone.')).toBeVisible();
	await ask(page, 'And then?');
	expect(sent(server)).toEqual({ system: '', said: [...between(1, 10), 'What comes next?', 'What comes next?', 'And then?'] });

	await page.getByRole('button', { name: 'Restore' }).click();
	await expect(mark(page)).toContainText(accepted!);
	await ask(page, 'Is it grey?');
	expect(sent(server).system).toContain('The wall must be grey.');
});

test('[Z6] each strategy by its name; one that is not there is answered with those that are', async ({ page, server }) => {
	const texts = between(1, 10);
	texts[5] = 'Answer 03: mix it like this.\n\n```ts\nconst lime = 3,\n\tsand = 1;\n```\n\nThen wait.';
	texts[4] = `Question 03: ${'how is the mortar mixed, '.repeat(20)}and why?`;
	await openWall(page, server.url, 'summary', storedConversation(1, texts));

	await say(page, '/compact nonsense');
	await expect(output(page)).toContainText(
		'There is no strategy “nonsense”. There are simple, code-aware, role-budget and summary.'
	);
	await expect(dialog(page)).toBeHidden();

	await say(page, '/compact simple');
	await expect(strategy(page)).toHaveValue('simple');
	await expect(dialog(page).getByText('20 → 11 messages')).toBeVisible();
	await expect(summary(page)).toHaveValue(/^User: Question 01[^]*Answer 05: it is laid\.$/);
	const lines = (await summary(page).inputValue()).split('\n');
	expect(lines).toHaveLength(10);
	expect(lines[4]!.length).toBeLessThanOrEqual('User: '.length + 80);
	expect(lines[5]).not.toContain('\tsand');

	await strategy(page).selectOption('code-aware');
	await expect(summary(page)).toHaveValue(/\n```ts\nconst lime = 3,\n\tsand = 1;\n```\n/);
	await expect(dialog(page).getByText('20 → 7 messages')).toBeVisible();
	await strategy(page).selectOption('role-budget');
	await expect(summary(page)).toHaveValue(/how is the mortar mixed, and why\?[^]*const lime/);
	await strategy(page).selectOption('summary');
	await expect(summary(page)).toHaveValue(/^## Files modified\n/);
	await dialog(page).getByRole('button', { name: 'Cancel' }).click();
	await expect(dialog(page)).toBeHidden();
	expect(await boundaries(page)).toEqual([]);

	for (const name of ['simple', 'role-budget', 'summary']) {
		await compact(page, name);
		await expect(mark(page)).toContainText(`Summarised (${name}), `);
		await ask(page, `Sent by ${name}?`);
		expect(sent(server).system).toContain(tag);
		await mark(page).getByRole('button', { name: 'Undo' }).click();
		await expect(mark(page)).toBeHidden();
	}
});

test('[Z6] a short conversation has nothing to compact, and the dialog says so', async ({ page, server }) => {
	await openWall(page, server.url, 'echo', wall(2));
	await say(page, '/compact');
	await expect(dialog(page).getByText('There is nothing to compact yet: the newest messages stay as they are.')).toBeVisible();
	await expect(dialog(page).getByRole('alert')).toHaveCount(0);
	await expect(strategy(page)).toHaveValue('summary');
	await expect(accept(page)).toBeDisabled();
});

test('[S6] the model writes five sections, and a value that no message has is marked', async ({ page, server }) => {
	await openWall(page, server.url, 'summary');
	await say(page, '/summarize');
	await expect(strategy(page)).toHaveValue('summary');
	await expect(summary(page)).toHaveValue(
		/^## Files modified\n[^]*\n## Key decisions\n[^]*\n## Important values\n[^]*\n## Current state\n[^]*\n## Pending tasks\n/
	);
	const asked = server.requests.at(-1)!.body.messages.at(-1).content as string;
	expect(asked).toContain(`User: ${question(7)}`);
	expect(asked).not.toContain(question(8));
	await expect(dialog(page).getByText('Not found in the messages: 7301')).toBeVisible();
	await accept(page).click();
	await expect(dialog(page)).toBeHidden();
	await mark(page).getByText('Replaces the 14 messages above').click();
	await expect(mark(page).getByTitle('Not found in the messages')).toHaveText(['7301']);
	await expect(mark(page).getByText('Not found in the messages: 7301')).toBeVisible();
	const [row] = await boundaries(page);
	expect(row).toMatchObject({ strategy: 'summary', unverified: ['7301'] });
	expect(row!.usage?.outputTokens).toBeGreaterThan(0);
});

test('[S6] a value stays unverified in a summary that was edited before', async ({ page, server }) => {
	await openWall(page, server.url, 'summary');
	await say(page, '/summarize');
	await expect(dialog(page).getByText('Not found in the messages: 7301')).toBeVisible();
	await summary(page).fill('Order 7301 is the next.');
	await strategy(page).selectOption('code-aware');
	await expect(summary(page)).not.toHaveValue('Order 7301 is the next.');
	await expect(dialog(page).getByText('Not found in the messages')).toBeHidden();
	await dialog(page).getByRole('button', { name: 'Use the text you edited before' }).click();
	await expect(dialog(page).getByText('Not found in the messages: 7301')).toBeVisible();
	await accept(page).click();
	await expect(mark(page)).toBeVisible();
	expect(await boundaries(page)).toMatchObject([{ strategy: 'summary', unverified: ['7301'] }]);
});

test('[S6] [E11] of two edited summaries both are kept, also when the dialog was closed', async ({ page, server }) => {
	await openWall(page, server.url, 'echo');
	await say(page, '/compact simple');
	await summary(page).fill('The first of mine.');
	await strategy(page).selectOption('code-aware');
	await expect(summary(page)).not.toHaveValue('The first of mine.');
	await summary(page).fill('The second of mine.');
	await page.reload();
	await say(page, '/compact simple');
	const earlier = dialog(page).getByRole('button', { name: 'Use the text you edited before' });
	await earlier.click();
	await expect(summary(page)).toHaveValue('The second of mine.');
	await earlier.click();
	await expect(summary(page)).toHaveValue('The first of mine.');
});

test('[S6] a value that the user takes out of the summary is unverified no more', async ({ page, server }) => {
	await openWall(page, server.url, 'summary');
	await say(page, '/summarize');
	await expect(dialog(page).getByText('Not found in the messages')).toBeVisible();
	await summary(page).fill('Stones 01 to 07 are laid.');
	await expect(dialog(page).getByText('Not found in the messages')).toBeHidden();
	await accept(page).click();
	await expect(mark(page)).toBeVisible();
	expect(await boundaries(page)).toMatchObject([{ unverified: [] }]);
});

for (const model of ['500', 'breaks-off']) {
	test(`[S6] where the model fails (${model}), rules make the summary, and it says so`, async ({ page, server, expectConsole }) => {
		expectConsole.push(/Failed to load resource/);
		await openWall(page, server.url, model);
		await say(page, '/summarize');
		const note = /^The model could not write a summary, so it was made by rules \(code-aware\)\./;
		await expect(dialog(page).getByText(note)).toBeVisible();
		await expect(strategy(page)).toHaveValue('code-aware');
		await expect(summary(page)).toHaveValue(/User: Question 01/);
		await accept(page).click();
		await mark(page).getByText('Replaces the 14 messages above').click();
		await expect(mark(page).getByText(note)).toBeVisible();
		await expect(mark(page)).toContainText('Summarised (code-aware)');
	});
}

test('[S6] what the model writes shows as it comes, and Cancel leaves nothing of it', async ({ page, server }) => {
	await openWall(page, server.url, 'slow-tokens@100');
	const before = await rowsOf(page, 'sessions');
	await say(page, '/summarize');
	await expect(dialog(page).getByText('The model is writing.')).toBeVisible();
	await expect(dialog(page).getByRole('group', { name: 'What the model has written' })).toContainText('Question 01');
	await dialog(page).getByRole('button', { name: 'Cancel' }).click();
	await expect(dialog(page)).toBeHidden();
	await ask(page, 'Go on.');
	expect(sent(server).said).toEqual([...between(1, 10), 'Go on.']);
	expect(await boundaries(page)).toEqual([]);
	const [session] = await rowsOf<{ usage: { outputTokens?: number } }>(page, 'sessions');
	expect(before).toMatchObject([{ usage: {} }]);
	expect(session!.usage.outputTokens).toBeLessThan(10);
});

test('[A11] [Z6] a long conversation is compacted by itself once the answer is whole, with a notice that undoes it', async ({
	page,
	server,
	hold
}) => {
	const letEnd = hold('slow-tokens@100');
	const stored = wall(29, { more: ` ${'It stands at the harbour. '.repeat(25)}`, system: 'You are a mason.' });
	await page.goto('./');
	await putRows(page, { settings: [{ name: 'context', value: byRules }] });
	await openWall(page, server.url, 'slow-tokens@100', stored);
	await say(page, 'Is the wall done? Tell me in a few words.');
	await expect(said(page).assistant.last()).toContainText('Is the');
	await expect(said(page).assistant.last()).toHaveAttribute('aria-busy', 'true');
	expect(await boundaries(page)).toEqual([]);
	letEnd();
	await answer(page);
	const notice = page.getByRole('status').filter({ hasText: '[context compacted: 61 → 8 messages]' });
	await expect(notice.getByText('[context compacted: 61 → 8 messages]', { exact: true })).toBeVisible();
	await expect(mark(page)).toContainText(/^61 → 8 messages, [\d,]+ → [\d,]+ tokens/);
	await expect(mark(page)).toContainText('Summarised automatically (code-aware), ');
	const [made] = await boundaries(page);
	// It was made when the answer was the last message.
	expect(made).toMatchObject({ madeAtDepth: 60, depth: 54, automatic: true });
	expect(sent(server).system).toBe('You are a mason.');

	await notice.getByRole('button', { name: 'Undo' }).click();
	await expect(mark(page)).toBeHidden();
	expect(await boundaries(page)).toEqual([]);
});

test('[A11] what follows an automatic compaction is sent the summary, and the next comes only after as much again', async ({ page, server }) => {
	await page.goto('./');
	await putRows(page, { settings: [{ name: 'context', value: byRules }] });
	await openWall(page, server.url, 'echo', wall(29, { system: 'You are a mason.' }));
	await ask(page, 'Is it done?');
	await expect(page.getByText('[context compacted: 61 → 8 messages]')).toBeVisible();
	for (const text of ['One.', 'Two.', 'Three.']) await ask(page, text);
	expect(sent(server).system).toMatch(/^You are a mason\.\n\n\[COMPACTION SUMMARY\]\n/);
	expect(sent(server).said).toEqual([...between(28, 29), 'Is it done?', 'Is it done?', 'One.', 'One.', 'Two.', 'Two.', 'Three.']);
	expect(await boundaries(page)).toHaveLength(1);
});

test('[A11] where it is switched off, nothing is compacted by itself', async ({ page, server }) => {
	await page.goto('./');
	await putRows(page, { settings: [{ name: 'context', value: { ...byRules, autoCompact: false } }] });
	await openWall(page, server.url, 'echo', wall(30));
	await ask(page, 'Is it done?');
	await ask(page, 'Really?');
	const view = await page.evaluate((id) => window.snug.context.preview(id), id);
	expect(view!.triggers.some(({ value, limit }) => value > limit)).toBe(true);
	expect(view!.compactsBy).toBeUndefined();
	expect(sent(server).said).toHaveLength(63);
	expect(await boundaries(page)).toEqual([]);
});

test('[A7] notes and the to-do list survive a compaction, and are told again after it', async ({ page, server }) => {
	await openWall(page, server.url, 'echo');
	await page.evaluate(async (id) => {
		await window.snug.scratchpad.set(id, 'Tide table', 'Low at 6:12.');
		await window.snug.scratchpad.set(id, 'Masons', 'Ada, Ben.');
		await window.snug.scratchpad.set(id, 'todo', '- [x] Measure\n- [ ] Order lime');
	}, id);
	const before = await rowsOf(page, 'scratchpad');
	await compact(page, 'simple');
	expect(await rowsOf(page, 'scratchpad')).toEqual(before);
	await ask(page, 'What is left to do?');
	const { system } = sent(server);
	expect(system).toMatch(/\[ENVIRONMENT\]\nDate: .*\nNotes: (Masons, Tide table|Tide table, Masons)\nTo do:\n- \[x\] Measure\n- \[ \] Order lime$/);
	expect(system).not.toContain('Low at 6:12.');
	await openPanel(page, 'Notes');
	await expect(page.getByRole('checkbox', { name: 'Order lime' })).not.toBeChecked();
	await expect(page.getByRole('textbox', { name: 'Text of note Tide table' })).toHaveValue('Low at 6:12.');
});

test('[A10] a branch that leaves before its end is sent whole, and the compaction is back on returning', async ({ page, server }) => {
	await openWall(page, server.url, 'echo');
	await compact(page, 'code-aware');
	const second = said(page).you.nth(1);
	await second.hover();
	await actionsOf(second).getByRole('button', { name: 'Edit' }).click();
	await page.getByRole('textbox', { name: 'Edited message' }).fill('What about the gate?');
	await page.getByRole('form', { name: 'Edit message' }).getByRole('button', { name: 'Send' }).click();
	await expect(said(page).you).toHaveText([question(1), 'What about the gate?']);
	await expect(said(page).assistant.last()).toContainText('What about the gate?');
	await answer(page);
	await expect(mark(page)).toBeHidden();
	expect(sent(server)).toEqual({ system: '', said: [...between(1, 1), 'What about the gate?'] });

	await actionsOf(said(page).you.nth(1)).getByRole('button', { name: 'Previous version' }).click();
	await expect(said(page).you).toHaveCount(10);
	await expect(mark(page)).toBeVisible();
	await ask(page, 'Back to the wall.');
	expect(sent(server).system).toContain(tag);
	expect(sent(server).said).toEqual([...between(8, 10), 'Back to the wall.']);
});

test('[A10] redacting a message that it covers voids a compaction; undoing that brings it back', async ({ page, server }) => {
	await openWall(page, server.url, 'echo');
	await compact(page, 'code-aware');
	await inMessageMenu(page, said(page).you.nth(2), 'Erase text');
	await expect(said(page).you.nth(2)).toContainText('Text erased');
	await expect(mark(page)).toBeHidden();
	await ask(page, 'Who knows?');
	expect(sent(server).system).toBe('');
	expect(sent(server).said).toEqual(between(1, 10).toSpliced(4, 1, '[redacted]').concat('Who knows?'));

	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(said(page).you.nth(2)).toHaveText(question(3));
	await expect(mark(page)).toBeVisible();
	await ask(page, 'And now?');
	expect(sent(server).system).toContain(tag);
	expect(sent(server).said).toEqual([...between(8, 10), 'Who knows?', 'Who knows?', 'And now?']);
});

test('[S7] [A10] excluding a message voids the compaction that tells it, a new one leaves it out; including it brings the first back', async ({
	page,
	server
}) => {
	// The panel draws the lines that are in view.
	await page.setViewportSize({ width: 1280, height: 3000 });
	await openWall(page, server.url, 'echo');
	await compact(page, 'code-aware');
	await openPanel(page, 'Context');
	const seen = page.getByRole('region', { name: 'What the model sees' });
	await seen.getByRole('button', { name: 'Show more' }).click();
	const exclude = seen.getByRole('listitem').filter({ hasText: question(3) }).getByRole('button', { name: 'Exclude' });
	await exclude.click();
	await expect(exclude).toHaveAttribute('aria-pressed', 'true');
	await expect(mark(page)).toContainText('Not used: what you excluded has changed since.');
	await ask(page, 'Who knows?');
	expect(sent(server).system).toBe('');
	expect(sent(server).said).toEqual([...between(1, 10).toSpliced(4, 1), 'Who knows?']);

	await say(page, '/compact simple');
	await expect(summary(page)).toHaveValue(/Question 02/);
	await expect(summary(page)).not.toHaveValue(/Question 03/);
	await accept(page).click();
	await expect(mark(page)).toHaveCount(2);
	await ask(page, 'And now?');
	expect(sent(server).system).toContain(tag);
	expect(JSON.stringify(sent(server))).not.toContain('Question 03');

	await exclude.click();
	await expect(exclude).toHaveAttribute('aria-pressed', 'false');
	await expect(mark(page).last()).not.toContainText('Not used');
	await ask(page, 'Told again?');
	expect(sent(server).system).toContain(question(3));
});

test('[A5] [A10] a tab that only reads sees a compaction come and go, and can’t undo it', async ({ page, context, server }) => {
	await openWall(page, server.url, 'echo');
	const second = await context.newPage();
	await second.goto(page.url());
	await expect(second.getByText(/is open in another tab/)).toBeVisible();
	await compact(page, 'simple');
	await expect(mark(second)).toContainText('20 → 11 messages');
	await mark(second).getByText('Replaces the 10 messages above').click();
	await expect(mark(second).getByText('User: Question 01', { exact: false })).toBeVisible();
	await expect(mark(second).getByRole('button', { name: 'Undo' })).toHaveCount(0);
	await mark(page).getByRole('button', { name: 'Undo' }).click();
	await expect(mark(second)).toBeHidden();
});

test('[Z6] one types on while 10 000 messages are compacted', async ({ page, server }) => {
	await openWall(page, server.url, 'echo', wall(5000));
	const composer = page.getByRole('textbox', { name: 'Message' });
	await composer.focus();
	await page.evaluate((id) => {
		Object.assign(window, { compacted: false });
		void window.snug.context.compact(id, 'simple').then(() => Object.assign(window, { compacted: true }));
	}, id);
	let typed = '';
	while (!(await page.evaluate(() => 'compacted' in window && window.compacted))) {
		const word = `stone ${typed.length} `;
		await page.keyboard.type(word);
		typed += word;
	}
	await expect(composer).toHaveValue(typed);
	expect(typed).not.toBe('');
	const [row] = await boundaries(page);
	expect(row).toMatchObject({ depth: 9990 });
	expect(row!.figures).toMatchObject({ messagesBefore: 10_000, messagesAfter: 11 });
	await expect(mark(page)).toContainText('10,000 → 11 messages');
});

test('[P2] [A10] a backup has the compactions, and they come back with it', async ({ page, server, browser, watchConsole, app }) => {
	await openWall(page, server.url, 'echo');
	await compact(page, 'code-aware');
	const bytes = await page.evaluate(async () => Array.from(new Uint8Array(await (await window.snug.backup.create()).arrayBuffer())));
	const elsewhere = await browser.newContext({ baseURL: app.url, locale: 'en-GB' });
	watchConsole(elsewhere);
	const other = await elsewhere.newPage();
	await other.goto('./');
	await other.waitForFunction(() => 'snug' in window);
	await other.evaluate((bytes) => window.snug.backup.restore(new Blob([new Uint8Array(bytes)])), bytes);
	expect(await boundaries(other)).toEqual(await boundaries(page));
	await other.goto(`./s/${id}`);
	await expect(mark(other)).toContainText('20 → 7 messages');
	await elsewhere.close();
});

test('[A10] a compaction is made, read and undone by keyboard alone', async ({ page, server }) => {
	await openWall(page, server.url, 'echo');
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
	await page.keyboard.type('/compact role-budget');
	await page.keyboard.press('Enter');
	await expect(summary(page)).not.toHaveValue('');
	await reach(page, summary(page), 'Tab');
	await page.keyboard.press('Control+End');
	await page.keyboard.type(' Grey.');
	await reach(page, accept(page), 'Tab');
	await page.keyboard.press('Enter');
	await expect(dialog(page)).toBeHidden();
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
	await reach(page, mark(page).locator('summary'), 'Shift+Tab');
	await page.keyboard.press('Enter');
	await expect(mark(page).getByText(/ Grey\.$/)).toBeVisible();
	await reach(page, mark(page).getByRole('button', { name: 'Undo' }), 'Shift+Tab');
	await page.keyboard.press('Enter');
	await expect(mark(page)).toBeHidden();
	await expect(page.getByRole('log', { name: 'Conversation' })).toBeFocused();

	await page.getByRole('textbox', { name: 'Message' }).focus();
	await page.keyboard.type('/compact');
	await page.keyboard.press('Escape');
	await page.keyboard.press('Enter');
	await expect(summary(page)).not.toHaveValue('');
	await page.keyboard.press('Escape');
	await expect(dialog(page)).toBeHidden();
	expect(await boundaries(page)).toEqual([]);
});

for (const { width, scheme } of [
	{ width: 1280, scheme: 'light' as const },
	{ width: 390, scheme: 'dark' as const }
]) {
	test(`[A10] [S6] the dialog and the boundary are accessible at ${width} pixels, ${scheme}`, async ({ page, server }) => {
		await page.setViewportSize({ width: 1280, height: 800 });
		await openWall(page, server.url, 'summary');
		await page.emulateMedia({ colorScheme: scheme });
		await page.setViewportSize({ width, height: 800 });
		await say(page, '/summarize');
		await expect(dialog(page).getByText('Not found in the messages')).toBeVisible();
		await expectAccessible(page, 'dialog');
		await accept(page).click();
		await mark(page).getByText('Replaces the 14 messages above').click();
		await expect(mark(page).getByTitle('Not found in the messages')).toBeVisible();
		await expectAccessible(page, 'boundary');
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
	});
}

/** Presses a key until something has the focus. */
async function reach(page: Page, what: ReturnType<Page['locator']>, key: string): Promise<void> {
	for (let presses = 0; presses < 60; presses++) {
		if (await what.evaluate((element) => element === document.activeElement)) return;
		await page.keyboard.press(key);
	}
	throw new Error(`${key} does not lead there.`);
}

test('[A11] [P2] the next message waits for no compaction that is still being loaded', async ({ page, server, folder }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	const part = chunkWith(folder, 'There is nothing to compact yet');
	const isAskedFor = page.waitForRequest(`**/${part}`);
	const arrive = await holdFile(page, part);
	await ask(page, 'One');
	await isAskedFor;
	await ask(page, 'Two');
	await expect(said(page).you).toHaveText(['One', 'Two']);
	arrive();
});
