import { readFile } from 'node:fs/promises';
import { expect, test } from './app';
import { answer, countRows, inSessionMenu, say, useServer } from './chat';

test.use({ weights: 'none' });

test('[A12] sessions are listed newest first with their preview, and open again', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	for (const text of ['The first thing', 'The second thing', 'The third thing']) {
		await page.getByRole('link', { name: 'New chat' }).click();
		await expect(page.getByRole('heading', { name: 'What’s on your mind?' })).toBeVisible();
		await say(page, text);
		await answer(page);
	}
	const links = page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: /thing/ });
	await expect(links).toHaveText([/third/, /second/, /first/]);

	await links.last().click();
	await expect(page.getByRole('article', { name: 'You' })).toHaveText('The first thing');
	await say(page, 'More of it');
	await expect(links).toHaveText([/first/, /third/, /second/]);
	expect((await page.evaluate(() => window.snug.sessions.list({ limit: 2 }))).map(({ preview }) => preview)).toEqual([
		'The first thing',
		'The third thing'
	]);
});

test('[A14] a deleted session can be had back for ten seconds, and then is gone with all its rows', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await say(page, 'To be or not to be');
	await answer(page);
	const link = page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: /To be or not/ });

	await inSessionMenu(page, 'Delete chat');
	await expect(link).toBeHidden();
	await expect(page).toHaveURL(/\/$/);
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(page).toHaveURL(/\/s\//);
	await expect(link).toBeVisible();
	await expect(page.getByRole('article', { name: 'Assistant' })).toContainText('To be or not to be');

	await inSessionMenu(page, 'Delete chat');
	await expect(page.getByText('Chat deleted.')).toBeVisible();
	await expect(page.getByText('Chat deleted.')).toBeHidden({ timeout: 15_000 });
	await expect.poll(() => countRows(page)).toMatchObject({ sessions: 0, messages: 0, trees: 0, drafts: 0 });
});

test('[A14] a deletion is carried out also when the tab was closed before its ten seconds were over', async ({ page, context, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await say(page, 'Short-lived');
	await answer(page);
	await inSessionMenu(page, 'Delete chat');
	await expect(page.getByText('Chat deleted.')).toBeVisible();
	await page.close();
	await new Promise((resolve) => setTimeout(resolve, 10_500));
	const again = await context.newPage();
	await again.goto('./');
	await expect.poll(() => countRows(again)).toMatchObject({ sessions: 0, messages: 0 });
});

test('[A13] a session is exported as session-<uuid>.md, by download and by copy, the same bytes each time', async ({ page, context, server }) => {
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await say(page, 'Show me a fence:\n\n```js\nlet open = true;');
	await answer(page);
	await say(page, 'And then?');
	await expect(page.getByRole('article', { name: 'Assistant' })).toHaveCount(2);
	await answer(page);

	const [download] = await Promise.all([page.waitForEvent('download'), inSessionMenu(page, 'Download as Markdown')]);
	const id = page.url().split('/').at(-1)!;
	expect(download.suggestedFilename()).toBe(`session-${id}.md`);
	const file = await readFile(await download.path(), 'utf8');
	expect(file.match(/^## .*$/gm)).toEqual(['## System', '## User', '## Assistant', '## User', '## Assistant']);
	expect(file).toContain('let open = true;');

	await inSessionMenu(page, 'Copy as Markdown');
	await expect(page.getByText('Copied as Markdown.')).toBeVisible();
	expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(file);
	expect(await page.evaluate((id) => window.snug.export(id), id)).toBe(file);
});

test('an address of no session says so and offers a way on', async ({ page }) => {
	await page.goto('./s/00000000-0000-7000-8000-000000000000');
	await expect(page.getByRole('heading', { name: 'Chat not found' })).toBeVisible();
	await page.goto('./s/__proto__');
	await expect(page.getByRole('heading', { name: 'Chat not found' })).toBeVisible();
	await page.getByRole('main').getByRole('link', { name: 'Start a new chat' }).click();
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
});
