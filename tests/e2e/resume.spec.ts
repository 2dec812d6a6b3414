import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { chunkWith, holdFile } from './chunks';
import { expect, test } from './app';
import { answer, ask, expectAccessible, inSessionMenu, newChat, refuseRows, rowsOf, said, say, storedId, storedSession, useServer, withSessions } from './chat';

test.use({ weights: 'none' });

interface Row {
	id: string;
	key: string;
	messageCount: number;
}

/** The list at the side. */
function sidebar(page: Page) {
	return page.getByRole('navigation', { name: 'Sessions' });
}

/** What the open session is called. */
function heading(page: Page) {
	return page.getByRole('main').getByRole('heading', { level: 1 });
}

test('[A4] “Continue last” and /?continue open the session that was last written to', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Older');
	const older = page.url();
	await sidebar(page).getByRole('link', { name: 'New chat' }).click();
	await expect(page.getByRole('heading', { name: 'What’s on your mind?' })).toBeVisible();
	await ask(page, 'Newer');
	const newer = page.url();
	// A pinned session is listed first, but is not the last one.
	await page.goto(older);
	await inSessionMenu(page, 'Pin');
	await sidebar(page).getByRole('link', { name: 'New chat' }).click();
	await expect(page.getByRole('heading', { name: 'What’s on your mind?' })).toBeVisible();
	await sidebar(page).getByRole('link', { name: 'Continue last' }).click();
	await expect(page).toHaveURL(newer);
	await expect(said(page).you).toHaveText(['Newer']);

	await page.goto(older);
	await expect(said(page).you).toHaveText(['Older']);
	await ask(page, 'More');
	await page.goto('./?continue');
	await expect(page).toHaveURL(older);
	await expect(said(page).you).toHaveText(['Older', 'More']);
});

test('[A4] /?continue without any session is a new chat', async ({ page }) => {
	await page.goto('./?continue');
	await expect(page).toHaveURL(/\/$/);
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
});

test.describe('[E4] a session is found', () => {
	const [plan, otherPlan, groceries] = [1, 2, 3] as const;

	test.beforeEach(async ({ page }) => {
		await page.goto('./');
		await withSessions(page, [
			storedSession(plan, { title: 'Weekly Plan' }),
			storedSession(otherPlan, { title: 'weekly plan' }),
			storedSession(groceries, { title: 'Groceries', preview: 'For the weekly plan of meals' })
		]);
	});

	test('[E4] by /?resume= and its id, its title in any case, or by choosing among several', async ({ page }) => {
		for (const wanted of [storedId(groceries), 'gROCERIES']) {
			await page.goto(`./?resume=${wanted}`);
			await expect(page).toHaveURL(new RegExp(`/s/${storedId(groceries)}$`));
			await expect(said(page).you).toHaveText(['Question 3']);
		}
		await page.goto('./?resume=weekly%20PLAN');
		const dialog = page.getByRole('dialog', { name: 'Which “weekly PLAN”?' });
		// One that has the words only in its first message is no candidate beside those of that title.
		await expect(dialog.getByRole('link')).toHaveText([/weekly plan/, /Weekly Plan/]);
		await expect(dialog.getByRole('link').first()).toBeFocused();
		await dialog.getByRole('link', { name: /Weekly Plan/ }).click();
		await expect(page).toHaveURL(new RegExp(`/s/${storedId(plan)}$`));
		await expect(said(page).you).toHaveText(['Question 1']);
		await expect(dialog).toBeHidden();

		await page.goto('./?resume=of%20meals');
		await expect(said(page).you).toHaveText(['Question 3']);
		await page.goto('./?resume=Lost');
		await page.getByRole('dialog', { name: 'No chat is called “Lost”' }).getByRole('button', { name: 'New chat' }).click();
		await expect(page.getByRole('heading', { name: 'What’s on your mind?' })).toBeVisible();
	});

	test('[E4] by /session, in the same ways', async ({ page }) => {
		for (const wanted of [storedId(groceries), 'GROCERIES', 'of meals']) {
			await page.goto('./');
			await say(page, `/session ${wanted}`);
			await expect(said(page).you).toHaveText(['Question 3']);
		}
		await say(page, '/session WEEKLY plan');
		const output = page.getByRole('region', { name: 'Command output' });
		await expect(output.getByRole('listitem')).toHaveText([/weekly plan/, /Weekly Plan/]);
		await output.getByRole('listitem').last().getByRole('button').click();
		await expect(said(page).you).toHaveText(['Question 1']);
		await expect(output).toBeHidden();
		await say(page, '/session Lost');
		await expect(output).toContainText('No chat has the id, the title or the words “Lost”.');
	});
});

test('[E1] a workspace’s address opens its thread, which its first message makes', async ({ page, server }) => {
	await page.goto('./w/Garden');
	await expect(page.getByRole('heading', { name: 'New chat in Garden' })).toBeVisible();
	await useServer(page, server.url, 'echo');
	await page.reload();
	await expect(page.getByRole('heading', { name: 'New chat in Garden' })).toBeVisible();
	expect(await rowsOf(page, 'sessions')).toEqual([]);

	await ask(page, 'Tomatoes');
	const thread = page.url();
	expect((await rowsOf<Row>(page, 'sessions')).map(({ key }) => key)).toEqual(['web:Garden']);
	await page.goto('./w/Garden');
	await expect(page).toHaveURL(thread);
	await page.reload();
	await expect(said(page).you).toHaveText(['Tomatoes']);
	await ask(page, 'And beans');

	await sidebar(page).getByRole('button', { name: 'New workspace…' }).click();
	const dialog = page.getByRole('dialog', { name: 'New workspace' });
	await dialog.getByRole('textbox', { name: 'Name' }).fill('../etc');
	await expect(dialog.getByRole('button', { name: 'Open workspace' })).toBeDisabled();
	await dialog.getByRole('textbox', { name: 'Name' }).fill('Kitchen 2');
	await dialog.getByRole('button', { name: 'Open workspace' }).click();
	await expect(page.getByRole('heading', { name: 'New chat in Kitchen 2' })).toBeVisible();
	await ask(page, 'Bread');
	await page.goto('./w/Garden');
	await expect(said(page).you).toHaveText(['Tomatoes', 'And beans']);
	expect((await rowsOf<Row>(page, 'sessions')).map(({ key }) => key)).toEqual(['web:Garden', 'web:Kitchen 2']);

	// One that is there is meant also where only case differs.
	await sidebar(page).getByRole('button', { name: 'New workspace…' }).click();
	await dialog.getByRole('textbox', { name: 'Name' }).fill('kitchen 2');
	await expect(dialog).toContainText('“Kitchen 2” exists.');
	await dialog.getByRole('button', { name: 'Open workspace' }).click();
	await expect(said(page).you).toHaveText(['Bread']);
});

test('[E1] a chat says which workspace it is in, beside its title or in its menu, and leads to the chats there', async ({ page }) => {
	await page.goto('./');
	await withSessions(page, [storedSession(1, { workspace: 'Garden', key: 'web:Garden' }), storedSession(2, { workspace: 'Garden', key: 'web:Garden:2' }), storedSession(3)]);
	const bar = page.getByRole('banner').or(page.getByRole('main'));
	const workspace = bar.getByRole('link', { name: 'Workspace Garden' });
	const rows = page.getByRole('table').getByRole('rowgroup').getByRole('link');

	await page.goto(`./s/${storedId(3)}`);
	await expect(heading(page)).toHaveText('Session 3');
	await expect(workspace).toHaveCount(0);
	await page.getByRole('button', { name: 'Chat menu' }).click();
	await expect(page.getByRole('button', { name: 'Details', exact: true })).toBeVisible();
	await expect(page.getByRole('button', { name: /Show workspace/ })).toHaveCount(0);

	await page.goto(`./s/${storedId(1)}`);
	await expect(workspace).toHaveText('Garden');
	await workspace.click();
	await expect(rows).toHaveText(['Session 2', 'Session 1']);
	await expect(page.getByRole('table').getByRole('rowgroup')).toBeVisible();
	await page.reload();
	await expect(rows).toHaveText(['Session 2', 'Session 1']);
	await sidebar(page).getByRole('link', { name: 'All chats' }).click();
	await expect(rows).toHaveText(['Session 3', 'Session 2', 'Session 1']);

	await page.setViewportSize({ width: 390, height: 844 });
	await page.goto(`./s/${storedId(2)}`);
	await expect(heading(page)).toHaveText('Session 2');
	await expect(workspace).toBeHidden();
	await inSessionMenu(page, 'Show workspace “Garden”');
	await expect(rows).toHaveText(['Session 2', 'Session 1']);
});

test('[E2] /new keeps the old session and begins one apart, where the same may be said again', async ({ page, server }) => {
	await page.goto('./w/Garden');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Water the beds');
	const thread = page.url();
	await say(page, '/new');
	await expect(page.getByRole('heading', { name: 'New chat in Garden' })).toBeVisible();
	await ask(page, 'Water the beds');
	await expect(page.getByRole('alert')).toBeHidden();
	expect(page.url()).not.toBe(thread);

	const [old, apart, ...others] = await rowsOf<Row>(page, 'sessions');
	expect(others).toEqual([]);
	expect([old!.key, old!.messageCount]).toEqual(['web:Garden', 3]);
	expect([apart!.key, apart!.messageCount]).toEqual([expect.stringMatching(/^web:Garden:\d{13}$/), 3]);
	await page.goto('./w/Garden');
	await expect(page).toHaveURL(thread);
	await expect(said(page).you).toHaveText(['Water the beds']);
});

test('[E2] the same message twice within 30 seconds is caught, and sent when told to', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Once');
	await say(page, 'Once');
	await expect(page.getByRole('alert')).toContainText(/You sent the same message .* ago, so it was not sent again\./);
	await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Once');
	await expect(said(page).you).toHaveCount(1);
	await page.getByRole('button', { name: 'Send it again' }).click();
	await expect(said(page).assistant).toHaveCount(2);
	await expect(said(page).you).toHaveText(['Once', 'Once']);
	await expect(page.getByRole('alert')).toBeHidden();
});

test('[E2] what is said of the same message goes with the first change of it, and nothing else is sent by it', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Once');
	await say(page, 'Once');
	const alert = page.getByRole('alert');
	await expect(alert).toContainText('You sent the same message');
	await expectAccessible(page, 'the same message twice');
	// It is no failure, and does not look like one.
	expect(await alert.evaluate((element) => element.classList.contains('problem'))).toBe(false);
	await page.getByRole('textbox', { name: 'Message' }).press('End');
	await page.keyboard.type('!');
	await expect(alert).toHaveCount(0);
	await expect(page.getByRole('button', { name: 'Send it again' })).toHaveCount(0);
	await page.keyboard.press('Backspace');
	await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Once');
	await expect(alert).toHaveCount(0);
	await say(page, 'Once!');
	await expect(said(page).you).toHaveText(['Once', 'Once!']);
	await expect(alert).toHaveCount(0);
});

test('[S2] a session is named by its first exchange, and renamed in place, in the bar and at the side', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Good morning! I’d like to know how bees sleep. Thanks!');
	const links = sidebar(page).getByRole('link', { name: /bees/i });
	const field = page.getByRole('textbox', { name: 'Chat name' });
	await expect(heading(page)).toHaveText('How bees sleep');
	await expect(links).toHaveText([/^How bees sleep/]);
	await expect(page).toHaveTitle('How bees sleep · Snug');

	await heading(page).getByRole('button').click();
	await expect(field).toHaveValue('How bees sleep');
	await field.fill('Bees');
	await field.press('Escape');
	await expect(heading(page)).toHaveText('How bees sleep');
	await heading(page).getByRole('button').click();
	await field.fill('Bees');
	await field.press('Enter');
	await expect(links).toHaveText([/^Bees/]);
	await expect(heading(page).getByRole('button')).toBeFocused();

	await links.focus();
	await page.keyboard.press('F2');
	await expect(sidebar(page).getByRole('textbox', { name: 'Chat name' })).toBeFocused();
	await page.keyboard.type('Bees at night');
	await page.keyboard.press('Enter');
	await expect(heading(page)).toHaveText('Bees at night');
	await expect(links).toBeFocused();
	await ask(page, 'And wasps?');
	await page.reload();
	await expect(heading(page)).toHaveText('Bees at night');

	await heading(page).getByRole('button').click();
	await field.fill('');
	await field.press('Enter');
	await expect(heading(page)).toHaveText('How bees sleep');
	await expect(links).toHaveText([/^How bees sleep/]);
});

test('[A8] a pinned session comes first, is marked, and stays so', async ({ page }) => {
	await page.goto('./');
	await withSessions(page, [1, 2, 3].map((number) => storedSession(number)));
	const links = sidebar(page).getByRole('link', { name: /Session \d/ });
	await expect(links).toHaveText([/Session 3/, /Session 2/, /Session 1/]);
	await sidebar(page).getByRole('button', { name: 'Actions for “Session 1”' }).click();
	await page.getByRole('group', { name: 'Chat', exact: true }).getByRole('button', { name: 'Pin', exact: true }).click();
	await expect(links).toHaveText([/Session 1/, /Session 3/, /Session 2/]);
	await page.reload();
	await expect(links).toHaveText([/Session 1/, /Session 3/, /Session 2/]);
	await expect(sidebar(page).getByRole('heading').first()).toHaveText('Pinned');

	await sidebar(page).getByRole('button', { name: 'Actions for “Session 1”' }).click();
	await page.getByRole('group', { name: 'Chat', exact: true }).getByRole('button', { name: 'Unpin' }).click();
	await expect(links).toHaveText([/Session 3/, /Session 2/, /Session 1/]);
	await expect(sidebar(page).getByRole('heading', { name: 'Pinned' })).toHaveCount(0);
});

test('[E1] [E11] what is written in a workspace goes with the user to the chat that another tab begins there', async ({ page, context, server }) => {
	const box = (tab: Page) => tab.getByRole('textbox', { name: 'Message' });
	await page.goto('./w/Garden');
	await useServer(page, server.url, 'echo');
	await box(page).fill('A long thought about beans');
	const second = await context.newPage();
	await second.goto('./w/Garden');
	await ask(second, 'Tomatoes');
	await expect(page).toHaveURL(second.url());
	await expect(box(page)).toHaveValue('A long thought about beans');
	// The other tab has the chat: until it can be stored there, this tab keeps it, also over a reload.
	const kept = () => page.evaluate(() => JSON.stringify(sessionStorage));
	expect(await kept()).toContain('A long thought about beans');
	await second.close();
	await expect.poll(() => storedDrafts(page)).toEqual(['A long thought about beans']);
	await expect.poll(kept).not.toContain('A long thought about beans');
	await page.goto('./');
	await expect(box(page)).toHaveValue('');
	await box(page).fill('For a new chat');
	await page.getByRole('navigation').getByRole('link', { name: /Tomatoes/ }).click();
	await page.goto('./w/Garden');
	await expect(box(page)).toHaveValue('A long thought about beans');
});

test('[E1] [E11] a first message that is on its way when another tab begins a workspace’s chat is a chat of its own, which the screen goes to', async ({ page, context, folder, server }) => {
	const box = (tab: Page) => tab.getByRole('textbox', { name: 'Message' });
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	const arrive = await holdFile(page, chunkWith(folder, 'so it was not sent again'));
	await page.goto('./w/Garden');
	await box(page).fill('Beans');
	await box(page).press('Enter');
	await expect(box(page)).toHaveValue('');
	const second = await context.newPage();
	await second.goto('./w/Garden');
	await ask(second, 'Tomatoes');
	await expect(page.getByRole('navigation').getByRole('link', { name: /Tomatoes/ })).toBeVisible();
	await box(page).pressSequentially('and peas');
	// Nothing goes to the other tab's chat either.
	await box(page).press('Enter');
	arrive();
	await expect(said(page).you).toHaveText(['Beans']);
	expect(page.url()).not.toBe(second.url());
	await expect(box(page)).toHaveValue('and peas');
	await expect.poll(() => storedDrafts(page)).toEqual(['and peas']);
	await expect(said(second).you).toHaveText(['Tomatoes']);
});

test('[E1] [E11] what is typed while a workspace’s chat is being loaded is in that chat', async ({ page, folder, server }) => {
	const box = page.getByRole('textbox', { name: 'Message' });
	await beginGarden(page, server.url);
	const arrive = await comeToGarden(page, folder);
	await box.pressSequentially('typed at once');
	arrive();
	await expect(page).toHaveURL(/\/s\//);
	await expect(box).toHaveValue('typed at once');
	await expect.poll(() => storedDrafts(page)).toEqual(['typed at once']);
});

test('[E1] [E11] Enter while a workspace’s chat is being loaded sends what stood there then: no draft of that chat, and nothing typed since', async ({ page, folder, server }) => {
	const box = page.getByRole('textbox', { name: 'Message' });
	await beginGarden(page, server.url);
	const arrive = await comeToGarden(page, folder);
	await box.pressSequentially('Beans');
	await box.press('Enter');
	arrive();
	await expect(said(page).you).toHaveText(['Tomatoes', 'Beans']);
	await answer(page);
	await page.unrouteAll();

	await box.fill('Half a thought');
	await expect.poll(() => storedDrafts(page)).toEqual(['Half a thought']);
	const arriveAgain = await comeToGarden(page, folder);
	await box.pressSequentially('Peas');
	await box.press('Enter');
	arriveAgain();
	await expect(box).toHaveValue('Half a thought\n\nPeas');
	await expect(said(page).you).toHaveText(['Tomatoes', 'Beans']);
	expect(await rowsOf(page, 'sessions')).toHaveLength(1);
});

test('[E1] [E11] whoever leaves while a workspace’s chat is being loaded stays where they are, and nothing is sent', async ({ page, folder, server }) => {
	const box = page.getByRole('textbox', { name: 'Message' });
	await beginGarden(page, server.url);
	const arrive = await comeToGarden(page, folder);
	await box.pressSequentially('Beans');
	await box.press('Enter');
	await page.getByRole('link', { name: 'New chat' }).click();
	await expect(page).toHaveURL(/\/$/);
	arrive();
	await page.waitForLoadState('networkidle');
	await expect(page).toHaveURL(/\/$/);
	await expect(box).toHaveValue('Beans');
	expect(await rowsOf(page, 'sessions')).toHaveLength(1);
	expect(await rowsOf(page, 'messages')).toHaveLength(3);
});

test('[E1] a workspace’s chat is opened also where its address is opened again meanwhile, or another’s, and where its part arrives at the second try', async ({
	page,
	folder,
	server,
	expectConsole
}) => {
	expectConsole.push(/net::ERR_FAILED/, /Failed to fetch dynamically imported module/);
	const box = page.getByRole('textbox', { name: 'Message' });
	for (const workspace of ['Garden', 'Plot']) {
		await page.goto(`./w/${workspace}`);
		if (workspace === 'Garden') await useServer(page, server.url, 'echo');
		await ask(page, `Tomatoes in ${workspace}`);
	}
	const sessions = () => rowsOf(page, 'sessions');
	for (const address of ['./w/Garden', './w/Plot']) {
		const arrive = await holdFile(page, chunkWith(folder, textsOfSessions));
		await page.goto('./w/Garden', { waitUntil: 'commit' });
		await expect(box).toBeFocused();
		await page.evaluate((path) => {
			const link = document.body.appendChild(Object.assign(document.createElement('a'), { href: path, textContent: path }));
			link.click();
			link.remove();
		}, new URL(address, page.url()).pathname.replace('/w/w/', '/w/'));
		await box.press('x');
		await box.press('Backspace');
		arrive();
		await expect(page).toHaveURL(/\/s\//);
		await expect(said(page).you).toHaveText([`Tomatoes in ${address.slice(4)}`]);
		await page.unrouteAll({ behavior: 'wait' });
	}

	const chunk = chunkWith(folder, textsOfSessions);
	let failures = 0;
	await page.route(`**/${chunk}`, (route) => (failures++ === 0 ? route.abort() : route.continue()));
	await page.goto('./w/Garden', { waitUntil: 'commit' });
	await box.pressSequentially('Beans');
	await expect.poll(() => failures).toBeGreaterThan(0);
	await box.press('Enter');
	await expect(said(page).you).toHaveText(['Tomatoes in Garden', 'Beans']);
	expect(await sessions()).toHaveLength(2);
});

test('[E1] [E11] a second message of a new chat is of that chat, also while it is being opened', async ({ page, folder, server }) => {
	const box = page.getByRole('textbox', { name: 'Message' });
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	// The node of the page of a chat is all that keeps it from being shown.
	const nodes = join(folder, '_app/immutable/nodes');
	const node = readdirSync(nodes).find((name) => name.startsWith('5.'))!;
	const screen = await holdFile(page, node);
	await page.reload();
	await box.pressSequentially('First');
	await box.press('Enter');
	await expect.poll(() => rowsOf(page, 'sessions')).toHaveLength(1);
	await expect(box).toHaveValue('');
	await box.pressSequentially('Second');
	await box.press('Enter');
	screen();
	await expect(page).toHaveURL(/\/s\//);
	await expect(said(page).you.first()).toHaveText('First');
	await answer(page);
	expect(await rowsOf(page, 'sessions')).toHaveLength(1);
	if ((await box.inputValue()) === 'Second') await box.press('Enter');
	await expect(said(page).you).toHaveText(['First', 'Second']);
	expect(await rowsOf(page, 'sessions')).toHaveLength(1);
});

test('[S3] [E11] a command is for the chat in which it was given, wherever one has gone since', async ({ page, folder, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'One');
	const first = page.url();
	await newChat(page);
	await ask(page, 'Two');
	await page.goto(first);
	await expect(said(page).you).toHaveText(['One']);
	const arrive = await holdFile(page, chunkWith(folder, 'choices, in the command output'));
	await page.reload();
	await expect(said(page).you).toHaveText(['One']);
	await page.getByRole('textbox', { name: 'Message' }).pressSequentially('/rename Renamed');
	await page.keyboard.press('Enter');
	await sidebar(page).getByRole('link', { name: /^Two/ }).click();
	await expect(said(page).you).toHaveText(['Two']);
	arrive();
	await expect(sidebar(page).getByRole('link', { name: /^Renamed/ })).toHaveAttribute('href', new URL(first).pathname);
});

test('[E11] a command stays in its composer until what runs it is there', async ({ page, folder, server }) => {
	const box = page.getByRole('textbox', { name: 'Message' });
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'One');
	await holdFile(page, chunkWith(folder, 'choices, in the command output'));
	await page.reload();
	await expect(said(page).you).toHaveText(['One']);
	await box.pressSequentially('/rename A long thought');
	await box.press('Enter');
	await expect.poll(() => storedDrafts(page)).toEqual(['/rename A long thought']);
	await page.reload();
	await expect(box).toHaveValue('/rename A long thought');
});

test('[E1] [E11] what was written before one came to a workspace stays with the new chat', async ({ page, context, server }) => {
	const box = (tab: Page) => tab.getByRole('textbox', { name: 'Message' });
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await box(page).fill('A thought for a new chat');
	await page.goto('./w/Garden');
	await expect(box(page)).toHaveValue('A thought for a new chat');
	const second = await context.newPage();
	await second.goto('./w/Garden');
	await ask(second, 'Tomatoes');
	await expect(page).toHaveURL(second.url());
	await expect(box(page)).toHaveValue('');
	await page.getByRole('link', { name: 'New chat' }).click();
	await expect(box(page)).toHaveValue('A thought for a new chat');
});

test('[S2] [E11] a name that the store refuses stays in its field', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'Bees');
	await refuseRows(page, ['sessions']);
	await heading(page).getByRole('button').click();
	const field = page.getByRole('textbox', { name: 'Chat name' });
	await field.fill('A name that took a while');
	await field.press('Enter');
	await expect(page.getByText(/no space left/)).toBeVisible();
	await expect(field).toHaveValue('A name that took a while');
	await refuseRows(page, []);
	await field.press('Enter');
	await expect(heading(page)).toHaveText('A name that took a while');
});

test('[E1] [S11] a file that is attached while a workspace’s chat is being opened is in that chat; Enter elsewhere does not send it', async ({ page, folder, server }) => {
	const files = page.getByRole('list', { name: 'Attached files' }).getByRole('listitem');
	await beginGarden(page, server.url);
	const arrive = await comeToGarden(page, folder);
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
	await page.locator('input[type=file]').setInputFiles({ name: 'one.txt', mimeType: 'text/plain', buffer: Buffer.from('one') });
	arrive();
	await expect(page).toHaveURL(/\/s\//);
	await expect(files).toHaveText([/one\.txt/]);
	await page.getByRole('link', { name: 'New chat' }).click();
	await expect(files).toHaveCount(0);
});

/** Words that are in the chunk with the composers of sessions. */
const textsOfSessions = 'This message was also written in another tab';

/** Begins a chat in the workspace “Garden”, with an answer. */
async function beginGarden(page: Page, server: string): Promise<void> {
	await page.goto('./w/Garden');
	await useServer(page, server, 'echo');
	await ask(page, 'Tomatoes');
}

/** Comes to the workspace “Garden”, whose chat can't be opened until the returned function is called. */
async function comeToGarden(page: Page, folder: string): Promise<() => void> {
	const arrive = await holdFile(page, chunkWith(folder, textsOfSessions));
	await page.goto('./w/Garden', { waitUntil: 'commit' });
	return arrive;
}

/** What is typed in each session and stored. */
async function storedDrafts(page: Page): Promise<string[]> {
	return (await rowsOf<{ composer: string }>(page, 'drafts')).map(({ composer }) => composer);
}

test('[E10] the list is filtered by workspace and by surface', async ({ page }) => {
	await page.goto('./');
	await withSessions(page, [
		storedSession(1, { workspace: 'Garden' }),
		storedSession(2, { workspace: 'Garden', surface: 'telegram', key: 'telegram:17' }),
		storedSession(3, { surface: 'telegram', key: 'telegram:18' }),
		storedSession(4)
	]);
	const links = sidebar(page).getByRole('link', { name: /Session \d/ });
	const workspace = sidebar(page).getByRole('combobox', { name: 'Workspace' });
	const surface = sidebar(page).getByRole('combobox', { name: 'Opened in' });
	await workspace.selectOption('Garden');
	await expect(links).toHaveText([/Session 2/, /Session 1/]);
	await surface.selectOption('telegram');
	await expect(links).toHaveText([/Session 2/]);
	await workspace.selectOption('All workspaces');
	await expect(links).toHaveText([/Session 3/, /Session 2/]);
	await surface.selectOption('Browser');
	await expect(links).toHaveText([/Session 4/, /Session 1/]);
	await workspace.selectOption('No workspace');
	await expect(links).toHaveText([/Session 4/]);
});

test('[R5] [R7] an import shows what it was called elsewhere, that it was cut there, and is found by that name', async ({ page }) => {
	await page.goto('./');
	const alias = '20240131-235959-abc123';
	await withSessions(page, [storedSession(1, { surface: 'agent', extra: { alias, truncated: true } }), storedSession(2)]);
	await page.goto(`./?resume=${alias}`);
	await expect(said(page).you).toHaveText(['Question 1']);
	await inSessionMenu(page, 'Details');
	const dialog = page.getByRole('dialog', { name: 'Chat details' });
	const fact = (name: string) => dialog.locator(`dt:text-is("${name}") + dd`);
	await expect(fact('Alias')).toHaveText(alias);
	await expect(fact('Truncated')).toHaveText(/^Yes/);
	await expect(fact('Opened in')).toHaveText('agent');

	await page.goto(`./s/${storedId(2)}`);
	await inSessionMenu(page, 'Details');
	await expect(fact('Opened in')).toHaveText('Browser');
	await expect(fact('Alias')).toHaveCount(0);
	await expect(fact('Truncated')).toHaveCount(0);
	await page.goto('./sessions');
	const table = page.getByRole('table', { name: 'All chats' });
	await expect(table.getByRole('row', { name: 'Session 1' })).toContainText(`${alias} truncated before import`);
});
