import { expect, test } from './app';
import { answer, countRows, rowsOf, say, useServer } from './chat';

test.use({ weights: 'none' });

test('[A1] opening and typing write nothing; the first send makes the session and its message', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await page.getByRole('textbox', { name: 'Message' }).fill('Hello there');
	await page.waitForTimeout(1000);
	expect(await countRows(page)).toMatchObject({ sessions: 0, messages: 0, trees: 0, drafts: 0 });

	await page.getByRole('button', { name: 'Send' }).click();
	expect(await answer(page)).toContain('Hello there');
	expect(await countRows(page)).toMatchObject({ sessions: 1, messages: 3, trees: 1, drafts: 0 });
});

test('[A2][A3] the address names the session, and every message is a row of its own', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await say(page, 'First question');
	await answer(page);
	await expect(page).toHaveURL(/\/s\/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
	await say(page, 'Second question');
	await expect(page.getByRole('article', { name: 'Assistant' })).toHaveCount(2);
	await answer(page);

	const id = page.url().split('/').at(-1)!;
	const rows = await page.evaluate((id) => window.snug.messages.all(id), id);
	expect(rows.map(({ role, depth }) => [role, depth])).toEqual([
		['system', 0],
		['user', 1],
		['assistant', 2],
		['user', 3],
		['assistant', 4]
	]);
	expect(rows.slice(1).every((row, index) => row.parentId === rows[index]!.id)).toBe(true);
	expect(rows[4]!.usage?.outputTokens).toBeGreaterThan(0);
});

test('[E12][Z2] a resumed session sends its history byte for byte, with the system prompt in force when it began', async ({ page, server }) => {
	await page.goto('./settings');
	await page.getByRole('textbox', { name: 'System prompt' }).fill('Speak like a lighthouse keeper.');
	await page.getByRole('textbox', { name: 'System prompt' }).blur();
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await say(page, 'Good evening');
	await answer(page);

	await page.goto('./settings');
	await page.getByRole('textbox', { name: 'System prompt' }).fill('Something else.');
	await page.getByRole('textbox', { name: 'System prompt' }).blur();
	await page.getByRole('link', { name: /Good evening/ }).click();
	await say(page, 'And the weather?');
	await expect(page.getByRole('article', { name: 'Assistant' })).toHaveCount(2);
	await answer(page);

	const sent = server.requests.filter(({ path }) => path.endsWith('/chat/completions')).slice(-2);
	const [first, second] = sent.map(({ body }) => body.messages);
	expect(first[0]).toEqual({ role: 'system', content: 'Speak like a lighthouse keeper.' });
	expect(JSON.stringify(second).startsWith(JSON.stringify(first).slice(0, -1))).toBe(true);
});

test('an answer streams as Markdown, with highlighted code that can be copied', async ({ page, context, server }) => {
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await say(page, '# Title\n\nSome **bold** words.\n\n```ts\nconst answer: number = 42;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |');
	await answer(page);
	const article = page.getByRole('article', { name: 'Assistant' });
	await expect(article.getByRole('heading', { name: 'Title' })).toBeVisible();
	await expect(article.locator('strong')).toHaveText('bold');
	await expect(article.getByRole('table')).toBeVisible();
	await expect(article.locator('pre code span').first()).toBeVisible();
	await article.getByRole('button', { name: 'Copy', exact: true }).click();
	expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('const answer: number = 42;\n');
});

test('Stop keeps what has streamed as the answer, and one can send again', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'huge@5');
	await say(page, 'Tell me everything');
	await expect(page.getByRole('article', { name: 'Assistant' })).toContainText(/\w+/);
	await page.getByRole('button', { name: 'Stop' }).click();
	await expect(page.getByText('Stopped ·')).toBeVisible();
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
	const stopped = await answer(page);
	await page.reload();
	await expect.poll(() => answer(page)).toBe(stopped);

	await useServer(page, server.url, 'echo');
	await say(page, 'Now briefly');
	await expect(page.getByRole('article', { name: 'Assistant' })).toHaveCount(2);
	expect(await answer(page)).toContain('Now briefly');
});

for (const from of ['composer', 'transcript'] as const) {
	test(`[P10] Escape in the ${from} stops the answer, and only closes what is open before`, async ({ page, server }) => {
		await page.goto('./');
		await useServer(page, server.url, 'huge@5');
		await say(page, 'Tell me everything');
		await expect(page.getByRole('article', { name: 'Assistant' })).toContainText(/\w+/);
		const stop = page.getByRole('button', { name: 'Stop' });
		await expect(stop).toHaveAttribute('title', 'Stop (Esc)');
		await page.keyboard.press('ControlOrMeta+k');
		const dialog = page.getByRole('dialog', { name: 'Commands' });
		await expect(dialog.getByRole('combobox')).toBeFocused();
		await page.keyboard.press('Escape');
		await expect(page.locator('dialog')).toHaveCount(0);
		const command = from === 'composer' ? page.getByRole('textbox', { name: 'Message' }) : page.getByRole('log');
		await page.getByRole('textbox', { name: 'Message' }).fill('/help');
		await page.keyboard.press('Enter');
		await page.keyboard.press('Enter');
		await expect(page.getByRole('region', { name: 'Command output' })).toBeVisible();
		await command.focus();
		await page.keyboard.press('Escape');
		await expect(page.getByRole('region', { name: 'Command output' })).toHaveCount(0);
		await expect(stop).toBeVisible();
		await page.keyboard.press('Escape');
		await expect(page.getByText('Stopped ·')).toBeVisible();
	});
}

test('[P10] keys copy the last answer and begin a new chat', async ({ page, context, server }) => {
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await say(page, 'Hello there');
	await answer(page);
	await page.keyboard.press('ControlOrMeta+Shift+c');
	await expect(page.getByText('Answer copied.')).toBeVisible();
	expect((await page.evaluate(() => navigator.clipboard.readText())).trim()).toBe('Hello there');
	await page.keyboard.press('ControlOrMeta+Shift+o');
	await expect(page.getByRole('article')).toHaveCount(0);
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
});

test('reasoning is kept apart from the answer', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'reasoning');
	await say(page, 'Two and two?');
	await answer(page);
	const article = page.getByRole('article', { name: 'Assistant' });
	await expect(article).toContainText('Four.');
	await article.getByText('Reasoning', { exact: true }).click();
	await expect(article).toContainText('Two and two.');
});

test('[S7] thinking is alive while it goes on, and then says how long it took, also after a reload', async ({ page, server, hold }) => {
	const answerOn = hold('reasoning', 'Four');
	await page.goto('./');
	await useServer(page, server.url, 'reasoning');
	await say(page, '/tokens');
	await say(page, 'Two and two?');
	const article = page.getByRole('article', { name: 'Assistant' });
	await expect(article.getByText(/^Thinking… \d+ s$/)).toBeVisible();
	answerOn();
	await answer(page);
	const thought = article.getByText(/^Thought for \d+ s$/);
	await expect(thought).toBeVisible();
	await expect(article.getByTitle('Tokens')).toContainText(/tokens\/s · \d+ s$/);
	await page.reload();
	await thought.click();
	await expect(article).toContainText('Two and two.');
});

test('[P10] the answer is announced once, when it is whole', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'slow-tokens@100');
	const announced = await page.evaluateHandle(() => {
		const texts: string[] = [];
		new MutationObserver(() => {
			for (const status of document.querySelectorAll('[role="status"]')) {
				const text = status.textContent.trim();
				if (text.startsWith('Assistant:') && text !== texts.at(-1)) texts.push(text);
			}
		}).observe(document.body, { subtree: true, childList: true, characterData: true });
		return texts;
	});
	await say(page, 'one two three four five six');
	await answer(page);
	await expect.poll(() => announced.jsonValue()).toEqual(['Assistant: one two three four five six']);
});

test('[P10] [P8] of a long answer the beginning is announced', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await say(page, `${'word '.repeat(1000)}end`);
	await answer(page);
	const status = page.getByRole('status').filter({ hasText: 'Assistant:' });
	await expect(status).toHaveText(/^Assistant: (word ?)+…$/);
	expect((await status.textContent())!.length).toBeLessThan(2100);
});

test('unsent text comes back after a reload, in a new chat and in a session', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	const box = page.getByRole('textbox', { name: 'Message' });
	await box.fill('half a thought');
	await page.reload();
	await expect(box).toHaveValue('half a thought');
	await page.getByRole('button', { name: 'Send' }).click();
	await answer(page);
	await box.fill('another half');
	// A page that goes within the same moment can take the write with it; no one types so fast.
	await expect.poll(() => rowsOf(page, 'drafts')).toMatchObject([{ composer: 'another half' }]);
	await page.reload();
	await expect(box).toHaveValue('another half');
	await page.getByRole('link', { name: 'New chat' }).click();
	await expect(box).toHaveValue('');
});
