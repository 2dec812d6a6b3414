import type { Locator, Page } from '@playwright/test';
import { expect, test } from './app';
import {
	ask, expectAccessible, inMessageMenu, inSessionMenu, newChat, rowsOf, said, storedConversation, storedId, useServer, withSessions
} from './chat';
import { chunkWith } from './chunks';

test.use({ weights: 'none' });

const palette = (page: Page) => page.getByRole('dialog', { name: 'Commands' });
const paletteField = (page: Page) => palette(page).getByRole('combobox', { name: 'Search or run a command' });
const options = (page: Page) => palette(page).getByRole('option');
const field = (page: Page) => page.getByRole('searchbox', { name: 'Search everything' });
const results = (page: Page) => page.getByRole('list', { name: 'Results' }).getByRole('link');
const messages = (page: Page) => results(page).filter({ hasNotText: /^\s*Chat/ });
const count = (page: Page) => page.getByText(/^(One result|[\d,]+ results)$/).and(page.locator('[aria-hidden]'));

async function openPalette(page: Page): Promise<void> {
	await page.getByRole('navigation', { name: 'Sessions' }).waitFor();
	await page.keyboard.press('ControlOrMeta+k');
	await expect(paletteField(page)).toBeFocused();
}

/** Opens the search page with these words in its address. */
async function searchFor(page: Page, query: string): Promise<void> {
	await page.goto(`./search?${new URLSearchParams({ q: query })}`);
	await expect(field(page)).toHaveValue(query);
}

type Stored = ReturnType<typeof storedConversation>;

/** Another version of the answer at `depth`, beside the one that is there, at which the session ends. */
function withBranch(stored: Stored, depth: number, text: string): Stored {
	const beside = stored.messages[depth]!;
	const tip = stored.trees.tips[0]!;
	const id = beside.id.replace('-7000-', '-7001-');
	const branch = { id, depth, forkId: beside.parentId, forkDepth: depth - 1, fromId: tip.id };
	return {
		sessions: { ...stored.sessions, messageCount: stored.sessions.messageCount + 1 },
		messages: [...stored.messages, { ...beside, id, parts: [{ type: 'text', text }] }],
		trees: { ...stored.trees, tips: [tip, branch] },
		positions: stored.positions
	};
}

function stored(number: number, texts: string[], fields: Partial<Stored['sessions']> = {}): Stored {
	const made = storedConversation(number, texts);
	return { ...made, sessions: { ...made.sessions, ...fields } };
}

test('[E7] results come as one types, from every branch, with the match marked, and lead to where it was said', async ({ page }) => {
	await page.goto('./');
	const trip = withBranch(stored(1, ['Where to go?', 'To Lisbon, by night train.'], { title: 'Spring' }), 2, 'To Porto, by slow boat.');
	await withSessions(page, [trip, stored(2, ['How do I boil eggs?', 'In water, for six minutes.'], { title: 'Kitchen' })]);
	await openPalette(page);
	await expect(options(page)).toContainText(['New chat', 'All chats', 'Search page', 'Settings', 'Storage', 'Kitchen', 'Spring', 'New workspace…']);
	for (const typed of ['slo', 'w bo']) {
		await page.keyboard.type(typed);
		await expect(options(page)).toHaveText([/Assistant\s*Spring\s*.*To Porto, by slow boat\./]);
	}
	await expect(options(page).locator('mark')).toHaveText(['slow', 'boat']);
	await page.keyboard.press('Enter');
	await expect(page).toHaveURL(new RegExp(`/s/${storedId(1)}\\?m=${trip.messages[3]!.id}&w=[0-9a-f-]+$`));
	await expect(palette(page)).toBeHidden();
	await expect(said(page).assistant).toContainText('slow boat');

	// Titles are found as well, and ways by how they begin.
	await openPalette(page);
	await page.keyboard.type('kitch');
	await expect(options(page)).toHaveText([/Chat.*Kitchen/]);
	await paletteField(page).fill('sett');
	await expect(options(page).first()).toHaveText('Settings');
	await page.keyboard.press('Enter');
	await expect(page).toHaveURL(/\/settings$/);
});

test('[E7] quotes, -word, a beginning and a typo are understood, and what was taken for what is said', async ({ page }) => {
	await page.goto('./');
	await withSessions(page, [
		stored(1, ['The red house on the hill', 'You receive a red letter at the house.']),
		stored(2, ['A house, red as wine', 'Fine.'])
	]);
	await searchFor(page, 'red house');
	await expect(results(page)).toHaveCount(3);
	await field(page).fill('"red house"');
	await expect(results(page)).toHaveText([/The red house on the hill/]);
	await field(page).fill('red house -wine');
	await expect(results(page)).toHaveCount(2);
	await field(page).fill('recei');
	await expect(results(page).locator('mark')).toHaveText(['receive']);
	await field(page).fill('receve ');
	await expect(page.getByText('No result has “receve”. These have “receive”.')).toBeVisible();
	await expect(results(page)).toHaveCount(1);
	await field(page).fill('zeppelin');
	await expect(page.getByText('No results.')).toBeVisible();
	await expect(page.getByRole('status').filter({ hasText: 'No results' })).toHaveCount(1);
});

test('[E7] best or newest first, and by session, workspace, speaker, model, day and code; the address says it all', async ({ page }) => {
	await page.goto('./');
	const old = stored(1, ['A lighthouse', 'Lighthouse, lighthouse, lighthouse!'], { workspace: 'coast', title: 'Old' });
	old.messages[2]!.model = 'smol';
	const young = stored(2, ['A lighthouse in code, please, with all that one needs to know of it', '```py\nlighthouse = 1\n```'], { title: 'Young' });
	young.messages[2]!.model = 'huge';
	for (const message of young.messages) message.createdAt = Date.UTC(2026, 1, 10, 12);
	await withSessions(page, [old, young]);
	await searchFor(page, 'lighthouse');
	await expect(count(page)).toHaveText('4 results');
	await expect(results(page).first()).toContainText('Lighthouse, lighthouse');
	await page.getByRole('combobox', { name: 'Order' }).selectOption('Newest first');
	await expect(results(page).first()).toContainText('Young');
	await expect(page).toHaveURL(/\?w=[0-9a-f-]+&order=newest$/);

	await page.getByRole('button', { name: 'Filters' }).click();
	const filter = (name: string) => page.getByRole('search').getByLabel(new RegExp(`^\\s*${name}\\b`));
	const cases: [string, () => Promise<unknown>, string | RegExp, number][] = [
		['Workspace', () => filter('Workspace').selectOption('coast'), 'workspace=coast', 2],
		['Workspace', () => filter('Workspace').selectOption(''), '', 4],
		['From', () => filter('From').selectOption('You'), 'role=user', 2],
		['From', () => filter('From').selectOption(''), '', 4],
		['Model', () => filter('Model').selectOption('smol'), 'model=smol', 1],
		['Model', () => filter('Model').selectOption(''), '', 4],
		['Since', () => filter('Since').fill('2026-02-10'), 'from=2026-02-10', 2],
		['Until', () => filter('Until').fill('2026-02-10'), 'to=2026-02-10', 2],
		['Until', () => filter('Until').fill('2026-02-09'), 'to=2026-02-09', 0],
		['Until', () => filter('Until').fill(''), 'from=2026-02-10', 2],
		['Contains code', () => filter('Contains code').check(), 'code=1', 1]
	];
	for (const [name, change, address, expected] of cases) {
		await change();
		await expect(results(page), `${name}, ${address}`).toHaveCount(expected);
		await expect(page).toHaveURL(new RegExp(`${address}`));
	}
	await page.reload();
	await expect(results(page)).toHaveText([/lighthouse = 1/]);
	await expect(filter('Contains code')).toBeChecked();

	// An address may come from anywhere.
	await page.goto(`./search?q=lighthouse&model=${encodeURIComponent('\u202eabc'.repeat(300))}`);
	await expect(filter('Model').locator('option:checked')).toHaveText(/^(abc ?){20,40}…$/);
	await page.goto(`./search?q=lighthouse&session=${storedId(1)}`);
	await expect(results(page)).toHaveCount(2);
	await expect(page.getByText('In “Old”')).toBeVisible();
	await page.getByRole('button', { name: 'Search all chats' }).click();
	await expect(results(page)).toHaveCount(4);
	await field(page).fill('lighthouse zeppelin');
	await page.getByRole('button', { name: 'Filters' }).click();
	await filter('From').selectOption('You');
	await expect(page.getByText('No results where you look.')).toBeVisible();
	await page.getByRole('button', { name: 'Look everywhere' }).click();
	await expect(filter('From')).toHaveValue('');
});

test('[P5] back returns to the list as it was: the same results, at the same place, with the focus on the hit; a reload too', async ({ page }) => {
	await page.goto('./');
	await withSessions(page, Array.from({ length: 40 }, (_, index) => stored(index + 1, [`Lighthouse ${index}`, `The keeper of lighthouse ${index}`])));
	await page.goto('./search');
	await field(page).pressSequentially('lighthouse');
	await expect(count(page)).toHaveText('80 results');
	await expect(results(page)).toHaveCount(50);
	await page.getByRole('button', { name: 'Show more' }).click();
	await expect(results(page)).toHaveCount(80);
	const texts = await results(page).allTextContents();
	const hit = results(page).nth(66);
	await hit.scrollIntoViewIfNeeded();
	const top = () => results(page).first().evaluate((link) => link.closest('.scroller')!.scrollTop);
	const before = await top();
	expect(before).toBeGreaterThan(1000);
	await hit.click();
	await expect(page).toHaveURL(/\/s\/.*\?m=.*&w=[0-9a-f-]+$/);

	const isAsItWas = async () => {
		await expect(results(page)).toHaveCount(80);
		await expect(field(page)).toHaveValue('lighthouse');
		await expect(hit).toBeFocused();
		expect(await results(page).allTextContents()).toEqual(texts);
		expect(Math.abs((await top()) - before)).toBeLessThan(2);
	};
	await page.goBack();
	await isAsItWas();
	await page.reload();
	await isAsItWas();
	// One entry of the history for all that was typed.
	await page.goBack();
	await expect(page).toHaveURL(/\/$/);
});

test('[E7] hits are grouped by chat: its title once, three below it, and the rest in place, which the way back knows', async ({ page }) => {
	await page.goto('./');
	const many = stored(1, Array.from({ length: 120 }, (_, index) => `Lighthouse ${index + 1}`), { title: 'Coast' });
	await withSessions(page, [many, stored(2, ['Is there a lighthouse somewhere on the way from here to there?', 'Yes.'], { title: 'The lighthouse trip' })]);
	await searchFor(page, 'lighthouse');
	await expect(count(page)).toHaveText('122 results');
	await expect(page.getByRole('status').filter({ hasText: '122 results' })).toHaveCount(1);
	const chats = page.getByRole('list', { name: 'Results' }).getByRole('heading', { level: 2 });
	const inCoast = page.getByRole('list', { name: /^Coast/ }).getByRole('link');
	await expect(inCoast).toHaveCount(3);
	await expect(chats.filter({ hasText: 'Coast' })).toHaveCount(1);
	// What is read next may all be of chats that show three: it is read on until something new is seen.
	while (await page.getByRole('button', { name: 'Show more', exact: true }).isVisible()) {
		const before = await results(page).count();
		await page.getByRole('button', { name: 'Show more', exact: true }).click();
		await expect.poll(async () => (await results(page).count()) > before || (await page.getByRole('button', { name: 'Show more', exact: true }).count()) === 0).toBe(true);
	}
	await expect(chats).toHaveCount(2);
	await expect(chats.filter({ hasText: 'The lighthouse trip' }).getByRole('link')).toHaveText(/The lighthouse trip/);

	const more = page.getByRole('button', { name: '117 more in Coast' });
	await inCoast.last().focus();
	await page.keyboard.press('ArrowDown');
	await expect(more).toBeFocused();
	await page.keyboard.press('Enter');
	await expect(inCoast).toHaveCount(120);
	await expect(inCoast.nth(3)).toBeFocused();
	await page.keyboard.press('Enter');
	await expect(page).toHaveURL(/\/s\//);
	await page.goBack();
	await expect(inCoast).toHaveCount(120);
	await expect(inCoast.nth(3)).toBeFocused();

	// In one chat nothing is held back.
	await page.goto(`./search?q=lighthouse&session=${storedId(1)}`);
	await expect(inCoast).toHaveCount(50);
	await openPalette(page);
	await page.keyboard.type('lighthouse');
	await expect(options(page).locator('.session:not(.sr-only)', { hasText: 'Coast' })).toHaveCount(1);
});

test('[E7] Ctrl K shows three hits of a chat, and leads to all of them where there are more', async ({ page }) => {
	await page.goto('./');
	await withSessions(page, [stored(1, Array.from({ length: 5 }, (_, index) => `Lighthouse ${index + 1}`), { title: 'Coast' })]);
	await openPalette(page);
	await page.keyboard.type('lighthouse');
	await expect(options(page).filter({ hasText: 'Lighthouse' })).toHaveCount(3);
	await options(page).filter({ hasText: 'See all 5 results' }).click();
	await expect(page.getByRole('list', { name: /^Coast/ }).getByRole('link')).toHaveCount(3);
});

test('[P8] no word that is looked for is in an address, also where it came in one; a hit, back and a reload know it still', async ({ page }) => {
	const addresses = new Set<string>();
	page.on('framenavigated', (frame) => addresses.add(frame.url()));
	page.on('request', (request) => addresses.add(request.url()));
	await page.goto('./');
	await withSessions(page, [stored(1, ['A lighthouse', 'Lighthouse keepers.']), stored(2, ['A lamp', 'Yes.'])]);
	await page.goto('./search');
	await field(page).fill('lighthouse');
	await expect(results(page)).toHaveCount(2);
	await expect(page).toHaveURL(/\/search\?w=/);
	await results(page).first().click();
	const bar = page.getByPlaceholder('Find in this chat');
	await expect(bar).toHaveValue('lighthouse');
	await bar.fill('keepers');
	await expect(page.getByText(/1 message|1 of 1/)).toBeVisible();
	await expect(page).toHaveURL(/\/s\/.*w=/);
	await page.reload();
	await expect(bar).not.toHaveValue('');
	await page.goBack();
	await expect(field(page)).toHaveValue('lighthouse');
	await expect(results(page)).toHaveCount(2);
	await page.reload();
	await expect(field(page)).toHaveValue('lighthouse');
	expect([...addresses].filter((address) => /lighthouse|keepers/.test(address))).toEqual([]);

	await page.goto('./search?q=lamp');
	await expect(results(page)).toHaveCount(1);
	await expect(page).toHaveURL(/\/search\?w=[0-9a-f-]+$/);
	await expect(field(page)).toHaveValue('lamp');
});

test('[E7] what is written in another tab is found in this one at once, and what is deleted or redacted is gone at once', async ({ page, context, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'The password is xylophone');
	const second = await context.newPage();
	await second.goto('./search?q=xylophone');
	await expect(messages(second)).toHaveCount(2);
	await ask(page, 'I said xylophone');
	await expect(messages(second)).toHaveCount(3);
	await second.getByRole('button', { name: /^1 more/ }).click();
	await expect(messages(second)).toHaveCount(4);

	const { you } = said(page);
	await inMessageMenu(page, you.first(), 'Erase text');
	await expect(messages(second)).toHaveCount(3);
	await newChat(page);
	await ask(page, 'Another xylophone');
	await expect(messages(second)).toHaveCount(5);
	await inSessionMenu(page, 'Delete chat');
	await expect(messages(second)).toHaveCount(3);
	await expect(second.getByText('Another xylophone')).toBeHidden();
	await page.getByRole('button', { name: 'Undo' }).last().click();
	await expect(messages(second)).toHaveCount(5);
});

test('[E7] titles, labels and notes are found; a note opens with its session', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Hello');
	const sessionId = page.url().split('/').at(-1)!;
	await page.evaluate(async (id) => {
		await window.snug.sessions.rename(id, 'Marzipan at Easter');
		await window.snug.scratchpad.set(id, 'Shopping', 'Two pounds of marzipan');
	}, sessionId);
	await page.getByRole('textbox', { name: 'Message' }).fill('/label n0 marzipan begins');
	await page.getByRole('button', { name: 'Send' }).click();
	await expect(page.getByText('n0 is labelled “marzipan begins”.')).toBeVisible();
	await searchFor(page, 'marzipan');
	await expect(results(page)).toHaveCount(3);
	for (const text of [/Chat.*Marzipan at Easter/, /Label.*marzipan begins/, /Note “Shopping”.*Two pounds of marzipan/]) {
		await expect(results(page).filter({ hasText: text })).toHaveCount(1);
	}
	await results(page).filter({ hasText: 'Two pounds' }).click();
	await expect(page.getByRole('textbox', { name: 'Text of note Shopping' })).toHaveValue('Two pounds of marzipan');
	await expect(page.getByRole('search', { name: 'In this chat' })).toHaveCount(0);
	await searchFor(page, 'easter');
	await results(page).filter({ hasText: 'Marzipan at Easter' }).click();
	await expect(said(page).you).toHaveText(['Hello']);
	await expect(page).toHaveURL(new RegExp(`${sessionId}$`));
});

test('[E7] nothing that is typed or pasted breaks it', async ({ page }) => {
	await page.goto('./');
	await withSessions(page, [stored(1, ['What does (a+)+$ match, or [z-a] or a\\b?', 'Nothing good: .*'])]);
	await page.goto('./search');
	for (const hostile of ['(a+)+$', '[z-a]', '\\', '.*', '-', '"', '""', '- -', '“', '%', '\u0000\u202e', '🙂']) {
		await field(page).fill(hostile);
		await expect(page.getByRole('alert')).toHaveCount(0);
	}
	await field(page).fill('match (a+');
	await expect(results(page)).toHaveCount(1);
	await field(page).evaluate((input: HTMLInputElement) => {
		input.value = 'match \ud83d';
		input.dispatchEvent(new InputEvent('input', { bubbles: true }));
	});
	await expect(page).toHaveURL(/\?w=/);
	await expect(page.getByRole('alert')).toHaveCount(0);

	const begun = Date.now();
	await field(page).fill('lighthouse '.repeat(10_000));
	await expect(page.locator('section p').filter({ hasText: /characters|words/ }).first()).toBeVisible();
	expect(Date.now() - begun).toBeLessThan(5000);
	await expect(results(page)).toHaveCount(0);
	await field(page).fill('match');
	await expect(results(page)).toHaveCount(1);
	await openPalette(page);
	await paletteField(page).fill('x'.repeat(100_000));
	await expect(palette(page).getByText(/characters|words/)).toBeVisible();
});

test('[P3] after a moment, what is typed right after the keys of “Commands” is there, and not in the message', async ({ page, folder }) => {
	const arrived = page.waitForResponse(`**/${chunkWith(folder, 'Search or run a command')}`);
	await page.goto('./');
	await withSessions(page, [stored(1, ['Lighthouse', 'Yes.'])]);
	await page.getByRole('link', { name: 'Session 1' }).first().click();
	const message = page.getByRole('textbox', { name: 'Message' });
	await expect(message).toBeFocused();
	await arrived;
	// What it needs besides has arrived once nothing more was asked for in a while.
	let last = Date.now();
	page.on('request', () => (last = Date.now()));
	page.on('requestfinished', () => (last = Date.now()));
	await expect.poll(() => Date.now() - last).toBeGreaterThan(2000);
	await page.route('**', (route) => route.abort());
	await page.keyboard.press('ControlOrMeta+k');
	await page.keyboard.type('rename');
	await expect(page.getByRole('combobox', { name: 'Search or run a command' })).toHaveValue('rename');
	await expect(message).toHaveValue('');
});

test('[E7] “Commands” asked for while a chat is on its way is there for that chat', async ({ page }) => {
	await page.goto('./');
	await withSessions(page, [stored(1, ['Lighthouse', 'Yes.'])]);
	await openPalette(page);
	await page.keyboard.press('Escape');
	let goOn = () => {};
	const isTyped = new Promise<void>((resolve) => (goOn = resolve));
	await page.route('**/immutable/nodes/*', async (route) => {
		await isTyped;
		await route.continue();
	});
	// The frame after a click is a long one on a slow machine: the way begins once it is over.
	await page.evaluate(() => {
		const frame = window.requestAnimationFrame.bind(window);
		window.requestAnimationFrame = (draw) => frame(() => setTimeout(() => frame(draw), 300));
	});
	await page.getByRole('link', { name: 'Session 1' }).first().click();
	await page.keyboard.press('ControlOrMeta+k');
	await page.keyboard.type('rename');
	await expect(page).not.toHaveURL(/\/s\//);
	goOn();
	await expect(page).toHaveURL(/\/s\//);
	await expect(paletteField(page)).toHaveValue('rename');
	await expect(palette(page).getByRole('option', { name: /^Rename/ })).toBeVisible();
	await expect(said(page).you).toHaveText(['Lighthouse']);
	await page.keyboard.type(' it');
	await expect(paletteField(page)).toHaveValue('rename it');
});

test('[E7] who closes “Commands” goes on typing where they were', async ({ page }) => {
	await page.goto('./');
	await withSessions(page, [stored(1, ['Lighthouse', 'Yes.'])]);
	await page.getByRole('link', { name: 'Session 1' }).first().click();
	await expect(said(page).you).toHaveText(['Lighthouse']);
	const message = page.getByRole('textbox', { name: 'Message' });
	await message.fill('half a');
	await page.keyboard.press('ControlOrMeta+k');
	await expect(paletteField(page)).toBeFocused();
	await page.keyboard.press('Escape');
	await expect(message).toBeFocused();
	await page.keyboard.type(' thought');
	await expect(message).toHaveValue('half a thought');
});

test('[E7] by keyboard alone: / and Ctrl-K open it, arrows choose, Escape returns; on the search page / goes to its field', async ({ page, context }) => {
	await page.goto('./');
	await withSessions(page, Array.from({ length: 12 }, (_, index) => stored(index + 1, [`Lighthouse ${index}`, 'Yes.'])));
	const message = page.getByRole('textbox', { name: 'Message' });
	await expect(message).toBeFocused();
	// There a slash begins a command.
	await page.keyboard.press('/');
	await expect(message).toHaveValue('/');
	await expect(palette(page)).toBeHidden();
	await message.fill('');
	await page.keyboard.press('ControlOrMeta+k');
	await expect(paletteField(page)).toBeFocused();
	await page.keyboard.press('Escape');
	await expect(palette(page)).toBeHidden();
	await expect(message).toBeFocused();
	await openPalette(page);
	await page.keyboard.press('ControlOrMeta+k');
	await expect(palette(page)).toBeHidden();

	await page.getByRole('link', { name: 'All chats' }).focus();
	await page.keyboard.press('/');
	await expect(paletteField(page)).toBeFocused();
	await page.keyboard.type('lighthouse');
	await expect(options(page)).toHaveCount(9);
	await expect(options(page).first()).toHaveAttribute('aria-selected', 'true');
	// The mouse chooses too: one row stands out, which Enter goes to.
	await page.mouse.move(1, 1);
	await options(page).nth(3).hover();
	await expect(options(page).nth(3)).toHaveAttribute('aria-selected', 'true');
	await expect(palette(page).locator('[aria-selected="true"]')).toHaveCount(1);
	await options(page).first().hover();
	await expect(options(page).first()).toHaveAttribute('aria-selected', 'true');
	await page.keyboard.press('ArrowDown');
	await expect(options(page).nth(1)).toHaveAttribute('aria-selected', 'true');
	await expect(paletteField(page)).toHaveAttribute('aria-activedescendant', (await options(page).nth(1).getAttribute('id'))!);
	const [tab] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('ControlOrMeta+Enter')]);
	await expect(tab).toHaveURL(/\/s\/.*\?m=.*&w=[0-9a-f-]+$/);
	await tab.close();
	await page.bringToFront();
	await expect(palette(page)).toBeVisible();
	await page.keyboard.press('ArrowUp');
	await page.keyboard.press('ArrowUp');
	await expect(options(page).last()).toHaveText('See all 12 results');
	await page.keyboard.press('Enter');
	await expect(page).toHaveURL(/\/search\?w=[0-9a-f-]+$/);

	await expect(results(page)).toHaveCount(12);
	await page.getByRole('link', { name: 'All chats' }).focus();
	await page.keyboard.press('/');
	await expect(field(page)).toBeFocused();
	await expect(palette(page)).toBeHidden();
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('ArrowDown');
	await expect(results(page).nth(1)).toBeFocused();
	await page.keyboard.press('ArrowUp');
	await page.keyboard.press('ArrowUp');
	await expect(field(page)).toBeFocused();
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('Enter');
	await expect(page).toHaveURL(/\/s\/.*\?m=/);
});

test('[E7] nothing of the search is loaded before it is needed, and the index can be rebuilt', async ({ page }) => {
	const isSearching = () => page.workers().some((worker) => worker.url().includes('search-worker'));
	await page.goto('./');
	await page.waitForTimeout(7000);
	expect(isSearching(), 'with nothing to find').toBe(false);
	await withSessions(page, [stored(1, ['Lighthouse', 'Yes.'])]);
	await expect(page.getByRole('link', { name: 'Session 1' }).first()).toBeVisible();
	expect(isSearching(), 'just opened').toBe(false);
	await expect.poll(isSearching, { message: 'after a while', timeout: 15_000 }).toBe(true);

	await page.goto('./settings/storage');
	const index = page.getByRole('region', { name: 'Search index' });
	await expect(index.getByText(/Every message, title, label and note can be found/)).toBeVisible();
	const manifest = async () => (await rowsOf<{ name: string; index?: string }>(page, 'searchState')).find(({ name }) => name === 'manifest')?.index;
	const before = await manifest();
	await index.getByRole('button', { name: 'Rebuild' }).click();
	await expect.poll(async () => [undefined, before].includes(await manifest())).toBe(false);
	await expect(index.getByText(/Every message, title, label and note can be found/)).toBeVisible();
	await searchFor(page, 'lighthouse');
	await expect(results(page)).toHaveCount(1);
});

for (const [colorScheme, width] of [
	['light', 1280],
	['dark', 390]
] as const) {
	test(`axe finds nothing in the palette and on the search page (${colorScheme}, ${width} pixels)`, async ({ page }) => {
		await page.emulateMedia({ colorScheme });
		await page.setViewportSize({ width, height: 800 });
		await page.goto('./');
		await withSessions(page, Array.from({ length: 12 }, (_, index) => stored(index + 1, [`Lighthouse ${index}`, 'Yes.'])));
		if (width < 800) {
			await page.getByRole('button', { name: 'Show chats' }).click();
			await page.getByRole('button', { name: 'Search', exact: true }).click();
		} else {
			await openPalette(page);
		}
		await expect(palette(page).getByRole('group', { name: 'Chats' }).getByRole('option').last()).toContainText('Session');
		await expectAccessible(page, 'palette, empty');
		await paletteField(page).fill('lighthouse');
		await expect(options(page)).toHaveCount(9);
		await expectAccessible(page, 'palette, found');
		await options(page).last().click();
		await expect(results(page)).toHaveCount(12);
		await expectFits(page.getByRole('region', { name: 'Search' }), width);
		await page.getByRole('button', { name: 'Filters' }).click();
		await expectAccessible(page, 'page, found');
		await expectFits(page.getByRole('region', { name: 'Search' }), width);
		await field(page).fill('zeppelin');
		await expect(page.getByText('No results.')).toBeVisible();
		await expectAccessible(page, 'page, nothing');
		await page.goto('./settings/storage');
		await expect(page.getByText(/Every message, title, label and note can be found/)).toBeVisible();
		await expectAccessible(page, 'storage');
	});
}

/** Nothing sticks out of the window. */
async function expectFits(part: Locator, width: number): Promise<void> {
	const right = await part.evaluate((element) => Math.max(...[...element.querySelectorAll('*')].map((child) => child.getBoundingClientRect().right)));
	expect(right).toBeLessThanOrEqual(width);
}
