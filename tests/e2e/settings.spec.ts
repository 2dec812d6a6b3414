import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { answer, expectAccessible, refuseRows, rowsOf, said, say, storedConversation, storedId, useServer, withSessions } from './chat';

test.use({ weights: 'none' });

const prompt = (page: Page) => page.getByRole('textbox', { name: 'System prompt' });

async function stored(page: Page): Promise<unknown> {
	return (await rowsOf<{ name: string; value: unknown }>(page, 'settings')).find(({ name }) => name === 'systemPrompt')?.value;
}

test('[E11] the system prompt is stored while one types it, with each space, and is there after a reload', async ({ page, context }) => {
	await page.goto('./settings');
	const other = await context.newPage();
	await other.goto('./settings');
	await expect(prompt(page)).toHaveValue(/^You are/);
	await prompt(page).fill('');
	await prompt(page).pressSequentially('Speak like a lighthouse keeper. ', { delay: 20 });
	await expect(prompt(page)).toHaveValue('Speak like a lighthouse keeper. ');
	await expect.poll(() => stored(page)).toBe('Speak like a lighthouse keeper. ');
	await expect(prompt(other)).toHaveValue('Speak like a lighthouse keeper. ');
	await page.reload();
	await expect(prompt(page)).toHaveValue('Speak like a lighthouse keeper. ');
});

test('[E11] a system prompt that the store refuses is told of, and stored as soon as it takes it', async ({ page }) => {
	await page.goto('./settings');
	await expect(prompt(page)).toHaveValue(/^You are/);
	await refuseRows(page, ['settings']);
	await prompt(page).fill('Speak like a lighthouse keeper.');
	await prompt(page).blur();
	const refused = page.getByText(/no space left for Snug in this browser, so your system prompt is not stored yet/);
	await expect(refused).toBeVisible();
	await page.getByRole('link', { name: 'New chat' }).click();
	await expect(prompt(page)).toBeHidden();
	await page.getByRole('link', { name: 'Settings' }).click();
	await expect(prompt(page)).toHaveValue('Speak like a lighthouse keeper.');
	await refuseRows(page, []);
	await expect.poll(() => stored(page)).toBe('Speak like a lighthouse keeper.');
	await expect(refused).toBeHidden();
});

const colour = (page: Page) => page.evaluate(() => getComputedStyle(document.body).color);
const choose = (page: Page, label: string, value: string) => page.getByRole('radiogroup', { name: label }).getByText(value, { exact: true }).click();
const isChosen = (page: Page, label: string, value: string) => expect(page.getByRole('radiogroup', { name: label }).getByRole('radio', { name: value, exact: true })).toBeChecked();
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search settings' });

test('[P10] theme, text size, density and motion are chosen, count at once in every tab, and before the first frame after a reload', async ({ page, context }) => {
	await page.emulateMedia({ colorScheme: 'light' });
	await page.goto('./settings');
	for (const [label, value] of [['Theme', 'System'], ['Text size', 'Medium'], ['Density', 'Comfortable'], ['Reduced motion', 'System']] as const) await isChosen(page, label, value);
	const other = await context.newPage();
	await other.emulateMedia({ colorScheme: 'light' });
	await other.goto('./settings');
	const light = await colour(page);
	await choose(page, 'Theme', 'Dark');
	await choose(page, 'Text size', 'Large');
	await choose(page, 'Density', 'Compact');
	await choose(page, 'Reduced motion', 'On');
	expect(await colour(page)).not.toBe(light);
	for (const tab of [page, other]) {
		await isChosen(tab, 'Theme', 'Dark');
		await expect(tab.locator('html')).toHaveCSS('color-scheme', 'dark');
		await expect(tab.locator('html')).toHaveCSS('font-size', '18px');
		await expect(tab.locator('meta[name="theme-color"][media="all"]')).toHaveAttribute('content', '#171614');
	}
	await expectAccessible(page, 'settings in another theme');

	// Nothing that is drawn before the app runs is drawn in another way.
	await page.addInitScript(() => {
		const seen: string[] = [];
		const look = () => {
			if (document.body) seen.push(`${getComputedStyle(document.documentElement).colorScheme} ${getComputedStyle(document.documentElement).fontSize}`);
			requestAnimationFrame(look);
		};
		requestAnimationFrame(look);
		Object.assign(window, { seen });
	});
	await page.goto('./');
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
	await page.waitForFunction(() => 'snug' in window);
	expect(await page.evaluate(() => [...new Set((window as unknown as { seen: string[] }).seen)])).toEqual(['dark 18px']);
	await page.goto('./settings');
	await choose(page, 'Theme', 'System');
	await isChosen(other, 'Theme', 'System');
	await expect.poll(() => colour(page)).toBe(light);
});

test('[P10] a preference that is no value of its own counts as its default', async ({ page }) => {
	await page.goto('./settings');
	for (const kept of ['{"theme":"__proto__","textSize":"huge"}', 'null', '[', '{"":"a b"}']) {
		await page.evaluate((kept) => localStorage.setItem('snug:preferences', kept), kept);
		await page.reload();
		await isChosen(page, 'Theme', 'System');
		await isChosen(page, 'Text size', 'Medium');
	}
	await choose(page, 'Theme', 'Light');
	await page.reload();
	await isChosen(page, 'Theme', 'Light');
});

test('[P3] Enter makes a new line where that is chosen, and Ctrl Enter sends', async ({ page, server }) => {
	await page.goto('./settings');
	await choose(page, 'Enter key', 'Makes a new line');
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	const message = page.getByRole('textbox', { name: 'Message' });
	await message.fill('One');
	await message.press('Enter');
	await page.keyboard.type('Two');
	await expect(message).toHaveValue('One\nTwo');
	await message.press('Control+Enter');
	await expect(said(page).you).toHaveText('One\nTwo');
	await answer(page);
});

test('[S7] times and tokens are shown on messages where that is chosen, at once in every tab', async ({ page, context, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await say(page, 'Hello');
	await answer(page);
	await expect(page.getByRole('article').locator('time')).toHaveCount(0);
	const other = await context.newPage();
	await other.goto('./settings');
	await other.getByRole('checkbox', { name: 'Show times' }).check();
	await expect(page.getByRole('article').locator('time')).toHaveCount(2);
	await other.getByRole('checkbox', { name: 'Show tokens' }).check();
	await expect(page.getByTitle('Tokens')).toBeVisible();
	await expectAccessible(page, 'a chat with times');
	await other.getByRole('checkbox', { name: 'Show times' }).uncheck();
	await expect(page.getByRole('article').locator('time')).toHaveCount(0);
	expect((await rowsOf<{ name: string }>(page, 'settings')).map(({ name }) => name)).toContain('showTokens');
	expect((await rowsOf<{ name: string }>(page, 'settings')).map(({ name }) => name)).not.toContain('showTimes');
});

test('[P10] a search finds each setting by its name and what is said of it, also what is loaded later or folded', async ({ page }) => {
	await page.goto('./settings');
	await expect(page.getByRole('spinbutton', { name: 'Temperature' })).toBeVisible();
	await expect(page.getByRole('spinbutton', { name: 'Newest messages always sent' })).toBeHidden();
	await search(page).fill('predict');
	await expect(page.getByRole('status').filter({ hasText: '1 setting matches.' })).toBeAttached();
	await expect(page.getByRole('spinbutton')).toHaveCount(1);
	await expect(page.getByRole('heading', { level: 2 }).filter({ visible: true })).toHaveText(['Model']);
	await search(page).fill('always sent');
	await expect(page.getByRole('spinbutton', { name: 'Newest messages always sent' })).toBeVisible();
	await search(page).fill('dark');
	await expect(page.getByRole('radiogroup').filter({ visible: true })).toHaveCount(1);
	await search(page).fill('backup');
	await expect(page.getByRole('link', { name: 'Space, backups and old chats' })).toBeVisible();
	// Words that others have for the same.
	for (const [words, setting] of [
		['font', 'Text size'],
		['custom instructions', 'System prompt'],
		['incognito', 'Temporary chat'],
		['api key', 'Change model']
	] as const) {
		await search(page).fill(words);
		await expect(page.getByText(setting, { exact: true }).filter({ visible: true }).first()).toBeVisible();
		await expect(page.getByRole('status').filter({ hasText: '1 setting matches.' })).toBeAttached();
	}
	// What there is none of is said in its place.
	for (const [words, answer] of [
		['language', /no setting for the language/],
		['memory', /no memory across chats/],
		['import chatgpt', /does not read exports of ChatGPT/],
		['update', /a notice offers each new version/]
	] as const) {
		await search(page).fill(words);
		await expect(page.getByText(answer)).toBeVisible();
	}
	await search(page).fill('previous hit');
	await expect(page.getByText('Previous hit')).toBeVisible();
	await expectAccessible(page, 'settings that were searched');
	await search(page).fill('zephyr');
	await expect(page.getByText('No setting matches.')).toBeVisible();
	await expect(page.getByRole('heading', { level: 2 }).filter({ visible: true })).toHaveCount(0);
	await search(page).press('Escape');
	await expect(search(page)).toHaveValue('');
	await expect(page.getByText(/no memory across chats|no setting for the language/)).toHaveCount(0);
	await expect(page.getByRole('heading', { level: 2 }).filter({ visible: true })).toHaveText(['Appearance', 'Chat', 'Model', 'Personas', 'Context', 'Storage', 'Shortcuts', 'Install']);
	await expect(page.getByRole('spinbutton', { name: 'Newest messages always sent' })).toBeHidden();
});

const sections = (page: Page) => page.getByRole('navigation', { name: 'Sections of the settings' });
const listed = (page: Page) => sections(page).getByRole('link');
const marked = (page: Page) => sections(page).locator('[aria-current]');

for (const width of [1280, 390]) {
	test(`[P10] the settings list their sections: each link leads to its heading, and the section in view is marked (${width} pixels)`, async ({ page }) => {
		await page.setViewportSize({ width, height: 800 });
		await page.goto('./');
		// The app hears no keys before it runs.
		await page.waitForFunction(() => 'snug' in window);
		await page.keyboard.press('ControlOrMeta+k');
		await page.getByRole('combobox').fill('settings');
		await page.getByRole('option', { name: 'Settings', exact: true }).click();
		await expect(page.getByRole('heading', { name: 'Install' })).toBeAttached();
		const titles = await page.getByRole('heading', { level: 2 }).allTextContents();
		expect(titles.length).toBeGreaterThan(5);
		await expect(listed(page)).toHaveText(titles);
		await expect(marked(page)).toHaveText('Appearance');
		await expect(page.getByRole('spinbutton', { name: 'Temperature' })).toBeVisible();
		for (const title of ['Storage', 'Model', 'Install']) {
			await sections(page).getByRole('link', { name: title }).focus();
			await page.keyboard.press('Enter');
			const heading = page.getByRole('heading', { name: title, exact: true });
			await expect(heading).toBeFocused();
			await expect(heading).toBeInViewport();
			expect(await page.evaluate(() => document.scrollingElement!.scrollTop)).toBe(0);
			await expect(marked(page)).toHaveText(title);
			await expect(page).toHaveURL(new RegExp(`/settings#${title.toLowerCase()}$`));
		}
		if (width > 1000) {
			// It stays beside the page, and goes with what is read.
			await expect(marked(page)).toBeInViewport();
			await page.keyboard.press('Shift');
			await page.getByRole('heading', { name: 'Context', exact: true }).evaluate((heading) => heading.scrollIntoView());
			await expect(marked(page)).toHaveText('Context');
			await page.getByRole('heading', { level: 1 }).evaluate((heading) => heading.scrollIntoView());
			await expect(marked(page)).toHaveText('Appearance');
		}
		await expectAccessible(page, `sections of the settings, ${width} pixels`);

		await search(page).fill('backup');
		await expect(listed(page)).toHaveText(['Storage']);
		await search(page).fill('zephyr');
		await expect(sections(page)).toBeHidden();
		await search(page).fill('');
		await expect(listed(page)).toHaveText(titles);

		// One step back leaves the settings, however many sections one went to.
		await page.goBack();
		await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
	});
}

test('[P10] an address with a section of the settings opens there', async ({ page }) => {
	await page.setViewportSize({ width: 1280, height: 800 });
	await page.goto('./settings#shortcuts');
	await expect(page.getByText('Find in this chat')).toBeAttached();
	await expect(page.getByRole('heading', { name: 'Shortcuts', exact: true })).toBeInViewport();
	await expect(marked(page)).toHaveText('Shortcuts');
});

test('[P10] a question mark outside of fields shows all shortcuts, which Settings and “Commands” have too', async ({ page }) => {
	await page.goto('./');
	await withSessions(page, [storedConversation(1, ['Hello', 'Hello to you'])]);
	await page.goto(`./s/${storedId(1)}`);
	const message = page.getByRole('textbox', { name: 'Message' });
	await expect(message).toBeFocused();
	await page.keyboard.press('?');
	await expect(message).toHaveValue('?');
	await message.fill('');
	await page.getByRole('log').focus();
	await page.keyboard.press('?');
	const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
	await expect(dialog.getByText('Find in this chat')).toBeVisible();
	const all = await dialog.locator('dt').allTextContents();
	expect(all.length).toBeGreaterThan(10);
	await expectAccessible(page, 'shortcuts');
	await page.keyboard.press('Escape');
	await expect(dialog).toBeHidden();

	const commands = page.getByRole('dialog', { name: 'Commands' });
	for (const label of all) {
		await page.keyboard.press('ControlOrMeta+k');
		await commands.getByRole('combobox').fill(label);
		await expect(commands.getByRole('option').filter({ hasText: label }).first()).toBeVisible();
		await page.keyboard.press('Escape');
		await expect(page.locator('dialog')).toHaveCount(0);
	}
	await page.keyboard.press('ControlOrMeta+k');
	await commands.getByRole('combobox').fill('keyboard shortcuts');
	await page.keyboard.press('Enter');
	await expect(dialog).toBeVisible();
	await page.keyboard.press('Escape');
	await page.goto('./settings');
	await expect(page.getByRole('region', { name: 'Shortcuts' }).locator('dt')).toHaveText(all);
});
