import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { actionsOf, ask, expectAccessible, inMessageMenu, said, storedConversation, useServer, withSessions, openPanel } from './chat';

test.use({ weights: 'none' });

const panel = (page: Page) => page.getByRole('complementary', { name: 'Tree' });
const tree = (page: Page) => panel(page).getByRole('tree', { name: 'Conversation tree' });
const items = (page: Page) => tree(page).getByRole('treeitem');
const item = (page: Page, name: string) => items(page).filter({ has: page.getByText(name, { exact: true }) });
const selected = (page: Page) => tree(page).getByRole('treeitem', { selected: true });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Compare branches' });

/** Apples, then Pears and Plums on one branch, and Figs on another, which is where it ends. */
async function makeBranches(page: Page, serverUrl: string) {
	await page.goto('./');
	await useServer(page, serverUrl, 'echo');
	for (const text of ['Apples', 'Pears', 'Plums']) await ask(page, text);
	await inMessageMenu(page, said(page).assistant.first(), 'Branch from here');
	await expect(said(page).you).toHaveText(['Apples']);
	await ask(page, 'Figs');
	await expect(said(page).you).toHaveText(['Apples', 'Figs']);
}

async function openTree(page: Page) {
	await openPanel(page, 'Tree');
	await expect(selected(page)).toBeFocused();
}

test('[Z9] the tree names what was sent in its order, with counts, branches and where one is', async ({ page, server }) => {
	await makeBranches(page, server.url);
	await openTree(page);
	await expect(items(page)).toHaveText([
		/Apples .*n0 3 messages/,
		/Branch: +Figs .*n3 5 messages.*Here/,
		/Pears .*n1 5 messages/,
		/Plums .*n2 7 messages/
	]);
	await expect(tree(page).locator('[aria-current]')).toHaveText([/Figs .*n3/]);
	await expect(item(page, 'n0')).toHaveAttribute('aria-expanded', 'true');
	await expect(item(page, 'n3')).toHaveAttribute('aria-level', '2');
	await expect(item(page, 'n2')).toHaveAttribute('aria-level', '1');

	// Another version of a message, and another answer, are branches too.
	await actionsOf(said(page).you.last()).getByRole('button', { name: 'Edit' }).click();
	await page.getByRole('textbox', { name: 'Edited message' }).fill('Dates');
	await page.getByRole('form', { name: 'Edit message' }).getByRole('button', { name: 'Send' }).click();
	await expect(said(page).assistant.last()).toContainText('Dates');
	await expect(item(page, 'n4')).toHaveText(/Dates/);
	await actionsOf(said(page).assistant.last()).getByRole('button', { name: 'Regenerate' }).click();
	await expect(item(page, 'n4.2')).toHaveText(/Answer 2: Dates.*5 messages.*Here/);
	await expect(items(page)).toHaveCount(6);
});

test('[Z9] the tree names the models where the answers to one question are of several', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Apples');
	await openTree(page);
	await expect(items(page)).toHaveText([/Apples/]);
	await expect(tree(page).getByText('echo')).toHaveCount(0);
	await useServer(page, server.url, 'reasoning');
	await said(page).assistant.getByRole('button', { name: 'Regenerate' }).click();
	await expect(item(page, 'n0')).toContainText('echo');
	await expect(item(page, 'n0.2')).toContainText('reasoning');
});

test('[Z9] [P4] the tree is gone through and changed by keys alone, and stays as it was made', async ({ page, server }) => {
	await makeBranches(page, server.url);
	await openTree(page);
	const { you } = said(page);
	const press = (key: string) => page.keyboard.press(key);
	await press('Home');
	await expect(selected(page)).toHaveText(/n0/);
	await press('ArrowLeft');
	await expect(item(page, 'n0')).toHaveAttribute('aria-expanded', 'false');
	await expect(items(page)).toHaveCount(3);
	await press('ArrowRight');
	await expect(items(page)).toHaveCount(4);
	await press('ArrowRight');
	await expect(selected(page)).toHaveText(/n3/);
	await press('ArrowLeft');
	await expect(selected(page)).toHaveText(/n0/);
	await press('End');
	await expect(selected(page)).toHaveText(/n2/);
	await press('ArrowUp');
	await expect(selected(page)).toBeFocused();
	await expect(selected(page)).toHaveText(/n1/);

	await press('Enter');
	await expect(you).toHaveText(['Apples', 'Pears', 'Plums']);
	await expect(item(page, 'n2')).toHaveAttribute('aria-current', 'true');
	await press('m');
	await expect(item(page, 'n2')).toContainText('Main branch');
	await expect(item(page, 'n3')).not.toContainText('Main branch');

	await press('Home');
	await press('l');
	const field = page.getByRole('textbox', { name: 'Label of n0' });
	await expect(field).toBeFocused();
	await page.keyboard.type('orchard');
	await press('Enter');
	await expect(item(page, 'n0')).toContainText('orchard');
	await expect(item(page, 'n0')).toBeFocused();
	await press('b');
	await expect(you).toHaveText(['Apples']);
	await expect(item(page, 'n0')).toHaveAttribute('aria-current', 'true');
	// What is typed now is what is sent there.
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();

	await item(page, 'n0').click();
	await press('End');
	await press('Delete');
	// What is left is counted again.
	await expect(items(page)).toHaveText([/Apples .*n0/, /Figs .*n2/, /Pears .*n1/]);
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(items(page)).toHaveText([/Apples .*n0/, /Figs .*n3/, /Pears .*n1/, /Plums .*n2/]);

	await press('Escape');
	await page.reload();
	await expect(you).toHaveText(['Apples']);
	if (await panel(page).isHidden()) await openTree(page);
	await expect(item(page, 'n0')).toContainText('orchard');
	await expect(item(page, 'n0')).toHaveAttribute('aria-current', 'true');
	await expect(item(page, 'n2')).toContainText('Main branch');
	await selected(page).focus();
	await press('Escape');
	await expect(panel(page)).toBeHidden();
	await expect(page.getByRole('button', { name: 'Tree', exact: true })).toBeFocused();
});

test('[Z9] what is done by keys in the tree is done by its buttons too', async ({ page, server }) => {
	await makeBranches(page, server.url);
	await openTree(page);
	const actions = (name: string) => panel(page).getByRole('group', { name: `Actions for ${name}` });
	await item(page, 'n1').click();
	await actions('n1').getByRole('button', { name: 'Set as main branch' }).click();
	await expect(panel(page).getByText('Main branch', { exact: true })).toHaveCount(1);
	await actions('n1').getByRole('button', { name: 'Unset main branch' }).click();
	await expect(panel(page).getByText('Main branch', { exact: true })).toHaveCount(0);
	await actions('n1').getByRole('button', { name: 'Set as main branch' }).click();
	await actions('n1').getByRole('button', { name: 'Label' }).click();
	await page.getByRole('textbox', { name: 'Label of n1' }).fill('juicy');
	await page.getByRole('textbox', { name: 'Label of n1' }).press('Enter');
	await expect(item(page, 'n1')).toContainText('juicy');
	await actions('n1').getByRole('button', { name: 'Branch from here' }).click();
	await expect(said(page).you).toHaveText(['Apples', 'Pears']);
	await ask(page, 'Quinces');
	await expect(item(page, 'n4')).toHaveText(/Quinces.*Here/);
	await item(page, 'n3').click();
	await actions('n3').getByRole('button', { name: 'Go here' }).click();
	await expect(said(page).you).toHaveText(['Apples', 'Figs']);
	await item(page, 'n4').click();
	await actions('n4').getByRole('button', { name: 'Delete' }).click();
	await expect(item(page, 'n4')).toHaveCount(0);
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(item(page, 'n4')).toHaveText(/Quinces/);
	await expect(said(page).you).toHaveText(['Apples', 'Figs']);
	await panel(page).getByRole('button', { name: 'Close' }).click();
	await expect(panel(page)).toBeHidden();
});

test('[Z9] what the tree of a long chat leaves out is shown when it is asked for, by pointer or by keys', async ({ page }) => {
	const stored = storedConversation(1, Array.from({ length: 800 }, (_, at) => (at % 2 === 0 ? `Question ${at / 2}` : 'Yes')));
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(`./s/${stored.sessions.id}`);
	await openTree(page);
	const gap = tree(page).getByText(/Show .* more messages/);
	const key = async (name: string) => {
		await page.keyboard.press(name);
		await expect(selected(page)).toBeFocused();
	};
	await key('Home');
	for (let times = 0; times < 60 && !(await gap.isVisible()); times++) await key('ArrowDown');
	await expect(gap).toHaveText('Show 200 of 602 more messages');
	while (!(await selected(page).textContent())!.includes('n48')) await key('ArrowDown');
	await key('ArrowDown');
	await expect(gap).toBeHidden();
	await key('ArrowDown');
	await expect(selected(page)).toContainText('n49');
	let opened = 0;
	await expect(async () => {
		const isThere = await gap.isVisible();
		if (isThere) await gap.click({ timeout: 1000 }).then(() => opened++);
		else await tree(page).evaluate((tree) => tree.scrollBy(0, 500));
		await expect(item(page, 'n399')).toBeInViewport({ timeout: 1 });
	}).toPass({ intervals: [0] });
	expect(opened).toBeGreaterThanOrEqual(2);
	// What is left out can't be found by its name.
	await selected(page).or(items(page)).first().click();
	for (const letter of 'n200') await page.keyboard.press(letter);
	await expect(selected(page)).toContainText('n200');
	await expect(selected(page)).toBeInViewport();
});

test('[P4] two branches are compared side by side from where they part, and one is gone to', async ({ page, server }) => {
	await makeBranches(page, server.url);
	await openTree(page);
	await page.keyboard.press('End');
	await page.keyboard.press('c');
	const side = dialog(page).getByRole('region', { name: 'Branches side by side' });
	await expect(dialog(page)).toContainText('Both share 3 messages, up to “Apples”');
	await expect(side.getByRole('article', { name: 'You, in n3 “Figs”' })).toHaveText(/Figs/);
	await expect(side.getByRole('article', { name: 'Assistant, in n3 “Figs”' })).toHaveText(/Figs/);
	await expect(side.getByRole('article', { name: 'You, in n2 “Plums”' })).toHaveText([/Pears/, /Plums/]);
	await expect(side.getByText('Apples')).toHaveCount(0);
	const [figs, pears] = await Promise.all([
		side.getByRole('article', { name: 'You, in n3 “Figs”' }).boundingBox(),
		side.getByRole('article', { name: 'You, in n2 “Plums”' }).first().boundingBox()
	]);
	expect(Math.abs(figs!.y - pears!.y)).toBeLessThan(2);
	// The one that is numbered first stands left, wherever one is.
	expect(pears!.x + pears!.width).toBeLessThanOrEqual(figs!.x);
	await expect(dialog(page).getByRole('combobox', { name: 'First branch' }).locator('option:checked')).toHaveText('n2 · Plums');
	await expect(dialog(page).getByRole('combobox', { name: 'First branch' }).getByRole('option')).toHaveText(['n2 · Plums', 'n3 · Figs (you are here)']);
	await expect(dialog(page).getByRole('button', { name: 'You are here' })).toBeDisabled();
	await dialog(page).getByRole('button', { name: 'Go to this branch' }).click();
	await expect(dialog(page)).toBeHidden();
	await expect(said(page).you).toHaveText(['Apples', 'Pears', 'Plums']);

	// A label stands beside the number, as in the tree.
	await expect(selected(page)).toContainText('n2');
	await page.keyboard.press('l');
	await page.getByRole('textbox', { name: 'Label of n2' }).fill('Best');
	await page.keyboard.press('Enter');
	await expect(item(page, 'n2')).toContainText('Best');
	await page.keyboard.press('c');
	await expect(dialog(page).getByRole('combobox', { name: 'First branch' }).getByRole('option')).toHaveText(['n2 · Best · Plums (you are here)', 'n3 · Figs']);
	await dialog(page).getByRole('combobox', { name: 'Second branch' }).selectOption({ label: 'n3 · Figs' });
	await dialog(page).getByRole('combobox', { name: 'First branch' }).selectOption({ label: 'n3 · Figs' });
	await expect(dialog(page)).toContainText('These are the same branch.');
	await page.keyboard.press('Escape');
	await expect(dialog(page)).toBeHidden();
	await expect(panel(page)).toBeVisible();
	await expect(selected(page)).toBeFocused();
});

test('[P4] of two branches that are compared, messages that say the same say so', async ({ page, server }) => {
	await makeBranches(page, server.url);
	await inMessageMenu(page, said(page).assistant.first(), 'Branch from here');
	await ask(page, 'Pears');
	await ask(page, 'Grapes');
	await openTree(page);
	await page.keyboard.press('End');
	await page.keyboard.press('c');
	const articles = dialog(page).getByRole('article');
	await expect(articles).toHaveCount(8);
	await expect(articles.filter({ hasText: 'the same in both' })).toHaveText([/You.*Pears/s, /You.*Pears/s, /Assistant.*Pears/s, /Assistant.*Pears/s]);
	await expectAccessible(page, 'a comparison of what is the same');
});

for (const [colorScheme, width] of [
	['light', 1280],
	['dark', 390]
] as const) {
	test(`[P4] of two branches that are compared, the words are marked that only one has (${colorScheme}, ${width} pixels)`, async ({ page, server }) => {
		await page.emulateMedia({ colorScheme });
		await page.setViewportSize({ width, height: 800 });
		await page.goto('./');
		await useServer(page, server.url, 'echo');
		await ask(page, 'Hello');
		await ask(page, 'The **pump** stopped at dawn <img src=x onerror=alert(1)>');
		await actionsOf(said(page).you.last()).getByRole('button', { name: 'Edit' }).click();
		await page.getByRole('textbox', { name: 'Edited message' }).fill('The **pump** started at dawn <img src=x onerror=alert(1)>');
		await page.getByRole('form', { name: 'Edit message' }).getByRole('button', { name: 'Send' }).click();
		await expect(said(page).assistant.last()).toContainText('started');
		await ask(page, '我今天去北京。');
		await openTree(page);
		await page.keyboard.press('c');
		const articles = dialog(page).getByRole('article');
		await expect(articles.filter({ hasText: 'pump' })).toHaveCount(4);
		await expect(articles.locator('mark')).toHaveCount(0);
		await expect(articles.locator('strong')).toHaveText(['pump', 'pump']);

		await dialog(page).getByRole('button', { name: 'Show differences' }).click();
		await expect(articles.locator('mark')).toHaveText(['stopped', 'started', 'stopped', 'started'].map((word) => `only here: ${word} (end)`));
		await expect(dialog(page).locator('img')).toHaveCount(0);
		await expect(articles.filter({ hasText: 'pump' }).last()).toContainText('**pump**');
		await expectAccessible(page, 'marked differences');

		await dialog(page).getByRole('button', { name: 'Show differences' }).click();
		await expect(articles.locator('mark')).toHaveCount(0);
		await expect(articles.locator('strong')).toHaveText(['pump', 'pump']);
	});
}

test('[P4] where differences can’t be told the texts stay as they are, and that is said once', async ({ page, server, expectConsole }) => {
	expectConsole.push(/No segments/);
	await makeBranches(page, server.url);
	await openTree(page);
	await page.keyboard.press('End');
	await page.keyboard.press('c');
	await expect(dialog(page).getByRole('article')).toHaveCount(6);
	await page.evaluate(() => {
		Intl.Segmenter.prototype.segment = () => {
			throw new Error('No segments.');
		};
	});
	const differences = dialog(page).getByRole('button', { name: 'Show differences' });
	await differences.click();
	await expect(dialog(page).getByRole('alert')).toHaveCount(1);
	await expect(dialog(page).getByRole('article')).toHaveCount(6);
	await differences.click();
	await expect(dialog(page).getByRole('alert')).toHaveCount(0);
});

test('[P4] two messages that have nothing in common say so where differences are shown', async ({ page, server }) => {
	await makeBranches(page, server.url);
	await openTree(page);
	await page.keyboard.press('End');
	await page.keyboard.press('c');
	await dialog(page).getByRole('button', { name: 'Show differences' }).click();
	await expect(dialog(page).getByRole('article').filter({ hasText: 'Too little is the same' })).toHaveCount(4);
	await expect(dialog(page).locator('mark')).toHaveCount(0);
});

for (const [colorScheme, width] of [
	['light', 1280],
	['dark', 390]
] as const) {
	test(`[Z9] [P4] tree and comparison are accessible and fit (${colorScheme}, ${width} pixels)`, async ({ page, server }) => {
		await page.emulateMedia({ colorScheme });
		await page.setViewportSize({ width, height: 800 });
		await makeBranches(page, server.url);
		await openTree(page);
		await page.keyboard.press('m');
		await expect(item(page, 'n3')).toContainText('Main branch');
		await expectAccessible(page, 'panel');
		const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
		expect(await fits()).toBe(true);

		await item(page, 'n2').click();
		await panel(page).getByRole('button', { name: 'Compare' }).click();
		await expect(dialog(page).getByRole('article', { name: 'You, in n2 “Plums”' }).last()).toContainText('Plums');
		await expect(dialog(page).getByRole('article', { name: /^Assistant/ }).first()).toContainText('Assistant · echo');
		await expectAccessible(page, 'comparison');
		expect(await fits()).toBe(true);
		await expect(dialog(page).getByRole('button', { name: 'Go to this branch' })).toBeInViewport();
		await dialog(page).getByRole('button', { name: 'Go to this branch' }).click();
		await expect(said(page).you).toHaveText(['Apples', 'Pears', 'Plums']);
		// Where the panel lies over the conversation, it gives way to the place that one has gone to.
		if (width === 390) await expect(panel(page)).toBeHidden();
		else await expect(panel(page)).toBeVisible();
		await expect(said(page).you.last()).toBeInViewport();
	});
}
