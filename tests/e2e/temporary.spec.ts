import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { chunkWith, holdFile } from './chunks';
import { tinyModelFile } from './tiny-model';
import { expect, test } from './app';
import { actionsOf, answer, ask, expectAccessible, inMessageMenu, openBlank, openPanel, putRows, rowsOf, said, say, storedConversation, useServer, withSessions } from './chat';
import { placesWith } from './places';

test.use({ weights: 'none' });

const secret = 'quokkazanzibar';

const bar = (page: Page) => page.getByRole('complementary', { name: 'About this chat' });
const composer = (page: Page) => page.getByRole('textbox', { name: 'Message' });

/** Leaves the page for one of the origin that runs nothing of the app, in the same tab, and answers the browser's question. */
async function leaveForBlank(page: Page): Promise<void> {
	// What is still being loaded would fail.
	await page.waitForLoadState('networkidle');
	const accept = (dialog: { accept: () => Promise<void> }) => void dialog.accept();
	page.on('dialog', accept);
	await openBlank(page);
	page.off('dialog', accept);
}

/** Does in a new chat what stores something in any chat, with the word in all of it. */
async function writeAll(page: Page): Promise<void> {
	await composer(page).fill(`${secret} typed`);
	await page.locator('input[type=file]').setInputFiles({ name: `${secret}.txt`, mimeType: 'text/plain', buffer: Buffer.from(`${secret} in a file`) });
	await expect(page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toBeVisible();
	await say(page, `${secret} is asked`);
	await expect(page.getByRole('article').last()).toHaveAccessibleName('Assistant');
	expect(await answer(page)).toContain(secret);
	await ask(page, `${secret} is asked again`);

	await said(page).you.last().hover();
	await actionsOf(said(page).you.last()).getByRole('button', { name: 'Edit' }).click();
	await page.getByRole('textbox', { name: 'Edited message' }).fill(`${secret} is asked otherwise`);
	await page.getByRole('form', { name: 'Edit message' }).getByRole('button', { name: 'Send' }).click();
	await expect(said(page).you.last()).toHaveText(`${secret} is asked otherwise`);
	expect(await answer(page)).toContain(secret);
	await inMessageMenu(page, said(page).assistant.first(), 'Branch from here');
	// As many as a compaction needs.
	for (let number = 1; number <= 8; number++) await ask(page, `${secret} in a branch, ${number}`);

	await say(page, '/compact simple');
	await page.getByRole('dialog', { name: 'Compact this chat' }).getByRole('textbox', { name: 'Summary' }).fill(`${secret} in short`);
	await page.getByRole('dialog', { name: 'Compact this chat' }).getByRole('button', { name: 'Compact', exact: true }).click();
	await expect(page.getByRole('region', { name: 'Compaction', exact: true })).toBeVisible();

	await openPanel(page, 'Notes');
	await page.getByRole('textbox', { name: 'New task' }).fill(`${secret} to do`);
	await page.getByRole('button', { name: 'Add', exact: true }).click();
	await page.getByRole('textbox', { name: 'New task' }).fill(`${secret} not added`);
	await say(page, `/rename ${secret}`);
	await expect(page.getByRole('heading', { level: 1 })).toHaveText(secret);
	await composer(page).fill(`${secret} is not sent`);
	await expect.poll(async () => JSON.stringify(await rowsOf(page, 'drafts'))).toContain('is not sent');
}

test('[P8] nothing of a temporary chat is stored anywhere, of an ordinary one all is', async ({ page, context, server }) => {
	test.slow();
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await page.goto('./temporary');
	await expect(bar(page)).toContainText('Not stored: it is gone when you close or reload this tab.');
	await writeAll(page);
	await expect(page).toHaveURL(/\/temporary\/s\/[^/]+$/);
	expect(await page.title()).not.toContain(secret);

	const beside = await context.newPage();
	await openBlank(beside);
	expect(await placesWith(beside, secret)).toEqual([]);
	await leaveForBlank(page);
	expect(await placesWith(page, secret)).toEqual([]);

	await page.goto('./');
	await writeAll(page);
	await leaveForBlank(page);
	const tables = ['attachments', 'boundaries', 'drafts', 'messages', 'scratchpad', 'sessions'];
	expect(await placesWith(page, secret)).toEqual(expect.arrayContaining([...tables, 'sessionStorage']));
});

test('other tabs hear nothing of a temporary chat', async ({ page, context, server }) => {
	const listener = await context.newPage();
	await openBlank(listener);
	await listener.evaluate(() => {
		const heard: string[] = [];
		Object.assign(window, { heard });
		for (const name of ['snug-turns-6', 'storagemutated', 'dexie-txcommitted']) new BroadcastChannel(name).onmessage = ({ data }) => heard.push(JSON.stringify(data));
	});
	const heard = () => listener.evaluate(() => (window as unknown as { heard: string[] }).heard.length);
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await page.goto('./temporary');
	await expect(bar(page)).toBeVisible();
	await listener.evaluate(() => (window as unknown as { heard: string[] }).heard.splice(0));
	await ask(page, 'Who listens?');
	expect(await heard()).toBe(0);

	const ordinary = await context.newPage();
	await ordinary.goto('./');
	await ask(ordinary, 'Who listens now?');
	await expect.poll(heard).toBeGreaterThan(1);
	expect(await rowsOf(listener, 'messages')).toHaveLength(3);
});

test('a reload asks first and begins another temporary chat, which says that the one before is gone', async ({ page, server, browserName, expectConsole }) => {
	// Firefox gives up what was being loaded once a page is to be left, also where it then stays.
	if (browserName === 'firefox') expectConsole.push(/^uncaught: uncaught exception: Object/);
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await page.goto('./temporary');
	await composer(page).pressSequentially('Only typed');
	const asked = (act: () => Promise<unknown>, answer: 'accept' | 'dismiss') =>
		Promise.all([page.waitForEvent('dialog').then(async (dialog) => (expect(dialog.type()).toBe('beforeunload'), dialog[answer]())), act()]);

	await asked(() => bar(page).getByRole('link', { name: 'Leave' }).click(), 'dismiss');
	await expect(composer(page)).toHaveValue('Only typed');
	await page.getByRole('button', { name: 'Send' }).click();
	await answer(page);
	await expect(page).toHaveURL(/\/temporary\/s\//);
	await asked(() => page.reload(), 'accept');
	await expect(page).toHaveURL(/\/temporary$/);
	const gone = page.getByText('The temporary chat that was here is gone. This is a new one.');
	await expect(gone).toBeVisible();
	// On a phone it has the whole width: no button for the list of chats stands beside it.
	await page.setViewportSize({ width: 390, height: 844 });
	expect((await gone.locator('..').boundingBox())!.x).toBeLessThan(24);
	await page.setViewportSize({ width: 1280, height: 720 });
	await expect(composer(page)).toHaveValue('');
	await expect(said(page).you).toHaveCount(0);
	// Nothing would be lost now.
	await bar(page).getByRole('link', { name: 'Leave' }).click();
	await expect(page).toHaveURL(/\/$/);
	await expect(page.getByRole('link', { name: 'New chat' })).toBeVisible();
});

test('who leaves a temporary chat finds their chats and their model as they were', async ({ page, server }) => {
	await page.goto('./');
	await withSessions(page, [storedConversation(1, ['Apples?', 'Pears.'])]);
	await useServer(page, server.url, 'echo');
	await leaveForBlank(page);
	const tables = ['sessions', 'messages', 'trees', 'positions', 'settings', 'providers', 'secrets', 'modelLists', 'drafts'];
	// When the start page was last looked after is not what is asked.
	const isChosen = (row: { name?: string }) => !/^(retentionChecked|backupReminded)At$/.test(row.name ?? '');
	const all = () => Promise.all(tables.map(async (table) => [table, (await rowsOf<{ name?: string }>(page, table)).filter(isChosen)]));
	const before = await all();

	await page.goto('./temporary');
	await page.getByRole('button', { name: /echo: Change model/ }).click();
	await expect(page.getByRole('button', { name: 'Add or remove models' })).toHaveCount(0);
	await page.getByRole('searchbox', { name: 'Filter models' }).fill('echo@5');
	await page.getByRole('button', { name: 'echo@5' }).click();
	await expect(page.getByRole('button', { name: /echo@5: Change model/ })).toBeVisible();
	await ask(page, 'Only here');
	await page.evaluate(() => window.snug.models.list());

	page.once('dialog', (dialog) => void dialog.accept());
	await bar(page).getByRole('link', { name: 'Leave' }).click();
	await expect(page).toHaveURL(/\/$/);
	await expect(page.getByRole('button', { name: /echo: Change model/ })).toBeVisible();
	await leaveForBlank(page);
	expect(await all()).toEqual(before);
});

test('a temporary chat is begun from a new chat and from the palette, and a hit of a search leads out of it', async ({ page, server, expectConsole }) => {
	// Firefox says so of what was being loaded when a page is left in full.
	expectConsole.push(/Unable to preload CSS|dynamically imported module/);
	await page.goto('./');
	await withSessions(page, [storedConversation(1, ['Where is the heron?', 'By the weir.'])]);
	await useServer(page, server.url, 'echo');
	await page.getByRole('link', { name: 'Temporary chat' }).click();
	await expect(bar(page)).toBeVisible();
	await expect(page.getByRole('link', { name: 'Temporary chat' })).toHaveCount(0);
	await expect(page.getByRole('navigation', { name: 'Sessions' })).toBeHidden();
	await expect(page.getByRole('button', { name: 'Show chats' })).toBeHidden();

	const field = page.getByRole('combobox', { name: 'Search or run a command' });
	await page.keyboard.press('ControlOrMeta+k');
	for (const name of [/New workspace/, /Delete everything/, /sidebar/, /Change model/, /Temporary chat/]) await expect(page.getByRole('option', { name })).toHaveCount(0);
	await field.fill('heron');
	await page.getByRole('option', { name: /Where is the heron/ }).click();
	await expect(page).toHaveURL(/[^y]\/s\/01900000/);
	await expect(said(page).you).toHaveText('Where is the heron?');
	await expect(bar(page)).toHaveCount(0);

	await page.keyboard.press('ControlOrMeta+k');
	await field.fill('temporary');
	await page.keyboard.press('Enter');
	await expect(page).toHaveURL(/\/temporary$/);
	await expect(bar(page)).toBeVisible();
});

test('[E11] an answer that is being written goes on, since a temporary chat begins in another tab then', async ({ page, server, hold, context }) => {
	const letEnd = hold('slow-tokens@100');
	await page.goto('./');
	await useServer(page, server.url, 'slow-tokens@100');
	await say(page, Array.from({ length: 40 }, (_, index) => `word${index}`).join(' '));
	await expect(said(page).assistant).toContainText('word2');
	await page.keyboard.press('ControlOrMeta+k');
	await page.getByRole('combobox', { name: 'Search or run a command' }).fill('temporary');
	const [opened] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('Enter')]);
	await expect(bar(opened)).toBeVisible();
	// Nothing is drawn in a tab that is hidden.
	await page.bringToFront();
	letEnd();
	await expect(said(page).assistant).toContainText('word39');
	await answer(page);
});

test('a temporary chat offers nothing that is about stored chats, and says so where it is asked for', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await page.goto('./temporary');
	await ask(page, 'Offer me something');
	await page.getByRole('button', { name: 'Chat menu' }).click();
	const menu = page.getByRole('group', { name: 'Chat', exact: true });
	await expect(page.getByRole('button', { name: 'Download as Markdown' })).toBeVisible();
	for (const name of ['Pin', 'Archive', 'Move to workspace…', 'Copy link', 'Copy chat ID', 'Delete chat']) await expect(menu.getByRole('button', { name, exact: true })).toHaveCount(0);
	// No line stands below the last of what is left.
	await expect(menu.locator('hr:last-child')).toHaveCount(0);
	await page.keyboard.press('Escape');
	await composer(page).fill('/');
	await expect(page.getByRole('option', { name: '/rename' })).toBeVisible();
	for (const name of ['/pin', '/delete', '/list', '/session', '/new', '/cleanup']) await expect(page.getByRole('option', { name })).toHaveCount(0);
	await say(page, '/pin');
	await expect(page.getByRole('region', { name: 'Command output' })).toContainText('A temporary chat is in no list, so /pin is not here.');
});

test('[E3] a temporary chat uses personas, and offers neither to keep one nor to delete one', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await putRows(page, { presets: [{ name: 'Pirate', systemPrompt: 'Talk like a pirate.', createdAt: 1 }] });
	for (const [address, offered] of [['./', 1], ['./temporary', 0]] as const) {
		await page.goto(address);
		await page.getByRole('button', { name: /Change model/ }).first().click();
		await page.getByRole('button', { name: 'Model settings', exact: true }).click();
		const dialog = page.getByRole('dialog', { name: /^Model settings for/ });
		await expect(dialog.getByRole('combobox', { name: 'Persona' }).getByRole('option', { name: 'Pirate' })).toBeAttached();
		for (const name of ['Save as persona…', 'Delete personas…']) await expect(dialog.getByRole('button', { name })).toHaveCount(offered);
	}
});

/** The titles of the chats that are stored. */
const storedChats = async (page: Page) => (await rowsOf<{ preview: string }>(page, 'sessions')).map(({ preview }) => preview);

test('[E11] a temporary chat is kept as an ordinary one, with its branches, files and what is not sent, and the temporary one is gone', async ({ page, app, server, context }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	const other = await context.newPage();
	await other.goto('./');
	await page.goto('./temporary');
	await page.locator('input[type=file]').setInputFiles({ name: 'heron.txt', mimeType: 'text/plain', buffer: Buffer.from('A heron in a file') });
	await expect(page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toBeVisible();
	await say(page, 'Of a heron');
	expect(await answer(page)).toContain('heron');
	await ask(page, 'And more');
	await said(page).you.last().hover();
	await actionsOf(said(page).you.last()).getByRole('button', { name: 'Edit' }).click();
	await page.getByRole('textbox', { name: 'Edited message' }).fill('And otherwise');
	await page.getByRole('form', { name: 'Edit message' }).getByRole('button', { name: 'Send' }).click();
	await expect(said(page).you.last()).toHaveText('And otherwise');
	expect(await answer(page)).toContain('otherwise');
	const id = page.url().split('/').at(-1)!;
	const tree = await page.evaluate((id) => window.snug.tree.text(id), id);
	await composer(page).pressSequentially('Not sent');

	await page.getByRole('button', { name: 'Chat menu' }).click();
	await page.getByRole('button', { name: 'Keep this chat', exact: true }).click();
	await expect(page).toHaveURL(new RegExp(`(?<!temporary)/s/${id}$`));
	await expect(bar(page)).toHaveCount(0);
	await expect(said(page).you).toHaveText([/Of a heron/, 'And otherwise']);
	await expect(page.getByRole('button', { name: /heron\.txt/ })).toBeVisible();
	await expect(composer(page)).toHaveValue('Not sent');
	await page.waitForFunction(() => 'snug' in window);
	expect(await page.evaluate((id) => window.snug.tree.text(id), id)).toBe(tree);
	expect(await rowsOf(page, 'attachments')).toHaveLength(1);
	// Other tabs are told, and it goes on.
	await expect(other.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: /heron/ })).toBeVisible();
	await composer(page).fill('');
	await ask(page, 'It goes on');
	await page.reload();
	await expect(said(page).you).toHaveText([/Of a heron/, 'And otherwise', 'It goes on']);
	// The temporary one is nowhere to go back to.
	await page.goBack();
	await expect(page).toHaveURL(app.url);
	await expect(page.getByRole('heading', { name: 'What’s on your mind?' })).toBeVisible();
	await expect(bar(page)).toHaveCount(0);
});

test('[E11] a temporary chat is kept from the bar that says what it is, with its second model, and this is said once', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await page.goto('./temporary');
	await page.getByRole('button', { name: /Change model/ }).first().click();
	await page.getByRole('button', { name: 'Ask a second model too…' }).click();
	await page.getByRole('searchbox', { name: 'Filter models' }).fill('reasoning');
	await page.keyboard.press('Enter');
	await expect(page.getByText('and reasoning')).toBeVisible();
	const keep = bar(page).getByRole('button', { name: 'Keep', exact: true });
	await expect(bar(page)).toBeVisible();
	await expect(keep).toHaveCount(0);
	await say(page, 'Of a heron');
	await page.getByRole('button', { name: 'Keep this one' }).first().click();
	await expect(keep).toBeEnabled();
	// On a phone it is one line: of words, and of buttons.
	await page.setViewportSize({ width: 390, height: 844 });
	expect((await bar(page).boundingBox())!.height).toBeLessThan(60);
	expect((await bar(page).getByRole('paragraph').boundingBox())!.height).toBeLessThan(28);

	await keep.click();
	await expect(bar(page)).toHaveCount(0);
	await expect(page.getByText('The chat was kept.')).toBeVisible();
	await expect(page.getByText('and reasoning')).toBeVisible();
	await page.reload();
	await expect(said(page).you).toHaveText('Of a heron');
	await expect(page.getByText('and reasoning')).toBeVisible();
	await expect(page.getByText('The chat was kept.')).toHaveCount(0);
});

test('[E11] a temporary chat that can’t be kept stays, with nothing of it stored; of two, the other one stays', async ({ page, server, context, expectConsole }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	const looking = await context.newPage();
	await looking.goto('./');
	await page.goto('./temporary');
	await ask(page, 'The second');
	await page.evaluate(() => window.snug.send('The first'));
	const keep = async () => {
		await page.getByRole('button', { name: 'Chat menu' }).click();
		await page.getByRole('button', { name: 'Keep this chat', exact: true }).click();
	};

	// What would store it does not arrive.
	const isWorker = (url: URL) => /keep-worker/.test(url.pathname);
	expectConsole.push(/keep-worker|Failed to load/);
	await context.route(isWorker, (route) => route.abort());
	await keep();
	await expect(page.getByText('This chat could not be kept: a part of Snug did not load.')).toBeVisible();
	await expect(said(page).you).toHaveText(['The second']);
	expect(await storedChats(looking)).toEqual([]);

	await context.unroute(isWorker);
	await keep();
	await expect.poll(() => storedChats(looking)).toEqual(['The second']);
	await expect(page.getByText('The chat was kept')).toBeVisible();
	await expect(page).toHaveURL(/temporary$/);
	// It is in one place only.
	await expect.poll(() => page.evaluate(async () => (await window.snug.sessions.list()).map(({ preview }) => preview))).toEqual(['The first']);
});

test('[E11] nothing is typed or sent into a temporary chat while it is being kept', async ({ page, server, context }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await page.goto('./temporary');
	await ask(page, 'Of a heron');
	await composer(page).pressSequentially('Not sent');
	let letGo = () => {};
	const held = new Promise<void>((resolve) => (letGo = resolve));
	const asked = page.waitForRequest(/keep-worker/);
	await context.route(/keep-worker/, async (route) => {
		await held;
		await route.continue();
	});
	await page.getByRole('button', { name: 'Chat menu' }).click();
	await page.getByRole('button', { name: 'Keep this chat', exact: true }).click();
	await page.keyboard.type('typed meanwhile');
	await page.keyboard.press('Enter');
	await page.keyboard.press('ControlOrMeta+k');
	await page.evaluate(() => {
		const dataTransfer = new DataTransfer();
		dataTransfer.items.add(new File(['A heron'], 'heron.txt', { type: 'text/plain' }));
		document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
	});
	await asked;
	await expect(page.getByRole('dialog', { name: 'Keeping this chat…' })).toBeVisible();
	await expect(page.getByText('Everything in it is being stored.')).toBeFocused();
	await expect(page.locator('dialog')).toHaveCount(1);
	await expect(page.getByRole('list', { name: 'Attached files' })).toHaveCount(0);
	await expectAccessible(page, 'keeping a temporary chat');
	await expect(composer(page)).toHaveValue('Not sent');
	await expect(said(page).you).toHaveText(['Of a heron']);
	letGo();
	await expect(bar(page)).toHaveCount(0);
	await expect(said(page).you).toHaveText(['Of a heron']);
	await expect(composer(page)).toHaveValue('Not sent');
});

test('[E11] keeping a temporary chat that does not end is cancelled; the chat is as it was, and kept at the next try', async ({ page, server, context }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	const isWorker = (url: URL) => /keep-worker/.test(url.pathname);
	await context.route(isWorker, () => undefined);
	await page.goto('./temporary');
	await ask(page, 'Of a heron');
	const keep = bar(page).getByRole('button', { name: 'Keep', exact: true });
	await keep.click();
	await page.getByRole('dialog', { name: 'Keeping this chat…' }).getByRole('button', { name: 'Cancel' }).click();
	await expect(page.locator('dialog')).toHaveCount(0);
	await expect(page.getByText('could not be kept')).toHaveCount(0);
	await composer(page).pressSequentially('Not sent');
	await context.unroute(isWorker);
	await keep.click();
	await expect(bar(page)).toHaveCount(0);
	await expect(said(page).you).toHaveText('Of a heron');
	await expect(composer(page)).toHaveValue('Not sent');
});

test('[E11] a file that is still read when a temporary chat is kept, a task that is not added and what was deleted just before are not lost', async ({ page, server, folder }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await page.goto('./temporary');
	await ask(page, 'Of a heron');
	await ask(page, 'Of a crane');
	await openPanel(page, 'Notes');
	await page.getByRole('textbox', { name: 'New task' }).pressSequentially('Look for herons');
	await inMessageMenu(page, said(page).you.last(), 'Delete from here on');
	await expect(said(page).you).toHaveText(['Of a heron']);
	const letGo = await holdFile(page, chunkWith(folder, ' files at most'));
	await page.locator('input[type=file]').setInputFiles({ name: 'heron.txt', mimeType: 'text/plain', buffer: Buffer.from('A heron in a file') });
	await bar(page).getByRole('button', { name: 'Keep', exact: true }).click();
	await expect(page.getByRole('dialog', { name: 'Keeping this chat…' })).toBeVisible();
	letGo();
	await expect(bar(page)).toHaveCount(0);
	await expect(page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toHaveText(/heron\.txt/);
	await expect(page.getByText('The chat was kept, without what you have just deleted.')).toBeVisible();
	await page.getByRole('button', { name: 'Undo', exact: true }).click();
	await expect(said(page).you).toHaveText(['Of a heron', 'Of a crane']);
	await openPanel(page, 'Notes');
	await expect(page.getByRole('textbox', { name: 'New task' })).toHaveValue('Look for herons');
});

test('[A13] a temporary chat can be downloaded', async ({ page, server, browserName }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await page.goto('./temporary');
	await ask(page, 'Keep this');
	// Over the protocol that drives Firefox, downloads can't be seen.
	if (browserName === 'firefox') {
		expect(await page.evaluate((id) => window.snug.export(id), page.url().split('/').at(-1)!)).toContain('Keep this');
		return;
	}
	await page.getByRole('button', { name: 'Chat menu' }).click();
	const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download as Markdown' }).click()]);
	expect(await readFile(await download.path(), 'utf8')).toContain('Keep this');
});

test('without a database and without a model, a temporary chat makes none, and says where models are chosen', async ({ page }) => {
	await page.goto('./temporary');
	await expect(bar(page)).toBeVisible();
	await page.getByRole('button', { name: 'a server' }).click();
	const dialog = page.getByRole('dialog', { name: 'Model' });
	await expect(dialog).toContainText('Leave it to add or remove one.');
	await expectAccessible(page, 'temporary, dialog');
	await openBlank(page);
	expect(await page.evaluate(async () => [await indexedDB.databases(), Object.keys(localStorage), Object.keys(sessionStorage)])).toEqual([[], [], []]);
});

test('the page’s own script leaves a temporary chat alone', async ({ page, expectConsole }) => {
	expectConsole.push(/Failed to load resource/, /dynamically imported module/);
	// Without the app, only that script runs.
	await page.route('**/_app/**', (route) => route.abort());
	await page.goto('./temporary').catch(() => undefined);
	await expect(page.locator('#waking')).toHaveCount(0);
	expect(await page.evaluate(() => [globalThis.earlyDatabase, sessionStorage.length])).toEqual([undefined, 0]);
});

test.describe('offline', () => {
	test.use({ serviceWorkers: 'allow', weights: tinyModelFile() });

	// One thread, as in offline.spec.ts.
	test.beforeEach(({ context }) => context.addInitScript(() => Object.defineProperty(navigator, 'hardwareConcurrency', { value: 1 })));

	test('a temporary chat begins without a network, and no file of the device goes with it', async ({ page, app, expectConsole }) => {
		test.slow();
		// Firefox says the last when a model is removed that is in memory, in any chat.
		expectConsole.push(/Failed to load|net::ERR/, /uncaught exception: undefined/);
		await page.goto('./');
		await say(page, 'Fetch the model');
		await answer(page, { timeout: 120_000 });
		await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
		await expect(page.getByText('ready offline')).toBeVisible();
		await app.kill();
		await page.goto('./temporary');
		await expect(bar(page)).toBeVisible();
		await say(page, `${secret} offline`);
		await answer(page, { timeout: 120_000 });
		await page.evaluate(async () => window.snug.models.remove((await window.snug.models.list())[0]!.id));
		page.on('dialog', (dialog) => void dialog.accept());
		await bar(page).getByRole('link', { name: 'Leave' }).click();
		await expect(page.getByText(/loads with your next message/)).toBeVisible();
		await page.goto('./repair');
		expect(await placesWith(page, secret)).toEqual([]);
	});
});

test('a temporary chat is accessible', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await page.goto('./temporary');
	await expect(bar(page)).toBeVisible();
	await expect(page.getByRole('group', { name: 'Suggestions' })).toBeVisible();
	await expectAccessible(page, 'temporary, new');
	await ask(page, 'Is this accessible?');
	await expectAccessible(page, 'temporary, begun');
});
