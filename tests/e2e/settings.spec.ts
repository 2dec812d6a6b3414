import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { refuseRows, rowsOf } from './chat';

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
