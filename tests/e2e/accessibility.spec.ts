import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { answer, chooseServer, expectAccessible, say } from './chat';

test.use({ weights: 'none' });

for (const [colorScheme, width] of [
	['light', 1280],
	['dark', 390]
] as const) {
	test(`[P10] axe finds nothing on any screen (${colorScheme}, ${width} pixels)`, async ({ page, expectConsole, server }) => {
		test.slow();
		expectConsole.push(/Failed to load resource/);
		await page.emulateMedia({ colorScheme });
		await page.setViewportSize({ width, height: 800 });
		await page.goto('./');
		await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
		await expectAccessible(page, 'empty');
		await page.getByRole('button', { name: 'a model', exact: true }).click();
		await expectAccessible(page, 'dialog, on this device');
		await page.getByRole('radio', { name: /A server/ }).check();
		await expectAccessible(page, 'dialog, a server');
		await page.getByRole('button', { name: 'Close' }).click();

		await chooseServer(page, server.url, 'markdown-long');
		await say(page, 'Tell me all');
		await answer(page);
		await expectAccessible(page, 'answer');
		await chooseServer(page, server.url, '500');
		await say(page, 'Again');
		await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
		await expectAccessible(page, 'failed');
		if (width < 800) {
			await page.getByRole('button', { name: 'Show chats' }).click();
			await expectAccessible(page, 'sessions');
			await page.keyboard.press('Escape');
		}
		await page.goto('./settings');
		await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
		await expectAccessible(page, 'settings');
		await page.goto('./s/00000000-0000-7000-8000-000000000000');
		await expect(page.getByRole('heading', { name: 'Chat not found' })).toBeVisible();
		await expectAccessible(page, 'absent');
	});
}

test('a whole chat by keyboard alone: choose a server, ask, stop, copy, delete, undo', async ({ page, server }) => {
	await page.goto('./');
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
	await press(page, 'a server', 'Enter');
	const dialog = page.getByRole('dialog');
	await expect(dialog).toBeVisible();
	await tabTo(page, page.getByRole('textbox', { name: 'Address' }));
	await page.keyboard.type(server.url);
	await page.keyboard.press('Enter');
	await tabTo(page, dialog.getByRole('searchbox'));
	await page.keyboard.type('huge@5');
	await tabTo(page, dialog.getByRole('button', { name: 'huge@5', exact: true }));
	await page.keyboard.press('Enter');
	await expect(dialog).toBeHidden();

	await tabTo(page, page.getByRole('textbox', { name: 'Message' }));
	await page.keyboard.type('one line of text');
	await page.keyboard.press('Shift+Enter');
	await page.keyboard.type('two three');
	await page.keyboard.press('Enter');
	await expect(page.getByRole('article', { name: 'You' })).toHaveText(/one line of text\s+two/);
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
	await expect(page.getByRole('article', { name: 'Assistant' })).toContainText(/\w+/);
	await tabTo(page, page.getByRole('button', { name: 'Stop' }));
	await page.keyboard.press('Enter');
	await expect(page.getByText('Stopped ·')).toBeVisible();

	await press(page, 'Chat menu', 'Enter');
	await expect(page.getByRole('button', { name: 'Model settings', exact: true })).toBeFocused();
	for (let step = 0; step < 11; step++) await page.keyboard.press('ArrowDown');
	await expect(page.getByRole('button', { name: 'Delete chat' })).toBeFocused();
	await page.keyboard.press('Enter');
	await tabTo(page, page.getByRole('button', { name: 'Undo' }));
	await page.keyboard.press('Enter');
	await expect(page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: /one line of text/i })).toBeVisible();
});

async function press(page: Page, name: string, key: string): Promise<void> {
	await tabTo(page, page.getByRole('button', { name }));
	await page.keyboard.press(key);
}

/** Presses Tab until `target` has the focus. */
async function tabTo(page: Page, target: ReturnType<Page['locator']>): Promise<void> {
	await target.waitFor();
	for (let count = 0; count < 60; count++) {
		if (await target.evaluate((element) => element === document.activeElement)) return;
		await page.keyboard.press('Tab');
	}
	throw new Error(`sixty times Tab did not reach ${String(target)}`);
}
