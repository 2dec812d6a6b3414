import { zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { foreignExport } from './foreign-export';
import { recognise } from './recognise';

const json = (value: unknown) => new Blob([JSON.stringify(value, null, 1)]);
const zip = (...names: string[]) => new Blob([zipSync(Object.fromEntries(names.map((name) => [name, new Uint8Array(3)])))]);

const chatGpt = [{ title: 'Chat', create_time: 1.5, mapping: { a: { id: 'a', parent: null, message: null } }, current_node: 'a' }];
const claude = [{ uuid: 'a', name: 'Chat', account: { uuid: 'b' }, chat_messages: [{ uuid: 'c', sender: 'human', text: 'Hello' }] }];

it.each([
	['ChatGPT', 'its list of chats', json(chatGpt)],
	['ChatGPT', 'its list of chats in one line', new Blob([JSON.stringify(chatGpt)])],
	['ChatGPT', 'its archive', zip('user.json', 'conversations.json', 'chat.html', 'a.png')],
	['ChatGPT', 'its archive in parts', zip('conversations-000.json', 'conversations-001.json', 'export_manifest.json')],
	['Claude', 'its list of chats', json(claude)],
	['Claude', 'its archive', zip('users.json', 'projects.json', 'conversations.json')]
] as const)('[P2] an export of %s is known by %s, and refused under its name', async (app, _, file) => {
	expect(await foreignExport(file)).toBe(app);
	await expect(recognise(file)).rejects.toMatchObject({
		code: 'import-foreign',
		message: `This is an export of ${app}. Snug can’t import these yet, so nothing was changed.`
	});
});

it.each([
	['a text', new Blob(['My diary has "mapping": {'])],
	['another list', json([{ title: 'Chat', note: '"mapping": {"chat_messages": [' }])],
	['another archive', zip('conversations.json', 'notes.txt')],
	['nothing', new Blob([])]
])('[P2] %s is an export of no app that is known', async (_, file) => {
	expect(await foreignExport(file)).toBeUndefined();
});
