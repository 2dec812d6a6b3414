import type { Page } from '@playwright/test';

/** Switches tools of the chat that is shown on, or off. */
export async function switchTools(page: Page, ...labels: string[]): Promise<void> {
	await page.getByRole('button', { name: /Change model/ }).first().click();
	await page.getByRole('button', { name: 'Model settings', exact: true }).click();
	const tools = page.getByRole('dialog').getByRole('group', { name: 'Tools' });
	for (const label of labels) await tools.getByRole('checkbox', { name: label }).click();
	await page.keyboard.press('Escape');
}
