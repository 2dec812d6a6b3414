import type { Page } from '@playwright/test';
import type { Message } from '../../src/lib/conversation/message';
import { rebuildTree } from '../../src/lib/conversation/tree';
import { expect, test } from './app';
import { inSessionMenu, openPanel, putRows, say, storedConversation, storedSession, useServer, withSessions } from './chat';
import { watchLongestTask } from './longest-task';

test.use({ weights: 'none' });

const sessions = (page: Page) => page.getByRole('navigation', { name: 'Sessions' });

test('[P8] rows that nothing can draw cost neither the lists nor the repair page', async ({ page, expectConsole }) => {
	expectConsole.push(/could not be drawn/);
	await page.goto('./repair');
	await page.goto('./');
	// By then there is a database.
	await expect(sessions(page)).toContainText('Your chats will be listed here');
	const [good, late, odd] = [storedSession(1), storedSession(2, { updatedAt: 8.7e15 }), storedSession(3)];
	await page.goto('./repair');
	await expect(page.getByText('Every row is valid')).toBeVisible();
	await putRows(page, {
		sessions: [good.sessions, late.sessions, { ...odd.sessions, id: '/x' }],
		messages: [...good.messages, ...late.messages],
		trees: [good.trees, late.trees],
		positions: [good.positions, late.positions],
		quarantine: [
			{ id: 'a', table: 'messages', key: 1, row: {}, reason: 'odd', at: 'x' },
			{ id: 'b' },
			{ id: 'd', table: 'messages', key: 1, row: {}, reason: { toString: 1, valueOf: 1 }, at: 1 },
			{ id: 'c', table: {}, key: [], row: null, reason: [1], at: 8.7e15 }
		]
	});
	await page.getByRole('button', { name: 'Check again' }).click();
	await expect(page.getByRole('heading', { name: 'Quarantine' })).toBeVisible();
	await expect(page.getByRole('region', { name: 'Quarantine' }).getByRole('listitem')).toHaveCount(4);
	await expect(page.getByRole('region', { name: 'Quarantine' }).getByText('This row can’t be shown.')).toHaveCount(1);
	await expect(page.getByRole('region', { name: 'Quarantine' }).getByText('odd')).toBeVisible();
	await expect(page.getByText(/Its field “updatedAt” is 8700000000000000/)).toBeVisible();
	await expect(page.getByText(/Its field “id” is "\/x"/)).toBeVisible();

	await page.goto('./');
	await expect(sessions(page).getByRole('link', { name: /Session 1/ })).toBeVisible();
	await page.goto('./sessions');
	await expect(page.getByRole('table', { name: 'All chats' }).getByRole('link', { name: /Session 1/ })).toBeVisible();
	await page.goto('./repair');
	await expect(page.getByRole('region', { name: 'Quarantine' }).getByRole('listitem')).not.toHaveCount(0);
});

test('[P8] what a row has twice is drawn: each file of a draft can be removed before it is sent, and the details and completions are whole', async ({ page }) => {
	await page.goto('./');
	const chat = storedConversation(1, ['Same', 'Answer', 'Same', 'Answer']);
	const labels = Object.fromEntries([1, 3].map((depth) => [chat.messages[depth]!.id, 'spot']));
	const file = { type: 'file', attachmentId: 'a'.repeat(64), mediaType: 'text/plain', name: 'hidden.txt' };
	await putRows(page, { drafts: [{ sessionId: chat.sessions.id, composer: '', attachments: [file, file] }] });
	await withSessions(page, [{ ...chat, sessions: { ...chat.sessions, filesTouched: ['a.md', 'a.md'] }, trees: { ...chat.trees, labels } }]);
	await page.goto(`./s/${chat.sessions.id}`);
	const files = page.getByRole('list', { name: 'Attached files' });
	await expect(files).toContainText('hidden.txt');
	await files.getByRole('button', { name: /Remove/ }).click();
	await expect(files).toHaveCount(0);

	await page.getByRole('textbox', { name: 'Message' }).fill('/branch spot');
	await expect(page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')).toHaveCount(2);
	await page.getByRole('textbox', { name: 'Message' }).fill('');
	await inSessionMenu(page, 'Details');
	await expect(page.getByRole('dialog').getByText('a.md')).toHaveCount(2);
});

/** The longest that a page may be kept from everything else by one task, in units of {@link watchLongestTask}. */
const maxTask = 10;

test('[P8] [Z9] [P4] a tree of branches that leave one another, thousands deep, and thousands of labels are drawn', async ({ page }) => {
	await page.goto('./');
	const [deep, labelled] = [storedConversation(1, ['Root']), storedConversation(2, Array.from({ length: 9000 }, (_, at) => `Message ${at}`))];
	const messages = [...deep.messages];
	const add = (parent: Message) => {
		const id = `01900000-0000-7000-9${messages.length.toString(16).padStart(3, '0')}-000000000001`;
		messages.push({ ...parent, id, parentId: parent.id, depth: parent.depth + 1, role: 'user' });
		return messages.at(-1)!;
	};
	for (let [level, parent] = [0, messages.at(-1)!]; level < 1900; level++) {
		add(parent);
		parent = add(parent);
	}
	const tree = rebuildTree(messages)!;
	const end = messages.at(-1)!.id;
	const labels = Object.fromEntries(labelled.messages.map(({ id }, at) => [id, `label ${at} ${'\u05d0a'.repeat(33)}`]));
	await withSessions(page, [
		{ ...deep, messages, trees: { ...deep.trees, ...tree, mainTip: end }, positions: { ...deep.positions, headId: end } },
		{ ...labelled, trees: { ...labelled.trees, labels } }
	]);
	const longest = await watchLongestTask(page);

	await page.goto(`./s/${deep.sessions.id}`);
	await page.getByRole('button', { name: 'Tree', exact: true }).click();
	const nodes = page.getByRole('tree').getByRole('treeitem');
	await expect(page.locator('[role=treeitem][aria-current=true]')).toHaveAttribute('aria-level', '1901');
	expect(await nodes.count()).toBeLessThan(100);
	await say(page, '/tree');
	await expect(page.getByRole('group', { name: 'Listing' })).toContainText('● n3 ');

	await page.goto(`./s/${labelled.sessions.id}`);
	await page.getByRole('button', { name: 'Tree', exact: true }).click();
	await expect(page.getByRole('tree')).toContainText('label 8999');
	await page.getByRole('textbox', { name: 'Message' }).pressSequentially('/branch ');
	const suggested = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
	await expect(suggested.first()).toContainText('label');
	await expect(suggested).toHaveCount(100);
	expect(await longest()).toBeLessThan(maxTask);
});

test('[P8] of a message with thousands of files, and of branches with long texts, a part is drawn at a time', async ({ page }) => {
	await page.goto('./');
	const chat = storedConversation(1, ['Read these.', 'Read.', 'Go on', 'On']);
	const [system, asked, read, next, last] = chat.messages as [Message, Message, Message, Message, Message];
	const files = Array.from({ length: 9900 }, (_, at) => ({ type: 'file' as const, attachmentId: at.toString(16).padStart(64, '0'), mediaType: 'text/plain', name: `${at}.txt` }));
	const messages = [system, { ...asked, parts: [...asked.parts, ...files] }, read, next, last];
	// Two branches below, of 30 messages of 100,000 characters each.
	const long = 'A **long** text. '.repeat(6000);
	const slow = [long, '\u05d0a'.repeat(30_000), '\u0e33'.repeat(60_000), '$x$ '.repeat(20_000), '<b>'.repeat(30_000)];
	const idOf = (side: number, at: number) => `01900000-0000-7000-a${side}${at.toString(16).padStart(2, '0')}-000000000001`;
	for (const side of [1, 2]) {
		for (let at = 0; at < 30; at++) {
			messages.push({ ...last, id: idOf(side, at), parentId: at === 0 ? last.id : idOf(side, at - 1), depth: last.depth + 1 + at, role: at % 2 === 0 ? 'user' : 'assistant', parts: [{ type: 'text', text: slow[(at + side - 1) % slow.length]! }] });
		}
	}
	const tree = rebuildTree(messages)!;
	await withSessions(page, [{ ...chat, messages, trees: { ...chat.trees, ...tree } }]);
	const longest = await watchLongestTask(page);
	await page.goto(`./s/${chat.sessions.id}`);
	const message = page.getByRole('article', { name: 'You' }).filter({ hasText: 'Read these.' });
	await expect(message.getByRole('listitem')).toHaveCount(100);
	await message.getByRole('button', { name: 'Show more (9,800 files left)' }).click();
	await expect(message.getByRole('listitem')).toHaveCount(200);

	await page.getByRole('button', { name: 'Tree', exact: true }).click();
	await page.getByRole('treeitem').first().press('End');
	await page.keyboard.press('c');
	const compared = page.getByRole('dialog').getByRole('article');
	await expect(compared).not.toHaveCount(0);
	for (let times = 0; times < 4; times++) {
		const shown = await compared.count();
		await page.getByRole('button', { name: 'Show more of both' }).click();
		await expect.poll(() => compared.count()).toBeGreaterThan(shown);
	}
	await expect(compared.last().getByRole('button', { name: /^Show more \(/ })).toBeVisible();
	expect(await longest()).toBeLessThan(maxTask);
});

test('[P8] [A7] a name that is one long word widens nothing: a note’s stays in its panel and can be deleted, a label and a model’s stay in the chat', async ({ page }) => {
	await page.goto('./');
	const chat = storedConversation(1, ['Question', 'Answer']);
	const sessionId = chat.sessions.id;
	const [system, asked, answered] = chat.messages as [Message, Message, Message];
	const labels = { [asked.id]: 'W'.repeat(100), [answered.id]: 'M'.repeat(100) };
	const note = (name: string, content: string) => ({ sessionId, name, content, createdAt: 1, updatedAt: 1 });
	await putRows(page, { scratchpad: [note('W'.repeat(80), 'M'.repeat(900)), note('todo', `- [ ] ${'W'.repeat(80)}`)] });
	await withSessions(page, [{ ...chat, messages: [system, asked, { ...answered, model: 'W'.repeat(1000) }], trees: { ...chat.trees, labels } }]);
	for (const width of [1280, 390]) {
		await page.setViewportSize({ width, height: 800 });
		await page.goto(`./s/${sessionId}`);
		await expect(page.getByText(labels[answered.id]!)).toBeVisible();
		expect(await page.getByRole('log').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
		await openPanel(page, 'Notes');
		await expect(page.getByRole('button', { name: 'Delete note' })).toBeInViewport({ ratio: 1 });
		const right = await page.getByRole('textbox', { name: 'Text of note' }).evaluate((field) => field.getBoundingClientRect().right);
		expect(right).toBeLessThanOrEqual(width);
	}
});

test('[P8] what a command lists of messages that turn, and what an address asks for, is drawn in good time', async ({ page, expectConsole }) => {
	expectConsole.push(/404/);
	const turning = '\u05d0a'.repeat(60);
	const chat = storedConversation(1, Array.from({ length: 2000 }, () => turning));
	await page.goto('./');
	await withSessions(page, [chat]);
	const longest = await watchLongestTask(page);
	await page.goto(`./s/${chat.sessions.id}`);
	await say(page, '/history 2000');
	await expect(page.getByRole('group', { name: 'Listing' })).toContainText('Assistant');
	await expect(page.getByRole('button', { name: /^Show more \(.* characters left\)$/ })).toBeVisible();

	const long = '\u05d0a'.repeat(2000);
	await page.goto(`./search?q=${long}`);
	await expect(page.getByRole('searchbox').or(page.getByRole('textbox', { name: 'Search' })).first()).toHaveValue(long.slice(0, 1000));
	await page.goto(`./?resume=${long}`);
	await expect(page.getByRole('dialog')).toHaveAccessibleName(`No chat is called “${long.slice(0, 99)}…”`);
	expect(await longest()).toBeLessThan(maxTask);
});

test('[P8] what an address asks for is named in a few words, which turn nothing around them', async ({ page }) => {
	const chat = storedConversation(1, ['Hello', 'Hello.']);
	await page.goto('./');
	await withSessions(page, [chat]);
	const name = `\u202eno\u2066\n\u200b${'W'.repeat(2000)}`;
	const short = `no ${'W'.repeat(2000)}`;
	await page.goto(`./s/${chat.sessions.id}?at=${encodeURIComponent(name)}`);
	await expect(page.getByRole('status').filter({ hasText: 'There is no' })).toContainText(`There is no “${short.slice(0, 59)}…” in this chat.`);
	await page.goto(`./?resume=${encodeURIComponent(name)}`);
	await expect(page.getByRole('dialog')).toHaveAccessibleName(`No chat is called “${short.slice(0, 99)}…”`);
	await page.goto(`./search?q=${encodeURIComponent(name)}`);
	await expect(page).toHaveTitle(`“${short.slice(0, 59)}…” · Search · Snug`);
});

test('[P8] [P3] a text that is one character all along is laid out in good time: in code, as it streams and is announced, and in no field', async ({ page, server }) => {
	const long = '\u0e33'.repeat(60_000);
	const fence = `\`\`\`js\n${long}\n\`\`\``;
	const chats = [fence, `\`\`\`\n${'\u1820\u180e'.repeat(30_000)}\n\`\`\``, 'Yes'].map((answer, at) => storedConversation(at, [at < 2 ? 'Code?' : long, answer]));
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await withSessions(page, chats);
	const longest = await watchLongestTask(page);
	for (const { sessions } of chats.slice(0, 2)) {
		await page.goto(`./s/${sessions.id}`);
		await expect(page.getByRole('figure').locator('wbr').first()).toBeAttached();
	}
	await page.goto(`./s/${chats[2]!.sessions.id}`);
	// A field would lay it out with each key.
	await page.locator('.asked').getByRole('button', { name: 'Edit', exact: true }).last().evaluate((button: HTMLElement) => button.click());
	await expect(page.getByRole('alert').filter({ hasText: 'too long or too complex to edit here' })).toBeVisible();

	await page.goto('./');
	await page.evaluate((text) => window.snug.send(text), `So ${long}\n${fence}\n\n${'a' + '\u0301'.repeat(60_000)}`);
	await page.getByRole('navigation', { name: 'Sessions' }).getByRole('link').first().click();
	await expect(page.getByRole('status').filter({ hasText: /^Assistant: So/ })).toHaveText('Assistant: So…');
	expect(await longest()).toBeLessThan(maxTask);
});

test('[P8] [P3] a chat with hundreds of empty messages in a row is at rest, and both its ends can be read', async ({ page }) => {
	const chat = storedConversation(1, Array.from({ length: 1200 }, (_, at) => `Message ${at}`));
	const messages = chat.messages.map((message, at) => (at > 5 && at < 1195 ? { ...message, role: 'system' as const, parts: [] } : message));
	await page.goto('./');
	await withSessions(page, [{ ...chat, messages }]);
	await page.goto(`./s/${chat.sessions.id}`);
	const log = page.getByRole('log', { name: 'Conversation' });
	await expect(log.getByText('Message 1199', { exact: true })).toBeInViewport();
	const changes = () =>
		log.evaluate(async (log) => {
			let count = 0;
			const observer = new MutationObserver((changes) => (count += changes.length));
			observer.observe(log, { childList: true, subtree: true });
			await new Promise((resolve) => setTimeout(resolve, 300));
			observer.disconnect();
			return count;
		});
	await expect.poll(changes).toBe(0);
	await log.focus();
	await page.keyboard.press('Home');
	await expect(log.getByText('Message 0', { exact: true })).toBeInViewport();
	await expect.poll(changes).toBe(0);
	await page.keyboard.press('End');
	await expect(log.getByText('Message 1199', { exact: true })).toBeInViewport();
	await expect.poll(changes).toBe(0);
});
