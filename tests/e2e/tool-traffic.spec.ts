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
	await putRows(page, { sessions: [stored.sessions], messages: stored.messages, trees: [stored.trees] });
	await page.evaluate(async (id) => {
		const file = await window.snug.backup.create();
		await window.snug.sessions.delete(id);
		await window.snug.backup.restore(file);
	}, id);

	await page.goto(`./s/${id}`);
	const asked = page.getByRole('article', { name: 'Assistant' }).first();
	await expect(asked.locator('strong')).toHaveText('it');
	await expect(asked.getByRole('group', { name: 'Called search' }).locator('pre')).toHaveText('{ "query": "tea U+202E<b>" }');
	await expect(asked).not.toContainText('Snug has none yet');
	const result = page.getByRole('article', { name: 'Tool search', exact: true }).getByRole('group', { name: 'Result from search' });
	await expect(result).toContainText('line 11');
	await expect(result).not.toContainText('line 12');
	await result.getByRole('button', { name: /Show more/ }).click();
	await expect(result).toContainText('line 39');
	await expect(page.getByRole('article')).toHaveText([/Look it up/, /I look it up/, /line 0/, /It is green/, /Thanks/]);
});
