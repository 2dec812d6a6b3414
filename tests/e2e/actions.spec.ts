import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { expectAccessible, openBlank, said, say, storedConversation, storedId, storedSession, withSessions, openPanel } from './chat';

test.use({ weights: 'none', permissions: ['clipboard-read', 'clipboard-write'] });

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Commands' });
const options = (page: Page) => dialog(page).getByRole('option');
const group = (page: Page, name: string) => dialog(page).getByRole('group', { name, exact: true }).getByRole('option');
const active = (page: Page) => dialog(page).getByRole('option', { selected: true });
const heading = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 });
const links = (page: Page) => page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: /Session \d/ });

async function open(page: Page): Promise<void> {
	// The app hears no keys before it runs; and a dialog that was closed takes them until it is gone.
	await page.waitForFunction(() => 'snug' in window);
	await expect(page.locator('dialog')).toHaveCount(0);
	await page.keyboard.press('ControlOrMeta+k');
	await expect(dialog(page).getByRole('combobox')).toBeFocused();
}

/** Opens the dialog, types, and presses Enter on the first option, which must be `name`. */
async function run(page: Page, typed: string, name: string | RegExp): Promise<void> {
	await open(page);
	await page.keyboard.type(typed);
	await expect(active(page)).toContainText(name);
	await page.keyboard.press('Enter');
	await expect(dialog(page)).toBeHidden();
}

async function openSession(page: Page, number: number): Promise<void> {
	await page.goto('./');
	await withSessions(page, [1, 2, 3].map((number) => storedSession(number)));
	await page.goto(`./s/${storedId(number)}`);
	await expect(said(page).you).toHaveText([`Question ${number}`]);
}

test('[S3] “Commands” lists what can be done here, with its keys and its slash command, and nothing that can’t', async ({ page }) => {
	await page.goto('./');
	await page.getByRole('textbox', { name: 'Message' }).waitFor();
	await open(page);
	await expect(group(page, 'This chat')).toHaveCount(0);
	await expect(group(page, 'Commands')).toContainText([/Change model/, /Show every slash command\s*\/help/]);
	await expect(options(page).filter({ hasText: /\/(tree|history|session|branch)\b/ })).toHaveCount(0);
	await expect(options(page).filter({ hasText: /\/new\b/ })).toHaveText([/New chat/]);
	await page.keyboard.press('Escape');

	await openSession(page, 2);
	await open(page);
	await expect(group(page, 'This chat').filter({ hasText: 'Rename' })).toHaveText(/Rename\s*F2/);
	await expect(group(page, 'This chat').filter({ hasText: 'Pin' })).toHaveText(/Pin\s*\/pin/);
	await expect(group(page, 'This chat').filter({ hasText: 'Find in this chat' })).toHaveText(/(Ctrl |⌘)F$/);
	await expect(group(page, 'Commands').filter({ hasText: '/tree' })).toHaveText(/Show the branches of this chat/);
	await expect(options(page).filter({ hasText: /\/(unpin|session|branch|label)\b/ })).toHaveCount(0);
	await expectAccessible(page, 'commands');
	await page.keyboard.type('copy');
	await expect(options(page)).toContainText(['Copy as Markdown', 'Copy link', 'Copy chat ID', 'Copy answer', 'Copy link to here']);
	await expectAccessible(page, 'commands, narrowed');
});

test('[S3] typing and Enter runs a command: rename, pin, panels, find, a slash command, a new chat', async ({ page }) => {
	await openSession(page, 2);
	await run(page, 'ren', 'Rename');
	const field = page.getByRole('main').getByRole('textbox', { name: 'Chat name' });
	await expect(field).toBeFocused();
	await page.keyboard.type('Bees');
	await page.keyboard.press('Enter');
	await expect(heading(page)).toHaveText('Bees');

	await run(page, 'pin', 'Pin');
	await expect(page.getByRole('navigation', { name: 'Sessions' }).getByRole('heading', { name: 'Pinned' })).toHaveCount(1);
	await run(page, 'unpin', 'Unpin');
	await expect(page.getByRole('navigation', { name: 'Sessions' }).getByRole('heading', { name: 'Pinned' })).toHaveCount(0);

	await run(page, 'notes', 'Notes');
	await expect(page.getByRole('complementary', { name: 'Notes' })).toBeVisible();
	await run(page, 'notes', 'Notes');
	await expect(page.getByRole('complementary', { name: 'Notes' })).toBeHidden();

	await run(page, 'find', 'Find in this chat');
	await expect(page.getByRole('textbox', { name: 'Find in this chat' })).toBeFocused();
	await page.keyboard.press('Escape');

	await run(page, '/his', '/history');
	await expect(page.getByRole('region', { name: 'Command output' })).toContainText('Question 2');

	await open(page);
	await page.keyboard.type('new');
	await expect(active(page)).toHaveText(/New chat/);
	await page.keyboard.press('ArrowDown');
	await expect(active(page)).toHaveText(/New workspace…/);
	await page.keyboard.press('Enter');
	await expect(page.getByRole('dialog', { name: 'New workspace' })).toBeVisible();
	await page.keyboard.press('Escape');
	await run(page, 'nc', 'New chat');
	await expect(page).toHaveURL(/\/$/);
});

test('[A13, A14] a chat is exported and deleted from “Commands”; Undo brings it back', async ({ page }) => {
	await openSession(page, 2);
	const [download] = await Promise.all([page.waitForEvent('download'), run(page, 'download', 'Download as Markdown')]);
	expect(await readFile(await download.path(), 'utf8')).toContain('Question 2');
	await run(page, 'copy as', 'Copy as Markdown');
	await expect(page.getByText('Copied as Markdown.')).toBeVisible();
	expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('Question 2');

	await run(page, 'del', 'Delete chat');
	await expect(page).toHaveURL(/\/$/);
	await expect(links(page)).toHaveText([/Session 3/, /Session 1/]);
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(links(page)).toHaveText([/Session 3/, /Session 2/, /Session 1/]);
	await expect(said(page).you).toHaveText(['Question 2']);
});

test('[E7] what is found stays first where a command is only similar, and a command is there where nothing is found', async ({ page }) => {
	await page.goto('./');
	await withSessions(page, [storedConversation(1, ['Which model of markdown?', 'None.'])]);
	await page.goto(`./s/${storedId(1)}`);
	await expect(said(page).you).toHaveCount(1);
	await open(page);
	await page.keyboard.type('markdown');
	await expect(options(page)).toContainText(['Which model of markdown?', 'Download as Markdown', 'Copy as Markdown']);
	await page.keyboard.press('Escape');
	await open(page);
	await page.keyboard.type('workspace');
	await expect(options(page)).toContainText(['New workspace…']);
	await expect(dialog(page).getByText('No results.')).toBeHidden();
});

test('[E7] a command stays in its place when it is said that the index is being built', async ({ page, context }) => {
	const other = await context.newPage();
	await openBlank(other);
	// No tab builds the index while this one holds its lock.
	await other.evaluate(() => void navigator.locks.request('search-index', () => new Promise(() => undefined)));
	await openSession(page, 2);
	await open(page);
	await page.keyboard.type('notes');
	const said = dialog(page).getByText(/^Still indexing/);
	await expect(said).toBeVisible();
	const bottom = ({ y, height }: { y: number; height: number }) => y + height;
	expect((await said.boundingBox())!.y).toBeGreaterThanOrEqual(bottom((await options(page).filter({ hasText: 'Notes' }).last().boundingBox())!));
});

test('[A5] what another tab’s writing forbids is in no menu and not in “Commands”', async ({ page, context }) => {
	await openSession(page, 1);
	await say(page, 'Again');
	const other = await context.newPage();
	await other.goto(`./s/${storedId(1)}`);
	await expect(other.getByPlaceholder('Open in another tab')).toBeVisible();
	await open(other);
	await expect(group(other, 'This chat').filter({ hasText: 'Tree' })).toHaveCount(1);
	await expect(options(other).filter({ hasText: /Compact…|\/summarize|\/label/ })).toHaveCount(0);
});

test('[E7] everyday words find actions and settings, and a setting is gone to', async ({ page }) => {
	await openSession(page, 2);
	for (const [word, found] of [
		['export', 'Download as Markdown'],
		['dark', 'Theme'],
		['backup', 'Space, backups and old chats'],
		['share', 'Copy link'],
		['incognito', 'Temporary chat'],
		['temperature', 'Temperature'],
		['stop', 'Stop words'],
		['font', 'Text size']
	] as const) {
		await open(page);
		await page.keyboard.type(word);
		await expect(options(page).filter({ hasText: found }).first(), word).toBeVisible();
		await page.keyboard.press('Escape');
	}
	await run(page, 'theme', 'Theme');
	await expect(page).toHaveURL(/\/settings$/);
	await expect(page.getByRole('radiogroup').filter({ visible: true })).toHaveAccessibleName('Theme');
});

test('[S3] on a phone a command that is chosen from the drawer is not done behind it', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 });
	await openSession(page, 2);
	const drawer = page.getByRole('navigation', { name: 'Sessions' });
	const choose = async (typed: string, name: string | RegExp) => {
		await page.getByRole('button', { name: 'Show chats' }).click();
		await drawer.getByRole('button', { name: 'Search' }).click();
		await dialog(page).getByRole('combobox').fill(typed);
		await dialog(page).getByRole('option', { name }).first().click();
		await expect(drawer).toBeHidden();
	};
	await choose('notes', 'Notes');
	await expect(page.getByRole('complementary', { name: 'Notes' })).toBeFocused();
	await page.keyboard.press('Escape');
	await choose('ren', 'Rename');
	await expect(page.getByRole('main').getByRole('textbox', { name: 'Chat name' })).toBeFocused();
	await page.keyboard.press('Escape');
	await choose('answer', /Answer 2/);
	await choose('change', 'Change model');
	await expect(page.getByRole('dialog', { name: 'Model' })).toBeVisible();
	await page.keyboard.press('Escape');
	// Who chooses nothing is where they were.
	await page.getByRole('button', { name: 'Show chats' }).click();
	await drawer.getByRole('button', { name: 'Search' }).click();
	await page.keyboard.press('Escape');
	await expect(drawer).toBeVisible();
});

test('[P10] the focus goes to a panel that a command shows in the place of another', async ({ page }) => {
	await openSession(page, 1);
	await openPanel(page, 'Tree');
	await expect(page.getByRole('treeitem').first()).toBeFocused();
	await run(page, 'notes', 'Notes');
	await expect(page.getByRole('complementary', { name: 'Notes' })).toBeFocused();
});

test('[A13] an export that runs into a bug says so', async ({ page, expectConsole }) => {
	expectConsole.push(/./);
	await openSession(page, 2);
	await page.evaluate(() => {
		URL.createObjectURL = () => {
			throw new Error('bug');
		};
	});
	await run(page, 'download', 'Download as Markdown');
	await expect(page.getByRole('button', { name: 'Copy details' })).toBeVisible();
});
