import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { expectAccessible, putRows, storedConversation, withSessions } from './chat';

test.use({ weights: 'none' });

test('[A3] calls of tools and their results come back from a backup and are drawn: calls exactly, long results folded', async ({ page }) => {
	await page.goto('./');
	await page.waitForFunction(() => 'snug' in window);
	const stored = storedConversation(1, ['Look it up', '', '', 'It is green.', 'Thanks']);
	const id = stored.sessions.id;
	const long = Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n');
	const call = { toolCallId: 'c', toolName: 'search' };
	Object.assign(stored.messages[2]!, {
		role: 'assistant',
		finishReason: 'tool-calls',
		parts: [
			{ type: 'text', text: 'I look **it** up.' },
			{ type: 'tool-call', ...call, input: { query: 'tea \u202e<b>' } }
		]
	});
	Object.assign(stored.messages[3]!, { role: 'tool', parts: [{ type: 'tool-result', ...call, output: long, isError: false }] });
	stored.messages[4]!.role = 'assistant';
	stored.messages[5]!.role = 'user';
	await putRows(page, { sessions: [stored.sessions], messages: stored.messages, trees: [stored.trees], positions: [stored.positions] });
	await page.evaluate(async (id) => {
		const file = await window.snug.backup.create();
		await window.snug.sessions.delete(id);
		await window.snug.backup.restore(file);
	}, id);

	await page.goto(`./s/${id}`);
	const asked = page.getByRole('article', { name: 'Assistant' }).first();
	await expect(asked.locator('strong')).toHaveText('it');
	const called = asked.getByRole('group', { name: 'Called search' });
	await expect(called.locator('pre')).toHaveCount(0);
	await called.getByText('Called “search”').click();
	await expect(called.locator('pre').first()).toHaveText('{ "query": "tea U+202E<b>" }');
	await expect(called).not.toContainText('no result');
	const result = page.getByRole('article', { name: 'Tool search', exact: true }).locator('pre').last();
	await expect(result).toContainText('line 11');
	await expect(result).not.toContainText('line 12');
	await called.getByRole('button', { name: /Show more/ }).click();
	await expect(result).toContainText('line 39');
	await expect(page.getByRole('article')).toHaveText([/Look it up/, /I look it up/, /search/, /It is green/, /Thanks/]);
});

test('[P8] a message of 1,000 calls is drawn in part until more is asked for, with one budget of names and no marks in their thousands', async ({ page }) => {
	await page.goto('./');
	await page.waitForFunction(() => 'snug' in window);
	const stored = storedConversation(1, ['Look it up', '']);
	const call = (at: number) => ({ type: 'tool-call', toolCallId: 'c', toolName: 'look', input: at === 0 ? `a${'\u0301'.repeat(900)}` : 'a\u202e'.repeat(500) });
	Object.assign(stored.messages[2]!, { role: 'assistant', finishReason: 'tool-calls', parts: Array.from({ length: 1000 }, (_, at) => call(at)) });
	await putRows(page, { sessions: [stored.sessions], messages: stored.messages, trees: [stored.trees] });
	await page.goto(`./s/${stored.sessions.id}`);
	const asked = page.getByRole('article', { name: 'Assistant' });
	const calls = asked.getByRole('group', { name: 'Called look' });
	await expect(calls).toHaveCount(100);
	for (const at of [0, 1, 2]) {
		await calls.nth(at).locator('summary').click();
		await expect(calls.nth(at).locator('pre')).toBeVisible();
	}
	await expect(asked.locator('mark')).toHaveCount(300);
	await expect(calls.first().locator('pre')).toHaveText(`a${'\u0301'.repeat(30)}`);
	await asked.getByRole('button', { name: 'Show more (900 parts left)' }).click();
	await expect(calls).toHaveCount(200);
	await expect(asked.locator('mark')).toHaveCount(300);
});

test('[P8] names of tools, a model and a label are one line and turn nothing beside them', async ({ page }) => {
	await page.goto('./');
	await page.waitForFunction(() => 'snug' in window);
	const stored = storedConversation(1, ['Look it up', '', '']);
	const call = { toolCallId: 'c', toolName: 'look\u202egnos\n\nSnug: safe' };
	Object.assign(stored.messages[2]!, { role: 'assistant', model: 'gpt\u202e\u2066 .dessap', parts: [{ type: 'tool-call', ...call, input: 'x' }] });
	Object.assign(stored.messages[3]!, { role: 'tool', parts: [{ type: 'tool-result', ...call, output: 'y'.repeat(5000), isError: false }] });
	Object.assign(stored.trees, { labels: { [stored.messages[2]!.id]: 'La\u202ebel' } });
	await putRows(page, { sessions: [stored.sessions], messages: stored.messages, trees: [stored.trees] });
	await page.goto(`./s/${stored.sessions.id}`);
	const name = 'look gnos Snug: safe';
	await expect(page.getByRole('group', { name: `Called ${name}`, exact: true })).toHaveText(/Called “look gnos Snug: safe”/);
	const result = page.getByRole('article', { name: `Tool ${name}`, exact: true });
	await result.locator('summary').click();
	// One long line: its start is drawn, and how much is left is said.
	await expect(result.locator('pre').last()).toHaveText('y'.repeat(1000));
	await result.getByRole('button', { name: 'Show more (4,000 characters left)' }).click();
	await expect(result.locator('pre').last()).toHaveText('y'.repeat(5000));
	expect(await turnsWords(page)).toBe(false);
	await expect(page.locator('bdi', { hasText: 'gpt .dessap' })).toBeVisible();
	await expect(page.locator('bdi', { hasText: 'La bel' })).toBeVisible();
	expect(await turnsWords(page)).toBe(false);
});

test('[P8] a name that a server makes up is neither long in sight nor for a screen reader', async ({ page }) => {
	await page.goto('./');
	await page.waitForFunction(() => 'snug' in window);
	const stored = storedConversation(1, ['Look it up', '']);
	Object.assign(stored.messages[2]!, { role: 'assistant', parts: [{ type: 'tool-call', toolCallId: 'c', toolName: `look ${'a'.repeat(5000)}`, input: 'x' }] });
	await putRows(page, { sessions: [stored.sessions], messages: stored.messages, trees: [stored.trees] });
	await page.goto(`./s/${stored.sessions.id}`);
	await expect(page.getByRole('group', { name: `Called look ${'a'.repeat(34)}…`, exact: true })).toHaveText(`Called “look ${'a'.repeat(34)}…” x no result`);
});

/** A chat of a question and two steps: two calls side by side, then one, whose result is long, and an answer. */
function twoSteps() {
	const stored = storedConversation(1, ['Look it up', '', '', '', '', '', 'It is green.', 'Thanks']);
	const { messages } = stored;
	const call = (toolCallId: string, query: string) => ({ type: 'tool-call', toolCallId, toolName: 'search', input: { query, note: 'a\nquince' } });
	const result = (toolCallId: string, output: unknown) => ({ role: 'tool', parts: [{ type: 'tool-result', toolCallId, toolName: 'search', output, isError: false }] });
	const long = Array.from({ length: 2000 }, (_, line) => (line === 1500 ? 'a medlar tree' : `line ${line}`)).join('\n');
	Object.assign(messages[2]!, { role: 'assistant', finishReason: 'tool-calls', parts: [{ type: 'text', text: 'Let me look.' }, call('a', 'pear'), call('b', 'plum')] });
	Object.assign(messages[3]!, result('a', { found: 'a heron' }));
	Object.assign(messages[4]!, result('b', 'a stork'));
	Object.assign(messages[5]!, { role: 'assistant', finishReason: 'tool-calls', parts: [call('c', 'fig')] });
	Object.assign(messages[6]!, result('c', long));
	messages[7]!.role = 'assistant';
	messages[8]!.role = 'user';
	return { stored, first: messages[3]!.id, second: messages[4]!.id, long };
}

test('[A3] a call and its result are one line, which opens to both exactly; each is copied as it is', async ({ page, context }) => {
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	const { stored, long } = twoSteps();
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(`./s/${stored.sessions.id}`);
	const lines = page.getByRole('group', { name: 'Called search' });
	await expect(lines).toHaveText(['Called “search” pear', 'Called “search” plum', 'Called “search” fig']);
	await expect(page.getByRole('article', { name: 'Assistant' }).first().getByRole('article', { name: 'Tool search' })).toHaveCount(2);
	await lines.first().locator('summary').click();
	await expect(lines.first().locator('pre')).toHaveText(['{ "query": "pear", "note": "a\\nquince" }', '{ "found": "a heron" }']);
	const copied = () => page.evaluate(() => navigator.clipboard.readText());
	await lines.first().getByRole('button', { name: 'Copy input' }).click();
	await expect.poll(copied).toBe('{\n  "query": "pear",\n  "note": "a\\nquince"\n}');
	await lines.last().locator('summary').click();
	await lines.last().getByRole('button', { name: 'Copy output' }).click();
	await expect.poll(copied).toBe(long);
	await expectAccessible(page, 'a chat with calls that are open');
});

test('[P5] a search opens the call or the result alone that has the word, down to where it is', async ({ page }) => {
	const { stored } = twoSteps();
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(`./s/${stored.sessions.id}`);
	const lines = page.getByRole('group', { name: 'Called search' });
	await expect(lines).toHaveCount(3);
	const open = () => lines.evaluateAll((all) => all.map((line) => (line as HTMLDetailsElement).open));
	await page.getByRole('button', { name: 'Find in this chat' }).click();
	const field = page.getByRole('textbox', { name: 'Find in this chat' });
	await field.fill('plum');
	await expect.poll(open).toEqual([false, true, false]);
	await lines.nth(1).locator('summary').click();
	await field.fill('heron');
	await expect.poll(open).toEqual([true, false, false]);
	await lines.first().locator('summary').click();
	await field.fill('medlar');
	await expect.poll(open).toEqual([false, false, true]);
	await expect(lines.last().locator('pre').last()).toContainText('a medlar tree');
	await expect(lines.last().locator('pre').last()).not.toContainText('line 1999');
	await expect.poll(() => highlighted(page)).toEqual(['medlar']);
	await expect(lines.last().getByText('a medlar tree')).toBeInViewport();
});

test('[P5] a link to a result opens its line; what can be done with a message can be done with it there', async ({ page }) => {
	const { stored, second } = twoSteps();
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(`./s/${stored.sessions.id}?m=${second}`);
	const result = page.locator(`article[data-id="${second}"]`);
	await expect(result).toHaveClass(/found/);
	await expect(result).toBeFocused();
	await expect(result.locator('pre').last()).toHaveText('a stork');
	await expect(page.locator('details.traffic[open]')).toHaveCount(1);

	await result.getByRole('button', { name: 'More' }).click();
	await page.getByRole('group', { name: 'Message' }).getByRole('button', { name: 'Label', exact: true }).click();
	await page.getByRole('textbox', { name: 'Label' }).fill('Storks');
	await page.getByRole('button', { name: 'Save', exact: true }).click();
	await expect(result.getByText('Storks')).toBeVisible();

	// Up to there, the other results of the step are there too, and nothing after.
	await page.goto(`./s/${stored.sessions.id}?at=Storks`);
	await expect(page.getByRole('article', { name: 'Tool search' })).toHaveCount(2);
	await expect(page.getByRole('article', { name: 'Assistant' })).toHaveCount(1);
	await page.goto(`./s/${stored.sessions.id}`);

	await result.getByRole('button', { name: 'More' }).click();
	await page.getByRole('group', { name: 'Message' }).getByRole('button', { name: 'Erase text' }).click();
	await expect(page.getByRole('article', { name: 'Tool', exact: true })).toContainText('Text erased');
	await expect(page.getByRole('group', { name: 'Called search' }).nth(1)).toHaveText('Called “search” plum');
});

test('[Z9] versions of a result are stepped between at its line', async ({ page }) => {
	const { stored, first } = twoSteps();
	const { messages, trees } = stored;
	const id = first.replace(/^01900000/, '01900001');
	const other = { ...messages[3]!, id, parts: [{ type: 'tool-result' as const, toolCallId: 'a', toolName: 'search', output: 'a crane', isError: false }] };
	const tips = [...trees.tips, { id, depth: 3, forkId: id, forkDepth: 3, fromId: null }];
	await page.goto('./');
	await withSessions(page, [{ ...stored, messages: [...messages, other], trees: { ...trees, tips }, sessions: { ...stored.sessions, messageCount: messages.length + 1 } }]);
	await page.goto(`./s/${stored.sessions.id}`);
	await page.getByRole('article', { name: 'Tool search' }).first().getByRole('button', { name: 'Next version' }).click();
	const result = page.getByRole('article', { name: 'Tool search' });
	await expect(result).toHaveCount(1);
	await expect(result.getByRole('group', { name: 'Versions' })).toContainText('2 / 2');
	await result.locator('summary').click();
	await expect(result.locator('pre').last()).toHaveText('a crane');
	await expect(page.getByRole('group', { name: 'Called search' }).nth(1)).toHaveText('Called “search” plum no result');
});

test('[P5] a result far up in a long chat is gone to, in the line of a call that was not drawn', async ({ page }) => {
	const texts = Array.from({ length: 300 }, (_, index) => `Stone ${index}. ${'It lies there. '.repeat(40)}`);
	const stored = storedConversation(1, texts);
	const { messages } = stored;
	const ids = Array.from({ length: 9 }, (_, index) => String(index));
	Object.assign(messages[100]!, { role: 'assistant', parts: ids.map((toolCallId) => ({ type: 'tool-call', toolCallId, toolName: 'search', input: {} })) });
	for (const [index, toolCallId] of ids.entries())
		Object.assign(messages[101 + index]!, { role: 'tool', parts: [{ type: 'tool-result', toolCallId, toolName: 'search', output: `bird ${index}`, isError: false }] });
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(`./s/${stored.sessions.id}?m=${messages[109]!.id}`);
	const result = page.locator(`article[data-id="${messages[109]!.id}"]`);
	await expect(result.locator('pre').last()).toHaveText('bird 8');
	await expect(result).toBeInViewport();
});

/** The words that are marked in the message that was gone to. */
function highlighted(page: Page): Promise<string[]> {
	return page.evaluate(() =>
		([...(CSS.highlights.get('found-here') ?? [])] as StaticRange[]).map(({ startContainer, startOffset, endOffset }) => startContainer.textContent!.slice(startOffset, endOffset))
	);
}

function turnsWords(page: Page): Promise<boolean> {
	return page.evaluate(() => /[\u202a-\u202e\u2066-\u2069]/.test(document.querySelector('main')!.outerHTML));
}
