import { readFileSync } from 'node:fs';
import { expect, type Locator, type Page } from '@playwright/test';
import { inRoot } from '../../scripts/paths.mjs';
import { answer, ask, openModelDialog, putRows, said, say, storedConversation, storedSession, useServer, withSessions } from '../e2e/chat';
import { startHub } from '../e2e/hub';
import { tinyModelFile } from '../e2e/tiny-model';
import { markdownTokens } from '../fixtures/markdown-text.mjs';
import { scripts } from '../fixtures/scripts';
import { startSignInServer } from '../fixtures/sign-in-server.mjs';
import { startToolServer } from '../fixtures/tool-server.mjs';

/** Brings a page that shows the app to a screen. `server` is the address of a server of models. */
type Open = (page: Page, server: string) => Promise<void>;

const maths = [
	'For $ax^2 + bx + c = 0$ with $a \\neq 0$ the roots are',
	'$$x = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}$$',
	'It costs $5, or $10 for *two*.[^1]',
	'[^1]: Prices stay text.',
	'- [x] Typeset\n- [ ] Checked'
].join('\n\n');

const code = [
	'Sort by what is measured, not by what is remembered:',
	`\`\`\`ts\nexport function sortBy<Item>(items: Item[], key: (item: Item) => number): Item[] {\n\treturn items.toSorted((a, b) => key(a) - key(b)); // a line that is long enough to reach beyond the edge of the column\n}\n\`\`\``,
	'| Name | Kind | Size | Since | What it is for |\n|---|---|---|---|---|\n| Dexie | database | 28 kB | 2014 | live queries across tabs |\n| virtua | list | 5 kB | 2023 | rows that measure themselves |',
	'```svg\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" height="10" fill="teal"/></svg>\n```'
].join('\n\n');

const diagram = '```mermaid\ngraph TD\n  A[Start] --> B{Done?}\n  B -->|yes| C[End]\n  B -->|no| A\n```';

const talk = [
	'What should I pack for three days on the coast in October?',
	'Layers. The wind matters more than the temperature:\n\n- a **windproof** shell\n- one warm jumper\n- shoes that may get wet',
	'And for the evenings?',
	'Something warm for your hands, and a torch. It is dark by six, and the path along the cliff has no lights.',
	`Here is my list so far. What is missing?\n${Array.from({ length: 16 }, (_, index) => `${index + 1}. thing number ${index + 1}`).join('\n')}`,
	'A charger, and a second pair of socks for each day.'
];

/** Stores a conversation beside some others, and opens it. */
async function withChat(page: Page, texts: string[], title = 'Packing for the coast'): Promise<void> {
	const { sessions, ...rest } = storedConversation(60, texts, { system: 'Answer briefly.' });
	await withSessions(page, [...others(), { ...rest, sessions: { ...sessions, ...agedOf(0), title, preview: texts[0]! } }]);
	await page.goto(`./s/${sessions.id}`);
	await expect(said(page).assistant.last()).toBeVisible();
}

const agedOf = (days: number) => ({ createdAt: Date.now() - days * 86_400_000, updatedAt: Date.now() - days * 86_400_000 });

const names = ['Sourdough that rises', 'Tax letter', 'Why is the sky dark at night?', 'A name for the boat', 'Regular expressions'];

/** Chats of the last weeks, two of them pinned. */
function others(): ReturnType<typeof storedSession>[] {
	return Array.from({ length: 24 }, (_, index) =>
		storedSession(index + 1, { ...agedOf(24 - index), title: `${names[index % names.length]!} ${index + 1}`, pinned: index % 12 === 5 ? 1 : 0 })
	);
}

/** Runs a command from the palette. */
async function run(page: Page, label: string): Promise<void> {
	await page.keyboard.press('ControlOrMeta+k');
	await page.getByRole('combobox', { name: 'Search or run a command' }).fill(label);
	await page.getByRole('option', { name: label }).first().click();
}

/** Opens the models on this device. */
async function openDeviceModels(page: Page): Promise<Locator> {
	const dialog = await openModelDialog(page);
	await dialog.getByRole('radio', { name: /On this device/ }).check();
	return dialog;
}

/** Opens the search for a model, with a stand-in for Hugging Face. */
async function openFinder(page: Page): Promise<Locator> {
	const hub = await startHub(page.context(), { bytes: readFileSync(tinyModelFile()) });
	page.once('close', () => hub.close());
	const dialog = await openDeviceModels(page);
	await dialog.getByRole('button', { name: 'Find a model' }).click();
	await expect(dialog.getByRole('list', { name: 'Good first choices' })).toBeVisible();
	return dialog;
}

/** Adds a tool server in the settings, which may have one sign in. */
async function addToolServer(page: Page, options: Parameters<typeof startToolServer>[0] = {}): Promise<void> {
	const orchard = await startToolServer(options);
	page.once('close', () => void orchard.close());
	await page.goto('./settings');
	await page.getByRole('button', { name: 'Add a tool server' }).click();
	const form = page.getByRole('dialog', { name: 'Add a tool server' });
	await form.getByRole('textbox', { name: 'Address' }).fill(orchard.url);
	await form.getByRole('textbox', { name: 'Name' }).fill('Orchard');
	await form.getByRole('button', { name: 'Connect' }).click();
	await expect(form).toBeHidden();
}

const withPanel =
	(command: string, role: 'complementary' | 'dialog' = 'complementary'): Open =>
	async (page) => {
		await withChat(page, talk);
		await run(page, command);
		// Beyond its title.
		await expect(page.getByRole(role)).toContainText(/\w\s+\w/);
	};

/** All screens, in the order of the sheets. */
export const screens: Record<string, Open> = {
	empty: async (page) => {
		await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
	},
	home: async (page, server) => {
		await withSessions(page, others());
		await useServer(page, server, 'echo');
	},
	chat: (page) => withChat(page, talk),
	code: (page) => withChat(page, ['How do I sort?', code]),
	maths: (page) => withChat(page, ['Solve it.', maths]),
	diagram: async (page) => {
		await withChat(page, ['Draw it.', diagram]);
		await said(page).assistant.getByRole('button', { name: 'Preview' }).click();
		await expect(page.frameLocator('iframe[title^="Preview of"]').frameLocator('iframe').getByText('Start', { exact: true })).toBeVisible();
	},
	scripts: (page) => withChat(page, [scripts.Arabic, Object.values(scripts).join('\n\n'), scripts.Japanese, scripts.Hebrew], scripts.Hebrew),
	'long answer': (page) => withChat(page, ['Tell me all.', markdownTokens(900).join('')]),
	thinking: async (page, server) => {
		await useServer(page, server, 'reasoning');
		await ask(page, 'What is two and two?');
	},
	streaming: async (page, server) => {
		await useServer(page, server, 'huge@40');
		await say(page, 'Tell me all.');
		await expect(said(page).assistant).toContainText(/(\w+\W+){12}/);
	},
	failed: async (page, server) => {
		await useServer(page, server, '401');
		await say(page, 'Is anyone there?');
		await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
	},
	branches: async (page, server) => {
		await useServer(page, server, 'echo');
		await ask(page, 'The first question');
		await said(page).assistant.last().getByRole('button', { name: 'Regenerate' }).click();
		await answer(page);
		await expect(page.getByText('2 / 2')).toBeVisible();
	},
	files: async (page) => {
		await withChat(page, talk);
		const file = (name: string) => inRoot(`tests/fixtures/documents/${name}`);
		await page.locator('input[type=file]').setInputFiles([file('report.pdf'), file('report.docx')]);
		await expect(page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toHaveCount(2);
		await page.getByRole('textbox', { name: 'Message' }).fill('What do these say about the lighthouse?');
	},
	'message menu': async (page) => {
		await withChat(page, talk);
		const last = said(page).assistant.last();
		await last.hover();
		await last.getByRole('button', { name: 'More' }).click();
	},
	'chat menu': async (page) => {
		await withChat(page, talk);
		await page.getByRole('button', { name: 'Chat menu' }).click();
	},
	'model menu': async (page, server) => {
		await useServer(page, server, 'echo');
		await page.getByRole('button', { name: /Change model/ }).first().click();
	},
	'model dialog': async (page) => {
		await openModelDialog(page);
	},
	'browser model': async (page) => {
		await page.addInitScript(() => Object.assign(window, { LanguageModel: { availability: () => Promise.resolve('downloadable') } }));
		await page.reload();
		await expect((await openDeviceModels(page)).getByText('Built-in model')).toBeVisible();
	},
	'find a model': async (page) => {
		await openFinder(page);
	},
	'files of a model': async (page) => {
		const dialog = await openFinder(page);
		await dialog.getByRole('searchbox', { name: 'Search for a model' }).fill('tiny');
		await page.keyboard.press('Enter');
		await dialog.getByRole('button', { name: 'Show the files of owner/Tiny-GGUF' }).click();
		await expect(dialog.getByRole('list', { name: 'Files of owner/Tiny-GGUF' })).toBeVisible();
	},
	'sign in': async (page) => {
		const gate = await startSignInServer();
		page.once('close', () => void gate.close());
		await addToolServer(page, { signIn: gate });
		await expect(page.getByRole('dialog', { name: 'Sign in to Orchard' }).getByRole('button', { name: /^Continue at/ })).toBeVisible();
	},
	'attach from a tool server': async (page, server) => {
		await addToolServer(page);
		await page.goto('./');
		await useServer(page, server, 'echo');
		await page.getByRole('textbox', { name: 'Message' }).press('Shift');
		await page.getByRole('button', { name: 'Attach from a tool server' }).click();
		await expect(page.getByRole('region', { name: 'Command output' }).getByRole('button', { name: /list of trees/ })).toBeVisible();
	},
	doctor: async (page, server) => {
		const dialog = await openModelDialog(page);
		await dialog.getByRole('radio', { name: /A server/ }).check();
		await dialog.getByRole('textbox', { name: 'Address' }).fill(server.replace('/v1', '/no-cors/v1'));
		await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
		await dialog.getByRole('button', { name: 'Find out why' }).click();
		await expect(page.getByRole('list', { name: 'What was checked' })).toBeVisible();
	},
	'two answers': async (page, server) => {
		await useServer(page, server, 'echo');
		await page.getByRole('button', { name: /Change model/ }).first().click();
		await page.getByRole('button', { name: 'Ask a second model too…' }).click();
		await page.getByRole('searchbox', { name: 'Filter models' }).fill('markdown-long');
		await page.keyboard.press('Enter');
		await say(page, 'Tell me all.');
		// A narrow screen shows one of the two.
		await expect(page.getByRole('button', { name: 'Keep this one' }).first()).toBeVisible();
	},
	'temporary chat': async (page, server) => {
		await useServer(page, server, 'echo');
		await page.goto('./temporary');
		await ask(page, 'What is said here is not stored.');
	},
	'model settings': async (page, server) => {
		await useServer(page, server, 'echo');
		await page.getByRole('button', { name: /Change model/ }).first().click();
		await page.getByRole('button', { name: 'Model settings' }).click();
		await expect(page.getByRole('dialog', { name: 'Model settings for this new chat' })).toBeVisible();
	},
	'tree panel': async (page, server) => {
		await useServer(page, server, 'echo');
		await ask(page, 'What should I pack for three days on the coast?');
		await ask(page, 'And for the evenings?');
		await ask(page, 'How cold will it be?');
		await said(page).assistant.last().getByRole('button', { name: 'Regenerate' }).click();
		await expect(page.getByText('2 / 2')).toBeVisible();
		await answer(page);
		await ask(page, 'Is there a shop nearby?');
		await run(page, 'Tree');
		await expect(page.getByRole('treeitem').first()).toBeVisible();
	},
	'context panel': withPanel('Context'),
	'notes panel': withPanel('Notes'),
	compaction: withPanel('Compact…', 'dialog'),
	'find in chat': async (page) => {
		await withChat(page, talk);
		const find = page.getByRole('button', { name: 'Find in this chat' });
		if (!(await find.isVisible())) await page.getByRole('button', { name: 'Chat menu' }).click();
		await find.click();
		await page.getByRole('textbox', { name: 'Find in this chat' }).fill('warm');
	},
	palette: async (page) => {
		await withChat(page, talk);
		await page.keyboard.press('ControlOrMeta+k');
		await page.getByRole('combobox', { name: 'Search or run a command' }).fill('pack');
		await expect(page.getByRole('option').locator('mark').first()).toBeVisible();
	},
	search: async (page) => {
		await withChat(page, talk);
		await page.goto('./search?q=warm');
		await expect(page.locator('mark').first()).toBeVisible();
	},
	sidebar: async (page) => {
		await withChat(page, talk);
		const open = page.getByRole('button', { name: 'Show chats' });
		if (await open.isVisible()) await open.click();
	},
	'all chats': async (page) => {
		await withChat(page, talk);
		await page.goto('./sessions');
		await expect(page.getByRole('row').nth(3)).toBeVisible();
	},
	details: async (page) => {
		await withChat(page, talk);
		await page.getByRole('button', { name: 'Chat menu' }).click();
		await page.getByRole('button', { name: 'Details' }).click();
	},
	settings: async (page) => {
		await page.goto('./settings');
		await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
	},
	storage: async (page) => {
		await withChat(page, talk);
		await page.goto('./settings/storage');
		await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
	},
	toast: async (page) => {
		await withChat(page, talk);
		await page.getByRole('button', { name: 'Chat menu' }).click();
		await page.getByRole('button', { name: 'Delete chat' }).click();
		await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
	},
	'no such chat': async (page) => {
		await page.goto('./s/00000000-0000-7000-8000-000000000000');
		await expect(page.getByRole('heading', { name: 'Chat not found' })).toBeVisible();
	},
	repair: async (page) => {
		await putRows(page, { sessions: [{ id: 'broken', preview: 3 }] });
		await page.goto('./repair');
		await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
	}
};
