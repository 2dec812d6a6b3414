import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { maxStallMs } from '../fixtures/max-stall';
import { answer, ask, countRows, expectAccessible, inSessionMenu, putRows, rowsOf, said, say, storedId, storedSession, useServer, withSessions } from './chat';

test.use({ weights: 'none' });

/** The list at the side. */
function sidebar(page: Page) {
	return page.getByRole('navigation', { name: 'Sessions' });
}

/** The rows of the list of all sessions, without its head. */
function tableRows(page: Page) {
	return page.getByRole('table', { name: /^(All|Archived) chats$/ }).getByRole('row', { name: /Session \d/ });
}

/** Turns the wheel over the list at the side, as far as it goes. */
async function wheel(page: Page, pixels: number) {
	await sidebar(page).getByRole('link', { name: /Session \d/ }).nth(4).hover();
	await page.mouse.wheel(0, pixels);
}

test.describe('[A12] with 10 000 sessions', () => {
	const count = 10_000;
	const maxDrawn = 200;

	test.beforeEach(async ({ page }) => {
		await page.goto('./');
		const first = storedSession(1);
		await putRows(page, { messages: first.messages, trees: [first.trees], positions: [first.positions] });
		await putRows(page, { sessions: Array.from({ length: count }, (_, index) => storedSession(index + 1).sessions) });
		await page.goto('./');
	});

	test('[A12] the list goes to the last one, which opens, answers, and moves to the top', async ({ page, server }) => {
		const links = sidebar(page).getByRole('link', { name: /Session \d/ });
		await expect(links.first()).toHaveText(/Session 10000\b/);
		expect(await links.count()).toBeLessThan(maxDrawn);
		await useServer(page, server.url, 'echo');
		await wheel(page, 1_000_000);
		await expect(links.last()).toHaveText(/Session 1\b/);
		expect(await links.count()).toBeLessThan(maxDrawn);
		await links.last().click();
		await expect(said(page).you).toHaveText(['Question 1']);
		await ask(page, 'And now?');
		await expect(links.last()).toHaveText(/Session 2\b/);
		await wheel(page, -1_000_000);
		await expect(links.first()).toHaveText(/Session 1\b/);
		await expect(links.nth(1)).toHaveText(/Session 10000\b/);
	});

	test('[A12] a click while the list is still being scrolled is on what is under it', async ({ page }) => {
		const row = sidebar(page).getByRole('link', { name: /Session \d/ }).nth(4);
		const { x, y } = (await row.boundingBox())!;
		const found = await row.evaluate(async (link, { x, y }) => {
			let scroller = link.parentElement!;
			while (scroller.scrollHeight <= scroller.clientHeight) scroller = scroller.parentElement!;
			const seen: (string | undefined)[] = [];
			for (let frame = 0; frame < 10; frame++) {
				scroller.scrollTop += 5;
				await new Promise(requestAnimationFrame);
				await new Promise(requestAnimationFrame);
				seen.push(document.elementFromPoint(x, y)?.closest('nav a, nav .item')?.tagName);
			}
			return seen;
		}, { x: x + 30, y: y + 30 });
		expect(found).toEqual(Array(10).fill('A'));
	});

	test('[A12] while rows change, both lists draw only what is in view, and the page does not stall', async ({ page }) => {
		await page.goto('./sessions');
		await expect(tableRows(page).first()).toContainText('Session 10000');
		// Measured in the page itself, where no test looks for roles meanwhile. The look for old sessions falls into this time too.
		const stalls = await page.evaluate(async (ids) => {
			const begin = performance.now();
			const found: PerformanceEntry[] = [];
			const observer = new PerformanceObserver((list) => found.push(...list.getEntries()));
			observer.observe({ type: 'longtask' });
			for (const id of ids) await window.snug.sessions.pin(id);
			const firsts = () => ['main', 'nav'].map((place) => document.querySelector(`${place} a[href$="${ids.at(-1)}"]`));
			while (firsts().includes(null)) await new Promise(requestAnimationFrame);
			await new Promise((resolve) => requestIdleCallback(resolve));
			return found.filter(({ startTime }) => startTime > begin).map(({ duration }) => duration);
		}, Array.from({ length: 20 }, (_, index) => storedId(index + 1)));
		expect(stalls.filter((milliseconds) => milliseconds > maxStallMs)).toEqual([]);
		await expect(tableRows(page).first()).toContainText('Session 20');
		await expect(sidebar(page).getByRole('link', { name: /Session \d/ }).first()).toHaveText(/Session 20\b/);
		expect(await tableRows(page).count()).toBeLessThan(maxDrawn);
		expect(await sidebar(page).getByRole('link').count()).toBeLessThan(maxDrawn);
	});
});

test('[A12] [A8] rows of one line stand under Pinned, Today, Yesterday, Last 7 days and months; the arrow keys go over the headings', async ({ page }) => {
	// It is noon: the browser may have another day by now than where the tests run.
	const noon = new Date().setUTCHours(12, 0, 0, 0);
	await page.clock.setFixedTime(noon);
	const ago = (days: number) => new Date(noon).setUTCDate(new Date(noon).getUTCDate() - days);
	const ages: [number, Partial<Parameters<typeof storedSession>[1]>][] = [
		[1, { updatedAt: Date.UTC(2019, 2, 15), pinned: 1 }],
		[2, { updatedAt: ago(0) }],
		[3, { updatedAt: ago(0) - 1 }],
		[4, { updatedAt: ago(1) }],
		[5, { updatedAt: ago(5) }],
		[6, { updatedAt: Date.UTC(2019, 2, 15) }],
		[7, { updatedAt: Date.UTC(2019, 1, 15), title: 'Session 7 has a name that is much too long for a line at the side' }]
	];
	await page.goto('./');
	await withSessions(page, ages.map(([number, fields]) => storedSession(number, fields)));
	const lines = sidebar(page).locator('.rows :is(h2, .name)');
	await expect(lines).toHaveText([
		'Pinned', 'Session 1', 'Today', 'Session 2', 'Session 3', 'Yesterday', 'Session 4', 'Last 7 days', 'Session 5', 'March 2019', 'Session 6', 'February 2019', /^Session 7/
	]);
	await expect(sidebar(page).getByRole('heading')).toHaveText(['Pinned', 'Today', 'Yesterday', 'Last 7 days', 'March 2019', 'February 2019']);
	const links = sidebar(page).getByRole('link', { name: /Session \d/ });
	for (const box of await Promise.all((await links.all()).map((link) => link.boundingBox()))) expect(Math.abs(box!.height - 36)).toBeLessThan(4);
	await expect(sidebar(page).getByTitle(/^Session 6, .*2019/)).toBeVisible();
	await expect(sidebar(page).getByRole('link', { name: /^Session 6 15 Mar 2019|^Session 6 Mar 15, 2019/ })).toBeVisible();
	await links.first().focus();
	await page.keyboard.press('ArrowDown');
	await expect(links.nth(1)).toBeFocused();
	await page.keyboard.press('ArrowUp');
	await expect(links.first()).toBeFocused();
	await expectAccessible(page, 'list with headings');
	// What is no longer pinned goes to its date.
	await page.evaluate((id) => window.snug.sessions.pin(id, false), storedId(1));
	await expect(lines.first()).toHaveText('Today');
	await expect(lines.nth(7)).toHaveText('March 2019');
	await expect(lines.nth(8)).toHaveText('Session 6');
	await expect(lines.nth(9)).toHaveText('Session 1');
});

/** The menu of a chat. */
function chatMenu(page: Page) {
	return page.getByRole('group', { name: 'Chat', exact: true });
}

test('[A12] [P10] a right click on a row opens its menu there, the menu key too; with Shift the browser’s own comes', async ({ page }) => {
	await page.goto('./');
	await withSessions(page, [storedSession(1), storedSession(2)]);
	const link = sidebar(page).getByRole('link', { name: 'Session 1' });
	const address = page.url();
	await link.click({ button: 'right', position: { x: 20, y: 10 } });
	const box = (await link.boundingBox())!;
	const placed = (await chatMenu(page).boundingBox())!;
	expect(Math.abs(placed.x - box.x - 20)).toBeLessThan(2);
	expect(page.url()).toBe(address);
	await expect(chatMenu(page).getByRole('button', { name: 'Rename' })).toBeFocused();
	await page.keyboard.press('Escape');
	await expect(chatMenu(page)).toHaveCount(0);
	await link.focus();
	await link.dispatchEvent('contextmenu', { clientX: box.x + 20, clientY: box.y + 10, cancelable: true });
	await chatMenu(page).getByRole('button', { name: 'Pin', exact: true }).click();
	await expect(sidebar(page).getByRole('heading').first()).toHaveText('Pinned');
	const isOwn = await link.evaluate((row) => row.dispatchEvent(new MouseEvent('contextmenu', { button: 2, shiftKey: true, bubbles: true, cancelable: true })));
	expect(isOwn).toBe(true);
	await expect(chatMenu(page)).toHaveCount(0);
	// A field has its own.
	await link.focus();
	await page.keyboard.press('F2');
	const field = sidebar(page).getByRole('textbox', { name: 'Chat name' });
	expect(await field.evaluate((input) => input.dispatchEvent(new MouseEvent('contextmenu', { button: 2, bubbles: true, cancelable: true })))).toBe(true);
	await field.press('Escape');
	await sidebar(page).getByRole('link', { name: 'All chats' }).click();
	await tableRows(page).first().click({ button: 'right' });
	await expect(chatMenu(page)).toBeVisible();
});

test.describe('on a touch screen', () => {
	test.use({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });

	test('[A12] [P10] a finger that rests on a row opens its menu; one that taps opens the chat; one that moves does neither', async ({ page }) => {
		await page.goto('./');
		await withSessions(page, [storedSession(1), storedSession(2)]);
		await page.getByRole('button', { name: 'Show chats' }).click();
		const link = sidebar(page).getByRole('link', { name: 'Session 1' });
		// Once the drawer stands still.
		await link.tap({ trial: true });
		const { x, y, height } = (await link.boundingBox())!;
		expect(height).toBeGreaterThanOrEqual(44);
		const finger = await page.context().newCDPSession(page);
		const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...at: { x: number; y: number }[]) => finger.send('Input.dispatchTouchEvent', { type, touchPoints: at });
		const address = page.url();
		const rests = () => page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 700)));
		await touch('touchStart', { x: x + 30, y: y + 15 });
		await touch('touchMove', { x: x + 30, y: y + 60 });
		await rests();
		await touch('touchEnd');
		await expect(chatMenu(page)).toHaveCount(0);
		await touch('touchStart', { x: x + 30, y: y + 15 });
		await rests();
		await touch('touchEnd');
		await expect(chatMenu(page)).toBeVisible();
		expect(page.url()).toBe(address);
		await page.keyboard.press('Escape');
		await link.tap();
		await expect(said(page).you).toHaveText(['Question 1']);
	});
});

test('[A14] an archived chat is out of the list, under All chats and found; Undo or a message brings it back', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await withSessions(page, [storedSession(1), storedSession(2), storedSession(3, { pinned: 1 })]);
	const main = page.getByRole('main');
	const links = sidebar(page).getByRole('link', { name: /Session \d/ });
	const archive = async (name: string) => {
		await sidebar(page).getByRole('link', { name }).click({ button: 'right' });
		await chatMenu(page).getByRole('button', { name: 'Archive', exact: true }).click();
	};
	await archive('Session 3');
	await expect(links).toHaveText([/Session 2/, /Session 1/]);
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(links).toHaveText([/Session 3/, /Session 2/, /Session 1/]);
	await expect(sidebar(page).getByRole('heading').first()).toHaveText('Pinned');
	await archive('Session 1');
	await expect(links).toHaveText([/Session 3/, /Session 2/]);

	await sidebar(page).getByRole('link', { name: 'All chats' }).click();
	await expect(tableRows(page)).toContainText([/Session 3/, /Session 2/]);
	const find = main.getByRole('searchbox', { name: 'Find chats' });
	await find.fill('session 1');
	await expect(tableRows(page)).toContainText([/Session 1.*archived/]);
	await find.fill('');
	const archived = main.getByRole('button', { name: 'Archived' });
	await archived.click();
	await expect(archived).toHaveAttribute('aria-pressed', 'true');
	await expect(tableRows(page)).toContainText([/Session 1/]);
	await expect(main.getByRole('heading', { level: 1 })).toHaveText('Archived chats');
	await expectAccessible(page, 'archived chats');
	// Several at once, and back.
	await archived.click();
	await expect(main.getByRole('heading', { level: 1 })).toHaveText('All chats');
	await main.getByRole('checkbox', { name: 'Select all' }).check();
	await main.getByRole('button', { name: 'Archive', exact: true }).click();
	await expect(page.getByText('2 chats archived.')).toBeVisible();
	await expect(links).toHaveCount(0);
	// No filter is set, and there are chats.
	await expect(sidebar(page).getByText('No chats here. Find archived ones under All chats, Archived.')).toBeVisible();
	await expect(main.getByText('No chats here. Find archived ones under Archived.')).toBeVisible();
	await archived.click();
	await expect(tableRows(page)).toHaveCount(3);
	await main.getByRole('checkbox', { name: 'Select “Session 2”' }).check();
	await main.getByRole('button', { name: 'Unarchive' }).click();
	await expect(links).toHaveText([/Session 2/]);

	await tableRows(page).getByRole('link', { name: 'Session 1' }).click();
	await ask(page, 'And now?');
	await expect(links).toHaveText([/Session 1/, /Session 2/]);
});

/** Has answers fail from now on, once the returned function is called. */
async function holdFailure(page: Page): Promise<() => void> {
	let fail!: () => void;
	const isElsewhere = new Promise<void>((resolve) => (fail = resolve));
	await page.route('**/chat/completions', async (route) => {
		await isElsewhere;
		await route.fulfill({ status: 500, body: '{}' });
	});
	return fail;
}

test('[A12] the list tells of a chat that is not on the screen that it answers, has answered or failed', async ({ page, server, hold, expectConsole }) => {
	const row = (question: string) => sidebar(page).getByRole('link', { name: new RegExp(`^${question}`) });
	await page.goto('./');
	const letGoOn = hold('slow-tokens@100');
	await useServer(page, server.url, 'slow-tokens@100');
	await say(page, 'Pears?');
	await expect(said(page).assistant.last()).toContainText('Pears');
	await expect(row('Pears')).not.toHaveAccessibleName(/answering/);

	await page.getByRole('link', { name: 'New chat' }).click();
	await expect(row('Pears')).toHaveAccessibleName(/, answering,/);
	await expectAccessible(page, 'a chat that answers elsewhere');
	letGoOn();
	await expect(row('Pears')).toHaveAccessibleName(/, new answer,/);
	await row('Pears').click();
	await expect(row('Pears')).not.toHaveAccessibleName(/new answer/);
	await page.getByRole('link', { name: 'New chat' }).click();
	await expect(row('Pears')).not.toHaveAccessibleName(/new answer/);

	expectConsole.push(/500 \(Internal Server Error\)/);
	const fail = await holdFailure(page);
	await say(page, 'Plums?');
	await page.getByRole('link', { name: 'New chat' }).click();
	await expect(row('Plums')).toHaveAccessibleName(/, answering,/);
	fail();
	await expect(row('Plums')).toHaveAccessibleName(/, failed,/);
	await row('Plums').click();
	await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
	await page.getByRole('link', { name: 'New chat' }).click();
	await expect(row('Plums')).not.toHaveAccessibleName(/failed/);
});

test('[A12] [P10] the marks in the list differ by their shape, the title of the row says the same, and a mark stays where it is when the mouse comes', async ({ page, server, hold, expectConsole }) => {
	const item = (name: string) => sidebar(page).locator('.item').filter({ has: page.getByRole('link', { name: new RegExp(`^${name}`) }) });
	await page.goto('./');
	await withSessions(page, [storedSession(1, { status: 'waiting' })]);
	await page.goto('./');
	const letGoOn = hold('slow-tokens@100');
	await useServer(page, server.url, 'slow-tokens@100');
	const shapes: string[] = [];
	const look = async (name: string, words: string) => {
		const mark = item(name).locator('.news');
		await expect(mark).toHaveAttribute('title', words);
		await expect(item(name).locator('.name')).toHaveAttribute('title', new RegExp(`, ${words}, `));
		await page.mouse.move(640, 400);
		const before = await mark.boundingBox();
		await item(name).hover();
		expect(await mark.boundingBox()).toEqual(before);
		shapes.push(
			await mark.evaluate((element) => {
				const dot = element.querySelector('i');
				if (!dot) return element.querySelector('svg')!.innerHTML;
				return getComputedStyle(dot).backgroundColor === 'rgba(0, 0, 0, 0)' ? 'ring' : 'dot';
			})
		);
	};
	await say(page, 'Pears?');
	await expect(said(page).assistant.last()).toContainText('Pears');
	await page.getByRole('link', { name: 'New chat' }).click();
	await look('Session 1', 'waiting for you');
	await look('Pears', 'answering');
	letGoOn();
	await look('Pears', 'new answer');
	const weight = (name: string) => item(name).locator('.name').evaluate((element) => getComputedStyle(element).fontWeight);
	expect([await weight('Pears'), await weight('Session 1')]).toEqual(['600', '400']);

	expectConsole.push(/500 \(Internal Server Error\)/);
	const fail = await holdFailure(page);
	await say(page, 'Plums?');
	await page.getByRole('link', { name: 'New chat' }).click();
	fail();
	await look('Plums', 'failed');
	expect(shapes.slice(1, 3)).toEqual(['ring', 'dot']);
	expect(new Set(shapes).size).toBe(4);
	await expectAccessible(page, 'marks in the list');
});

test.describe('with the list closed', () => {
	test.use({ viewport: { width: 390, height: 780 } });

	test('[A12] [P10] the button that shows the list tells how many chats wait and how many have news', async ({ page, server, hold }) => {
		const button = (name: string) => page.getByRole('button', { name, exact: true });
		await page.goto('./');
		await withSessions(page, [storedSession(1, { status: 'waiting' }), storedSession(2, { status: 'waiting' })]);
		await page.goto('./');
		await expect(button('Show chats, 2 wait for you')).toBeVisible();
		const letGoOn = hold('slow-tokens@100');
		await useServer(page, server.url, 'slow-tokens@100');
		await say(page, 'Pears?');
		await expect(said(page).assistant.last()).toContainText('Pears');
		await button('Show chats, 2 wait for you').click();
		await sidebar(page).getByRole('link', { name: /^Session 1/ }).click();
		await expect(button('Show chats, 1 waits for you')).toBeVisible();
		letGoOn();
		await expect(button('Show chats, 1 waits for you, 1 has news')).toBeVisible();
		expect(await button('Show chats, 1 waits for you, 1 has news').evaluate((element) => getComputedStyle(element, '::after').width)).toBe('8px');
		await button('Show chats, 1 waits for you, 1 has news').click();
		await sidebar(page).getByRole('link', { name: /^Pears/ }).click();
		await expect(button('Show chats, 2 wait for you')).toBeVisible();
	});
});

test('[A12] [R2] a chat that stops at its limit of steps while one is elsewhere waits for you, until it is looked at', async ({ page, server, hold }) => {
	await page.goto('./');
	await putRows(page, { settings: [{ name: 'maxSteps', value: 1 }, { name: 'tools', value: ['current_time'] }] });
	await page.goto('./');
	await useServer(page, server.url, 'agent');
	const letGoOn = hold('agent');
	await say(page, 'call current_time {}\nIt is late.');
	const row = sidebar(page).getByRole('link', { name: /^call current_time/i });
	await expect(row).toBeVisible();
	await page.getByRole('link', { name: 'New chat' }).click();
	await expect(row).toHaveAccessibleName(/answering/);
	letGoOn();
	await expect(row).toHaveAccessibleName(/waiting for you/);
	await row.click();
	await expect(page.getByText('It stopped after one step')).toBeVisible();
	await page.getByRole('link', { name: 'New chat' }).click();
	await expect(row).not.toHaveAccessibleName(/waiting for you/);
});

test('[A12] a chat that has answered on the screen is no news afterwards, also where its row was scrolled out of the list', async ({ page, server, hold }) => {
	const row = sidebar(page).getByRole('link', { name: /^Plums/ });
	await page.goto('./');
	await withSessions(page, Array.from({ length: 120 }, (_, number) => storedSession(number)));
	await page.goto('./');
	const letGoOn = hold('slow-tokens@100');
	await useServer(page, server.url, 'slow-tokens@100');
	await say(page, 'Plums?');
	await expect(said(page).assistant.last()).toContainText('Plums');
	await expect(row).toBeVisible();
	await wheel(page, 3000);
	await expect(row).toHaveCount(0);
	letGoOn();
	await answer(page);
	await page.getByRole('link', { name: 'New chat' }).click();
	await expect(said(page).assistant).toHaveCount(0);
	await wheel(page, -6000);
	await expect(row).toBeVisible();
	await expect(row).not.toHaveAccessibleName(/new answer/);
});

test('[E2] [E10] a chat is dragged onto a workspace from the side and from All chats, or moved from its menu; Undo moves it back', async ({ page }) => {
	await page.goto('./');
	await withSessions(page, [storedSession(1), storedSession(2), storedSession(3, { workspace: 'work', key: 'web:work' })]);
	const link = (name: string) => sidebar(page).getByRole('link', { name });
	const placeOf = (number: number) => page.evaluate(async (id) => {
		const { workspace, key } = (await window.snug.sessions.get(id))!;
		return [workspace, key];
	}, storedId(number));
	const apart = (workspace: string, number: number) => [workspace, `web:${workspace}:${storedSession(number).sessions.createdAt}`];
	const drag = async (from: ReturnType<Page['locator']>, to: string) => {
		await from.hover();
		await page.mouse.down();
		const { x, y } = (await from.boundingBox())!;
		await page.mouse.move(x + 30, y + 20, { steps: 3 });
		const target = sidebar(page).locator('li', { hasText: new RegExp(`^${to}$`) });
		await expect(target).toBeVisible();
		await target.hover();
		await expect(target).toHaveClass(/over/);
		await page.mouse.up();
		await expect(target).toHaveCount(0);
	};
	await drag(link('Session 1'), 'work');
	await expect(page.getByText('Chat moved to “work”.')).toBeVisible();
	expect(await placeOf(1)).toEqual(apart('work', 1));
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect.poll(() => placeOf(1)).toEqual(['home', 'web:home:1']);

	await sidebar(page).getByRole('link', { name: 'All chats' }).click();
	const main = page.getByRole('main');
	for (const number of [1, 2]) await main.getByRole('checkbox', { name: `Select “Session ${number}”` }).check();
	await drag(main.getByRole('link', { name: 'Session 2' }), 'work');
	await expect(page.getByText('2 chats moved to “work”.')).toBeVisible();
	expect(await placeOf(2)).toEqual(apart('work', 2));
	await expect(tableRows(page).filter({ hasText: 'work' })).toHaveCount(3);

	// The thread of a workspace makes room for another.
	await link('Session 3').click({ button: 'right' });
	await chatMenu(page).getByRole('button', { name: 'Move to workspace…' }).click();
	const dialog = page.getByRole('dialog', { name: 'Move to a workspace' });
	await expectAccessible(page, 'dialog, a workspace');
	await dialog.getByRole('combobox', { name: 'Workspace' }).fill('Garden');
	await page.keyboard.press('Enter');
	await expect.poll(() => placeOf(3)).toEqual(apart('Garden', 3));
	await drag(link('Session 3'), 'New workspace…');
	await dialog.getByRole('button', { name: 'No workspace' }).click();
	await expect.poll(() => placeOf(3)).toEqual(apart('home', 3));
	await drag(link('Session 3'), 'New workspace…');
	await dialog.getByRole('combobox', { name: 'Workspace' }).fill('WORK');
	await page.keyboard.press('Enter');
	await expect.poll(() => placeOf(3)).toEqual(apart('work', 3));
	await page.goto('./w/work');
	await expect(page.getByRole('heading', { name: 'work' })).toBeVisible();
});

test.describe('on the page of all sessions', () => {
	test.beforeEach(async ({ page }) => {
		await page.goto('./');
		await withSessions(page, [1, 2, 3, 4, 5].map((number) => storedSession(number)));
		await sidebar(page).getByRole('link', { name: 'All chats' }).click();
	});

	test('[A14] several are selected and deleted, and one Undo brings all of them back', async ({ page }) => {
		const main = page.getByRole('main');
		await main.getByRole('checkbox', { name: 'Select “Session 5”' }).check();
		await main.getByRole('checkbox', { name: 'Select “Session 3”' }).click({ modifiers: ['Shift'] });
		await main.getByRole('checkbox', { name: 'Select “Session 1”' }).check();
		await main.getByRole('checkbox', { name: 'Select “Session 4”' }).uncheck();
		await main.getByRole('button', { name: 'Delete 3' }).click();
		await expect(page.getByText('3 chats deleted.')).toBeVisible();
		await expect(tableRows(page)).toContainText([/Session 4/, /Session 2/]);
		await expect(sidebar(page).getByRole('link', { name: /Session \d/ })).toHaveText([/Session 4/, /Session 2/]);
		await page.getByRole('button', { name: 'Undo' }).click();
		await expect(tableRows(page)).toContainText([/Session 5/, /Session 4/, /Session 3/, /Session 2/, /Session 1/]);
		await tableRows(page).first().getByRole('link').click();
		await expect(said(page).assistant).toContainText('Answer 5');
	});

	test('[P10] what can be done with chats that are selected is one line on a phone, which moves nothing', async ({ page }) => {
		await page.setViewportSize({ width: 390, height: 780 });
		const main = page.getByRole('main');
		const top = async () => (await tableRows(page).first().boundingBox())!.y;
		// It comes once the page is idle, above all.
		await page.getByRole('button', { name: 'Dismiss' }).click();
		await expect(page.getByRole('button', { name: 'Dismiss' })).toBeHidden();
		const before = await top();
		await main.getByRole('checkbox', { name: 'Select “Session 5”' }).check();
		expect(await top()).toBe(before);
		const bar = main.getByRole('group', { name: 'Selected chats' });
		await expect(bar.getByRole('button')).toHaveCount(6);
		const boxes = await Promise.all([...(await bar.getByRole('button').all()), bar.getByText('1 selected')].map((part) => part.boundingBox()));
		expect(new Set(boxes.map((box) => Math.round(box!.y + box!.height / 2))).size).toBe(1);
		for (const box of boxes) expect(box!.x + box!.width).toBeLessThanOrEqual(390);
		const left = async (name: string) => (await main.getByRole('checkbox', { name, exact: true }).boundingBox())!.x;
		expect(await left('Select all')).toBe(await left('Select “Session 5”'));
		await expectAccessible(page, 'selected chats on a phone');
		await bar.getByRole('button', { name: 'Pin', exact: true }).click();
		await expect(bar.getByText('Select all')).toBeVisible();
	});

	test('[A14] what is found is selected at once', async ({ page }) => {
		const main = page.getByRole('main');
		await main.getByRole('searchbox', { name: 'Find chats' }).fill('session 2');
		await expect(tableRows(page)).toHaveCount(1);
		await main.getByRole('checkbox', { name: 'Select all' }).check();
		await main.getByRole('button', { name: 'Delete 1' }).click();
		await expect(page.getByText('Chat deleted.')).toBeVisible();
		await main.getByRole('searchbox', { name: 'Find chats' }).fill('');
		await expect(tableRows(page)).toContainText([/Session 5/, /Session 4/, /Session 3/, /Session 1/]);
	});

	test('[A14] everything is deleted only when the word was typed, in Storage; it can be had back, and then is gone', async ({ page }) => {
		const links = sidebar(page).getByRole('link', { name: /Session \d/ });
		await expect(page.getByRole('main').getByRole('button', { name: 'Delete everything…' })).toHaveCount(0);
		await page.evaluate((id) => window.snug.sessions.archive(id), storedId(1));
		await expect(links).toHaveCount(4);
		await page.keyboard.press('Control+k');
		await page.getByRole('combobox').fill('storage');
		await page.getByRole('option', { name: 'Storage', exact: true }).click();
		const ask = async () => {
			await page.getByRole('main').getByRole('button', { name: 'Delete everything…' }).click();
			return page.getByRole('dialog', { name: 'Delete everything?' });
		};
		let dialog = await ask();
		const sure = dialog.getByRole('button', { name: 'Delete everything' });
		const word = dialog.getByRole('textbox', { name: 'Type “delete” to confirm' });
		await expect(sure).toBeDisabled();
		await word.fill('delet');
		await word.press('Enter');
		await expect(sure).toBeDisabled();
		await page.keyboard.press('Escape');
		await expect(links).toHaveCount(4);

		dialog = await ask();
		await word.fill('delete');
		await sure.click();
		await expect(links).toHaveCount(0);
		await page.getByRole('button', { name: 'Undo' }).click();
		await expect(links).toHaveCount(4);
		expect(await page.evaluate(() => window.snug.sessions.count({ archived: true }))).toBe(1);

		dialog = await ask();
		await word.fill('Delete');
		await word.press('Enter');
		await expect(links).toHaveCount(0);
		await expect.poll(() => countRows(page), { timeout: 20_000 }).toMatchObject({ sessions: 0, messages: 0, trees: 0, trash: 0 });
	});
});

test('[R2] [Z1] [E8] a chat’s details tell how it ended, what made it and what it cost; its row only that something is wrong', async ({ page, server, expectConsole }) => {
	expectConsole.push(/status of 500/);
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'One two three');
	await useServer(page, server.url, '500');
	await say(page, 'And four?');
	await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
	await inSessionMenu(page, 'Details');
	const dialog = page.getByRole('dialog', { name: 'Chat details' });
	const fact = (name: string) => dialog.locator(`dt:text-is("${name}") + dd`);
	const [row] = await rowsOf<{ key: string; id: string; usage: { inputTokens: number; outputTokens: number } }>(page, 'sessions');
	for (const [name, value] of [
		['ID', row!.id],
		['Internal key', row!.key],
		['Workspace', 'No workspace'],
		['Opened in', 'Browser'],
		['Status', 'Failed'],
		['Why it ended', /The backend crashed/],
		['Steps', '1'],
		['Model', '500'],
		['Messages', /^4, \d+/],
		['Tokens in', String(row!.usage.inputTokens)],
		['Tokens out', String(row!.usage.outputTokens)]
	] as const) {
		await expect(fact(name), name).toHaveText(value);
	}
	// Of what it has nothing there is no line.
	for (const name of ['Cost', 'Pinned', 'Files changed']) await expect(fact(name), name).toHaveCount(0);
	await dialog.getByRole('button', { name: 'Close' }).click();

	await withSessions(page, [
		storedSession(1, {
			status: 'partial',
			stopReason: 'The limit of steps was reached.',
			steps: 25,
			provider: 'openrouter',
			model: 'large-model',
			messageCount: 51,
			usage: { inputTokens: 120_000, outputTokens: 4500, costUsd: 0.0042 },
			filesTouched: ['notes/plan.md']
		})
	]);
	await sidebar(page).getByRole('link', { name: 'All chats' }).click();
	const row1 = tableRows(page).filter({ hasText: 'Session 1' });
	for (const text of ['Incomplete', 'Question 1', '51 messages']) await expect(row1).toContainText(text);
	await expect(row1.getByTitle('The limit of steps was reached.')).toBeVisible();
	for (const text of ['25 steps', 'large-model', '$0.0042', 'Browser']) await expect(row1).not.toContainText(text);
	await expect(page.getByRole('table', { name: 'All chats' }).getByRole('row', { name: /One two three/ })).toContainText('Failed');
	await page.getByRole('main').getByRole('button', { name: 'Actions for “Session 1”' }).click();
	await page.getByRole('group', { name: 'Chat', exact: true }).getByRole('button', { name: 'Details' }).click();
	await expect(fact('Model')).toHaveText('large-model');
	await expect(fact('Steps')).toHaveText('25');
	await expect(fact('Cost')).toHaveText('$0.0042');
	await expect(fact('Tokens in')).toHaveText('120,000');
	await expect(fact('Files changed')).toHaveText('notes/plan.md');
	await expect(fact('Provider')).toHaveText('openrouter');
});
