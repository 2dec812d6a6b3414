import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { putRows, storedConversation } from './chat';

test.use({ weights: 'none' });

test('[A3] calls of tools and their results come back from a backup and are drawn: calls exactly, long results folded', async ({ page }) => {
	await page.goto('./');
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
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
	await expect(called.locator('pre')).toHaveText('{ "query": "tea U+202E<b>" }');
	await expect(asked).not.toContainText('which was not run');
	const result = page.getByRole('article', { name: 'Tool search', exact: true }).getByRole('group', { name: 'Result from search' });
	await result.getByText('“search”: result').click();
	await expect(result).toContainText('line 11');
	await expect(result).not.toContainText('line 12');
	await result.getByRole('button', { name: /Show more/ }).click();
	await expect(result).toContainText('line 39');
	await expect(page.getByRole('article')).toHaveText([/Look it up/, /I look it up/, /search/, /It is green/, /Thanks/]);
});

test('[P8] a message of 1,000 calls is drawn in part until more is asked for, with one budget of names and no marks in their thousands', async ({ page }) => {
	await page.goto('./');
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
	const stored = storedConversation(1, ['Look it up', '']);
	const call = (at: number) => ({ type: 'tool-call', toolCallId: 'c', toolName: 'look', input: at === 0 ? `a${'\u0301'.repeat(900)}` : 'a\u202e'.repeat(500) });
	Object.assign(stored.messages[2]!, { role: 'assistant', finishReason: 'tool-calls', parts: Array.from({ length: 1000 }, (_, at) => call(at)) });
	await putRows(page, { sessions: [stored.sessions], messages: stored.messages, trees: [stored.trees] });
	await page.goto(`./s/${stored.sessions.id}`);
	const asked = page.getByRole('article', { name: 'Assistant' });
	const calls = asked.getByRole('group', { name: 'Called look' });
	await expect(calls).toHaveCount(100);
	for (const at of [0, 1, 2]) await calls.nth(at).locator('summary').click();
	await expect(asked.locator('mark')).toHaveCount(300);
	await expect(calls.first().locator('pre')).toHaveText(`a${'\u0301'.repeat(30)}`);
	await asked.getByRole('button', { name: 'Show more (900 parts left)' }).click();
	await expect(calls).toHaveCount(200);
	await expect(asked.locator('mark')).toHaveCount(300);
});

test('[P8] names of tools, a model and a label are one line and turn nothing beside them', async ({ page }) => {
	await page.goto('./');
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
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
	await expect(result.locator('pre')).toHaveText('y'.repeat(1000));
	await result.getByRole('button', { name: 'Show more (4,000 characters left)' }).click();
	await expect(result.locator('pre')).toHaveText('y'.repeat(5000));
	expect(await turnsWords(page)).toBe(false);
	await expect(page.locator('bdi', { hasText: 'gpt .dessap' })).toBeVisible();
	await expect(page.locator('bdi', { hasText: 'La bel' })).toBeVisible();
	expect(await turnsWords(page)).toBe(false);
});

function turnsWords(page: Page): Promise<boolean> {
	return page.evaluate(() => /[\u202a-\u202e\u2066-\u2069]/.test(document.querySelector('main')!.outerHTML));
}
