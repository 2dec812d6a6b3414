// Tools that a model on this device calls: the real engine, with a model made of a few words and a chat template for tools.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tinyGguf, toolChatMl } from '../fixtures/tiny-gguf.mjs';
import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { ask, openModelDialog, said } from './chat';
import { tinyModelFile } from './tiny-model';
import { switchTools } from './tools';

test.use({ weights: 'none' });

const caller = join(mkdtempSync(join(tmpdir(), 'snug-')), 'Caller.gguf');
test.beforeAll(() => {
	const replies = [
		{ after: '<|calls|>', says: 'I look at the clock.\n<tool_call>\n{"name": "current_time", "arguments": {}}\n</tool_call>' },
		{ after: '<|answers|>', says: 'Now you know what time it is.' }
	];
	writeFileSync(caller, tinyGguf({ chatTemplate: toolChatMl, replies, extra: { 'general.name': 'Caller' } }));
});

/** Puts a model's file into the browser, and chooses it. */
async function useModel(page: Page, file: string): Promise<void> {
	const dialog = await openModelDialog(page);
	await dialog.getByRole('radio', { name: /this device/i }).check();
	await dialog.getByLabel('GGUF file', { exact: true }).setInputFiles(file);
	await expect(dialog).toBeHidden({ timeout: 30_000 });
	await expect(page.getByText('ready offline')).toBeVisible();
}

/** Looks into the settings of the chat for what they say of its tools. */
async function expectTools(page: Page, sentence: string): Promise<void> {
	await page.getByRole('button', { name: /Change model/ }).first().click();
	await page.getByRole('button', { name: 'Model settings', exact: true }).click();
	await expect(page.getByRole('dialog').getByRole('group', { name: 'Tools' })).toContainText(sentence);
	await page.keyboard.press('Escape');
}

test('[R1] a model on this device whose template has tools calls one, reads the result and answers', async ({ page }) => {
	test.slow();
	await page.goto('./');
	await useModel(page, caller);
	await switchTools(page, 'Date and time');
	await ask(page, 'What time is it?');
	await expect(said(page).assistant.first()).toContainText('I look at the clock.');
	await expect(page.getByRole('group', { name: 'Called current_time' })).toBeVisible();
	const result = page.getByRole('article', { name: 'Tool current_time' });
	await result.locator('summary').click();
	await expect(result).toContainText('time_zone');
	await expect(said(page).assistant.last()).toContainText('Now you know what time it is.');
	await expect(page.getByText('tool_call')).toHaveCount(0);
});

test('[R1] the settings of a chat say of a model on this device that it can’t use tools, where its template has none', async ({ page }) => {
	test.slow();
	await page.goto('./');
	await useModel(page, caller);
	await expectTools(page, 'What the model may use in this chat.');
	await useModel(page, tinyModelFile());
	await expectTools(page, 'This one can’t use tools: its chat template has no place for them.');
});

test('[R1] the settings of a chat have its tools also where nothing tells whether the model can use them', async ({ page }) => {
	test.slow();
	await page.goto('./');
	await useModel(page, caller);
	// The browser has taken the file back.
	await page.evaluate(async () => {
		const root = await navigator.storage.getDirectory();
		for await (const name of root.keys()) await root.removeEntry(name, { recursive: true });
	});
	await page.reload();
	await expectTools(page, 'if it can use tools: Snug could not find that out.');
});
