import type { Page } from '@playwright/test';
import type { Message } from '../../src/lib/conversation/message';
import { expect, test } from './app';
import { expectAccessible, inMessageMenu, openBlank, rowsOf, said, say, storedConversation, storedId, useServer, withSessions } from './chat';

test.use({ weights: 'none' });

type Stored = ReturnType<typeof storedConversation>;

const bar = (page: Page) => page.getByRole('search', { name: 'In this chat' });
const field = (page: Page) => bar(page).getByRole('textbox', { name: 'Find in this chat' });
const status = (page: Page) => bar(page).getByRole('status');
const log = (page: Page) => page.getByRole('log', { name: 'Conversation' });
const article = (page: Page, id: string) => page.locator(`article[data-id="${id}"]`);
const openFind = (page: Page) => page.getByRole('button', { name: 'Find in this chat' }).click();
const takenOver = /This page shows only part of the chat, so Snug searches all of it\. Press (Ctrl F|⌘F) again/;

/** Long enough that a few of them fill the window. */
const filler = (about: string) => `${about}: ${'It grows slowly, and one waits. '.repeat(20)}`;

/** A branch of these texts that leaves a stored session after the message at that depth; the head stays where it is. */
function withBranch(stored: Stored, depth: number, texts: string[]): Stored & { branch: string[] } {
	const { messages, trees } = stored;
	const { sessionId } = trees;
	const branch = texts.map((_, index) => `01900001-0000-7000-${(0x8000 + index).toString(16)}-${sessionId.slice(-12)}`);
	const rows = texts.map((text, index): Message => {
		const parentId = branch[index - 1] ?? messages[depth]!.id;
		const role = messages[depth]!.role === 'user' || index % 2 === 1 ? 'assistant' : 'user';
		return { ...messages[0]!, id: branch[index]!, parentId, depth: depth + 1 + index, role, parts: [{ type: 'text', text }] };
	});
	const tip = { id: branch.at(-1)!, depth: depth + texts.length, forkId: branch[0]!, forkDepth: depth + 1, fromId: null };
	return { ...stored, branch, messages: [...messages, ...rows], trees: { ...trees, tips: [...trees.tips, tip] } };
}

/** Apples, then pears and plums, which is where the user is, and on another branch figs and plums. */
function orchard() {
	const main = ['Which apples?', filler('Apples'), 'And pears?', 'Pears, and **plums** beside them.', 'More?', filler('Quinces'), 'Enough?', filler('Medlars')];
	const stored = withBranch(storedConversation(1, main), 2, ['And figs?', filler('Figs'), 'What beside figs?', 'Some `plums` in autumn.', 'Good', filler('Yes')]);
	return { stored, plums: stored.messages[4]!.id, otherPlums: stored.branch[3]! };
}

/** 10 000 messages, of which every thousandth names a heron. */
function wall() {
	const texts = Array.from({ length: 10_000 }, (_, index) => (index % 1000 === 500 ? `A heron, number ${index}` : `Stone ${index}`));
	const stored = storedConversation(2, texts);
	return { stored, herons: stored.messages.filter((_, depth) => depth % 1000 === 501).map(({ id }) => id) };
}

const addressOf = (stored: Stored, query: Record<string, string>) => `./s/${stored.sessions.id}?${new URLSearchParams(query)}`;

/** The words that are marked, and those that are in the message that was gone to. */
function marked(page: Page): Promise<{ found: string[]; here: string[] }> {
	return page.evaluate(() => {
		const wordsOf = (name: string) => {
			const ranges = [...(CSS.highlights.get(name) ?? [])] as StaticRange[];
			return ranges.filter(({ startContainer }) => startContainer.isConnected).map((range) => {
				const live = document.createRange();
				live.setStart(range.startContainer, range.startOffset);
				live.setEnd(range.endContainer, range.endOffset);
				return live.toString();
			});
		};
		return { found: wordsOf('found'), here: wordsOf('found-here') };
	});
}

/** How far down the conversation's window a message begins: 0 at its top, 1 at its end. */
async function placeOf(page: Page, id: string): Promise<number> {
	const [message, window] = [await article(page, id).boundingBox(), await log(page).boundingBox()];
	return (message!.y - window!.y) / window!.height;
}

/** Opens the hit for `plums` in the list of all hits, and returns its id. */
async function openHit(page: Page): Promise<string> {
	const { stored, plums } = orchard();
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto('./search?q=plums');
	await page.locator(`a[href*="m=${plums}"]`).click();
	await expectShown(page, plums);
	return plums;
}

/** Place of a marked word of the message that was gone to, the first unless told, in the conversation's window: 0 at its top or left, 1 at its end. Undefined where none is marked. */
function placeOfWord(page: Page, index = 0): Promise<{ down: number; across: number } | undefined> {
	return log(page).evaluate((window, index) => {
		const word = ([...(CSS.highlights.get('found-here') ?? [])] as StaticRange[])[index];
		if (!word?.startContainer.isConnected) return undefined;
		const live = document.createRange();
		live.setStart(word.startContainer, word.startOffset);
		live.setEnd(word.endContainer, word.endOffset);
		const [at, around] = [live.getClientRects()[0]!, window.getBoundingClientRect()];
		return { down: (at.top - around.top) / around.height, across: (at.left - around.left) / around.width };
	}, index);
}

async function expectWordShown(page: Page, index = 0) {
	await expect(async () => {
		const { down } = (await placeOfWord(page, index))!;
		expect(down).toBeGreaterThan(0.2);
		expect(down).toBeLessThan(0.7);
	}).toPass({ timeout: 30_000 });
}

/** One long answer with something in it, before other messages. */
function haystack(answer: string, number = 4) {
	const stored = storedConversation(number, ['What is in the barn?', answer, 'More?', filler('Hay'), 'Enough?', filler('Straw')]);
	return { stored, id: stored.messages[2]!.id };
}

const paragraphs = (count: number, at: number[], word: string) =>
	Array.from({ length: count }, (_, index) => (at.includes(index) ? `Here is ${word}, and hay.` : `Hay, ${index}. It is dry, and there is a lot of it.`)).join('\n\n');

async function expectShown(page: Page, id: string) {
	await expect(async () => {
		const place = await placeOf(page, id);
		expect(place).toBeGreaterThan(0.2);
		expect(place).toBeLessThan(0.45);
	}).toPass();
}

/** What becomes of a key when the page has had it: whether the browser does what it does with it. */
async function isLeftToBrowser(page: Page, key: string): Promise<boolean> {
	await page.evaluate(() => {
		const listen = (event: KeyboardEvent) => {
			if (event.key === 'Control' || event.key === 'Meta') return;
			removeEventListener('keydown', listen);
			queueMicrotask(() => Object.assign(window, { left: !event.defaultPrevented }));
		};
		addEventListener('keydown', listen);
	});
	await page.keyboard.press(key);
	return page.evaluate(() => (window as unknown as { left: boolean }).left);
}

test('[P5] a hit in another branch opens in that branch, scrolled to and marked, and the user stays where they were', async ({ page }) => {
	const { stored, otherPlums } = orchard();
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(addressOf(stored, { m: otherPlums, q: 'plums' }));
	await expect(said(page).you).toHaveText(['Which apples?', 'And figs?', 'What beside figs?', 'Good']);
	await expectShown(page, otherPlums);
	await expect(article(page, otherPlums)).toBeFocused();
	await expect(article(page, otherPlums)).toHaveClass(/found/);
	await expect(status(page)).toHaveText('2 of 2, in another branch');
	await expect(field(page)).toHaveValue('plums');
	await expect.poll(() => marked(page)).toEqual({ found: [], here: ['plums'] });
	await expect(page.getByText('You are reading another branch. What you send continues it.')).toBeVisible();
	expect(await rowsOf(page, 'positions')).toEqual([stored.positions]);

	await page.reload();
	await expectShown(page, otherPlums);
	await page.getByRole('link', { name: 'Back to where you were' }).click();
	await expect(said(page).you).toHaveText(['Which apples?', 'And pears?', 'More?', 'Enough?']);
	await expect(bar(page)).toBeHidden();
	await expect.poll(() => marked(page)).toEqual({ found: [], here: [] });
	await expect(page.getByText(/Medlars/)).toBeInViewport();
});

test('[P5] what is sent while another branch is read goes on from its end', async ({ page, server }) => {
	const { stored, otherPlums } = orchard();
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await withSessions(page, [stored]);
	await page.goto(addressOf(stored, { m: otherPlums, q: 'plums' }));
	await expectShown(page, otherPlums);
	await say(page, 'And nuts?');
	await expect(said(page).you).toHaveText(['Which apples?', 'And figs?', 'What beside figs?', 'Good', 'And nuts?']);
	await expect(said(page).you.last()).toBeInViewport();
	await expect(page.getByText(/You are reading/)).toBeHidden();
	const rows = await rowsOf<Message>(page, 'messages');
	const sent = rows.find(({ parts: [part] }) => part?.type === 'text' && part.text === 'And nuts?')!;
	expect(sent.parentId).toBe(stored.branch.at(-1));
});

test('[P5] one goes to the next hit and the one before, across branches, by keys and by buttons, and back leads out', async ({ page }) => {
	const { stored, plums, otherPlums } = orchard();
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto('./sessions');
	await page.goto(`./s/${stored.sessions.id}`);
	await expect(page.getByText(/Medlars/)).toBeInViewport();
	await openFind(page);
	await expect(field(page)).toBeFocused();
	await page.keyboard.type('plums');
	await expect(page.getByText(takenOver)).toBeHidden();
	// Who types is led to the first hit.
	await expect(status(page)).toHaveText('1 of 2');
	await expect(page).toHaveURL(new RegExp(`m=${plums}&w=[0-9a-f-]+$`));
	await expectShown(page, plums);
	await expect(field(page)).toBeFocused();
	await expect.poll(() => marked(page)).toEqual({ found: [], here: ['plums'] });

	await page.keyboard.press('Enter');
	await expect(status(page)).toHaveText('2 of 2, in another branch');
	await expectShown(page, otherPlums);
	await expect(page).toHaveURL(new RegExp(`m=${otherPlums}&w=[0-9a-f-]+$`));
	await page.keyboard.press('F3');
	await expect(status(page)).toHaveText('1 of 2');
	await expectShown(page, plums);
	await page.keyboard.press('Shift+Enter');
	await expect(status(page)).toHaveText('2 of 2, in another branch');
	await page.keyboard.press('ControlOrMeta+Shift+g');
	await expect(status(page)).toHaveText('1 of 2');
	await bar(page).getByRole('button', { name: 'Next hit' }).click();
	await expect(status(page)).toHaveText('2 of 2, in another branch');
	await bar(page).getByRole('button', { name: 'Previous hit' }).click();
	await expect(status(page)).toHaveText('1 of 2');
	await expectShown(page, plums);

	await field(page).fill('nowhere at all');
	await expect(status(page)).toHaveText('No results');
	await expect(bar(page).getByRole('button', { name: 'Next hit' })).toBeDisabled();
	await expect.poll(() => marked(page)).toEqual({ found: [], here: [] });
	await page.goBack();
	await expect(page).toHaveURL(/\/sessions$/);
});

test('[P5] a hit that the index comes to only after it was looked for is gone to', async ({ page, context }) => {
	const { stored, plums } = orchard();
	const other = await context.newPage();
	await openBlank(other);
	// No tab builds the index while this one holds its lock.
	const letGo = await other.evaluateHandle(() => {
		const { promise, resolve } = Promise.withResolvers<void>();
		void navigator.locks.request('search-index', () => promise);
		return { resolve };
	});
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(`./s/${stored.sessions.id}`);
	await openFind(page);
	await field(page).fill('pears');
	await expect(bar(page).getByText(/^Still indexing/)).toBeVisible();
	// After the pause that follows a key nothing is there to go to.
	const typed = Date.now();
	await expect.poll(() => Date.now() - typed).toBeGreaterThan(1500);
	await letGo.evaluate(({ resolve }) => resolve());
	await expect(status(page)).toHaveText(/^1 of/);
	await expect(article(page, plums)).toBeVisible();
});

test('[P5] the words of a hit are shown, however far down an answer they are, and nobody is moved by them who has scrolled since', async ({ page }) => {
	const { stored, id } = haystack(paragraphs(150, [75], 'a needle'));
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(`./s/${stored.sessions.id}`);
	await expect(page.getByText(/Straw/)).toBeInViewport();
	await openFind(page);
	await field(page).fill('needle');
	await expect(status(page)).toHaveText('1 of 1');
	await expectWordShown(page);
	await page.setViewportSize({ width: 500, height: 700 });
	await expectWordShown(page);
	await page.setViewportSize({ width: 1280, height: 720 });
	await expectWordShown(page);

	// Whoever has scrolled stays there, also when other words are marked; the next hit leads to its word again.
	const top = () => log(page).evaluate((scroller) => scroller.scrollTop);
	const before = await top();
	await log(page).hover();
	await page.mouse.wheel(0, -1500);
	let stayed = NaN;
	await expect.poll(async () => stayed - (stayed = await top()), { intervals: [300] }).toBe(0);
	expect(stayed).toBeLessThan(before - 1000);
	await field(page).fill('here');
	await expect.poll(async () => (await marked(page)).here).toEqual(['Here']);
	await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
	expect(Math.abs((await top()) - stayed)).toBeLessThan(2);
	await field(page).fill('needle');
	await expect.poll(async () => (await marked(page)).here).toEqual(['needle']);
	expect(Math.abs((await top()) - stayed)).toBeLessThan(2);
	await field(page).press('Enter');
	await expectWordShown(page);

	await page.goto('./search?q=needle');
	await page.locator(`a[href*="m=${id}"]`).click();
	await expectWordShown(page);
	await expect(article(page, id)).toBeFocused();
	await page.reload();
	await expectWordShown(page);
});

test('[P5] one goes through the words of a long answer that are out of sight before the next hit, and back', async ({ page }) => {
	const stored = storedConversation(4, ['What is in the barn?', paragraphs(150, [20, 21, 75, 130], 'a needle'), 'More?', 'No other needle.', 'Enough?', filler('Straw')]);
	const [long, short] = [stored.messages[2]!.id, stored.messages[4]!.id];
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(addressOf(stored, { m: long, q: 'needle' }));
	await expectWordShown(page, 0);
	// The second one is beside the first.
	for (const index of [2, 3]) {
		await field(page).press('Enter');
		await expectWordShown(page, index);
	}
	await expect(status(page)).toHaveText('1 of 2');
	// What is drawn again stays where it is.
	await page.setViewportSize({ width: 500, height: 700 });
	await expectWordShown(page, 3);
	await page.setViewportSize({ width: 1280, height: 720 });
	await expectWordShown(page, 3);
	await log(page).hover();
	await page.mouse.wheel(0, -600);
	await expect.poll(async () => (await placeOfWord(page, 3))!.down).toBeGreaterThan(1);
	await page.getByRole('button', { name: 'Previous hit' }).click();
	await expectWordShown(page, 2);
	await page.getByRole('button', { name: 'Next hit' }).click();
	await expectWordShown(page, 3);
	await page.getByRole('button', { name: 'Next hit' }).click();
	await expect(status(page)).toHaveText('2 of 2');
	await expectShown(page, short);
	await field(page).press('Shift+Enter');
	await expect(status(page)).toHaveText('1 of 2');
	await expectWordShown(page, 0);
});

test('[P5] where one message alone has the words, one goes around within it', async ({ page }) => {
	const { stored, id } = haystack(paragraphs(150, [20, 75, 130], 'a needle'));
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(addressOf(stored, { m: id, q: 'needle' }));
	await expectWordShown(page, 0);
	for (const [key, index] of [['Enter', 1], ['Enter', 2], ['Enter', 0], ['Shift+Enter', 2], ['Shift+Enter', 1]] as const) {
		await field(page).press(key);
		await expectWordShown(page, index);
	}
});

test('[P5] the words of a hit are shown when they are drawn and marked late, and in a line of code that is wider than the window', async ({ page }) => {
	test.slow();
	const long = haystack(Array.from({ length: 4000 }, (_, index) => (index === 3900 ? 'A needle' : `Hay ${index}`)).join('\n\n'));
	await page.goto('./');
	await withSessions(page, [long.stored]);
	await page.goto(addressOf(long.stored, { m: long.id, q: 'needle' }));
	await expectWordShown(page);

	const code = haystack(`${paragraphs(40, [0], 'code')}\n\n\`\`\`js\nconst hay = [${'"dry", '.repeat(60)}"needle", ${'"old", '.repeat(60)}];\n\`\`\``, 5);
	await withSessions(page, [code.stored]);
	await page.goto(addressOf(code.stored, { m: code.id, q: 'needle' }));
	await expect(page.locator('pre code span').first()).toBeAttached();
	await expectWordShown(page);
	await expect.poll(async () => (await placeOfWord(page))?.across).toBeGreaterThan(0.1);
	expect((await placeOfWord(page))!.across).toBeLessThan(0.9);
});

test('[P5] of several words, the place is shown where most of them stand together, in the list of hits and in the message', async ({ page }) => {
	const lines = Array.from({ length: 400 }, (_, index) => (index === 0 ? 'This is a report.' : index === 300 ? 'Here a needle is in the report.' : `Hay ${index}`));
	const { stored, id } = haystack(lines.join('\n\n'));
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto('./search?q=needle+report');
	const hit = page.locator(`a[href*="m=${id}"]`);
	await expect(hit).toContainText('Here a needle is in the report.');
	await hit.click();
	await expect.poll(async () => (await marked(page)).here).toEqual(['report', 'needle', 'report']);
	await expectWordShown(page, 1);
	await page.reload();
	await expectWordShown(page, 1);
});

test('[P5] of a word that has parts, only the word itself is marked where the message has it', async ({ page }) => {
	// Far enough apart that they are looked at one after another.
	const { stored, id } = haystack(`${'word1 word2 and a word. '.repeat(40)}\n\n${'Straw. '.repeat(400)}\n\nHere is word10, before word11.`);
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(addressOf(stored, { m: id, q: 'word10' }));
	await expect(status(page)).toHaveText('1 of 1');
	await expect.poll(async () => (await marked(page)).here).toEqual(['word10']);
});

test('[P5] no more than a thousand words of a message are marked, and the first of them is shown', async ({ page }) => {
	const { stored, id } = haystack('a '.repeat(49_900));
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(addressOf(stored, { m: id, q: 'a' }));
	await expect(status(page)).toHaveText(/^1 of/);
	await expectWordShown(page);
	expect((await marked(page)).here).toHaveLength(1000);
});

test('[P5] a hit whose words are in the part of a text that is drawn only when it is asked for shows the message', async ({ page }) => {
	const { stored, id } = haystack(paragraphs(2500, [2490], 'a needle'));
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(addressOf(stored, { m: id, q: 'needle' }));
	await expect(status(page)).toHaveText('1 of 1');
	await expect(page.getByRole('button', { name: /Show more/ })).toBeAttached();
	await expectShown(page, id);
	expect(await placeOfWord(page)).toBeUndefined();
});

test('[P5] closing leaves the conversation where it is, and the branch that is read', async ({ page }) => {
	const { stored, otherPlums } = orchard();
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(addressOf(stored, { m: otherPlums, q: 'plums' }));
	await expectShown(page, otherPlums);
	await expect(article(page, otherPlums)).toBeFocused();
	await expect(status(page)).toHaveText('2 of 2, in another branch');
	await expect(page.getByText('You are reading another branch.', { exact: false })).toBeVisible();
	const before = (await article(page, otherPlums).boundingBox())!.y;
	await page.keyboard.press('Escape');
	await expect(bar(page)).toBeHidden();
	await expect(page).toHaveURL(new RegExp(`/s/${stored.sessions.id}\\?at=${stored.branch.at(-1)}$`));
	await expect(article(page, otherPlums)).not.toHaveClass(/found/);
	await expect.poll(async () => Math.abs((await article(page, otherPlums).boundingBox())!.y - before)).toBeLessThan(4);
	await expect.poll(() => marked(page)).toEqual({ found: [], here: [] });
	await page.reload();
	await expect(said(page).you).toHaveText(['Which apples?', 'And figs?', 'What beside figs?', 'Good']);
});

test('[P5] [E7] a hit in the middle of 10 000 messages shows at once, with no more drawn than is around it', async ({ page }) => {
	test.slow();
	const { stored, herons } = wall();
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(addressOf(stored, { m: herons[4]!, q: 'heron' }));
	await expectShown(page, herons[4]!);
	await expect(article(page, herons[4]!)).toBeFocused();
	await expect(status(page)).toHaveText('5 of 10');
	const articles = page.getByRole('article');
	expect(await articles.count()).toBe(200);
	await expect(log(page).getByText('Stone 4401', { exact: true })).toHaveCount(1);
	await expect(log(page).getByText('Stone 4599', { exact: true })).toHaveCount(1);

	await page.keyboard.press('F3');
	await expect(status(page)).toHaveText('6 of 10');
	await expectShown(page, herons[5]!);
	expect(await articles.count()).toBe(200);

	await page.getByRole('button', { name: 'Jump to the end' }).evaluate((button: HTMLElement) => button.click());
	await expect(log(page).getByText('Stone 9999', { exact: true })).toBeInViewport();
	await expect(page.getByRole('button', { name: 'Jump to the end' })).toHaveCount(0);
	expect(await articles.count()).toBe(200);
	await expect(page.getByText(/You are reading/)).toBeHidden();
});

test('[E7] Ctrl F takes over only where the page has not all of the session, and says so; a second one is the browser’s', async ({ page }) => {
	const { stored } = wall();
	const whole = storedConversation(3, ['Where is the owl?', 'In the barn.']);
	await page.goto('./');
	await withSessions(page, [stored, whole, orchard().stored]);
	await page.goto(`./s/${whole.sessions.id}`);
	await expect(page.getByText('In the barn.')).toBeVisible();
	expect(await isLeftToBrowser(page, 'ControlOrMeta+f')).toBe(true);
	await expect(bar(page)).toBeHidden();
	await openFind(page);
	await expect(field(page)).toBeFocused();
	await page.keyboard.press('Escape');
	await expect(bar(page)).toBeHidden();
	await expect(page.getByRole('button', { name: 'Find in this chat' })).toBeFocused();

	// Long, or with branches.
	for (const id of [stored.sessions.id, storedId(1)]) {
		await page.goto(`./s/${id}`);
		await expect(page.getByRole('article').last()).toBeVisible();
		const composer = page.getByRole('textbox', { name: 'Message' });
		await composer.focus();
		expect(await isLeftToBrowser(page, 'ControlOrMeta+f')).toBe(false);
		await expect(field(page)).toBeFocused();
		await expect(page.getByText(takenOver)).toBeVisible();
		expect(await isLeftToBrowser(page, 'ControlOrMeta+f')).toBe(true);
		await composer.focus();
		expect(await isLeftToBrowser(page, 'ControlOrMeta+f')).toBe(false);
		await expect(field(page)).toBeFocused();
		await page.keyboard.press('Escape');
		await expect(bar(page)).toBeHidden();
		await expect(composer).toBeFocused();
		await expect(page).toHaveURL(new RegExp(`/s/${id}$`));
	}
});

test('[P5] “All results” leads back to the list as it was, past all the hits that were looked at', async ({ page }) => {
	await openHit(page);
	await expect(status(page)).toHaveText('1 of 2');
	await bar(page).getByRole('button', { name: 'Next hit' }).click();
	await expect(status(page)).toHaveText('2 of 2, in another branch');
	await bar(page).getByRole('link', { name: 'All results' }).click();
	await expect(page).toHaveURL(/\/search\?w=[0-9a-f-]+$/);
	await page.goForward();
	await expect(status(page)).toHaveText('2 of 2, in another branch');
});

test('[P5] a list of hits that is left again before it is back does no harm', async ({ page }) => {
	const plums = await openHit(page);
	for (let times = 0; times < 5; times++) {
		await page.evaluate(async () => {
			const path = location.pathname;
			const moved = (to: boolean) =>
				new Promise<void>((resolve) => {
					const look = () => (location.pathname.endsWith('/search') === to && (document.querySelector('#search-title') !== null) === to ? resolve() : requestAnimationFrame(look));
					look();
				});
			history.back();
			await moved(true);
			history.forward();
			await moved(false);
			if (location.pathname !== path) throw new Error(location.pathname);
		});
		await expectShown(page, plums);
	}
});

test('[P5] a hit that was deleted since is told, and the session shows as it is', async ({ page }) => {
	const { stored, plums } = orchard();
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(addressOf(stored, { m: storedId(77), q: 'plums' }));
	await expect(page.getByText('The message you looked for was deleted.', { exact: false })).toBeVisible();
	await expect(said(page).you).toHaveText(['Which apples?', 'And pears?', 'More?', 'Enough?']);
	await expect(page.getByText(/Medlars/)).toBeInViewport();
	await expect(status(page)).toHaveText('2 messages');
	await page.getByRole('link', { name: 'OK' }).click();
	await expect(page.getByText('The message you looked for was deleted.', { exact: false })).toBeHidden();

	// Also one that goes while it is shown.
	await page.goto(addressOf(stored, { m: plums, q: 'plums' }));
	await expect(status(page)).toHaveText('1 of 2');
	await inMessageMenu(page, article(page, plums), 'Erase text');
	await expect(status(page)).toHaveText('1 message');
	await bar(page).getByRole('button', { name: 'Next hit' }).click();
	await expect(status(page)).toHaveText('1 of 1, in another branch');
});

for (const colorScheme of ['light', 'dark'] as const) {
	test(`[P5] the find bar has room on a phone, and axe finds nothing (${colorScheme})`, async ({ page }) => {
		await page.emulateMedia({ colorScheme });
		const { stored, plums, otherPlums } = orchard();
		await page.goto('./');
		await withSessions(page, [stored]);
		for (const [width, id] of [[1280, plums], [390, otherPlums]] as const) {
			await page.setViewportSize({ width, height: 800 });
			await page.goto(addressOf(stored, { m: id, q: 'plums' }));
			await expectShown(page, id);
			await expect(status(page)).toHaveText(/ of 2/);
			await expect.poll(async () => (await marked(page)).here).toEqual(['plums']);
			for (const name of ['Previous hit', 'Next hit', 'Close']) {
				await expect(bar(page).getByRole('button', { name })).toBeInViewport({ ratio: 1 });
			}
			await expectAccessible(page, `find bar at ${width}`);
		}
	});
}

test('[P5] what is typed while the first hit is gone to stays', async ({ page }) => {
	const { stored } = orchard();
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(`./s/${stored.sessions.id}`);
	await openFind(page);
	await page.evaluate(() => {
		const own = history.replaceState.bind(history);
		let isTyped = false;
		history.replaceState = (data, unused, url) => {
			const input = document.querySelector<HTMLInputElement>('search input')!;
			if (!isTyped && /[?&]m=/.test(String(url))) {
				isTyped = true;
				input.value += 's';
				input.dispatchEvent(new Event('input', { bubbles: true }));
			}
			own(data, unused, url);
		};
	});
	await field(page).fill('plum');
	await expect(page).toHaveURL(/[?&]m=/);
	await expect(field(page)).toHaveValue('plums');
	await expect(status(page)).toHaveText(/of 2/);
	await expect(field(page)).toHaveValue('plums');
});

test.describe('on a touch screen', () => {
	test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

	test('[P5] a touch screen is told of no keys', async ({ page, browserName }) => {
		test.skip(browserName === 'firefox', 'Firefox emulates no phone.');
		const { stored } = orchard();
		await page.goto('./');
		await withSessions(page, [stored]);
		await page.goto(`./s/${stored.sessions.id}`);
		await expect(page.getByRole('article').last()).toBeVisible();
		await page.keyboard.press('ControlOrMeta+f');
		await expect(field(page)).toBeFocused();
		await expect(page.getByText(takenOver)).toBeHidden();
	});
});
