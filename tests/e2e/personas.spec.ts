// Personas: made, put into chats, of workspaces, and as files.
import type { Locator, Page } from '@playwright/test';
import { startOpenAiServer } from '../fixtures/openai-server.mjs';
import { expect, test } from './app';
import { ask, expectAccessible, newChat, putRows, rowsOf, said, say, useServer } from './chat';

test.use({ weights: 'none' });

let server: Awaited<ReturnType<typeof startOpenAiServer>>;
test.beforeAll(async () => {
	server = await startOpenAiServer();
});
test.afterAll(() => server.close());

interface Sent {
	model: string;
	messages: { role: string; content: string }[];
	tools?: { function: { name: string } }[];
	temperature?: number;
}
const lastSent = () => server.requests.at(-1)!.body as Sent;
const systems = () => lastSent().messages.filter(({ role }) => role === 'system').map(({ content }) => content);
const offered = () => lastSent().tools?.map((tool) => tool.function.name);

/** Opens the settings of the chat that is shown, or of a new one. */
async function openSettings(page: Page): Promise<Locator> {
	await page.getByRole('button', { name: /Change model/ }).first().click();
	await page.getByRole('button', { name: 'Model settings', exact: true }).click();
	return page.getByRole('dialog', { name: /^Model settings for/ });
}

const personasIn = (page: Page) => page.getByRole('list', { name: 'Personas' }).getByRole('listitem');

/** Stores personas of the user's, as they were before. */
async function withPersonas(page: Page, ...presets: Record<string, unknown>[]): Promise<void> {
	await putRows(page, { presets: presets.map((persona) => ({ createdAt: 1, ...persona })) });
	await page.reload();
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
}

const log = (page: Page) => page.getByRole('log', { name: 'Conversation' });

test('[E3] a persona is made with all that it sets, and used in the middle of a chat: what was said stays, a line says where it changed, and only later turns have it', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await ask(page, 'One');
	const before = lastSent();
	await page.getByRole('link', { name: 'Settings', exact: true }).click();
	await page.getByRole('button', { name: 'New persona…' }).click();
	const editor = page.getByRole('dialog', { name: 'New persona' });
	await editor.getByRole('textbox', { name: 'Name' }).fill('Poet');
	await editor.getByRole('textbox', { name: 'System prompt' }).fill('Answer in rhyme.');
	await editor.getByRole('combobox', { name: 'Model' }).selectOption('agent');
	await editor.getByRole('spinbutton', { name: 'Temperature' }).fill('1.5');
	await editor.getByRole('spinbutton', { name: 'Temperature' }).blur();
	await editor.getByRole('checkbox', { name: 'Choose its tools' }).check();
	await editor.getByRole('checkbox', { name: 'Date and time' }).check();
	await expectAccessible(page, 'editor of a persona');
	await editor.getByRole('button', { name: 'Save' }).click();
	await expect(editor).toBeHidden();
	await expect(personasIn(page)).toHaveText([/^Careful editor/, /^Code reviewer/, /^Patient tutor/, /^Poet\s+Answer in rhyme\.\s+agent at 127/]);
	await expectAccessible(page, 'personas');
	await page.goBack();

	await say(page, '/persona poet');
	await expect(page.getByText(/^“Poet” applied\. agent at 127\.0\.0\.1:\d+ answers\. It may use: Date and time\.$/)).toBeVisible();
	await expect(page.getByRole('button', { name: /^Poet · From your next message/ })).toBeVisible();
	await ask(page, 'Two');
	const { messages, ...rest } = lastSent();
	expect(rest).toMatchObject({ model: 'agent', temperature: 1.5 });
	expect(offered()).toEqual(['current_time']);
	expect(messages.map(({ content }) => content)).toEqual(['Answer in rhyme.', 'One', 'One', 'Two']);
	expect(before.messages.at(-1)!.content).toBe('One');
	const line = log(page).getByText('Persona “Poet” from here on');
	await expect(line).toBeVisible();
	// It stands between what was said before and what was said with it.
	const [first, said2] = [said(page).you.first(), said(page).you.nth(1)];
	const tops = await Promise.all([first, line, said2].map(async (one) => (await one.boundingBox())!.y));
	expect(tops).toEqual(tops.toSorted((a, b) => a - b));
	await expectAccessible(page, 'a chat with a change of persona');
	await ask(page, 'Three');
	expect(systems()).toEqual(['Answer in rhyme.']);
	await expect(line).toHaveCount(1);
	expect(await rowsOf(page, 'sessions')).toMatchObject([{ persona: 'Poet' }]);

	// The way back is a line too.
	await say(page, '/persona none');
	await expect(page.getByText('No persona any more.')).toBeVisible();
	await ask(page, 'Four');
	expect(offered()).toBeUndefined();
	expect(lastSent().temperature).toBeUndefined();
	await expect(log(page).getByText('No persona from here on')).toBeVisible();
	await expect(line).toBeVisible();
});

test('[E3] a persona that changes no word of the prompt has its line too, and Undo takes it back', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await withPersonas(page, { name: 'Bare', systemPrompt: '', tools: ['notes_read'] }, { name: 'Silent', systemPrompt: '' });
	await say(page, '/persona Bare');
	await expect(page.getByText('“Bare” applied. It may use: Read notes.')).toBeVisible();
	await ask(page, 'One');
	expect(systems()).toEqual([]);
	expect(offered()).toEqual(['notes_read']);
	await say(page, '/persona Silent');
	await expect(page.getByText('“Silent” applied.')).toBeVisible();
	await expect(page.getByRole('button', { name: /^Silent/ })).toBeVisible();
	await page.getByRole('button', { name: 'Undo' }).last().click();
	await expect(page.getByRole('button', { name: /^Bare/ })).toBeVisible();
	await ask(page, 'Two');
	await expect(log(page).getByText(/from here on/)).toHaveCount(0);
	await say(page, '/persona silent');
	await expect(page.getByRole('button', { name: /^Silent/ })).toBeVisible();
	await ask(page, 'Three');
	await expect(log(page).getByText('Persona “Silent” from here on, without a system prompt.')).toBeVisible();
	// Tools that it leaves open stay.
	expect(offered()).toEqual(['notes_read']);
});

test('[E3] /persona lists them, completes their names, and says which there is not; one is used before the first message', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	const message = page.getByRole('textbox', { name: 'Message' });
	await message.fill('/persona pat');
	await page.getByRole('option', { name: /^Patient tutor/ }).click();
	await expect(message).toHaveValue(/^\/persona Patient tutor ?$/);
	await message.fill('/persona pirate');
	await message.press('Enter');
	await expect(page.getByText('There is no persona “pirate”. /persona lists them all.').first()).toBeVisible();
	await message.fill('/persona');
	await message.press('Enter');
	await page.getByRole('button', { name: /^Code reviewer/ }).click();
	await expect(page.getByText('“Code reviewer” applied.')).toBeVisible();
	await expect(page.getByRole('button', { name: /^Code reviewer · System prompt/ })).toBeVisible();
	// The tab keeps it over a reload.
	await page.reload();
	await expect(page.getByRole('button', { name: /^Code reviewer · System prompt/ })).toBeVisible();
	await ask(page, 'One');
	expect(systems()).toEqual([expect.stringMatching(/^You are an experienced code reviewer\./)]);
	expect(await rowsOf(page, 'sessions')).toMatchObject([{ persona: 'Code reviewer' }]);
});

test('[E3] new chats of a workspace begin with its persona, and others do not', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await withPersonas(page, { name: 'Poet', systemPrompt: 'Answer in rhyme.', parameters: { temperature: 1 } });
	await page.goto('./w/verses');
	const dialog = await openSettings(page);
	await dialog.getByRole('combobox', { name: 'Persona' }).selectOption('Poet');
	const isDefault = dialog.getByRole('checkbox', { name: 'Begin new chats in “verses” with this persona' });
	await isDefault.check();
	await expectAccessible(page, 'the persona of a workspace');
	await expect.poll(() => rowsOf(page, 'settings')).toContainEqual({ name: 'workspacePersonas', value: { verses: 'Poet' } });
	await page.keyboard.press('Escape');
	await ask(page, 'One');
	expect(systems()).toEqual(['Answer in rhyme.']);

	// A chat that begins there later, with nothing chosen for it.
	await page.goto('./w/verses?new');
	await expect(page.getByRole('button', { name: /^Poet · System prompt/ })).toBeVisible();
	// Elsewhere nothing of it counts.
	await newChat(page);
	await expect(page.getByRole('button', { name: /^Poet/ })).toHaveCount(0);
	await ask(page, 'Two');
	expect(systems()).toEqual([expect.stringMatching(/^You are a helpful/)]);
	await page.goto('./w/verses?new');
	await ask(page, 'Three');
	expect(systems()).toEqual(['Answer in rhyme.']);
	expect(lastSent().temperature).toBe(1);
	// Another choice for one chat counts for that.
	await page.goto('./w/verses?new');
	await say(page, '/persona none');
	await expect(page.getByText('No persona any more.')).toBeVisible();
	await ask(page, 'Four');
	expect(systems()).toEqual([expect.stringMatching(/^You are a helpful/)]);
	const named = (await rowsOf<{ preview: string; persona?: string }>(page, 'sessions')).map(({ preview, persona }) => [preview, persona]);
	expect(Object.fromEntries(named)).toEqual({ One: 'Poet', Two: undefined, Three: 'Poet', Four: undefined });
});

test('[E3] what is written in the editor of a persona is there again after a reload and Back, and is offered back where it was given up', async ({ page }) => {
	await page.goto('./');
	await withPersonas(page, { name: 'Poet', systemPrompt: 'Rhyme.' });
	await page.getByRole('link', { name: 'Settings', exact: true }).click();
	const editor = page.getByRole('dialog');
	const [name, prompt] = [editor.getByRole('textbox', { name: 'Name' }), editor.getByRole('textbox', { name: 'System prompt' })];
	const openNew = () => page.getByRole('button', { name: 'New persona…' }).click();
	await openNew();
	await name.fill('Editor');
	await prompt.fill('Careful words.');
	await page.reload();
	await openNew();
	await expect(name).toHaveValue('Editor');
	await expect(editor).toContainText('You wrote this before and did not save it.');
	await prompt.fill('More careful words.');
	await page.goBack();
	await expect(editor).toBeHidden();
	await page.getByRole('link', { name: 'Settings', exact: true }).click();
	await openNew();
	await expect(prompt).toHaveValue('More careful words.');

	await page.keyboard.press('Escape');
	await expect(page.getByText('Persona discarded.')).toBeVisible();
	// What was written since stays, behind it.
	await openNew();
	await expect(prompt).toHaveValue('');
	await prompt.fill('Later words.');
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(name).toHaveValue('Editor');
	await expect(prompt).toHaveValue('More careful words.\n\nLater words.');
	await editor.getByRole('button', { name: 'Save' }).click();
	await expect(editor).toBeHidden();
	expect(await rowsOf(page, 'presets')).toMatchObject([{ name: 'Editor', systemPrompt: 'More careful words.\n\nLater words.' }, { name: 'Poet' }]);
	await openNew();
	await expect(name).toHaveValue('');
	await page.keyboard.press('Escape');

	// One that is there has its own; nothing is said where nothing was changed.
	await page.getByRole('button', { name: 'Edit “Poet”' }).click();
	await prompt.fill('Rhyme, in pairs.');
	await editor.getByRole('button', { name: 'Cancel' }).click();
	await expect(page.getByText('Changes to “Poet” discarded.')).toBeVisible();
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(prompt).toHaveValue('Rhyme, in pairs.');
	await prompt.fill('Rhyme.');
	await page.keyboard.press('Escape');
	await expect(editor).toBeHidden();
	expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('snug:persona:')))).toEqual([]);
	await expect(page.getByText(/discarded\.$/)).toBeHidden();
});

test('[E3] one that comes with Snug is changed under its name; deleted, it is as it was. A name that chats use is changed with them', async ({ page }) => {
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await say(page, '/persona Patient tutor');
	await expect(page.getByText('“Patient tutor” applied.')).toBeVisible();
	await ask(page, 'One');
	await page.getByRole('link', { name: 'Settings', exact: true }).click();
	await expect(personasIn(page).filter({ hasText: 'Comes with Snug' })).toHaveCount(3);
	await expect(page.getByRole('button', { name: /^Delete the persona/ })).toHaveCount(0);
	await page.getByRole('button', { name: 'Edit “Patient tutor”' }).click();
	const editor = page.getByRole('dialog', { name: 'Persona “Patient tutor”' });
	await editor.getByRole('textbox', { name: 'System prompt' }).fill('Teach.');
	await editor.getByRole('button', { name: 'Save' }).click();
	await expect(personasIn(page).filter({ hasText: 'Patient tutor' })).toContainText('Teach.');
	await page.getByRole('button', { name: 'Edit “Patient tutor”' }).click();
	const name = editor.getByRole('textbox', { name: 'Name' });
	await name.fill('none');
	await expect(editor.getByText('“None” stands for no persona. Choose another name.')).toBeVisible();
	await expect(editor.getByRole('button', { name: 'Save' })).toBeDisabled();
	await name.fill('Coach');
	await editor.getByRole('button', { name: 'Save' }).click();
	await expect(personasIn(page)).toHaveText([/^Careful editor/, /^Coach/, /^Code reviewer/, /^Patient tutor/]);
	expect(await rowsOf(page, 'sessions')).toMatchObject([{ persona: 'Coach' }]);
	await page.getByRole('button', { name: 'Delete the persona “Coach”' }).click();
	await expect(page.getByRole('button', { name: 'New persona…' })).toBeFocused();
	await expect(personasIn(page)).toHaveCount(3);
	await page.getByRole('button', { name: 'Undo' }).last().click();
	await expect(personasIn(page)).toHaveCount(4);
	await expect(personasIn(page).filter({ hasText: 'Coach' })).toContainText('Teach.');
});

test('[E3] [E11] what another tab has written of a persona comes back where it is saved here under another name', async ({ page, context }) => {
	await page.goto('./');
	await withPersonas(page, { name: 'Poet', systemPrompt: 'Answer in rhyme.' });
	await useServer(page, server.url, 'echo');
	await say(page, '/persona Poet');
	await expect(page.getByText('“Poet” applied.')).toBeVisible();
	await ask(page, 'One');
	const other = await context.newPage();
	await other.goto('./settings');
	await page.getByRole('link', { name: 'Settings', exact: true }).click();
	for (const tab of [page, other]) await tab.getByRole('button', { name: 'Edit “Poet”' }).click();
	const theirs = other.getByRole('dialog', { name: 'Persona “Poet”' });
	await theirs.getByRole('textbox', { name: 'System prompt' }).fill('Answer in hexameters.');
	await theirs.getByRole('button', { name: 'Save' }).click();
	await expect(personasIn(page).filter({ hasText: 'Poet' })).toContainText('Answer in hexameters.');
	const ours = page.getByRole('dialog', { name: 'Persona “Poet”' });
	await ours.getByRole('textbox', { name: 'Name' }).fill('Bard');
	await ours.getByRole('button', { name: 'Save' }).click();
	await expect(personasIn(page).filter({ hasText: 'Bard' })).toContainText('Answer in rhyme.');
	await page.getByText('“Poet” replaced.').locator('..').getByRole('button', { name: 'Undo' }).click();
	await expect(personasIn(page)).toHaveText([/^Careful editor/, /^Code reviewer/, /^Patient tutor/, /^Poet/]);
	await expect(personasIn(page).filter({ hasText: 'Poet' })).toContainText('Answer in hexameters.');
	expect(await rowsOf(page, 'sessions')).toMatchObject([{ persona: 'Poet' }]);
});

test('[E3] what the model sees is set for a persona, and counts in its chats', async ({ page }) => {
	await page.goto('./settings');
	await page.getByRole('button', { name: 'Context limits of “Careful editor”' }).click();
	const dialog = page.getByRole('dialog', { name: 'What the model sees with “Careful editor”' });
	const newest = dialog.getByRole('spinbutton', { name: 'Newest messages sent' });
	await newest.fill('30');
	await newest.blur();
	await expectAccessible(page, 'context settings of a persona');
	await expect.poll(() => rowsOf<{ name: string }>(page, 'settings')).toContainEqual({ name: 'contextByPersona', value: { 'Careful editor': { contextMessages: 30 } } });
});

test('[E3] [Z8] a persona is a file and comes from one, in another profile too, under another name where its own is taken; a file brings no permission', async ({ page, browser, app, watchConsole }) => {
	await page.goto('./');
	await useServer(page, server.url, 'agent');
	await withPersonas(page, { name: 'Clerk', systemPrompt: 'Take notes.', parameters: { seed: 7 }, tools: ['notes_write', 'launch_rocket'], allowedTools: ['notes_write'] });
	await page.goto('./settings');
	const download = page.waitForEvent('download');
	await page.getByRole('button', { name: 'Export “Clerk”' }).click();
	expect((await download).suggestedFilename()).toBe('Clerk.persona.json');
	const text = await page.evaluate(async () => (await window.snug.personas.export('Clerk')).text());
	expect(JSON.parse(text)).toEqual({ snug: 'persona', version: 1, name: 'Clerk', systemPrompt: 'Take notes.', parameters: { seed: 7 }, tools: ['notes_write', 'launch_rocket'] });
	// Whoever made it may have written a permission into it.
	const file = { name: 'clerk.persona.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify({ ...(JSON.parse(text) as object), allowedTools: ['notes_write'], context: { contextMessages: 40 } })) };

	const context = await browser.newContext();
	watchConsole(context);
	const other = await context.newPage();
	await other.goto(app.url);
	await useServer(other, server.url, 'agent');
	await other.goto(new URL('./settings', app.url).href);
	await other.getByLabel('Persona file').setInputFiles(file);
	await expect(other.getByText('“Clerk” added. It may use: Write notes. Left out, since there are no such tools here: launch_rocket.')).toBeVisible();
	await other.getByLabel('Persona file').setInputFiles(file);
	await expect(other.getByText(/^“Clerk” is taken here, so it was added as “Clerk 2”\./)).toBeVisible();
	const rows = await rowsOf<Record<string, unknown>>(other, 'presets');
	expect(rows.map(({ createdAt: _, ...row }) => row)).toEqual(['Clerk', 'Clerk 2'].map((name) => ({ name, systemPrompt: 'Take notes.', parameters: { seed: 7 }, tools: ['notes_write'] })));
	expect(await rowsOf(other, 'settings')).toContainEqual({ name: 'contextByPersona', value: { Clerk: { contextMessages: 40 }, 'Clerk 2': { contextMessages: 40 } } });
	// Its tool asks.
	await newChat(other);
	await say(other, '/persona Clerk');
	await expect(other.getByText('“Clerk” applied. It may use: Write notes.')).toBeVisible();
	await say(other, `call notes_write ${JSON.stringify({ name: 'Fruit', text: 'Pears' })}\nDone.`);
	await expect(other.getByRole('group', { name: 'Approval' })).toContainText('Create the note “Fruit”');
	await context.close();

	// What the user allowed counts in the chats that take the persona here, until another takes its place.
	await newChat(page);
	await say(page, '/persona Clerk');
	await expect(page.getByText('“Clerk” applied. It may use: Write notes.')).toBeVisible();
	await say(page, `call notes_write ${JSON.stringify({ name: 'Fruit', text: 'Pears' })}\nDone.`);
	await expect(said(page).assistant.last()).toContainText('Done.');
	await say(page, '/persona Careful editor');
	await expect.poll(async () => (await rowsOf<{ allowedTools?: string[] }>(page, 'sessionSettings'))[0]!.allowedTools).toBeUndefined();
});

test('[E3] Undo of the import of a persona leaves what was written into it since', async ({ page }) => {
	await page.goto('./settings');
	const file = (name: string) => ({ name: 'x.persona.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify({ snug: 'persona', version: 1, name, systemPrompt: 'Old.' })) });
	await page.getByLabel('Persona file').setInputFiles(file('Clerk'));
	await expect(page.getByText('“Clerk” added.')).toBeVisible();
	await page.evaluate(() => window.snug.personas.put({ name: 'Clerk', systemPrompt: 'Old, and new.' }));
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(page.getByText('This persona has changed since, so it stays.')).toBeVisible();
	expect(await rowsOf(page, 'presets')).toMatchObject([{ name: 'Clerk', systemPrompt: 'Old, and new.' }]);
	await page.getByLabel('Persona file').setInputFiles(file('Tutor'));
	await expect(page.getByText('“Tutor” added.')).toBeVisible();
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect.poll(() => rowsOf(page, 'presets')).toHaveLength(1);
});

test('[E3] [P8] a file that is no persona is refused in a sentence, and nothing of it is stored', async ({ page }) => {
	await page.goto('./settings');
	const good = { snug: 'persona', version: 1, name: 'Clerk', systemPrompt: 'Take notes.' };
	const files: [content: string, why: string | RegExp][] = [
		['not JSON', 'This is not the file of a persona.'],
		['null', 'This is not the file of a persona.'],
		['{"name":"Clerk","systemPrompt":"x"}', 'This is not the file of a persona.'],
		[JSON.stringify({ ...good, version: 2 }), 'This persona comes from a later version of Snug. Update Snug, then import it again.'],
		[JSON.stringify({ ...good, name: 'None' }), 'This persona can’t be imported. Its name is the one for no persona.'],
		[JSON.stringify({ ...good, name: 'N\u200done' }), /^This persona can’t be imported\. Its name has characters that can’t be seen\./],
		[JSON.stringify({ ...good, name: 'x'.repeat(61) }), /^This persona can’t be imported\./],
		[JSON.stringify({ ...good, systemPrompt: 7 }), /^This persona can’t be imported\./],
		[JSON.stringify({ ...good, parameters: { temperature: 99 } }), /^This persona can’t be imported\./],
		[JSON.stringify({ ...good, tools: 'all' }), /^This persona can’t be imported\./],
		[JSON.stringify({ ...good, source: { kind: 'server', providerId: 'https://evil.example', model: 7 } }), /^This persona can’t be imported\./],
		[JSON.stringify({ ...good, context: { contextMessages: -1 } }), /^This persona can’t be imported\./],
		[JSON.stringify({ ...good, context: Array.from({ length: 20_000 }, () => 1) }), 'This persona has more in it than Snug keeps.'],
		[JSON.stringify({ ...good, systemPrompt: 'x'.repeat(1_000_000) }), 'This file is larger than a persona can be.']
	];
	for (const [content, why] of files) {
		await page.getByLabel('Persona file').setInputFiles({ name: 'x.persona.json', mimeType: 'application/json', buffer: Buffer.from(content) });
		const said = page.getByText(why).last();
		await expect(said).toBeVisible();
		const dismiss = page.getByRole('button', { name: 'Dismiss' });
		while (await dismiss.count()) await dismiss.first().click();
	}
	expect(await rowsOf(page, 'presets')).toEqual([]);
	expect(await rowsOf(page, 'settings')).toEqual([]);
	// A server that is not here gets nothing.
	const named = { ...good, source: { kind: 'server', providerId: '01890000-0000-7000-8000-000000000000', model: 'm' } };
	await page.getByLabel('Persona file').setInputFiles({ name: 'x.persona.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(named)) });
	await expect(page.getByText('“Clerk” added. Its model is not here, so it was left out.')).toBeVisible();
	expect((await rowsOf<{ source?: unknown }>(page, 'presets'))[0]!.source).toBeUndefined();
	// One that names a model that is gone leaves the chat its own, and says so.
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await withPersonas(page, { name: 'Lost', systemPrompt: 'Go on.', source: named.source });
	await say(page, '/persona lost');
	await expect(page.getByText('“Lost” applied. The model that it names is not here, so the chat keeps its own.')).toBeVisible();
	await ask(page, 'One');
	expect([lastSent().model, ...systems()]).toEqual(['echo', 'Go on.']);
});

test('[E3] a persona may have a name that every object has: it is deleted, brought back and renamed as any', async ({ page }) => {
	await page.goto('./');
	await withPersonas(page, { name: 'constructor', systemPrompt: 'Build with care.' });
	await page.getByRole('link', { name: 'Settings', exact: true }).click();
	const item = personasIn(page).filter({ hasText: 'Build with care.' });
	await item.getByRole('button', { name: /^Delete/ }).click();
	await expect(item).toHaveCount(0);
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(item).toHaveCount(1);
	await item.getByRole('button', { name: /^Edit/ }).click();
	const editor = page.getByRole('dialog', { name: 'Persona “constructor”' });
	await editor.getByRole('textbox', { name: 'Name' }).fill('Builder');
	await editor.getByRole('button', { name: 'Save' }).click();
	await expect(item).toContainText('Builder');
});
