// Writing on: the last question again, an answer that goes on, one that is put right, the next message while one is answered, and long texts.
import type { Page } from '@playwright/test';
import type { Message } from '../../src/lib/conversation/message';
import type { startOpenAiServer } from '../fixtures/openai-server.mjs';
import { expect, test, type Hold } from './app';
import { chunkWith, holdFile } from './chunks';
import { actionsOf, answer, ask, expectAccessible, inMessageMenu, rowsOf, said, say, storedConversation, useServer, withSessions } from './chat';

test.use({ weights: 'none' });

const box = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const edited = (page: Page) => page.getByRole('textbox', { name: 'Edited message' });
const queued = (page: Page) => page.getByRole('group', { name: 'Queued message' });
const waiting = (page: Page) => page.getByRole('list', { name: 'Attached files' }).getByRole('listitem');
const goOn = (page: Page) => page.getByRole('button', { name: 'Continue' });
const words = Array.from({ length: 30 }, (_, index) => `word${index}`).join(' ');

async function texts(page: Page): Promise<string[]> {
	const rows = await rowsOf<Message>(page, 'messages');
	return rows.filter(({ role }) => role !== 'system').map(({ role, parts }) => `${role}: ${parts.map((part) => ('text' in part ? part.text : '')).join('')}`);
}

async function open(page: Page, url: string, model: string): Promise<void> {
	await page.goto('./');
	await useServer(page, url, model);
}

/** Asks for an answer, and waits until it has begun. It ends once the returned function is called. */
async function beginAnswer(page: Page, url: string, hold: Hold): Promise<() => void> {
	const letEnd = hold('slow-tokens@100');
	await open(page, url, 'slow-tokens@100');
	await say(page, words);
	await expect(said(page).assistant).toContainText('word1');
	return letEnd;
}

function paste(page: Page, text: string): Promise<void> {
	return box(page).evaluate((field, text) => {
		const clipboardData = new DataTransfer();
		clipboardData.setData('text/plain', text);
		field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
	}, text);
}

test('[P10] [Z9] the up arrow in an empty composer edits the last question; Escape leads back to the composer', async ({ page, server }) => {
	await open(page, server.url, 'echo');
	await ask(page, 'Apples');
	await ask(page, 'Pears');
	await box(page).fill('Typed');
	await box(page).press('ArrowUp');
	await expect(edited(page)).toHaveCount(0);
	await box(page).fill('');
	await box(page).press('ArrowUp');
	await expect(edited(page)).toBeFocused();
	await expect(edited(page)).toHaveValue('Pears');
	await page.keyboard.press('Escape');
	await expect(edited(page)).toHaveCount(0);
	await expect(box(page)).toBeFocused();

	await page.keyboard.press('ArrowUp');
	await page.keyboard.press('End');
	await page.keyboard.type(' and plums');
	await page.reload();
	await expect(edited(page)).toHaveValue('Pears and plums');
	await box(page).press('ArrowUp');
	await expect(edited(page)).toBeFocused();
	await expect(edited(page)).toHaveValue('Pears and plums');
	await page.keyboard.press('Enter');
	await expect(said(page).assistant.last()).toContainText('Pears and plums');
	await expect(box(page)).toBeFocused();
	await expect(said(page).you).toHaveText(['Apples', 'Pears and plums']);

	await page.keyboard.press('ControlOrMeta+k');
	await page.getByRole('combobox', { name: 'Search or run a command' }).fill('edit last');
	await expect(page.getByRole('option', { name: /Edit last message/ })).toContainText('↑');
	await page.keyboard.press('Enter');
	await expect(edited(page)).toBeFocused();
	// That of an answer leads back to its own button.
	await page.keyboard.press('Escape');
	await actionsOf(said(page).you.first()).getByRole('button', { name: 'Edit' }).press('Enter');
	await page.keyboard.press('Escape');
	await expect(actionsOf(said(page).you.first()).getByRole('button', { name: 'Edit' })).toBeFocused();
});

test('[P10] the last question is edited also where a long answer has moved it out of sight', async ({ page, server }) => {
	await open(page, server.url, 'markdown-long');
	await say(page, 'Tell me all');
	await answer(page);
	await expect(said(page).you).not.toBeInViewport();
	await box(page).press('ArrowUp');
	await expect(edited(page)).toBeFocused();
	await expect(edited(page)).toBeInViewport();
});

test('[E11] [A3] an answer that was cut off goes on below, with no question between, also after a reload', async ({ page, server }) => {
	await open(page, server.url, 'cut-off');
	await say(page, 'Colours?');
	await expect(page.getByText('Cut off at the length limit')).toBeVisible();
	await page.reload();
	await goOn(page).press('Enter');
	const { you, assistant } = said(page);
	await expect(assistant).toHaveText([/Red, gree/, /n, blue and violet\./]);
	await expect(you).toHaveCount(1);
	await expect(box(page)).toBeFocused();
	await expect(goOn(page)).toHaveCount(0);
	await expect(page.getByText('Cut off at the length limit')).toHaveCount(0);
	const { messages } = server.requests.at(-1)!.body as { messages: { role: string; content: unknown }[] };
	expect(messages.slice(1).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
	expect(messages[2]!.content).toBe('Red, gree');
	await page.reload();
	await expect(assistant).toHaveText([/Red, gree/, /n, blue and violet\./]);
	expect(await texts(page)).toEqual(['user: Colours?', 'assistant: Red, gree', 'assistant: n, blue and violet.']);
	const id = page.url().split('/').at(-1)!;
	expect(await page.evaluate((id) => window.snug.export(id), id)).toContain('continues message 3');
	await expectAccessible(page, 'an answer that went on');
});

test('[E11] [Z9] what goes on after Stop and fails is there to be retried; what there is of it stays', async ({ page, server, hold, expectConsole }) => {
	expectConsole.push(/Failed to load resource/);
	hold('slow-tokens@100');
	await open(page, server.url, 'slow-tokens@100');
	await say(page, words);
	await expect(said(page).assistant).toContainText('word2');
	await page.getByRole('button', { name: 'Stop' }).click();
	await expect(page.getByText('Stopped ·')).toBeVisible();
	const first = await said(page).assistant.locator('p').first().innerText();
	await useServer(page, server.url, 'breaks-off@500');
	await goOn(page).click();
	await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
	await expect(said(page).assistant.last()).toContainText('This will not be');
	// What goes on now is the last part, not what is above it.
	await expect(goOn(page)).toHaveCount(1);
	await page.reload();
	await expect(said(page).assistant).toHaveText([new RegExp(first), /This will not be/]);
	await useServer(page, server.url, 'cut-off');
	await page.getByRole('button', { name: 'Retry' }).click();
	await expect(said(page).assistant).toHaveText([new RegExp(first), /n, blue and violet\./]);
	await expect(actionsOf(said(page).assistant.last())).toContainText('2 / 2');
	expect(await texts(page)).toContain('assistant: This will not be ');
});

test('[Z9] an answer is put right in a version of one’s own, which says so; nothing is sent', async ({ page, server }) => {
	await open(page, server.url, 'echo');
	await ask(page, 'Apples');
	const sent = server.requests.length;
	const { assistant } = said(page);
	await actionsOf(assistant).getByRole('button', { name: 'Edit' }).press('Enter');
	const field = page.getByRole('textbox', { name: 'Edited answer' });
	await expect(field).toBeFocused();
	await expectAccessible(page, 'an answer that is edited');
	await field.fill('Pears');
	await field.press('Enter');
	await page.keyboard.type('**Plums**');
	await page.reload();
	await expect(field).toHaveValue('Pears\n**Plums**');
	await field.press('ControlOrMeta+Enter');
	await expect(assistant).toContainText('Edited by you');
	await expect(assistant.locator('strong')).toHaveText('Plums');
	await expect(actionsOf(assistant)).toContainText('2 / 2');
	await expect(box(page)).toBeFocused();
	expect(server.requests).toHaveLength(sent);
	await page.reload();
	await expect(assistant).toContainText('Edited by you');
	await ask(page, 'More');
	const { messages } = server.requests.at(-1)!.body as { messages: { role: string; content: unknown }[] };
	expect(messages.slice(1).map(({ content }) => content)).toEqual(['Apples', 'Pears\n**Plums**', 'More']);
	await actionsOf(assistant.first()).getByRole('button', { name: 'Previous version' }).click();
	await expect(assistant).toHaveText([/Apples/]);
	await expect(assistant).not.toContainText('Edited by you');
	const rows = await rowsOf<Message>(page, 'messages');
	expect(rows.filter(({ edited }) => edited)).toHaveLength(1);
	await page.goto('./repair');
	await expect(page.getByText('Every row is valid, and every chat is complete.')).toBeVisible();
});

test('[Z9] an answer that is edited is in sight with its buttons, however long it is', async ({ page, server }) => {
	await open(page, server.url, 'markdown-long');
	await ask(page, 'Tell me all.');
	await page.setViewportSize({ width: 1280, height: 560 });
	await actionsOf(said(page).assistant).getByRole('button', { name: 'Edit' }).press('Enter');
	await expect(page.getByRole('textbox', { name: 'Edited answer' })).toBeFocused();
	await expect(page.getByRole('button', { name: 'Save' })).toBeInViewport({ ratio: 1 });
	await expect.poll(() => page.getByRole('button', { name: 'Save' }).evaluate((button) => {
		const { left, top, width, height } = button.getBoundingClientRect();
		return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
	})).toBe(true);
});

test('[Z9] an answer that is edited keeps the indent of its first line', async ({ page, server }) => {
	await open(page, server.url, 'echo');
	await ask(page, 'Apples');
	await actionsOf(said(page).assistant).getByRole('button', { name: 'Edit' }).press('Enter');
	const field = page.getByRole('textbox', { name: 'Edited answer' });
	await field.fill('\n  \n    let a;\n    let b;\n\n');
	await field.press('ControlOrMeta+Enter');
	await expect(said(page).assistant.locator('pre')).toContainText('let b;');
	expect(await texts(page)).toContain('assistant:     let a;\n    let b;');
});

test('[E11] what is entered while an answer is written is sent when that is done, once', async ({ page, server, hold }) => {
	const letEnd = await beginAnswer(page, server.url, hold);
	await box(page).fill('Next');
	await box(page).press('Enter');
	await expect(queued(page)).toContainText('Will be sent after this answer: Next');
	await expect(box(page)).toHaveValue('');
	await expectAccessible(page, 'a queued message');
	await box(page).fill('and after that');
	letEnd();
	await expect(said(page).you).toHaveText([words, 'Next']);
	await expect(queued(page)).toHaveCount(0);
	await expect(said(page).assistant.last()).toContainText('Next');
	await expect(said(page).assistant.first()).toContainText('word29');
	await expect(box(page)).toHaveValue('and after that');
	expect(await texts(page)).toEqual([`user: ${words}`, `assistant: ${words}`, 'user: Next', 'assistant: Next']);
	expect((await rowsOf<{ composer: string }>(page, 'drafts')).map(({ composer }) => composer)).toEqual(['and after that']);
});

test('[E11] what is queued can be edited and removed, and returns to the composer when the answer is stopped', async ({ page, server, hold }) => {
	await beginAnswer(page, server.url, hold);
	await box(page).fill('Next');
	await page.getByRole('button', { name: 'Queue' }).click();
	await queued(page).getByRole('button', { name: 'Edit' }).click();
	await expect(box(page)).toHaveValue('Next');
	await expect(box(page)).toBeFocused();
	await page.keyboard.press('Enter');
	await queued(page).getByRole('button', { name: 'Remove' }).click();
	await expect(queued(page)).toHaveCount(0);
	await expect(box(page)).toHaveValue('');
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(box(page)).toHaveValue('Next');
	await box(page).press('Enter');
	await expect(queued(page)).toHaveCount(1);
	await box(page).fill('One more');
	await page.getByRole('button', { name: 'Stop' }).click();
	await expect(box(page)).toHaveValue('Next\n\nOne more');
	await expect(queued(page)).toHaveCount(0);
	expect(await texts(page)).toHaveLength(2);
});

test('[E11] [A5] what is queued is in the composer after a reload, and in that of the tab that takes over', async ({ page, context, server, hold }) => {
	await beginAnswer(page, server.url, hold);
	await box(page).fill('Next');
	await box(page).press('Enter');
	await expect(queued(page)).toBeVisible();
	await expect.poll(async () => (await rowsOf<{ composer: string }>(page, 'drafts')).map(({ composer }) => composer)).toEqual(['Next']);
	await page.reload();
	await expect(box(page)).toHaveValue('Next');
	await page.getByRole('button', { name: 'Retry' }).click();
	await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
	await box(page).press('Enter');
	await expect(queued(page)).toBeVisible();
	const other = await context.newPage();
	await other.goto(page.url());
	await other.getByRole('button', { name: 'Take over and stop the answer' }).click();
	await expect(box(other)).toHaveValue('Next');
	await expect(queued(page)).toHaveCount(0);
	expect((await texts(other)).filter((line) => line === 'user: Next')).toEqual([]);
});

test('[E11] [A5] what the tab that took over has sent of what was queued is queued no more, however late the first tab hears that its answer has ended', async ({ page, context, server, hold, folder }) => {
	// As a browser holds back the timers of a page that is hidden: those of what queues, so that all else is over by then.
	await page.addInitScript((part) => {
		const [own, waiting] = [window.setTimeout.bind(window), [] as (() => void)[]];
		Object.assign(window, {
			setTimeout: (work: () => void, ...more: [number, ...unknown[]]) => (new Error().stack!.includes(part) ? waiting.push(work) : own(work, ...more)),
			goOn: () => waiting.splice(0).map((work) => work()).length
		});
	}, chunkWith(folder, 'Queued message removed.'));
	await beginAnswer(page, server.url, hold);
	await box(page).fill('Next');
	await box(page).press('Enter');
	await expect(queued(page)).toBeVisible();
	const drafts = async () => (await rowsOf<{ composer: string }>(page, 'drafts')).map(({ composer }) => composer);
	await expect.poll(drafts).toEqual(['Next']);
	const other = await context.newPage();
	await other.goto(page.url());
	await other.getByRole('button', { name: 'Take over and stop the answer' }).click();
	await expect(box(other)).toHaveValue('Next');
	await expect(box(other)).toBeEditable();
	await box(other).press('Enter');
	await expect.poll(() => texts(other)).toContain('user: Next');
	await expect(queued(page)).toHaveCount(0);
	expect(await page.evaluate(() => (window as unknown as { goOn: () => number }).goOn())).toBe(1);
	await other.close();
	await expect(box(page)).toBeEditable();
	await box(page).pressSequentially('Something else');
	await expect.poll(drafts).toEqual(['Something else']);
	await expect(box(page)).toHaveValue('Something else');
});

test('[E11] what is queued is sent also while another chat is open', async ({ page, server, hold }) => {
	const letEnd = await beginAnswer(page, server.url, hold);
	await box(page).fill('Next');
	await box(page).press('Enter');
	await expect(queued(page)).toBeVisible();
	const url = page.url();
	await page.getByRole('link', { name: 'New chat' }).click();
	await expect(page.getByRole('log', { name: 'Conversation' })).toHaveCount(0);
	letEnd();
	await expect.poll(() => texts(page)).toContain('user: Next');
	await expect(page).not.toHaveURL(url);
	await page.locator(`nav a[href$="${url.split('/s/')[1]}"]`).first().click();
	await expect(said(page).assistant.last()).toContainText('Next');
});

test('[E11] [Z9] nothing is queued while an earlier point is looked at: it stays in the composer, and starts a branch there when the answer is done', async ({ page, server, hold }) => {
	const letEnd = hold('slow-tokens@100');
	await open(page, server.url, 'echo');
	await ask(page, 'One');
	await useServer(page, server.url, 'slow-tokens@100');
	await say(page, words);
	await expect(said(page).assistant.last()).toContainText('word1');
	await inMessageMenu(page, said(page).assistant.first(), 'View up to here');
	await expect(said(page).you).toHaveText(['One']);
	await box(page).fill('A branch');
	await box(page).press('Enter');
	await expect(page.getByText('A branch can be started here when the answer is done.')).toBeVisible();
	await expect(box(page)).toHaveValue('A branch');
	await expect(queued(page)).toHaveCount(0);
	letEnd();
	await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0);
	await box(page).press('Enter');
	await expect(said(page).you).toHaveText(['One', 'A branch']);
	await expect(said(page).assistant.last()).toContainText('branch');
});

test('[E11] [S11] the files of a queued message count among those of the composer, where they may return to', async ({ page, server, hold }) => {
	await beginAnswer(page, server.url, hold);
	const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`File ${name}`) });
	const picker = page.locator('input[type=file]');
	await picker.setInputFiles(Array.from({ length: 9 }, (_, index) => file(`${index}.txt`)));
	await expect(waiting(page)).toHaveCount(9);
	await box(page).press('Enter');
	await expect(queued(page)).toContainText('8.txt');
	await picker.setInputFiles([file('a.txt'), file('b.txt')]);
	await expect(page.getByRole('group', { name: 'Files that could not be attached' })).toContainText(
		'A message can have 10 files at most, with those that are queued, so “b.txt” was left out.'
	);
	await expect(waiting(page)).toHaveCount(1);
	await page.getByRole('button', { name: 'Stop' }).click();
	await expect(waiting(page)).toHaveCount(10);
});

test('[P3] an answer that goes on within code has code first, and what follows as it is meant', async ({ page }) => {
	const stored = storedConversation(1, ['Write code.', 'Here:\n\n```js\nlet pears = 1;', 'let plums = 2;\n', 'let figs = 3;\n```\n\n### How it works']);
	for (const answer of stored.messages.slice(3)) answer.role = 'assistant';
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(`./s/${stored.sessions.id}`);
	await expect(said(page).assistant.locator('pre code')).toHaveText(['let pears = 1;', 'let plums = 2;', 'let figs = 3;']);
	await expect(said(page).assistant.last().getByRole('heading', { name: 'How it works' })).toBeVisible();
});

test('[S11] a long text that is pasted becomes a file; the key or the notice makes it text again', async ({ page, server }) => {
	await open(page, server.url, 'echo');
	const long = 'Stone after stone. '.repeat(600);
	const lines = Array.from({ length: 201 }, (_, index) => `line ${index}`).join('\n');
	await box(page).fill('Before ');
	await paste(page, 'short');
	await expect(waiting(page)).toHaveCount(0);
	await paste(page, long);
	await expect(waiting(page)).toHaveText([/Pasted text\.txt/]);
	await expect(page.getByRole('button', { name: 'Paste as text instead' })).toBeVisible();
	await expect(box(page)).toHaveValue('Before ');
	await expectAccessible(page, 'a pasted text');
	await box(page).press('ControlOrMeta+z');
	await expect(waiting(page)).toHaveCount(0);
	await expect(box(page)).toHaveValue(`Before ${long}`);
	await box(page).press('ControlOrMeta+z');
	await expect(box(page)).not.toHaveValue(`Before ${long}`);

	await box(page).fill('');
	await paste(page, lines);
	await page.getByRole('button', { name: 'Paste as text instead' }).click();
	await expect(box(page)).toHaveValue(lines);
	await expect(waiting(page)).toHaveCount(0);
	await expect(box(page)).toBeFocused();

	await box(page).fill('What is it?');
	await paste(page, lines);
	await expect(waiting(page)).toHaveText([/Pasted text\.txt/]);
	await page.getByRole('button', { name: 'Send' }).click();
	await expect(said(page).assistant).toContainText('What is it?');
	expect(JSON.stringify(server.requests.at(-1)!.body)).toContain('Pasted text.txt');
});

test('[S11] a text of thousands of lines is inserted at once, where the caret is', async ({ page, server }) => {
	await open(page, server.url, 'echo');
	const lines = Array.from({ length: 5000 }, (_, index) => `line ${index}`).join('\n');
	await box(page).fill('Before after');
	await box(page).evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(7, 7));
	await paste(page, lines);
	await expect(page.getByRole('button', { name: 'Paste as text instead' })).toBeVisible();
	// Chromium tells of each line, in a time that grows with the square of their number.
	await page.evaluate(() => {
		Object.assign(window, { inputs: 0 });
		addEventListener('input', () => (window as unknown as { inputs: number }).inputs++);
	});
	await page.getByRole('button', { name: 'Paste as text instead' }).click();
	await expect(box(page)).toHaveValue(`Before ${lines}after`);
	await expect(box(page)).toBeFocused();
	expect(await page.evaluate(() => (window as unknown as { inputs: number }).inputs)).toBe(0);
	await expect(waiting(page)).toHaveCount(0);
});

test('[S11] [E11] what is selected stays where a text of many lines is inserted, and no key undoes or repeats what was typed before', async ({ page, server }) => {
	await open(page, server.url, 'echo');
	const crossed = Array.from({ length: 300 }, (_, index) => `line ${index}`).join('\r\n');
	const lines = crossed.replaceAll('\r', '');
	await box(page).pressSequentially('Words of mine');
	await box(page).press('ControlOrMeta+a');
	await paste(page, crossed);
	await expect(page.getByRole('button', { name: 'Paste as text instead' })).toBeVisible();
	await box(page).press('ControlOrMeta+z');
	await expect(box(page)).toHaveValue(`Words of mine${lines}`);
	await expect(box(page)).toBeFocused();
	for (const key of ['ControlOrMeta+z', 'ControlOrMeta+z', 'ControlOrMeta+Shift+z', 'ControlOrMeta+Shift+z']) await box(page).press(key);
	await expect(box(page)).toHaveValue(`Words of mine${lines}`);
	await box(page).pressSequentially('!');
	await expect(box(page)).toHaveValue(`Words of mine${lines}!`);
	// In another one it goes where the caret is, which stands behind it.
	await box(page).evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(field.value.length - 1, field.value.length - 1));
	await paste(page, crossed);
	await page.getByRole('button', { name: 'Paste as text instead' }).click();
	await expect(box(page)).toHaveValue(`Words of mine${lines}${lines}!`);
	await box(page).pressSequentially('.');
	await expect(box(page)).toHaveValue(`Words of mine${lines}${lines}.!`);
});

test('[S11] [E11] the key that makes a pasted text of a file is that of its own chat alone', async ({ page, server }) => {
	await open(page, server.url, 'echo');
	await ask(page, 'Hello');
	const first = page.url();
	await paste(page, 'Stone after stone. '.repeat(600));
	await expect(page.getByRole('button', { name: 'Paste as text instead' })).toBeVisible();
	await page.getByRole('link', { name: 'New chat' }).first().click();
	await expect(waiting(page)).toHaveCount(0);
	await box(page).pressSequentially('A sentence of mine');
	await box(page).press('ControlOrMeta+z');
	await expect(box(page)).not.toHaveValue('A sentence of mine');
	await page.goto(first);
	await expect(waiting(page)).toHaveText([/Pasted text\.txt/]);
	await expect(box(page)).toHaveValue('');
});

/** Returns the last message of each prompt that a server was sent, after so many requests. */
function askedSince({ requests }: Awaited<ReturnType<typeof startOpenAiServer>>, from: number): string[] {
	return requests.slice(from).filter(({ path }) => path.endsWith('/completions')).map(({ body }) => body.messages.at(-1).content);
}

/** Enters “Buy apples.” while an answer is written, and holds back what queues a message. */
async function enterWhileHeld(page: Page, url: string, hold: Hold, folder: string): Promise<{ letEnd: () => void; arrive: () => void }> {
	const letEnd = await beginAnswer(page, url, hold);
	const part = chunkWith(folder, 'Queued message removed.');
	const isAskedFor = page.waitForRequest(`**/${part}`);
	const arrive = await holdFile(page, part);
	await box(page).pressSequentially('Buy apples.');
	await box(page).press('Enter');
	await isAskedFor;
	return { letEnd, arrive };
}

test('[E11] what is entered twice while what queues a message is loaded is queued once, and nothing else is said of it', async ({ page, server, hold, folder }) => {
	const { letEnd, arrive } = await enterWhileHeld(page, server.url, hold, folder);
	await box(page).press('Enter');
	arrive();
	await expect(queued(page)).toContainText('Buy apples.');
	const from = server.requests.length;
	letEnd();
	await expect.poll(() => askedSince(server, from)).toEqual(['Buy apples.']);
	await expect(page.getByText('Not sent')).toHaveCount(0);
	await expect(box(page)).toHaveValue('');
});

test('[E11] what is written on while what queues a message is loaded is not sent with it', async ({ page, server, hold, folder }) => {
	const { letEnd, arrive } = await enterWhileHeld(page, server.url, hold, folder);
	await box(page).pressSequentially('Something else');
	arrive();
	await expect(queued(page)).toContainText('Buy apples.');
	await expect(queued(page)).not.toContainText('Something');
	await expect(box(page)).toHaveValue('Something else');
	const from = server.requests.length;
	letEnd();
	await expect.poll(() => askedSince(server, from)).toEqual(['Buy apples.']);
	await expect(box(page)).toHaveValue('Something else');
});

test('[E11] what was entered for the queue, and then sent since the answer ended first, queues nothing of what is written next', async ({ page, server, hold, folder }) => {
	const { letEnd, arrive } = await enterWhileHeld(page, server.url, hold, folder);
	letEnd();
	await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0);
	const letNextEnd = hold('slow-tokens@100');
	await box(page).press('Enter');
	await expect(said(page).you.last()).toHaveText('Buy apples.');
	await box(page).pressSequentially('Buy apples. And pears.');
	await box(page).press('Enter');
	arrive();
	await expect(queued(page)).toContainText('Buy apples. And pears.');
	const from = server.requests.length;
	letNextEnd();
	await expect.poll(() => askedSince(server, from)).toEqual(['Buy apples. And pears.']);
	await expect(box(page)).toHaveValue('');
});

test('[E11] what was entered for the queue is sent where the answer ends before that is loaded', async ({ page, server, hold, folder }) => {
	const { letEnd, arrive } = await enterWhileHeld(page, server.url, hold, folder);
	letEnd();
	await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0);
	arrive();
	await expect(said(page).you.last()).toHaveText('Buy apples.');
	await expect(box(page)).toHaveValue('');
});

test('[E11] what was entered for the queue goes to its own chat, also from where something else is being written', async ({ page, server, hold, folder }) => {
	const { letEnd, arrive } = await enterWhileHeld(page, server.url, hold, folder);
	await page.getByRole('link', { name: 'New chat' }).click();
	await box(page).fill('Half a sentence');
	letEnd();
	await expect(page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: /, new answer,/ })).toBeVisible();
	arrive();
	await expect.poll(() => texts(page)).toContain('user: Buy apples.');
	await expect(box(page)).toHaveValue('Half a sentence');
	expect((await texts(page)).filter((line) => line.startsWith('user: '))).toHaveLength(2);
});

test('[E11] what was entered for the queue is back in the composer where the answer was stopped before that is loaded', async ({ page, server, hold, folder }) => {
	const { arrive } = await enterWhileHeld(page, server.url, hold, folder);
	await page.getByRole('button', { name: 'Stop' }).click();
	await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0);
	arrive();
	await expect(page.getByText('Your queued message is back in the composer.')).toBeVisible();
	await expect(box(page)).toHaveValue('Buy apples.');
	await expect(said(page).you).toHaveCount(1);
});

test('[S11] a text is offered instead of its file as long as that is there, and the key is that of the field again afterwards', async ({ page, server }) => {
	await open(page, server.url, 'echo');
	const offer = page.getByRole('button', { name: 'Paste as text instead' });
	const long = 'Stone after stone. '.repeat(600);
	await paste(page, long);
	await expect(offer).toBeVisible();
	await page.getByRole('button', { name: 'Remove Pasted text.txt' }).click();
	await expect(offer).toHaveCount(0);
	await paste(page, long);
	await expect(offer).toBeVisible();
	await page.getByRole('button', { name: 'Send' }).click();
	await expect(said(page).you.getByRole('list')).toHaveText(/Pasted text\.txt/);
	await expect(offer).toHaveCount(0);
	await paste(page, long);
	await expect(offer).toBeVisible();
	await expect(offer).toHaveCount(0, { timeout: 20_000 });
	await box(page).press('ControlOrMeta+z');
	await expect(waiting(page)).toHaveCount(1);
	await expect(box(page)).toHaveValue('');
});

test('[S11] [A5] a long text stays a file where the tab may not write any more, which is said', async ({ page, server, context }) => {
	await open(page, server.url, 'echo');
	await ask(page, 'Hello');
	const second = await context.newPage();
	await second.goto(page.url());
	await expect(second.getByRole('button', { name: 'Take over' })).toBeVisible();
	await paste(page, 'Stone after stone. '.repeat(600));
	await expect(page.getByRole('button', { name: 'Paste as text instead' })).toBeVisible();
	await second.getByRole('button', { name: 'Take over' }).click();
	await expect(page.getByText('has taken over this chat')).toBeVisible();
	await page.getByRole('button', { name: 'Paste as text instead' }).click();
	await expect(page.getByText('This chat is open in another tab, so the text stays a file.')).toBeVisible();
	for (const tab of [page, second]) await expect(waiting(tab)).toHaveText([/Pasted text\.txt/]);
	await second.close();
	await expect(box(page)).toBeEditable();
	await expect(waiting(page)).toHaveText([/Pasted text\.txt/]);
	await expect(box(page)).toHaveValue('');
});

test('[S11] a long text is in the field also where the browser does not insert it', async ({ page, server }) => {
	await open(page, server.url, 'echo');
	const long = 'Stone after stone. '.repeat(600);
	await box(page).fill('Before');
	await paste(page, long);
	await page.evaluate(() => (document.execCommand = () => false));
	await page.getByRole('button', { name: 'Paste as text instead' }).click();
	await expect(box(page)).toHaveValue(`Before${long}`);
	await expect(waiting(page)).toHaveCount(0);
});

test('[S11] a long text that can’t be attached is pasted as text', async ({ page, server }) => {
	await open(page, server.url, 'echo');
	const files = Array.from({ length: 10 }, (_, index) => ({ name: `${index}.txt`, mimeType: 'text/plain', buffer: Buffer.from(`File ${index}`) }));
	await page.locator('input[type=file]').setInputFiles(files);
	await expect(waiting(page)).toHaveCount(10);
	const long = 'x y '.repeat(3000);
	await paste(page, long);
	await expect(box(page)).toHaveValue(long);
	await expect(waiting(page)).toHaveCount(10);
});

test('[P8] [S11] a text that is pasted and that no field has in good time becomes a file, or is left out in a sentence, and stays out of the field', async ({ page, server }) => {
	await open(page, server.url, 'echo');
	await box(page).fill('What is it?');
	const turning = (count: number) => '\u202e\u05d0a'.repeat(count);
	await paste(page, turning(5000));
	await expect(waiting(page)).toHaveText([/Pasted text\.txt/]);
	await expect(page.getByText('Long text attached as a file.')).toBeVisible();
	expect(await page.getByRole('button', { name: 'Paste as text instead' }).count()).toBe(0);
	await paste(page, turning(300_000));
	await expect(page.getByRole('group', { name: 'Files that could not be attached' })).toContainText('“Pasted text.txt” is');
	await expect(box(page)).toHaveValue('What is it?');
	await expect(waiting(page)).toHaveCount(1);
	await page.getByRole('button', { name: 'Send' }).click();
	await expect(said(page).assistant).toContainText('What is it?');
});

test('[P10] on a phone the queue, the end of an answer and its edit fit the screen', async ({ page, server, hold }) => {
	await page.setViewportSize({ width: 390, height: 844 });
	await beginAnswer(page, server.url, hold);
	await box(page).fill('A message that is rather long for one line of a phone, and longer still');
	const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
	expect(await fits()).toBe(true);
	await page.getByRole('button', { name: 'Queue' }).click();
	await expect(queued(page)).toBeInViewport({ ratio: 1 });
	expect(await fits()).toBe(true);
	await page.screenshot({ path: test.info().outputPath('queued.png') });
	await page.getByRole('button', { name: 'Stop' }).click();
	await expect(goOn(page)).toBeInViewport({ ratio: 1 });
	expect(await fits()).toBe(true);
	await actionsOf(said(page).assistant).getByRole('button', { name: 'Edit' }).click();
	await expect(page.getByRole('textbox', { name: 'Edited answer' })).toBeFocused();
	expect(await fits()).toBe(true);
});
