import { createServer } from 'node:net';
import { expect, test } from './app';
import { answer, chooseServer, expectAccessible, inMessageMenu, said, say, useServer } from './chat';

test.use({ weights: 'none' });

// Chromium itself logs failed requests; the sentences on the page are what these tests are about.
test.beforeEach(({ expectConsole }) => {
	expectConsole.push(/Failed to load resource/, /blocked by CORS policy/, /net::ERR_/);
});

const failures: [scenario: string, sentence: RegExp][] = [
	['html', /web page/],
	['401', /API key/],
	['429', /is busy\. Try again in a moment\./],
	['500', /backend crashed|error/i],
	['breaks-off@500', /broke off/],
	['no-finish', /broke off/],
	['nonsense', /not|OpenAI/],
	['context-full', /4096|long/]
];

for (const [scenario, sentence] of failures) {
	test(`a server that answers with ${scenario} gets one sentence; the message is kept, and Retry answers it`, async ({ page, server }) => {
		await page.goto('./');
		await chooseServer(page, server.url, scenario);
		await say(page, 'Are you there?');
		const end = page.getByRole('alert').filter({ hasText: sentence });
		await expect(end).toBeVisible();
		await expect(page.getByRole('article', { name: 'You' })).toHaveText('Are you there?');

		await page.reload();
		await expect(page.getByText(sentence)).toBeVisible();
		await chooseServer(page, server.url, 'echo');
		await page.getByRole('button', { name: 'Retry' }).click();
		await expect(page.getByRole('article', { name: 'Assistant' })).toContainText('Are you there?');
		await expect(page.getByRole('article', { name: 'You' })).toHaveCount(1);
	});
}

test('[P11] where a server refuses a setting, the model settings are offered, also after a reload', async ({ page, server }) => {
	await page.goto('./');
	await chooseServer(page, server.url, 'refused');
	await say(page, 'Are you there?');
	const sentence = page.getByRole('log').getByText('“temperature must be at most 2”. Change that in the model settings, or choose another model.');
	await expect(sentence).toBeVisible();
	for (const name of ['Retry', 'Change model']) await expect(page.getByRole('button', { name, exact: true })).toBeVisible();
	await page.reload();
	await expect(sentence).toBeVisible();
	await page.getByRole('main').getByRole('button', { name: 'Model settings', exact: true }).click();
	await expect(page.getByRole('dialog').getByText('Temperature', { exact: true })).toBeVisible();
});

test('a server that breaks off leaves its part of an answer, to keep', async ({ page, server }) => {
	await page.goto('./');
	await chooseServer(page, server.url, 'breaks-off@500');
	await say(page, 'Go on');
	await expect(page.getByRole('alert')).toBeVisible();
	await expect(page.getByRole('article', { name: 'Assistant' })).toContainText('This will not be');
	await page.reload();
	await page.getByRole('button', { name: 'Keep partial answer' }).click();
	await expect(page.getByRole('button', { name: 'Retry' })).toBeHidden();
	await page.reload();
	expect(await answer(page)).toContain('This will not be');
});

test('a server that breaks off leaves its part of an answer, to discard, and to have back', async ({ page, server }) => {
	await page.goto('./');
	await chooseServer(page, server.url, 'breaks-off@500');
	await say(page, 'Go on');
	await expect(page.getByRole('article', { name: 'Assistant' })).toContainText('This will not be');
	await page.getByRole('button', { name: 'Discard' }).click();
	await expect(page.getByRole('article', { name: 'Assistant' })).toBeHidden();
	await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(page.getByRole('article', { name: 'Assistant' })).toContainText('This will not be');
	await page.reload();
	await page.getByRole('button', { name: 'Keep partial answer' }).click();
	await expect(page.getByText('Stopped ·')).toBeVisible();
});

test('[P11] a server that wants a key asks for it where the answer failed, and answers with it, also after a reload', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'wants-key');
	await say(page, 'Are you there?');
	await expect(page.getByRole('alert').filter({ hasText: 'API key' })).toBeVisible();
	await page.reload();
	await page.getByRole('button', { name: 'Enter key' }).click();
	const dialog = page.getByRole('dialog', { name: /API key of/ });
	await expect(dialog.getByLabel('API key', { exact: true })).toBeFocused();
	await expectAccessible(page, 'asking for a key');
	await page.keyboard.type('open-sesame');
	await page.keyboard.press('Enter');
	await expect(dialog).toBeHidden();
	expect(await answer(page)).toContain('Are you there?');
	expect(server.requests.at(-1)!.headers.authorization).toBe('Bearer open-sesame');
	await expect(page.getByRole('article', { name: 'You' })).toHaveCount(1);
});

test('[P11] where the model is not there another one is chosen where the answer failed, and answers', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await useServer(page, server.url, '404');
	await say(page, 'Are you there?');
	const end = page.getByRole('alert').filter({ hasText: 'has no such model' });
	await expect(end).toBeVisible();
	await expect(end.getByRole('button', { name: 'Enter key' })).toHaveCount(0);
	await end.getByRole('button', { name: 'Change model' }).click();
	await page.getByRole('searchbox', { name: 'Filter models' }).fill('echo');
	await page.getByRole('button', { name: 'echo', exact: true }).click();
	expect(await answer(page)).toContain('Are you there?');
	await expect(page.getByRole('button', { name: /^echo: Change model/ })).toBeVisible();
});

test('[P11] what is too much for a server now is for Retry, which waits as long as the server says, or for another model', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, '429');
	const asked = () => server.requests.filter(({ path }) => path.endsWith('/chat/completions')).length;
	await say(page, 'Are you there?');
	const button = page.getByRole('alert').getByRole('button', { name: /^(Retry|Waits)/ });
	await expect(button).toHaveText([/^Retry in [1-7] s$/]);
	await expect(page.getByRole('alert').getByRole('button', { name: 'Change model' })).toBeVisible();
	await expect(page.getByRole('alert').locator('p')).toHaveText(/is busy\. Try again in a moment\.$/);
	const before = asked();
	await button.click();
	await expect(button).toHaveText([/^Waits for \d s\. Cancel$/]);
	await button.click();
	await expect(button).toHaveText([/^Retry in \d s$/]);
	await button.click();
	await expect(button).toHaveText([/^Waits/]);
	expect(asked()).toBe(before);
	// Once it is time it asks, and is told to wait again.
	await expect.poll(asked, { timeout: 20_000 }).toBe(before + 1);
	await expect(button).toHaveText([/^Retry in \d s$/]);
	// Or it is left, and can be asked at once then.
	await expect(button).toHaveText(['Retry'], { timeout: 20_000 });
});

test.describe('with the service worker', () => {
	test.use({ serviceWorkers: 'allow' });

	test('a server that is down, or sends no CORS headers, is told apart when one connects', async ({ page, server }) => {
		const free = createServer().listen(0, '127.0.0.1');
		await new Promise((resolve) => free.once('listening', resolve));
		const { port } = free.address() as { port: number };
		free.close();

		await page.goto('./');
		// The service worker, which can tell them apart, takes over on the first visit.
		await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
		await page.getByRole('button', { name: 'a server' }).click();
		const dialog = page.getByRole('dialog');
		await dialog.getByRole('textbox', { name: 'Address' }).fill(`127.0.0.1:${port}`);
		await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
		await expect(dialog.getByRole('alert')).toHaveText(/not running|can’t be reached|cannot be reached|Can’t reach|reach/i);

		await dialog.getByRole('textbox', { name: 'Address' }).fill(server.url.replace('/v1', '/no-cors/v1'));
		await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
		await expect(dialog.getByRole('alert')).toContainText('does not allow requests from this page');
	});
});

test('a slow server gets patience, and Stop ends the wait', async ({ page, server }) => {
	await page.goto('./');
	await chooseServer(page, server.url, 'silent');
	await say(page, 'Hello?');
	await expect(page.getByText('Waiting for the answer')).toBeAttached();
	await expect(page.getByText('No answer for 20 seconds')).toBeVisible({ timeout: 25_000 });
	await page.getByRole('button', { name: 'Stop' }).click();
	await expect(page.getByText('You stopped it.')).toBeVisible();
	await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
});

test('[E11] that an answer was stopped is no longer said once it is deleted', async ({ page, server }) => {
	await page.goto('./');
	await useServer(page, server.url, 'huge@5');
	await say(page, 'A long story');
	await expect(said(page).assistant).toContainText(/(\w+\W+){5}/);
	await page.getByRole('button', { name: 'Stop' }).click();
	await expect(said(page).assistant).toContainText('Stopped ·');
	await inMessageMenu(page, said(page).assistant, 'Delete from here on');
	await expect(said(page).assistant).toHaveCount(0);
	await expect(page.getByText('This message has no answer yet.')).toBeVisible();
	await expect(page.getByText('You stopped it.')).toHaveCount(0);
	await page.getByRole('button', { name: 'Retry' }).click();
	await expect(said(page).assistant).toHaveCount(1);
});

test('[E11] that another answer could not be had is no longer said once the one that is there was edited', async ({ page, server, expectConsole }) => {
	expectConsole.push(/status of 500/);
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await say(page, 'Hello');
	await answer(page);
	await useServer(page, server.url, '500');
	await said(page).assistant.getByRole('button', { name: 'Regenerate' }).click();
	const failure = page.getByRole('log').getByText('had an error (500)');
	await expect(failure).toBeVisible();
	await said(page).assistant.getByRole('button', { name: 'Edit', exact: true }).click();
	await page.getByRole('textbox', { name: 'Edited answer' }).fill('Hello to you');
	await page.getByRole('button', { name: 'Save' }).click();
	await expect(said(page).assistant).toContainText('Hello to you');
	await expect(failure).toHaveCount(0);
	await page.reload();
	await expect(said(page).assistant).toContainText('Hello to you');
	await expect(failure).toHaveCount(0);
});

test('[E11] of a question that failed it is still said that it has no answer once one has written on', async ({ page, server, expectConsole }) => {
	expectConsole.push(/status of 500/);
	await page.goto('./');
	await useServer(page, server.url, '500');
	await say(page, 'Hello');
	const log = page.getByRole('log');
	await expect(log.getByText('had an error (500)')).toBeVisible();
	const none = log.getByText('No answer', { exact: true });
	await expect(none).toHaveCount(0);
	await useServer(page, server.url, 'echo');
	await say(page, 'Hello again');
	await answer(page);
	await expect(none).toHaveCount(1);
	await page.reload();
	await expect(said(page).you).toHaveCount(2);
	await expect(none).toHaveCount(1);
});

test('[E11] a tab closed in the middle of an answer leaves the question, the draft and a way on', async ({ page, context, server }) => {
	await page.goto('./');
	await chooseServer(page, server.url, 'huge@5');
	await say(page, 'A long story');
	await expect(page.getByRole('article', { name: 'Assistant' })).toContainText(/(\w+\W+){100}/, { timeout: 15_000 });
	const address = page.url();
	await page.close();

	const again = await context.newPage();
	await again.goto(address);
	await expect(again.getByText('Interrupted: the tab was closed or reloaded.')).toBeVisible();
	await expect(again.getByRole('article', { name: 'You' })).toHaveText('A long story');
	await expect(again.getByRole('article', { name: 'Assistant' })).toContainText(/\w+/);
	await chooseServer(again, server.url, 'echo');
	await again.getByRole('button', { name: 'Retry' }).click();
	await expect(again.getByRole('article', { name: 'Assistant' })).toContainText('A long story');
	await expect(again.getByRole('article', { name: 'Assistant' })).toHaveCount(1);
});

test('a server whose protocol this version does not know gets one sentence; the message is kept, and another server answers it', async ({ page, server }) => {
	await page.goto('./');
	await chooseServer(page, server.url, 'echo');
	await page.evaluate(async () => {
		const db = await new Promise<IDBDatabase>((resolve) => {
			const request = indexedDB.open('snug');
			request.onsuccess = () => resolve(request.result);
		});
		const store = db.transaction('providers', 'readwrite').objectStore('providers');
		const rows = store.getAll();
		rows.onsuccess = () => store.put({ ...(rows.result[0] as object), protocol: 'of-tomorrow' });
		await new Promise((resolve) => (store.transaction.oncomplete = resolve));
		db.close();
	});
	await page.reload();
	await say(page, 'Are you there?');
	const sentence = /speaks a protocol that this version of Snug does not know \(“of-tomorrow”\)/;
	await expect(page.getByRole('alert').filter({ hasText: sentence })).toBeVisible();
	await page.getByRole('button', { name: 'Context', exact: true }).click();
	await expect(page.getByRole('complementary', { name: 'Context' })).toContainText('Context size unknown, so nothing is left out.');
	await chooseServer(page, `${server.url.replace('127.0.0.1', 'localhost')}`, 'echo');
	await page.getByRole('button', { name: 'Retry' }).click();
	expect(await answer(page)).toContain('Are you there?');
});
