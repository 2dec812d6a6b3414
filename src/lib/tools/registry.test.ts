import { describe, expect, it } from 'vitest';
import { describeTool } from '../../../tests/contract/tool';
import type { ToolPorts } from './ports';
import { toolEntries, toolLabel, ToolRegistry } from './registry';

const ports: ToolPorts = {
	clock: () => 0,
	search: () => Promise.resolve({ hits: [], total: 0, correctionsIn: () => [] }),
	runScript: () => Promise.resolve({ value: '4', logs: [] }),
	readPage: () => Promise.resolve('Pears are ripe.'),
	notes: { list: () => Promise.resolve([]), read: () => Promise.resolve('a pear'), change: (_, __, next) => Promise.resolve(next('a pear')) },
	files: {
		list: () => Promise.resolve({ folder: 'Fruit', entries: [{ path: 'a.md', content: () => Promise.resolve(new Blob(['a pear'])) }], isWhole: true }),
		read: () => Promise.resolve(new Blob(['a pear'])),
		openedId: () => Promise.resolve('fruit'),
		change: async (_, next) => (await next(new Blob(['a pear']))).length
	},
	readResult: () => Promise.resolve(new Blob(['a pear'])),
	readSession: () => Promise.resolve({ title: 'Pears', messages: [] })
};

const inputs: Record<(typeof toolEntries)[number]['name'], unknown> = {
	session_search: { query: 'pear' },
	session_read: { session_id: 's' },
	notes_read: { name: 'Fruit' },
	notes_write: { name: 'Fruit', text: 'a plum' },
	notes_edit: { name: 'Fruit', old_text: 'pear', new_text: 'plum' },
	files_list: {},
	files_read: { path: 'a.md' },
	files_search: { query: 'pear' },
	files_write: { path: 'a.md', text: 'a plum' },
	files_edit: { path: 'a.md', old_text: 'pear', new_text: 'plum' },
	ask_user: { question: 'Which?', choices: ['pear', 'plum'] },
	run_javascript: { code: 'return 2 + 2' },
	fetch_page: { url: 'https://orchard.example/pears' },
	current_time: {},
	read_result: { name: '0123456789ab' }
};

describe.each(toolEntries)('[R1] the tool $name', async ({ name, load }) => {
	const { createTool } = await load();
	describeTool(createTool(ports), name, inputs[name]);
});

describe('ToolRegistry', () => {
	it('loads what is named and known, in its own order, and each once', async () => {
		const registry = new ToolRegistry(ports);
		const tools = await registry.load(['current_time', 'gone', 'session_search']);
		expect(tools.map(({ name }) => name)).toEqual(['session_search', 'current_time']);
		expect((await registry.load(['current_time']))[0]).toBe(tools[1]);
	});

	it('has a name on screen for each, and none for others', () => {
		expect(new Set(toolEntries.map(({ label }) => label)).size).toBe(toolEntries.length);
		expect(toolLabel('session_search')).toBe('Search chats');
		expect(toolLabel('constructor')).toBeUndefined();
	});
});
