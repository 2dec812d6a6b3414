// Tools that a model calls: switched on by the user, run in the page, and told to the model.
import type { Message } from '../../src/lib/conversation/message';
import { startOpenAiServer } from '../fixtures/openai-server.mjs';
import { expect, test } from './app';
import { answer, ask, expectAccessible, newChat, openPanel, putRows, rowsOf, said, say, storedConversation, useServer } from './chat';
import { chunkWith, holdFile } from './chunks';
import { switchTools } from './tools';

test.use({ weights: 'none' });

let server: Awaited<ReturnType<typeof startOpenAiServer>>;
test.beforeAll(async () => {
	server = await startOpenAiServer();
});
test.afterAll(() => server.close());

interface Request {
	messages: { role: string; content: string; tool_calls?: { id: string }[]; tool_call_id?: string }[];
	tools?: { function: { name: string } }[];
}
const requests = () => server.requests.map(({ body }) => body as Request);
const offered = () => requests().at(-1)!.tools?.map((tool) => tool.function.name);

test('[R1] a model is offered no tool until one is switched on; then it searches the chats and answers by what it found', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'agent');
	await ask(page, 'The Williams pear ripens in August.');
	expect(offered()).toBeUndefined();

	await newChat(page);
	await switchTools(page, 'Search chats', 'Date and time');
	await ask(page, 'call session_search {"query":"williams pear"} && call current_time {}\nIt says: {last}');
	expect(offered()).toEqual(['session_search', 'current_time']);
	const call = page.getByRole('group', { name: 'Called session_search' });
	await expect(call).toContainText('Search chats williams pear');
	const result = page.getByRole('article', { name: 'Tool session_search' });
	await result.locator('summary').click();
	await expect(result).toContainText('The Williams pear ripens in August');
	await expect(said(page).assistant.last()).toContainText('time_zone');
	// Both results follow their calls, each with its id.
	const sent = requests().at(-1)!.messages;
	const asked = sent.find(({ tool_calls }) => tool_calls)!;
	expect(sent.filter(({ role }) => role === 'tool').map(({ tool_call_id }) => tool_call_id)).toEqual(asked.tool_calls!.map(({ id }) => id));
	await expectAccessible(page, 'a chat with calls of tools');

	// The choice is that chat's own, and holds.
	await page.reload();
	await ask(page, 'And now?');
	expect(offered()).toEqual(['session_search', 'current_time']);
	await switchTools(page, 'Search chats', 'Date and time');
	await ask(page, 'And without?');
	expect(offered()).toBeUndefined();
});

test('[E11] an answer is stopped also while what brings the tools is still being loaded', async ({ page, folder }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Hello');
	await putRows(page, { settings: [{ name: 'tools', value: ['session_search', 'notes_read'] }] });
	const part = chunkWith(folder, 'How many results are given; the best come first.');
	const isAskedFor = page.waitForRequest(`**/${part}`);
	const arrive = await holdFile(page, part);
	await page.goto('./');
	await say(page, 'What did I say?');
	await isAskedFor;
	await page.getByRole('button', { name: 'Stop' }).click();
	await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0);
	arrive();
});

for (const width of [1280, 390]) {
	test(`[R1] the composer says how many tools are on, and opens them, in a new chat and in that which it becomes (${width} pixels)`, async ({ page }) => {
		await page.setViewportSize({ width, height: 844 });
		await page.goto('./');
		await useServer(page, server.url, 'agent');
		await page.getByRole('textbox', { name: 'Message' }).pressSequentially('Which');
		const button = page.getByRole('button', { name: /^Tools(, \d on)?$/ });
		await expect(button).toHaveAccessibleName('Tools');
		await button.click();
		const dialog = page.getByRole('dialog', { name: 'Tools for this new chat' });
		for (const tool of ['Search chats', 'Date and time']) await dialog.getByRole('checkbox', { name: tool }).check();
		await expectAccessible(page, 'the tools of a chat');
		await page.keyboard.press('Escape');
		await expect(button).toHaveAccessibleName('Tools, 2 on');
		await expect(button).toBeFocused();
		await expectAccessible(page, 'a composer with tools');

		await ask(page, 'Which day is it?');
		expect(offered()).toEqual(['session_search', 'current_time']);
		await page.getByRole('textbox', { name: 'Message' }).fill('And');
		await button.click();
		await page.getByRole('dialog', { name: 'Tools for this chat' }).getByRole('checkbox', { name: 'Search chats' }).uncheck();
		await page.keyboard.press('Escape');
		await expect(button).toHaveAccessibleName('Tools, 1 on');
		await ask(page, 'And now?');
		expect(offered()).toEqual(['current_time']);
	});
}

test('[R1] a mistaken call is told to the model, which goes on', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'agent');
	await switchTools(page, 'Read a chat');
	await ask(page, 'call session_read {"session_id":"none"} && call session_read {"id":1} && call launch_rocket {}\nNot there: {last}');
	const failed = page.getByRole('group', { name: /failed$/ });
	await expect(failed).toHaveCount(3);
	await expect(failed.nth(0)).toContainText('There is no such session');
	await expect(failed.nth(2)).toContainText('There is no such tool');
	await expect(said(page).assistant.last()).toContainText('Not there: There is no such tool. There are: session_read.');
});

test('[R1] a script that the model writes is run apart from the app, and its end is told', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'agent');
	await switchTools(page, 'Run JavaScript');
	const call = (code: string) => `call run_javascript ${JSON.stringify({ code })}`;
	await ask(page, `${call('console.log("six"); return [1, 2, 3].reduce((sum, one) => sum + one)')} && ${call('return missing')}\nIt ended: {last}`);
	await expect(page.getByRole('group', { name: 'run_javascript failed' })).toContainText('missing is not defined');
	// Nothing moves any more once the answer is there.
	await expect(said(page).assistant.last()).toContainText('It ended: ReferenceError: missing is not defined');
	await expect(page.getByRole('button', { name: 'Copy answer' })).toBeVisible();
	const ran = page.getByRole('group', { name: 'Called run_javascript' });
	await ran.locator('summary').click();
	await expect(ran.locator('pre').last()).toHaveText('{ "result": "6", "console": "six" }');
	await expect(page.locator('iframe')).toHaveCount(0);
});

test('[R1] a call says that it is running; what was opened meanwhile stays open when its result comes, in the same line', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'agent');
	await switchTools(page, 'Run JavaScript');
	await say(page, `call run_javascript ${JSON.stringify({ code: 'const end = Date.now() + 4000; while (Date.now() < end); return 6' })}\nDone.`);
	const ran = page.getByRole('group', { name: /^Call(s|ed) run_javascript$/ });
	await expect(ran).toContainText('running…');
	await ran.locator('summary').click();
	await expect(ran.locator('pre')).toHaveCount(1);
	await expect(ran.locator('pre').last()).toHaveText('{ "result": "6" }');
	await expect(ran).not.toContainText('running…');
	await expect(said(page).assistant.last()).toContainText('Done.');
	await expect(page.getByRole('group', { name: /run_javascript/ })).toHaveCount(1);
});

test('[R1] whoever scrolls up while calls run stays there, and nothing that is shown moves', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'agent');
	await switchTools(page, 'Run JavaScript');
	await say(page, 'It is long. '.repeat(300).trim());
	await expect(said(page).assistant).toContainText('It is long.');
	await answer(page);
	const call = `call run_javascript ${JSON.stringify({ code: 'const end = Date.now() + 2500; while (Date.now() < end); return 6' })}`;
	await say(page, `${call} && ${call}\n${call}\nDone.`);
	const log = page.getByRole('log', { name: 'Conversation' });
	await expect(page.getByText('running…').first()).toBeVisible();
	await log.hover();
	await page.mouse.wheel(0, -300);
	await expect(page.getByRole('button', { name: 'Jump to the newest message' })).toBeVisible();
	const place = () => log.evaluate((log) => [log.scrollTop, Math.round(document.querySelector('details.traffic')!.getBoundingClientRect().top)]);
	await page.waitForFunction(async () => {
		const { scrollTop } = document.querySelector('[role=log]')!;
		await new Promise(requestAnimationFrame);
		return scrollTop === document.querySelector('[role=log]')!.scrollTop;
	});
	const before = await place();
	await expect(said(page).assistant.last()).toContainText('Done.');
	await answer(page);
	expect(await place()).toEqual(before);
});

test('[P8] tools that are switched off one right after another are all off', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'agent');
	await ask(page, 'Hello');
	await switchTools(page, 'Search chats', 'Read a chat', 'Date and time');
	await page.getByRole('button', { name: /Change model/ }).first().click();
	await page.getByRole('button', { name: 'Model settings', exact: true }).click();
	const boxes = page.getByRole('group', { name: 'Tools' }).getByRole('checkbox', { checked: true });
	await expect(boxes).toHaveCount(3);
	await page.getByRole('group', { name: 'Tools' }).evaluate((tools) => {
		for (const box of tools.querySelectorAll<HTMLElement>('input:checked')) box.click();
	});
	await expect(boxes).toHaveCount(0);
	await expect.poll(async () => (await rowsOf<{ tools?: string[] }>(page, 'sessionSettings')).map(({ tools }) => tools)).toEqual([[]]);
});

test('[P8] in a temporary chat no tool reads the chats that are stored', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'agent');
	await page.goto('./temporary');
	await switchTools(page, 'Date and time', 'Read notes');
	// Nor is one in the list; a script may name it all the same.
	await page.evaluate(() => window.snug.tools.switch('session_search', true));
	await ask(page, 'Hello');
	expect(offered()).toEqual(['notes_read', 'current_time']);
	const id = /\/s\/([^/?]+)/.exec(page.url())![1]!;
	await page.evaluate(async (id) => {
		for (const name of ['session_search', 'session_read']) await window.snug.tools.switch(name, true, id);
	}, id);
	await ask(page, 'And now?');
	expect(offered()).toEqual(['notes_read', 'current_time']);
	await page.getByRole('button', { name: /Change model/ }).first().click();
	await page.getByRole('button', { name: 'Model settings', exact: true }).click();
	await expect(page.getByRole('group', { name: 'Tools' }).getByRole('checkbox', { name: 'Read notes' })).toBeChecked();
	await expect(page.getByRole('group', { name: 'Tools' }).getByRole('checkbox', { name: /Search chats|Read a chat/ })).toHaveCount(0);
});

test('[P8] a message that the user keeps from models is told to none by a tool', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'agent');
	await ask(page, 'The quince is yellow.');
	const id = await page.evaluate(async () => {
		const [session] = await window.snug.sessions.list();
		for (const message of await window.snug.messages.all(session!.id)) if (message.role === 'user') await window.snug.context.exclude(session!.id, message.id, true);
		return session!.id;
	});
	await newChat(page);
	await switchTools(page, 'Search chats', 'Read a chat');
	await ask(page, `call session_search {"query":"yellow"} && call session_read {"session_id":"${id}"}\nDone.`);
	await expect(said(page).assistant.last()).toContainText('Done.');
	const told = requests().at(-1)!.messages.filter(({ role }) => role === 'tool');
	expect(told).toHaveLength(2);
	// The answer, which repeats it, is not kept from any.
	for (const { content } of told) expect(content).toContain('"assistant"');
	for (const { content } of told) expect(content).not.toContain('"user"');
});

test('[P8] nothing of a message that the user keeps from models is in the name of its chat, nor in what a search takes for a typo, where a tool tells those', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'agent');
	await ask(page, 'My password is dragonfruit\nNoted.');
	const id = await page.evaluate(async () => {
		const [session] = await window.snug.sessions.list();
		for (const { id } of await window.snug.messages.all(session!.id)) await window.snug.context.exclude(session!.id, id, true);
		return session!.id;
	});
	await ask(page, 'Something else\nThe quince is yellow.');
	await newChat(page);
	await switchTools(page, 'Search chats', 'Read a chat');
	await ask(page, `call session_search {"query":"something"} && call session_search {"query":"dragonfruix","session_id":"${id}"} && call session_read {"session_id":"${id}"}\nDone.`);
	await expect(said(page).assistant.last()).toContainText('Done.');
	const told = requests().at(-1)!.messages.filter(({ role }) => role === 'tool');
	expect(told).toHaveLength(3);
	for (const at of [0, 2]) expect(told[at]!.content).toContain('Something else');
	for (const { content } of told) expect(content).not.toMatch(/dragonfruit|password/i);
	await expect(page.getByRole('link', { name: 'My password is dragonfruit' }).first()).toBeVisible();
});

test('[R2] an answer ends after the most steps that are set, and Resume goes on from there', async ({ page }) => {
	await page.goto('./settings');
	await page.getByRole('spinbutton', { name: 'Maximum steps per answer' }).fill('2');
	await page.getByRole('spinbutton', { name: 'Maximum steps per answer' }).press('Enter');
	await page.getByRole('group', { name: 'Tools' }).getByRole('checkbox', { name: 'Date and time' }).check();
	await expect.poll(() => rowsOf(page, 'settings')).toContainEqual({ name: 'tools', value: ['current_time'] });
	await page.goto('./');
	await useServer(page, server.url, 'agent');
	const before = server.requests.length;
	await say(page, 'call current_time {}\ncall current_time {}\nIt is late.');
	await expect(page.getByText('It stopped after 2 steps')).toBeVisible();
	expect(server.requests.length - before).toBe(2);
	await page.getByRole('button', { name: 'Resume' }).click();
	await expect(said(page).assistant.last()).toContainText('It is late.');
	expect(server.requests.length - before).toBe(3);
});

test('[R1] a browser that was killed between a call and its result loses nothing: Resume runs what is open, and asks no question twice', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'agent');
	const stored = storedConversation(1, ['call current_time {} && call current_time {}\nIt is late.', '', '']);
	const { id } = stored.sessions;
	const call = (toolCallId: string) => ({ type: 'tool-call' as const, toolCallId, toolName: 'current_time', input: {} });
	const answered = { type: 'tool-result' as const, toolCallId: 'a', toolName: 'current_time', output: 'noon', isError: false };
	Object.assign(stored.messages[2]!, { role: 'assistant', finishReason: 'tool-calls', parts: [call('a'), call('b')] });
	Object.assign(stored.messages[3]!, { role: 'tool', parts: [answered] });
	stored.sessions.status = 'running';
	await putRows(page, { sessions: [stored.sessions], messages: stored.messages, trees: [stored.trees], positions: [stored.positions], sessionSettings: [{ sessionId: id, tools: ['current_time'] }] });
	const before = server.requests.length;
	await page.goto(`./s/${id}`);
	await page.getByRole('button', { name: 'Resume' }).click();
	await expect(said(page).assistant.last()).toContainText('It is late.');
	expect(server.requests.length - before).toBe(1);
	const results = (await rowsOf<Message>(page, 'messages')).flatMap(({ parts }) => parts.filter(({ type }) => type === 'tool-result'));
	expect(results).toMatchObject([answered, { toolCallId: 'b', output: { weekday: expect.stringMatching(/day$/) as unknown } }]);
});

test('[S4] tools count in the context, and are a part of what is sent', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'agent');
	await page.evaluate(() => window.snug.models.parameters(undefined, { maxTokens: 500 }));
	await ask(page, 'Hello');
	await switchTools(page, 'Search chats');
	const id = /\/s\/([^/?]+)/.exec(page.url())![1]!;
	const payload = JSON.parse(await page.evaluate((id) => window.snug.context.payload(id), id)) as Request;
	expect(payload.tools?.map((tool) => tool.function.name)).toEqual(['session_search']);
	await openPanel(page, 'Context');
	await expect(page.getByRole('complementary').getByText('Tools')).toBeVisible();
});

test('[A11] a server that refuses tools is told as that, and how to go on', async ({ page, expectConsole }) => {
	expectConsole.push(/status of 400/);
	await page.goto('./');
	await useServer(page, server.url, 'refuses-tools');
	await switchTools(page, 'Date and time');
	await say(page, 'Hello');
	await expect(page.getByRole('alert')).toContainText('can’t use tools');
	await page.getByRole('alert').getByRole('button', { name: 'Model settings' }).click();
	await page.getByRole('group', { name: 'Tools' }).getByRole('checkbox', { name: 'Date and time' }).click();
	await page.keyboard.press('Escape');
	await page.getByRole('button', { name: 'Retry' }).click();
	expect(await answer(page)).toContain('Hello');
});
