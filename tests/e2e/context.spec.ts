import type { Locator, Page } from '@playwright/test';
import { expect, test } from './app';
import { answer, ask, expectAccessible, putRows, rowsOf, said, say, storedConversation, storedId, useServer, withSessions, openPanel } from './chat';

// High enough for all lines of a short conversation: only those that are in view are drawn.
test.use({ weights: 'none', viewport: { width: 1280, height: 2400 } });

type Stored = ReturnType<typeof storedConversation>;

/** What the server was sent last. */
interface Sent {
	messages: { role: string; content: string }[];
}

const composer = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const panel = (page: Page) => page.getByRole('complementary', { name: 'Context' });
const region = (page: Page) => panel(page).getByRole('region', { name: 'What the model sees' });
const lines = (page: Page) => region(page).getByRole('listitem');
const line = (page: Page, words: string) => lines(page).filter({ has: page.getByText(words, { exact: true }) });
const settings = (page: Page) => page.getByRole('dialog', { name: 'What the model sees' });
const newest = (within: Locator) => within.getByRole('spinbutton', { name: 'Newest messages sent' });

/** A session that goes back and forth in so many messages, `Word 1` to `Word n`. */
function long(number: number, count: number, wordsOf = (nth: number) => `Word ${nth}`): Stored {
	return storedConversation(number, Array.from({ length: count }, (_, index) => wordsOf(index + 1)));
}

/** Stores sessions, opens the first of them with a server for its answers, and switches compaction off that comes by itself. */
async function open(page: Page, serverUrl: string, stored: Stored[], model = 'echo'): Promise<void> {
	await page.goto('./');
	await putRows(page, { settings: [{ name: 'context', value: { autoCompact: false } }] });
	await withSessions(page, stored);
	await page.goto(`./s/${stored[0]!.sessions.id}`);
	await useServer(page, serverUrl, model);
}

async function openContext(page: Page): Promise<void> {
	await openPanel(page, 'Context');
	await expect(region(page)).toContainText('The next message sends');
}

async function openSettings(page: Page): Promise<Locator> {
	await panel(page).getByRole('button', { name: 'Settings' }).click();
	await expect(newest(settings(page))).toBeVisible();
	return settings(page);
}

/** Writes a field as a user would, who then goes on to the next. */
async function set(field: Locator, value: string): Promise<void> {
	await field.fill(value);
	await field.press('Tab');
}

/** Presses a button of a line until that takes: rows above it may still be measured, and move it away under the pointer. */
async function press(page: Page, line: number, button: string, outcome: string): Promise<void> {
	await expect(async () => {
		const row = lines(page).nth(line);
		if (!(await row.innerText()).includes(outcome)) await row.getByRole('button', { name: button }).click();
		await expect(row).toContainText(outcome, { timeout: 4000 });
	}).toPass({ timeout: 20_000 });
}

/** What the next turn would send, as the panel says: how many messages, and how many tokens in all. */
async function next(page: Page): Promise<{ messages: number; tokens: number }> {
	const said = /sends ([\d,]+) messages?, ([\d,]+) (?:of|token)/.exec(await region(page).innerText())!;
	const number = (text: string) => Number(text.replaceAll(',', ''));
	return { messages: number(said[1]!), tokens: number(said[2]!) };
}

/** Scrolls the panel to its end. */
async function toEnd(page: Page, shown: Locator): Promise<void> {
	await expect(async () => {
		await region(page).evaluate((element) => element.scrollTo(0, element.scrollHeight));
		await expect(shown).toBeInViewport({ timeout: 500 });
	}).toPass();
}

/** The texts that were sent; those of one role that follow one another are one message there. */
function textsOf({ messages }: Sent): string[] {
	return messages.flatMap(({ content }) => content.split('\n\n'));
}

test('[A9] a line shows from where on the chat is sent, and moves with what decides that; a chat that is sent whole has none', async ({ page, server }) => {
	await open(page, server.url, [long(1, 10)]);
	const line = page.getByRole('region', { name: 'Start of what is sent' });
	await ask(page, 'Is that all?');
	await openContext(page);
	await expect(line).toBeHidden();
	const dialog = await openSettings(page);
	await set(newest(dialog), '4');
	await page.keyboard.press('Escape');
	await expect(line).toBeVisible();
	/** The first message below the line, which is made anew where it moves to. */
	const below = () => line.evaluate((element) => (element.nextElementSibling as HTMLElement | null)?.innerText ?? '');
	await expect.poll(below).toContain('Word 9');
	await page.getByRole('button', { name: 'Context', exact: true }).click();
	await expect(region(page)).toBeHidden();
	await expectAccessible(page, 'line of what is sent');
	await line.getByRole('button', { name: 'Why' }).click();
	await expect(region(page)).toContainText('The next message sends 4 messages');

	await ask(page, 'And now?');
	await expect.poll(below).toContain('Is that all?');
	const { messages } = server.requests.at(-1)!.body as Sent;
	expect(JSON.stringify(messages)).not.toContain('Word 8');
});

test('[A9] [S7] of a long chat the newest are sent, whatever the server says of its size: the panel says so, and the line shows it', async ({ page, server }) => {
	await open(page, server.url, [long(1, 600)]);
	await openContext(page);
	await expect(region(page)).toContainText('400 older messages are left out: at most the newest 200 are sent.');
	await expect(region(page)).toContainText('Context size unknown, so nothing is left out for lack of room.');
	await expect(region(page)).toContainText('Off in the settings.');
	const { messages } = await next(page);
	await expect(region(page)).toContainText(`${200 - messages} more are left out`);
	const from = page.getByRole('region', { name: 'Start of what is sent' });
	const first = 600 - messages + 1;
	// It is looked for once the user scrolls up.
	await page.getByRole('log').hover();
	await page.mouse.wheel(0, -1000);
	await from.scrollIntoViewIfNeeded();
	await expect.poll(() => from.evaluate((element) => (element.nextElementSibling as HTMLElement | null)?.innerText ?? '')).toContain(`Word ${first}`);

	await region(page).getByRole('button', { name: 'Change the limit' }).click();
	await expect(newest(settings(page))).toHaveAttribute('placeholder', '200');
	await set(newest(settings(page)), '1000');
	await page.keyboard.press('Escape');
	await expect(region(page)).toContainText('The next message sends 600 messages');
	await expect(region(page)).toContainText('Context size unknown, so nothing is left out. If');
	await expect(region(page).getByRole('button', { name: 'Change the limit' })).toBeHidden();
	await expect(from).toBeHidden();
	await ask(page, 'All of it?');
	expect((server.requests.at(-1)!.body as Sent).messages).toHaveLength(601);
});

test('[S7] the panel shows what the next message sends, with its tokens, unsent text among it', async ({ page, server }) => {
	await open(page, server.url, [long(1, 4)]);
	await say(page, '/context');
	await expect(lines(page)).toHaveText([/Assistant.*Word 4.*Sent/, /You.*Word 3.*Sent/, /Assistant.*Word 2.*Sent/, /You.*Word 1.*Sent/]);
	await expect(region(page)).toContainText('The next message sends 4 messages');
	// It is said what the figures count.
	await expect(region(page)).toContainText('The figures are tokens');
	const tokens = await lines(page).locator('.tokens').allInnerTexts();
	for (const figure of tokens) expect(figure).toMatch(/^\d+ tokens$/);
	const before = await next(page);
	expect(tokens.map(parseFloat).reduce((sum, count) => sum + count)).toBe(before.tokens);

	await composer(page).fill('Word 5, which is on its way');
	await expect(line(page, 'Word 5, which is on its way')).toHaveText(/Not sent yet.*Sent/);
	await expect(region(page)).toContainText('The next message sends 5 messages');
	expect((await next(page)).tokens).toBeGreaterThan(before.tokens);
	await composer(page).fill('/context');
	await expect(region(page)).toContainText('The next message sends 4 messages');
	await composer(page).fill('');

	await ask(page, 'Word 5, which is on its way');
	await expect(region(page)).toContainText('The next message sends 6 messages');
	await expect(lines(page)).toHaveCount(6);
	expect(textsOf(server.requests.at(-1)!.body as Sent)).toEqual(['Word 1', 'Word 2', 'Word 3', 'Word 4', 'Word 5, which is on its way']);
});

test('[S7] what is too old to be sent is one line, and can be shown', async ({ page, server }) => {
	await open(page, server.url, [long(1, 260)]);
	await openContext(page);
	await expect(line(page, 'Word 260')).toContainText('Sent (recent)');
	const unread = region(page).getByText('60 older messages, left out: older than the newest 200.');
	await toEnd(page, unread);
	await expect(line(page, 'Word 61')).toContainText('Left out');
	await expect(line(page, 'Word 60')).toHaveCount(0);
	// Rows that have just come into view are still measured, and may move the button from under a click.
	await expect(async () => {
		if (await unread.isVisible()) await region(page).getByRole('button', { name: 'Show more' }).click({ timeout: 2000 });
		await expect(line(page, 'Word 60')).toBeVisible({ timeout: 2000 });
	}).toPass();
	await expect(line(page, 'Word 60')).toContainText('Left out: older than the newest 200');
	await expect(line(page, 'Word 60').getByRole('button', { name: 'Word 60' })).toBeFocused();
	await expect(unread).toHaveCount(0);
	await toEnd(page, line(page, 'Word 1'));
	await expect(line(page, 'Word 1')).toHaveAttribute('aria-posinset', '260');

	// The one that is looked for is read and shown in the conversation.
	await line(page, 'Word 1').getByRole('button', { name: 'Word 1' }).click();
	await expect(said(page).you.first()).toHaveText('Word 1');
	await expect(said(page).you.first()).toBeInViewport();
});

test('[S7] what is pinned is sent and what is excluded is not, at once and after a reload', async ({ page, server }) => {
	await open(page, server.url, [long(1, 20)]);
	await openContext(page);
	await set(newest(await openSettings(page)), '10');
	await settings(page).getByRole('button', { name: 'Close' }).click();
	const pin = (words: string) => line(page, words).getByRole('button', { name: 'Pin' });
	const exclude = (words: string) => line(page, words).getByRole('button', { name: 'Exclude' });
	await expect(region(page)).toContainText('10 older messages, left out');
	await region(page).getByRole('button', { name: 'Show more' }).click();
	await pin('Word 3').click();
	await expect(line(page, 'Word 3')).toContainText('Sent (pinned)');
	await exclude('Word 17').click();
	await expect(line(page, 'Word 17')).toContainText('Excluded');
	await exclude('Word 18').click();
	await expect(line(page, 'Word 18')).toContainText('Excluded');
	await pin('Word 18').click();
	await expect(line(page, 'Word 18')).toContainText('Sent (pinned)');
	await expect(exclude('Word 18')).toHaveAttribute('aria-pressed', 'false');

	await ask(page, 'First');
	let sent = textsOf(server.requests.at(-1)!.body as Sent);
	expect(sent).toEqual(expect.arrayContaining(['Word 3', 'Word 16', 'Word 18', 'First']));
	for (const words of ['Word 2', 'Word 4', 'Word 17']) expect(sent).not.toContain(words);
	// What is not sent stays in the conversation.
	await expect(page.getByRole('log').getByText('Word 17', { exact: true })).toBeVisible();

	await page.reload();
	await openContext(page);
	await expect(line(page, 'Word 3')).toContainText('Sent (pinned)');
	await expect(pin('Word 18')).toHaveAttribute('aria-pressed', 'true');
	await expect(exclude('Word 17')).toHaveAttribute('aria-pressed', 'true');
	await ask(page, 'Second');
	sent = textsOf(server.requests.at(-1)!.body as Sent);
	expect(sent).toEqual(expect.arrayContaining(['Word 3', 'Word 18', 'First', 'Second']));
	expect(sent).not.toContain('Word 17');

	await pin('Word 3').click();
	await expect(line(page, 'Word 3')).toHaveCount(0);
	await exclude('Word 17').click();
	await ask(page, 'Third');
	sent = textsOf(server.requests.at(-1)!.body as Sent);
	expect(sent).toContain('Word 17');
	expect(sent).not.toContain('Word 3');
});

test('[S7] “Copy as sent” is what is sent, to the letter', async ({ page, context, server }) => {
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	await open(page, server.url, [long(1, 8, (nth) => `“Wörd” ${nth}\n\n\`\`\`\n\t{ "of": [${nth}] }\n\`\`\``)]);
	await openContext(page);
	for (const nth of [3, 4]) await lines(page).nth(nth).getByRole('button', { name: 'Exclude' }).click();
	await expect(region(page)).toContainText('The next message sends 6 messages');
	await composer(page).fill('The same words, “to the letter”');
	await expect(region(page)).toContainText('The next message sends 7 messages');
	await panel(page).getByRole('button', { name: 'Copy as sent' }).click();
	await expect(page.getByText('Copied as it would be sent.')).toBeVisible();
	const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText())) as Sent;
	expect(copied.messages).toHaveLength(7);
	await page.getByRole('button', { name: 'Send' }).click();
	await answer(page);
	await expect(said(page).assistant.last()).toContainText('The same words, “to the letter”');
	const { body } = server.requests.at(-1)! as { body: Sent };
	expect(JSON.stringify(copied.messages)).toBe(JSON.stringify(body.messages));
	expect(copied).toEqual(body);
});

test('[A9] so many of the newest messages are sent as is set, for this conversation or for all', async ({ page, server }) => {
	await open(page, server.url, [long(1, 30), long(2, 30)]);
	const sentFor = async (text: string) => {
		await ask(page, text);
		return (server.requests.at(-1)!.body as Sent).messages;
	};
	await openContext(page);
	await expect(region(page)).toContainText('The next message sends 30 messages');
	const dialog = await openSettings(page);
	await set(newest(dialog), '1');
	await expect(dialog.getByRole('alert')).toHaveText('Write a whole number from 2 to 100,000.');
	await expect(newest(dialog)).toHaveAttribute('aria-invalid', 'true');
	expect(await rowsOf(page, 'contexts')).toEqual([]);
	await set(newest(dialog), '10');
	await expect(dialog.getByRole('alert')).toHaveCount(0);
	await dialog.getByRole('button', { name: 'Close' }).click();
	await expect(region(page)).toContainText('older than the newest 10');
	const few = await sentFor('How many?');
	expect(few.length).toBeLessThanOrEqual(10);
	expect(few.length).toBeGreaterThan(6);
	expect(few[0]!.role).toBe('user');
	expect(few.at(-1)!.content).toBe('How many?');

	await page.goto(`./s/${storedId(2)}`);
	expect(await sentFor('And here?')).toHaveLength(31);

	await page.goto('./settings');
	await page.getByText('Advanced: compaction and limits').click();
	const section = page.getByRole('region', { name: 'Context' });
	await set(newest(section), '20');
	const everywhere = async () => (await rowsOf<{ name: string; value: unknown }>(page, 'settings')).find(({ name }) => name === 'context')?.value;
	await expect.poll(everywhere).toMatchObject({ contextMessages: 20 });
	await page.goto(`./s/${storedId(2)}`);
	expect((await sentFor('And now?')).length).toBeLessThanOrEqual(20);
	// What this conversation decides itself, it keeps.
	await page.goto(`./s/${storedId(1)}`);
	expect((await sentFor('Still?')).length).toBeLessThanOrEqual(10);

	await openContext(page);
	await openSettings(page);
	await expect(newest(dialog)).toHaveValue('10');
	await dialog.getByRole('button', { name: 'Reset' }).click();
	await expect(newest(dialog)).toHaveValue('');
	await expect(newest(dialog)).toHaveAttribute('placeholder', '20');
	await expect(dialog.getByText('Back to the settings of other chats.')).toBeVisible();
	await dialog.getByRole('button', { name: 'Undo' }).click();
	await expect(newest(dialog)).toHaveValue('10');
	await dialog.getByRole('button', { name: 'Reset' }).click();
	await expect(newest(dialog)).toHaveValue('');
	await dialog.getByRole('button', { name: 'Close' }).click();
	await expect(region(page)).toContainText('older than the newest 20');
	const more = (await sentFor('And in the end?')).length;
	expect(more).toBeGreaterThan(10);
	expect(more).toBeLessThanOrEqual(20);
});

test('[A11] [S8] a window that the user sets leaves out what there is no room for, and cuts what is too long', async ({ page, server }) => {
	const words = (nth: number) => `Word ${nth} ${'and on it goes '.repeat(20)}`.trim();
	await open(page, server.url, [long(1, 30, words)]);
	await openContext(page);
	await expect(region(page)).toContainText('Context size unknown, so nothing is left out.');
	const dialog = await openSettings(page);
	await set(dialog.getByRole('spinbutton', { name: 'Context size of echo' }), '2000');
	await set(dialog.getByRole('spinbutton', { name: 'Kept free for the answer' }), '500');
	await dialog.getByRole('button', { name: 'Close' }).click();
	await expect(region(page)).toContainText('Context size of echo: 2,000 tokens, set here.');
	await expect(region(page)).toContainText(/There is no room for \d+ more\./);
	expect((await next(page)).tokens).toBeLessThanOrEqual(1500);
	await toEnd(page, lines(page).filter({ hasText: 'Word 1 and' }));
	await expect(lines(page).filter({ hasText: 'Word 1 and' })).toContainText('Left out: no room');

	// Every message says which one it is, so that what is missing shows.
	const huge = `Huge ${Array.from({ length: 4000 }, (_, nth) => `n${nth}`).join(' ')} end`;
	await composer(page).fill(huge);
	await region(page).evaluate((element) => element.scrollTo(0, 0));
	await expect(region(page)).toContainText('1 message has to be cut to fit.');
	await expect(lines(page).first()).toHaveText(/Not sent yet.*Huge.*its text shortened/);
	await page.getByRole('button', { name: 'Send' }).click();
	await expect(said(page).assistant.last()).toContainText(/Huge n0.*end/s);
	await answer(page);
	const { messages } = server.requests.at(-1)!.body as Sent;
	expect(JSON.stringify(messages).length / 4).toBeLessThan(2000);
	expect(messages.at(-1)!.content).toMatch(/^Huge n0[^]* end$/);
	expect(messages.at(-1)!.content).not.toContain('n2000 ');
	const stored = await rowsOf<{ parts: { text: string }[] }>(page, 'messages');
	expect(stored.filter(({ parts }) => parts[0]?.text === huge)).toHaveLength(1);
});

test('[A11] the window that a server names when it refuses is known from then on', async ({ page, server, expectConsole }) => {
	expectConsole.push(/Failed to load resource/);
	await open(page, server.url, [long(1, 4)], 'context-full');
	await openContext(page);
	await expect(region(page)).toContainText('Context size unknown, so nothing is left out.');
	await say(page, 'Too much for you?');
	await expect(page.getByRole('log')).toContainText('Too long: this model takes 4,096 tokens. There is nothing more to leave out: choose another model.');
	await expect(page.getByRole('button', { name: 'Change model', exact: true })).toBeVisible();
	await expect(region(page)).toContainText('Context size of context-full: 4,096 tokens, reported by the server.');
	await page.reload();
	await openContext(page);
	await expect(region(page)).toContainText('Context size of context-full: 4,096 tokens, reported by the server.');
	await useServer(page, server.url, 'echo');
	await expect(region(page)).toContainText('Context size unknown, so nothing is left out.');
});

test('[A11] what was too long is sent shorter, and once nothing more can be left out that is said', async ({ page, server, expectConsole }) => {
	expectConsole.push(/Failed to load resource/);
	await open(page, server.url, [long(1, 30, (nth) => `Word ${nth} ${'and on it goes '.repeat(60)}`.trim())], 'context-full');
	await say(page, 'Too much for you?');
	const end = page.getByRole('alert').filter({ hasText: 'Too long: this model takes 4,096 tokens.' });
	await expect(end).toContainText('Retry and Snug will send less.');
	const sent = () => (server.requests.at(-1)!.body as Sent).messages.length;
	const whole = sent();
	await end.getByRole('button', { name: 'Retry' }).click();
	await expect(end).toContainText('There is nothing more to leave out: choose another model.');
	expect(sent()).toBeLessThan(whole);
});

test('[S7] [E9] /tokens shows what each answer took, and hides it; /usage is the sum of it', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	for (const text of ['One', 'One two', 'One two three']) await ask(page, text);
	const figures = page.getByRole('main').getByTitle('Tokens', { exact: true });
	await expect(figures).toHaveCount(0);
	await say(page, '/tokens');
	await expect(page.getByText('Every answer shows its tokens, as reported by the model.')).toBeVisible();
	await expect(figures).toHaveText([/^\d+ in · \d+ out · /, /^\d+ in · \d+ out · /, /^\d+ in · \d+ out · /]);
	const sums = (await figures.allInnerTexts())
		.map((text) => text.match(/\d+/g)!.map(Number))
		.reduce((sum, [input, output]) => [sum[0]! + input!, sum[1]! + output!], [0, 0]);
	await say(page, '/usage');
	const output = page.getByRole('region', { name: 'Command output' });
	await expect(output).toContainText(new RegExp(`Tokens in +${sums[0]} +${sums[0]}\\n`));
	await expect(output).toContainText(new RegExp(`Tokens out +${sums[1]} +${sums[1]}\\n`));
	await expect(output).toContainText(/Answers +3 +3\n/);

	await page.reload();
	await expect(figures).toHaveCount(3);
	await say(page, '/tokens');
	await expect(page.getByText('Answers no longer show their tokens.')).toBeVisible();
	await expect(figures).toHaveCount(0);
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(figures).toHaveCount(3);
});

test('[S7] the panel says how far off the last estimates were', async ({ page, server }) => {
	await open(page, server.url, [long(1, 6)]);
	await openContext(page);
	await expect(region(page)).toContainText('Estimate; the model has not reported a count yet.');
	await composer(page).fill('What will this take?');
	await expect(region(page)).toContainText('The next message sends 7 messages');
	const { tokens } = await next(page);
	await page.getByRole('button', { name: 'Send' }).click();
	await expect(region(page)).toContainText(/recent ones were/);
	// As the server counts them, which is not as they are estimated.
	const took = Math.ceil(JSON.stringify((server.requests.at(-1)!.body as Sent).messages).length / 4);
	const off = Math.abs(tokens / took - 1) * 100;
	const about = off < 10 ? Math.ceil(off) : Math.round(off / 10) * 10;
	const words = off > 50 ? `Rough estimate; recent ones were off by up to ${about} %.` : `Estimate; recent ones were ${about === 0 ? 'right' : `within about ${about} %`}.`;
	await expect(region(page)).toContainText(words);
});

for (const [colorScheme, width] of [
	['light', 1280],
	['dark', 390]
] as const) {
	test(`[S7] axe finds nothing about what the model sees (${colorScheme}, ${width} pixels)`, async ({ page, server }) => {
		test.slow();
		await page.emulateMedia({ colorScheme });
		await page.setViewportSize({ width, height: 800 });
		await open(page, server.url, [long(1, 20)]);
		await openContext(page);
		await set(newest(await openSettings(page)), '10');
		await settings(page).getByRole('button', { name: 'Close' }).click();
		await expect(region(page)).toContainText('The next message sends 8 messages');
		await press(page, 1, 'Pin', 'pinned');
		await press(page, 2, 'Exclude', 'Excluded');
		await expectAccessible(page, 'panel');
		await toEnd(page, region(page).getByRole('button', { name: 'Show more' }));
		await expectAccessible(page, 'end of the panel');
		await openSettings(page);
		await set(newest(settings(page)), '1');
		await expect(settings(page).getByRole('alert')).toBeVisible();
		await expectAccessible(page, 'settings of a conversation');
		await settings(page).getByRole('button', { name: 'Close' }).click();
		await page.goto('./settings');
		await page.getByText('Advanced: compaction and limits').click();
		await expect(newest(page.getByRole('main'))).toBeVisible();
		await expectAccessible(page, 'settings of all conversations');
	});
}

test('[S7] the panel by keyboard alone: open it, pin a message, exclude it, close it', async ({ page, server }) => {
	await open(page, server.url, [long(1, 12)]);
	const button = page.getByRole('button', { name: 'Context', exact: true });
	await tabTo(page, button, 'Shift+Tab');
	await page.keyboard.press('Enter');
	await expect(panel(page)).toBeFocused();
	await expect(line(page, 'Word 12')).toBeVisible();
	const pin = line(page, 'Word 11').getByRole('button', { name: 'Pin' });
	const exclude = line(page, 'Word 11').getByRole('button', { name: 'Exclude' });
	await tabTo(page, pin);
	await expect(pin).toHaveAccessibleDescription('Word 11');
	await page.keyboard.press('Space');
	await expect(line(page, 'Word 11')).toContainText('Sent (pinned)');
	await expect(pin).toHaveAttribute('aria-pressed', 'true');
	await expect(pin).toBeFocused();
	await page.keyboard.press('Tab');
	await page.keyboard.press('Enter');
	await expect(line(page, 'Word 11')).toContainText('Excluded');
	await expect(pin).toHaveAttribute('aria-pressed', 'false');
	await expect(exclude).toBeFocused();
	await page.keyboard.press('Enter');
	await expect(line(page, 'Word 11')).toContainText('Sent (recent)');

	await tabTo(page, panel(page).getByRole('button', { name: 'Settings' }), 'Shift+Tab');
	await page.keyboard.press('Enter');
	await expect(newest(settings(page))).toBeVisible();
	await page.keyboard.press('Escape');
	await expect(settings(page)).toBeHidden();
	await expect(panel(page).getByRole('button', { name: 'Settings' })).toBeFocused();
	await page.keyboard.press('Escape');
	await expect(panel(page)).toBeHidden();
	await expect(button).toBeFocused();
});

test('[S7] on a phone the panel gives way to the message that is looked for', async ({ page, server }) => {
	await page.setViewportSize({ width: 390, height: 800 });
	await open(page, server.url, [long(1, 60)]);
	await openContext(page);
	await toEnd(page, line(page, 'Word 2'));
	await line(page, 'Word 2').getByRole('button', { name: 'Word 2' }).click();
	await expect(panel(page)).toBeHidden();
	await expect(page.getByRole('log').getByText('Word 2', { exact: true })).toBeInViewport();
	await composer(page).fill('/context');
	await composer(page).press('Enter');
	await expect(panel(page)).toBeFocused();
});

test('[S7] [A5] a tab that only reads can look at what the model sees, and changes nothing', async ({ page, context, server }) => {
	await open(page, server.url, [long(1, 12)]);
	await openContext(page);
	await lines(page).nth(3).getByRole('button', { name: 'Pin' }).click();
	const second = await context.newPage();
	await second.goto(page.url());
	await expect(second.getByText(/is open in another tab/)).toBeVisible();
	await openContext(second);
	await expect(line(second, 'Word 9')).toContainText('Sent (pinned)');
	await expect(line(second, 'Word 9').getByRole('button', { name: 'Pin' })).toBeDisabled();
	await expect(line(second, 'Word 9').getByRole('button', { name: 'Exclude' })).toBeDisabled();
	await expect(panel(second).getByRole('button', { name: 'Compact…' })).toBeDisabled();
	await expect(panel(second).getByRole('button', { name: 'Copy as sent' })).toBeEnabled();

	// What the other does shows here: what is typed, what is decided, what is answered.
	await composer(page).fill('Half a thought');
	await expect(line(second, 'Half a thought')).toContainText('Not sent yet');
	await lines(page).filter({ hasText: 'Word 12' }).getByRole('button', { name: 'Exclude' }).click();
	await expect(line(second, 'Word 12')).toContainText('Excluded');
	await page.getByRole('button', { name: 'Send' }).click();
	await expect(lines(second)).toHaveCount(14);
	await expect(lines(second).first()).toHaveText(/Assistant.*Half a thought/);
});

/** Goes on by Tab until this has the focus. */
async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
	for (let presses = 0; presses < 80; presses++) {
		if (await target.evaluate((element) => element === document.activeElement)) return;
		await page.keyboard.press(key);
	}
	throw new Error('not reached by Tab');
}
