import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { ask, expectAccessible, holdRows, refuseRows, rowsOf, said, say, storedId, storedSession, useServer, withSessions } from './chat';

test.use({ weights: 'none' });

const composer = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const output = (page: Page) => page.getByRole('region', { name: 'Command output' });
const listing = (page: Page) => output(page).getByRole('group', { name: 'Listing' });
const suggestions = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
const heading = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 });

/** Opens a new chat beside two that are called “Bees” and “Beetles”. */
async function openWithBees(page: Page): Promise<void> {
	await page.goto('./');
	await withSessions(page, [storedSession(1, { title: 'Bees' }), storedSession(2, { title: 'Beetles' })]);
	await expect(composer(page)).toBeFocused();
}

test('a slash opens the list of commands, which is gone through, completed and closed by keys', async ({ page }) => {
	await page.goto('./');
	const list = page.getByRole('listbox', { name: 'Commands' });
	const active = list.getByRole('option', { selected: true });
	await expect(composer(page)).toBeFocused();
	await page.keyboard.type('/');
	await expect(active).toContainText('/new');
	await expectAccessible(page, 'list of commands');
	await page.keyboard.press('ArrowDown');
	await expect(active).toContainText('/session');
	await expect(composer(page)).toHaveAttribute('aria-activedescendant', (await active.getAttribute('id'))!);
	await page.keyboard.press('ArrowUp');
	await page.keyboard.press('ArrowUp');
	await expect(active).toContainText('/help');

	await page.keyboard.type('li');
	await expect(active).toContainText('/list');
	await page.keyboard.press('Escape');
	await expect(list).toBeHidden();
	await expect(composer(page)).toHaveValue('/li');
	await page.keyboard.press('Backspace');
	await page.keyboard.press('Backspace');
	await page.keyboard.type('he');
	await expect(active).toContainText('/help');
	await page.keyboard.press('Tab');
	await expect(composer(page)).toHaveValue('/help');
	await expect(composer(page)).toBeFocused();
	await page.keyboard.press('Enter');
	await expect(output(page)).toContainText('/cleanup [--older-than N]');
	await expect(output(page)).toContainText('Put a space before “/” to send it as text.');
	await expect(composer(page)).toHaveValue('');
	await expectAccessible(page, 'command output');
	await page.keyboard.press('Escape');
	await expect(output(page)).toBeHidden();

	await page.keyboard.type('/lis');
	await expect(active).toContainText('/list');
	await page.keyboard.press('Enter');
	await expect(composer(page)).toHaveValue('/list ');
	await page.keyboard.press('Enter');
	await expect(output(page)).toContainText('There are no chats yet.');
	await output(page).getByRole('button', { name: 'Close command output' }).click();
	await expect(output(page)).toBeHidden();
});

test('[E4] an argument is completed by arrows and Enter, and run as it is without them', async ({ page }) => {
	await openWithBees(page);
	await page.keyboard.type('/session bee');
	const options = suggestions(page);
	await expect(options).toHaveText([/^Beetles/, /^Bees/]);
	await expect(options.and(page.getByRole('option', { selected: true }))).toHaveCount(0);
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('Enter');
	await expect(composer(page)).toHaveValue('/session Bees');
	await page.keyboard.press('Enter');
	await expect(said(page).you).toHaveText(['Question 1']);
	await expect(composer(page)).toBeFocused();
	await page.keyboard.type('/session bee');
	await expect(options).toHaveCount(2);
	await page.keyboard.press('Enter');
	await expect(output(page)).toContainText('“bee” matches several chats. Which one?');
});

test('[E4] keys that are faster than the suggestions mean what is listed once these are there', async ({ page }) => {
	await openWithBees(page);
	await page.keyboard.type('/session be');
	const options = suggestions(page);
	await expect(options).toHaveText([/^Beetles/, /^Bees/]);
	let release = await holdRows(page, 'sessions');
	await page.keyboard.type('e');
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('ArrowDown');
	await release();
	await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true');
	release = await holdRows(page, 'sessions');
	await page.keyboard.type('s');
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('Enter');
	await expect(output(page)).toBeHidden();
	await release();
	await expect(composer(page)).toHaveValue('/session Bees');
});

test('[E11] a command that takes no argument leaves what is written behind it in the composer', async ({ page }) => {
	await page.goto('./');
	for (const name of ['help', 'new', 'usage']) {
		await say(page, `/${name} me with this: five pages`);
		await expect(output(page)).toContainText(`/${name} takes nothing after it.`);
		await expect(composer(page)).toHaveValue(`/${name} me with this: five pages`);
	}
});

test('[E11] what stands below a command stays as it was written, and so does one that is refused', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Hello');
	await say(page, '/nosuch one\nsecond line\n\n    code\n');
	await expect(output(page)).toContainText('There is no command /nosuch.');
	await expect(composer(page)).toHaveValue('/nosuch one\nsecond line\n\n    code\n');
	await say(page, '/rename New title\n\n    code\n        more');
	await expect(heading(page)).toHaveText('New title');
	await expect(composer(page)).toHaveValue('    code\n        more');
});

test('an unknown command says what is near, and a space before the slash sends it as a message', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await say(page, '/brnch');
	await expect(output(page)).toContainText(
		'There is no command /brnch. Did you mean /branch? Put a space before “/” to send it as text.'
	);
	await expect(composer(page)).toHaveValue('/brnch');
	expect(await rowsOf(page, 'sessions')).toEqual([]);
	await ask(page, ' /brnch');
	await expect(said(page).you).toHaveText(['/brnch']);
	await ask(page, '/usr/bin/env is a path');
	await expect(said(page).you).toHaveText(['/brnch', '/usr/bin/env is a path']);
});

test('[A12] [S3] /list tells the newest sessions, /history how the last messages begin', async ({ page, server }) => {
	await page.goto('./');
	await withSessions(page, [1, 2, 3].map((number) => storedSession(number)));
	await useServer(page, server.url, 'echo');
	await say(page, '/list -n 2');
	await expect(listing(page)).toHaveText(
		new RegExp(`^.*3 messages +Session 3 +${storedId(3)}\\n.*3 messages +Session 2 +${storedId(2)}$`)
	);
	await say(page, '/list');
	await expect(listing(page)).toContainText('Session 1');
	await say(page, '/history');
	await expect(output(page)).toContainText('There is no chat here yet.');

	await page.goto(`./s/${storedId(1)}`);
	await ask(page, 'One more\nwith a second line');
	await say(page, '/history 3');
	await expect(listing(page)).toHaveText(/^Assistant +Answer 1\nYou +One more\nAssistant +One more/);
	await say(page, '/history many');
	await expect(output(page)).toContainText('“many” is not a number this command accepts. Write it like this: /history 10');
});

test('[Z9] /label names a place, /branch goes there, /tree shows it', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Apples');
	await ask(page, 'Pears');
	await say(page, '/label n0 start here');
	await expect(page.getByText('n0 is labelled “start here”.')).toBeVisible();
	await say(page, '/branch n0');
	await expect(output(page)).toContainText('Branched from n0 (3 messages). What you send next starts a branch.');
	await expect(said(page).you).toHaveText(['Apples']);
	await ask(page, 'Plums');
	await expect(said(page).you).toHaveText(['Apples', 'Plums']);
	await say(page, '/tree');
	await expect(listing(page)).toHaveText(
		['● n0 [start here] (3 messages) Apples', '├── ● n2 (5 messages) Plums ← here', '○ n1 (5 messages) Pears'].join('\n')
	);
	await say(page, '/branch n1');
	await expect(said(page).you).toHaveText(['Apples', 'Pears']);
	await expect(output(page)).toContainText('You are at the end of n1 (5 messages).');
	await say(page, '/branch START here');
	await expect(said(page).you).toHaveText(['Apples']);
	await say(page, '/branch n9');
	await expect(output(page)).toContainText('Nothing in this chat is called “n9”.');
	await say(page, '/label n0');
	await expect(page.getByText('Label “start here” removed.')).toBeVisible();
	await page.getByRole('button', { name: 'Undo' }).click();
	await say(page, '/tree');
	await expect(listing(page)).toContainText('n0 [start here]');
});

test('[S2] [A8] /rename and its Undo, /pin and /unpin', async ({ page }) => {
	await page.goto('./');
	await withSessions(page, [storedSession(1), storedSession(2)]);
	const links = page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: /Session \d|Otherwise/ });
	await page.goto(`./s/${storedId(1)}`);
	await say(page, '/rename Otherwise');
	await expect(page.getByText('This chat is now called “Otherwise”.')).toBeVisible();
	await expect(heading(page)).toHaveText('Otherwise');
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(heading(page)).toHaveText('Session 1');
	await say(page, '/rename');
	await expect(heading(page)).toHaveText('Question 1');
	await say(page, '/rename Otherwise');
	await expect(links).toHaveText([/Session 2/, /Otherwise/]);
	await say(page, '/pin');
	await expect(links).toHaveText([/Otherwise/, /Session 2/]);
	await say(page, '/unpin');
	await expect(page.getByText('This chat is no longer pinned.')).toBeVisible();
	await expect(links).toHaveText([/Session 2/, /Otherwise/]);
});

test('[S2] [A14] an Undo that the store refuses is offered again, and gives back a title of any length', async ({ page }) => {
	await page.goto('./');
	const title = 'A title from a file '.repeat(20).trim();
	await withSessions(page, [storedSession(1, { title, titledBy: 'user' })]);
	await page.goto(`./s/${storedId(1)}`);
	await say(page, '/rename Otherwise');
	await expect(heading(page)).toHaveText('Otherwise');
	await refuseRows(page, ['sessions']);
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(page.getByText(/no space left/)).toBeVisible();
	await refuseRows(page, []);
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect.poll(async () => (await rowsOf<{ title: string }>(page, 'sessions'))[0]?.title).toBe(title);
});

test('[A14] /delete deletes this session or another, and offers it back', async ({ page }) => {
	await page.goto('./');
	await withSessions(page, [1, 2, 3].map((number) => storedSession(number)));
	const links = page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: /Session \d/ });
	await page.goto(`./s/${storedId(2)}`);
	await expect(said(page).you).toHaveText(['Question 2']);
	await say(page, '/delete session 3');
	await expect(links).toHaveText([/Session 2/, /Session 1/]);
	await expect(said(page).you).toHaveText(['Question 2']);
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(links).toHaveText([/Session 3/, /Session 2/, /Session 1/]);
	await say(page, '/delete');
	await expect(page).toHaveURL(/\/$/);
	await expect(links).toHaveText([/Session 3/, /Session 1/]);
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(links).toHaveText([/Session 3/, /Session 2/, /Session 1/]);
	await links.nth(1).click();
	await expect(said(page).you).toHaveText(['Question 2']);
});

test('[E14] /cleanup asks before it deletes what was left unused, spares what is pinned, and can be undone', async ({ page }) => {
	const daysAgo = (days: number) => Date.now() - days * 86_400_000;
	await page.goto('./');
	await withSessions(page, [
		storedSession(1, { updatedAt: daysAgo(40) }),
		storedSession(2, { updatedAt: daysAgo(50), pinned: 1 }),
		storedSession(3, { updatedAt: daysAgo(20) }),
		storedSession(4, { updatedAt: daysAgo(35) })
	]);
	const links = page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: /Session \d/ });
	await say(page, '/cleanup --older-than 30');
	await expect(output(page)).toContainText('2 chats unused for 30 days or more.');
	await expect(listing(page)).toHaveText(/Session 1 [^]*Session 4 |Session 4 [^]*Session 1 /);
	await expect(listing(page)).not.toHaveText(/Session [23]/);
	await output(page).getByRole('button', { name: 'Cancel' }).click();
	await expect(output(page)).toBeHidden();
	await expect(links).toHaveCount(4);

	await say(page, '/cleanup --older-than 30');
	await output(page).getByRole('button', { name: 'Delete 2 chats' }).click();
	await expect(page.getByText('2 chats deleted.')).toBeVisible();
	await expect(links).toHaveText([/Session 2/, /Session 3/]);
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(links).toHaveText([/Session 2/, /Session 3/, /Session 4/, /Session 1/]);
	await page.reload();
	await expect(links).toHaveCount(4);
});

test('[E11] a command that runs into a bug says so, and lets its details be copied', async ({ page, context, expectConsole }) => {
	expectConsole.push(/broken on purpose/);
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	await openWithBees(page);
	await page.evaluate(() => {
		Number.prototype.toLocaleString = () => {
			throw new TypeError('broken on purpose');
		};
	});
	await composer(page).fill('/usage');
	await page.keyboard.press('Enter');
	const problem = output(page).getByRole('alert');
	await expect(problem).toContainText('Something in Snug went wrong.');
	await expect(problem).not.toContainText('broken on purpose');
	await expect(composer(page)).toHaveValue('/usage');
	await expectAccessible(page, 'a bug');
	await problem.getByRole('button', { name: 'Copy details' }).click();
	await expect(problem.getByRole('button', { name: 'Copied' })).toBeVisible();
	expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('TypeError: broken on purpose');
});

test('[S3] the list of commands has those that can be done here, as “Commands” has', async ({ page }) => {
	await openWithBees(page);
	const names = page.getByRole('listbox', { name: 'Commands' }).getByRole('option');
	const name = (command: string) => names.filter({ hasText: new RegExp(`^\\s*/${command}\\b`) });
	await composer(page).fill('/');
	await expect(name('new')).toHaveCount(1);
	for (const command of ['pin', 'unpin', 'rename', 'tree', 'branch', 'label', 'compact']) await expect(name(command)).toHaveCount(0);
	await page.goto(`./s/${storedId(1)}`);
	await expect(heading(page)).toHaveText('Bees');
	await composer(page).fill('/');
	for (const command of ['pin', 'rename', 'tree', 'branch', 'label', 'compact']) await expect(name(command)).toHaveCount(1);
	await expect(name('unpin')).toHaveCount(0);
});
