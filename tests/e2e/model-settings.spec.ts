// Parameters and system prompts: of all chats, of one, and under a name.
import type { Locator, Page } from '@playwright/test';
import { startOpenAiServer } from '../fixtures/openai-server.mjs';
import { expect, test } from './app';
import { answer, ask, expectAccessible, holdRows, inMessageMenu, newChat, putRows, refuseRows, rowsOf, said, say, useServer } from './chat';

test.use({ weights: 'none' });

let server: Awaited<ReturnType<typeof startOpenAiServer>>;
test.beforeAll(async () => {
	server = await startOpenAiServer();
});
test.afterAll(() => server.close());

/** The last request for an answer, without its messages and what every one has. */
function lastParameters(): Record<string, unknown> {
	const { messages: _, model: __, stream: ___, stream_options: ____, ...rest } = server.requests.at(-1)!.body as Record<string, unknown>;
	return rest;
}

const shownId = (page: Page) => /\/s\/([^/?]+)/.exec(page.url())![1]!;

test('[P3] [S7] only parameters that are set are sent: those of a chat before the defaults', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'One');
	expect(lastParameters()).toEqual({});
	await page.evaluate(() => window.snug.models.parameters(undefined, { temperature: 0.5, maxTokens: 300 }));
	await page.evaluate((id) => window.snug.models.parameters(id, { temperature: 0, topP: 0.9, stop: ['END'], reasoningEffort: 'low', seed: 7 }), shownId(page));
	await ask(page, 'Two');
	const sent = { temperature: 0, top_p: 0.9, max_tokens: 300, stop: ['END'], reasoning_effort: 'low', seed: 7 };
	expect(lastParameters()).toEqual(sent);
	expect(JSON.parse(await page.evaluate((id) => window.snug.context.payload(id), shownId(page)))).toMatchObject(sent);
	await page.evaluate((id) => window.snug.models.parameters(id, {}), shownId(page));
	await ask(page, 'Three');
	expect(lastParameters()).toEqual({ temperature: 0.5, max_tokens: 300 });
});

/** Opens the settings of the chat that is shown, or of a new one, from the menu of models. */
async function openSettings(page: Page): Promise<Locator> {
	await page.getByRole('button', { name: /Change model/ }).first().click();
	await page.getByRole('button', { name: 'Model settings', exact: true }).click();
	return page.getByRole('dialog', { name: /^Model settings for/ });
}

const sentSystems = () => (server.requests.at(-1)!.body as { messages: { role: string; content: string }[] }).messages.filter(({ role }) => role === 'system').map(({ content }) => content);

test('[P3] parameters are set in a chat and as defaults, each field says what counts, and what can’t be is not stored', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await page.getByRole('link', { name: 'Settings', exact: true }).click();
	const byDefault = page.getByRole('spinbutton', { name: 'Temperature' });
	await expect(byDefault).toHaveAccessibleDescription(/Not set: the model decides\.$/);
	await byDefault.fill('0.5');
	await byDefault.blur();
	await expect(byDefault).toHaveAccessibleDescription(/high is varied\.$/);
	await expectAccessible(page, 'settings with defaults');
	await newChat(page);
	await ask(page, 'One');
	expect(lastParameters()).toEqual({ temperature: 0.5 });

	const dialog = await openSettings(page);
	const temperature = dialog.getByRole('spinbutton', { name: 'Temperature' });
	await expect(temperature).toHaveAccessibleDescription(/Not set: 0\.5, the default\.$/);
	await temperature.fill('3');
	await temperature.blur();
	await expect(dialog.getByRole('alert')).toHaveText('Write a number from 0 to 2.');
	await temperature.fill('1');
	await dialog.getByRole('textbox', { name: 'Stop words' }).fill('END\nSTOP');
	await dialog.getByRole('combobox', { name: 'Reasoning effort' }).selectOption('low');
	await expect(dialog.getByRole('alert')).toHaveCount(0);
	await expectAccessible(page, 'model settings');
	await page.keyboard.press('Escape');
	await expect(dialog).toBeHidden();
	await ask(page, 'Two');
	expect(lastParameters()).toEqual({ temperature: 1, stop: ['END', 'STOP'], reasoning_effort: 'low' });
	await page.reload();
	await expect((await openSettings(page)).getByRole('textbox', { name: 'Stop words' })).toHaveValue('END\nSTOP');
});

test('[E3] [Z2] a chip shows the system prompt; a change counts from the next message on, and stands in the transcript', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	const chip = page.getByRole('button', { name: /^(?!Set ).*system prompt/i });
	await page.getByRole('textbox', { name: 'Message' }).fill('One');
	const field = (await openSettings(page)).getByRole('textbox', { name: 'System prompt' });
	await expect(field).toHaveValue(/^You are a helpful/);
	// The default needs no chip.
	await expect(chip).toHaveCount(0);
	await field.fill('Answer in rhyme.');
	await page.keyboard.press('Escape');
	await expect(chip).toHaveText('System prompt: Answer in rhyme.');
	await page.reload();
	await expect(chip).toHaveText('System prompt: Answer in rhyme.');
	await chip.click();
	await expect(page.getByRole('dialog', { name: 'Model settings for this new chat' }).getByRole('textbox', { name: 'System prompt' })).toBeFocused();
	await page.keyboard.press('Escape');
	await page.getByRole('button', { name: 'Send' }).click();
	await answer(page);
	expect(sentSystems()).toEqual(['Answer in rhyme.']);

	await expect(chip).toHaveText('System prompt: Answer in rhyme.');
	await chip.click();
	await page.getByRole('dialog', { name: 'Model settings for this chat' }).getByRole('textbox', { name: 'System prompt' }).fill('Answer in prose.');
	await page.keyboard.press('Escape');
	await expect(chip).toHaveText('From your next message: system prompt: Answer in prose.');
	await expectAccessible(page, 'chat with a chip');
	const payload = await page.evaluate((id) => window.snug.context.payload(id), shownId(page));
	expect(JSON.parse(payload).messages[0]).toEqual({ role: 'system', content: 'Answer in prose.' });
	await ask(page, 'Two');
	expect(sentSystems()).toEqual(['Answer in prose.']);
	await expect(page.getByText('System prompt changed')).toBeVisible();
	await expect(chip).toHaveText('System prompt: Answer in prose.');
	await chip.click();
	await page.getByRole('textbox', { name: 'System prompt' }).fill('');
	await page.keyboard.press('Escape');
	await ask(page, 'Three');
	expect(sentSystems()).toEqual([]);
	await expect(page.getByText('No system prompt from here on.')).toBeVisible();
	await newChat(page);
	await say(page, 'Four');
	await answer(page);
	expect(sentSystems()).toEqual([expect.stringMatching(/^You are a helpful/)]);
	await expect(said(page).you).toHaveText(['Four']);
});

test('[P3] [Z9] an answer is asked for again of another model, which its line names; the chat keeps its own', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'One');
	const assistant = page.getByRole('article', { name: 'Assistant' });
	await inMessageMenu(page, assistant, 'Regenerate with…');
	const models = page.getByRole('group', { name: 'Models' });
	await expectAccessible(page, 'models to answer again');
	await models.getByRole('searchbox').fill('reasoning');
	await page.keyboard.press('Enter');
	await expect(assistant).toContainText('Four.');
	await answer(page);
	await expect(assistant).toContainText('reasoning');
	await expect(assistant.getByRole('group', { name: 'Versions' })).toContainText('2 / 2');
	await expect(page.getByRole('button', { name: 'echo: Change model' })).toBeVisible();
	await ask(page, 'Two');
	expect((server.requests.at(-1)!.body as { model: string }).model).toBe('echo');
});

test('[E3] the system prompt of a new chat is kept as fast as it is typed, however slow the database is', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	const field = (await openSettings(page)).getByRole('textbox', { name: 'System prompt' });
	const text = 'Answer in rhyme, and never say more than you were asked for.';
	await field.fill('');
	await field.pressSequentially(text);
	await expect(field).toHaveValue(text);
	const release = await holdRows(page, 'settings');
	await field.pressSequentially(' Be kind.');
	await page.reload();
	await release();
	await expect((await openSettings(page)).getByRole('textbox', { name: 'System prompt' })).toHaveValue(`${text} Be kind.`);
});

test('[P3] parameters that are changed one after the other are all kept, however slow the database is', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'One');
	const dialog = await openSettings(page);
	await expect(dialog.getByRole('spinbutton', { name: 'Seed' })).toBeVisible();
	const release = await holdRows(page, 'sessionSettings');
	for (const [name, value] of [['Temperature', '0.1'], ['Top-p', '0.2'], ['Seed', '7']] as const) {
		await dialog.getByRole('spinbutton', { name }).fill(value);
		await dialog.getByRole('spinbutton', { name }).blur();
	}
	await release();
	await expect.poll(async () => (await rowsOf(page, 'sessionSettings'))[0]).toMatchObject({ parameters: { temperature: 0.1, topP: 0.2, seed: 7 } });
});

test('[E3] [E11] a system prompt that a page could not write is sent with the next message after a reload', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'One');
	const field = (await openSettings(page)).getByRole('textbox', { name: 'System prompt' });
	await expect(field).toHaveValue(/^You are a helpful/);
	await holdRows(page, 'sessionSettings');
	await field.fill('Answer in rhyme.');
	await page.reload();
	await expect(page.getByRole('button', { name: /system prompt/i })).toHaveText('From your next message: system prompt: Answer in rhyme.');
	await ask(page, 'Two');
	expect(sentSystems()).toEqual(['Answer in rhyme.']);
});

test('[E3] choices for a new chat are sent where the tab has no room to keep them', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await page.evaluate(() => {
		for (let length = 4_000_000; length > 0; ) {
			try {
				sessionStorage.setItem(`full:${sessionStorage.length}`, 'x'.repeat(length));
			} catch {
				length = Math.floor(length / 2);
			}
		}
	});
	await (await openSettings(page)).getByRole('textbox', { name: 'System prompt' }).fill('Answer in French, always.');
	await page.keyboard.press('Escape');
	await say(page, 'One');
	await answer(page);
	expect(sentSystems()).toEqual(['Answer in French, always.']);
});

test('[E11] [Z9] what was asked of another model and failed is asked of that one again; after a reload of the chat’s own', async ({ page, expectConsole }) => {
	expectConsole.push(/500/, /ERR_/);
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'One');
	const asked = () => server.requests.map(({ body }) => (body as { model?: string } | undefined)?.model);
	const retry = page.getByRole('button', { name: 'Retry' });
	for (const model of ['500', 'breaks-off']) {
		await inMessageMenu(page, said(page).assistant.first(), 'Regenerate with…');
		const models = page.getByRole('group', { name: 'Models' });
		await models.getByRole('searchbox').fill(model);
		await page.keyboard.press('Enter');
		await expect(retry).toBeVisible();
		const before = server.requests.length;
		await retry.click();
		await expect.poll(() => server.requests.length).toBeGreaterThan(before);
		expect(asked().slice(before)[0]).toBe(model);
		await expect(retry).toBeVisible();
	}
	await page.reload();
	await retry.click();
	await expect.poll(() => asked().at(-1)).toBe('echo');
	await expect(retry).toHaveCount(0);
});

test('[P3] [E3] a persona keeps a prompt and parameters under a name, is put into any chat, and comes back when it is replaced or deleted', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	const dialog = await openSettings(page);
	const prompt = dialog.getByRole('textbox', { name: 'System prompt' });
	const temperature = dialog.getByRole('spinbutton', { name: 'Temperature' });
	const chosen = dialog.getByRole('combobox', { name: 'Persona' });
	const undo = dialog.getByRole('button', { name: 'Undo' });
	await prompt.fill('Answer in rhyme.');
	await temperature.fill('1.5');
	await temperature.blur();
	await dialog.getByRole('button', { name: 'Save as persona…' }).click();
	// The choice of personas has that for none.
	await page.keyboard.type('none');
	await expect(dialog.getByText('“None” stands for no persona. Choose another name.')).toBeVisible();
	await expect(dialog.getByRole('button', { name: 'Save persona' })).toBeDisabled();
	await page.keyboard.press('ControlOrMeta+A');
	await page.keyboard.type(' Poet ');
	await expectAccessible(page, 'name of a persona');
	await page.keyboard.press('Enter');
	await expect(chosen).toHaveValue('Poet');
	await expect(chosen).toBeFocused();
	await expectAccessible(page, 'persona');

	await prompt.fill('Answer in prose.');
	await expect(chosen).toHaveValue('');
	await dialog.getByRole('button', { name: 'Save as persona…' }).click();
	await page.keyboard.type('Poet');
	await expect(dialog.getByText('Saving replaces it.')).toBeVisible();
	await page.keyboard.press('Escape');
	await expect(dialog.getByRole('textbox', { name: 'Name of the persona' })).toBeHidden();
	await chosen.selectOption('Poet');
	await expect(prompt).toHaveValue('Answer in rhyme.');
	// What was typed before is not lost.
	await undo.click();
	await expect(prompt).toHaveValue('Answer in prose.');
	await dialog.getByRole('button', { name: 'Save as persona…' }).click();
	await page.keyboard.type('Poet');
	await page.keyboard.press('Enter');
	await expect(chosen).toHaveValue('Poet');
	await undo.click();
	await expect(chosen).toHaveValue('');
	await page.keyboard.press('Escape');
	await expect(dialog).toBeHidden();

	// In a chat that has begun, also after a reload.
	await ask(page, 'One');
	expect(sentSystems()).toEqual(['Answer in prose.']);
	await page.reload();
	const again = await openSettings(page);
	await again.getByRole('combobox', { name: 'Persona' }).selectOption('Poet');
	await expect(again.getByRole('textbox', { name: 'System prompt' })).toHaveValue('Answer in rhyme.');
	await expect(again.getByRole('spinbutton', { name: 'Temperature' })).toHaveValue('1.5');
	await again.getByRole('button', { name: 'Delete personas…' }).click();
	await again.getByRole('button', { name: 'Delete the persona “Poet”' }).click();
	await expect(again.getByRole('combobox', { name: 'Persona' })).toBeFocused();
	await expect(again.getByRole('combobox', { name: 'Persona' })).toHaveValue('');
	await again.getByRole('button', { name: 'Undo' }).last().click();
	await expect(again.getByRole('combobox', { name: 'Persona' })).toHaveValue('Poet');
	await page.keyboard.press('Escape');
	await ask(page, 'Two');
	expect(sentSystems()).toEqual(['Answer in rhyme.']);
	expect(lastParameters()).toEqual({ temperature: 1.5 });
});

const gamma = { name: 'Gamma', systemPrompt: 'Answer in Greek.', parameters: { temperature: 0.5, seed: 4 }, createdAt: 1 };

test('[P3] [E3] Undo of a persona leaves what was changed after it, also once its dialog is closed', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await putRows(page, { presets: [gamma] });
	await page.reload();
	for (const chat of ['new', 'begun']) {
		if (chat === 'begun') await ask(page, 'One');
		const dialog = await openSettings(page);
		const temperature = dialog.getByRole('spinbutton', { name: 'Temperature' });
		const prompt = dialog.getByRole('textbox', { name: 'System prompt' });
		const undo = page.getByRole('button', { name: 'Undo' });
		await prompt.fill('Mine.');
		await temperature.fill('0.9');
		await temperature.blur();
		await expect(temperature).toHaveAccessibleDescription(/high is varied\.$/);
		const persona = dialog.getByRole('combobox', { name: 'Persona' });
		await persona.selectOption('Gamma');
		await expect(temperature).toHaveValue('0.5');
		await page.keyboard.press('Escape');
		await expect(dialog).toBeHidden();
		await undo.click();
		await openSettings(page);
		await expect(prompt).toHaveValue('Mine.');
		await expect(temperature).toHaveValue('0.9');

		await persona.selectOption('Gamma');
		await expect(temperature).toHaveValue('0.5');
		await page.keyboard.press('Escape');
		await openSettings(page);
		await temperature.fill('1.7');
		await temperature.blur();
		await expect(persona).toHaveValue('');
		await page.keyboard.press('Escape');
		await undo.click();
		await expect(page.getByText('These settings have changed since, so they stay as they are.')).toBeVisible();
		await openSettings(page);
		await expect(temperature).toHaveValue('1.7');
		await expect(prompt).toHaveValue('Answer in Greek.');
		await page.keyboard.press('Escape');
		await expect(undo).toHaveCount(0, { timeout: 15_000 });
	}
});

test('[P3] [E3] [P2] a persona that can’t be stored in a chat is not said to be applied, and nothing of it is', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await putRows(page, { presets: [gamma] });
	await page.reload();
	await ask(page, 'One');
	const before = await rowsOf(page, 'sessionSettings');
	await refuseRows(page, ['sessionSettings']);
	const dialog = await openSettings(page);
	await dialog.getByRole('combobox', { name: 'Persona' }).selectOption('Gamma');
	await expect(dialog.getByText(/^There is no space left for Snug/)).toBeVisible();
	await expect(page.getByText('“Gamma” applied.')).toHaveCount(0);
	await expect(dialog.getByRole('combobox', { name: 'Persona' })).toHaveValue('');
	await expect(dialog.getByRole('textbox', { name: 'System prompt' })).toHaveValue(/^You are a helpful/);
	expect(await rowsOf(page, 'sessionSettings')).toEqual(before);
});

test('[P3] [E3] of personas that set the same, the one that was chosen is shown; any is deleted without being put into the chat', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await putRows(page, { presets: [gamma, { name: 'Alpha', systemPrompt: 'Same.', createdAt: 1 }, { name: 'Beta', systemPrompt: ' Same. ', createdAt: 1 }] });
	await page.reload();
	const names = async () => (await rowsOf<{ name: string }>(page, 'presets')).map(({ name }) => name);
	const dialog = await openSettings(page);
	const persona = dialog.getByRole('combobox', { name: 'Persona' });
	const prompt = dialog.getByRole('textbox', { name: 'System prompt' });
	await persona.selectOption('Beta');
	await expect(prompt).toHaveValue(' Same. ');
	await expect(persona).toHaveValue('Beta');
	await page.keyboard.press('Escape');
	await page.reload();
	await openSettings(page);
	await expect(persona).toHaveValue('Beta');
	await page.keyboard.press('Escape');
	// Also once the chat has begun.
	await ask(page, 'One');
	expect(sentSystems()).toEqual(['Same.']);
	await openSettings(page);
	await expect(persona).toHaveValue('Beta');
	await persona.selectOption('Alpha');
	await expect(persona).toHaveValue('Alpha');
	await persona.selectOption('Beta');
	await expect.poll(async () => (await rowsOf(page, 'sessions'))[0]).toMatchObject({ persona: 'Beta' });
	await expect(persona).toHaveValue('Beta');

	const list = dialog.getByRole('button', { name: 'Delete personas…' });
	await list.click();
	await expect(dialog.getByRole('list', { name: 'Personas' }).getByRole('listitem')).toHaveText([/^Alpha/, /^Beta/, /^Gamma/]);
	await expectAccessible(page, 'personas to delete');
	await dialog.getByRole('button', { name: 'Delete the persona “Gamma”' }).press('Enter');
	await expect.poll(names).toEqual(['Alpha', 'Beta']);
	await expect(dialog.getByRole('button', { name: 'Delete the persona “Beta”' })).toBeFocused();
	await expect(persona).toHaveValue('Beta');
	await dialog.getByRole('button', { name: 'Delete the persona “Beta”' }).click();
	await expect.poll(names).toEqual(['Alpha']);
	await expect(persona).toHaveValue('Alpha');
	expect(await rowsOf(page, 'sessions')).toMatchObject([{ persona: 'Beta' }]);
	await dialog.getByRole('button', { name: 'Undo' }).last().click();
	await expect(persona).toHaveValue('Beta');
});
