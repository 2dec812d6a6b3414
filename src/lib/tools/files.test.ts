import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTool as createEdit } from './files-edit';
import { createTool as createList } from './files-list';
import { createTool as createRead, type FilesReadOutput } from './files-read';
import { createTool as createSearch, type FilesSearchOutput } from './files-search';
import { createTool as createWrite } from './files-write';
import type { Files } from './ports';

let stored: Map<string, Blob>;
const files: Files = {
	list: (path, most) => {
		const all = [...stored].filter(([name]) => path === '' || name.startsWith(`${path}/`)).map(([path, content]) => ({ path, content: () => Promise.resolve(content) }));
		return Promise.resolve({ folder: 'Fruit', entries: all.slice(0, most), isWhole: all.length <= most });
	},
	read: (path) => Promise.resolve(stored.get(path)),
	openedId: () => Promise.resolve('fruit'),
	async change(path, next) {
		const after = new Blob([await next(stored.get(path))]);
		stored.set(path, after);
		return after.size;
	}
};
const context = { sessionId: 's', signal: new AbortController().signal };
const [list, read, search, write, edit] = [createList({ files }), createRead({ files }), createSearch({ files, clock: Date.now }), createWrite({ files }), createEdit({ files })];
const put = (path: string, content: BlobPart) => void stored.set(path, new Blob([content]));
const said = (text: string) => ({ isError: true, output: expect.stringContaining(text) as string });

beforeEach(() => {
	stored = new Map();
	put('todo.md', 'Pears\nPlums');
});

describe('[R3] tools for files', () => {
	it('list the folder, or a folder in it, and say where there is more', async () => {
		put('notes/a.md', '');
		expect(await list.run('', context)).toEqual({ output: { folder: 'Fruit', entries: ['todo.md', 'notes/a.md'] }, isError: false });
		expect(await list.run({ path: 'notes/' }, context)).toMatchObject({ output: { entries: ['notes/a.md'] } });
		for (let at = 0; at < 1000; at++) put(`many/${at}`, '');
		expect(await list.run({ path: '.' }, context)).toMatchObject({ output: { entries: { length: 1000 }, note: expect.stringContaining('Only the first 1000') as string } });
	});

	it('read a file, or lines of it, and say what they can’t read', async () => {
		expect(await read.run({ path: 'todo.md' }, context)).toEqual({ output: { path: 'todo.md', text: 'Pears\nPlums', from_line: 1, lines_in_file: 2 }, isError: false });
		expect(await read.run({ path: 'todo.md', from_line: 2, lines: 5 }, context)).toMatchObject({ output: { text: 'Plums', from_line: 2 } });
		put('binary', new Uint8Array([1, 0, 2]));
		put('latin', new Uint8Array([0xe4]));
		put('large', 'x'.repeat(10_000_001));
		put('wide', 'x'.repeat(200_001));
		for (const [input, sentence] of [
			[{ path: 'none' }, 'There is no file “none”'],
			[{ path: 'todo.md', from_line: 3 }, 'has 2 lines'],
			[{ path: 'binary' }, 'is binary'],
			[{ path: 'latin' }, 'not in UTF-8'],
			[{ path: 'large' }, '10000000 is the most'],
			[{ path: 'wide' }, 'alone has more than'],
			[{ path: '../x' }, 'can’t be a path here']
		] as const) expect(await read.run(input, context)).toMatchObject(said(sentence));
	});

	it('read a long file in stretches that come to all of it', async () => {
		const text = Array.from({ length: 50_000 }, (_, line) => `line ${line}`).join('\n');
		put('long', text);
		let [whole, from] = ['', 1];
		for (;;) {
			const { output } = (await read.run({ path: 'long', from_line: from }, context)) as { output: FilesReadOutput };
			expect(output.text.length).toBeLessThanOrEqual(80_000);
			whole += (whole === '' ? '' : '\n') + output.text;
			from += output.text.split('\n').length;
			if (output.note === undefined) break;
			expect(output.note).toContain(`from_line ${from}.`);
		}
		expect(whole).toBe(text);
	});

	it('refuse to search for a text that takes minutes to look for, and say how long it may be', async () => {
		const half = 'a'.repeat(200_000);
		expect(await search.run({ query: `${half}b${half}` }, context)).toMatchObject(said('“query” in the input has more than 200 characters.'));
		expect(await search.run({ query: 'a'.repeat(200) }, context)).toMatchObject({ isError: false, output: { results: [] } });
	});

	it('search lines in any case, within limits', async () => {
		put('notes/a.md', `The pear\nNothing\n${'x'.repeat(5000)}PEAR${'y'.repeat(5000)}`);
		put('binary', new Uint8Array([0]));
		const { output } = (await search.run({ query: 'pear' }, context)) as { output: FilesSearchOutput };
		expect(output.results.map(({ path, line }) => [path, line])).toEqual([['todo.md', 1], ['notes/a.md', 1], ['notes/a.md', 3]]);
		expect(output.results[2]!.text.length).toBeLessThanOrEqual(300);
		expect(output.results[2]!.text).toContain('PEAR');
		expect(output.note).toBe('1 files are binary, too large or unreadable, and were not searched.');
		put('many', 'pear\n'.repeat(1000));
		expect(await search.run({ query: 'pear' }, context)).toMatchObject({ output: { results: { length: 100 }, note: expect.stringContaining('Not all was searched') as string } });
	});

	it('write a file whole, as was shown before', async () => {
		for (const [path, before, sentence] of [['new/figs.md', '', 'Create'], ['todo.md', 'Pears\nPlums', 'Replace']] as const) {
			expect(await write.preview!({ path, text: 'Figs' }, context)).toEqual({ folderId: 'fruit', sentence: `${sentence} the file “${path}”`, change: { before, after: 'Figs' } });
			expect(await write.run({ path, text: 'Figs' }, context)).toEqual({ output: { path, bytes: 4 }, isError: false });
			expect(await stored.get(path)!.text()).toBe('Figs');
		}
	});

	it('change nothing that is another file by then than was shown', async () => {
		for (const [tool, input] of [[write, { path: 'todo.md', text: 'Figs' }], [write, { path: 'new.md', text: 'Figs' }], [edit, { path: 'todo.md', old_text: 'Plums', new_text: 'Figs' }]] as const) {
			const shown = await tool.preview!(input, context);
			if ('isError' in shown) throw new Error('Nothing was shown.');
			put(input.path, 'Plums, and more');
			expect(await tool.run(input, { ...context, shown })).toMatchObject(said('was changed by something else'));
			expect(await stored.get(input.path)!.text()).toBe('Plums, and more');
			put('todo.md', 'Pears\nPlums');
			expect(await tool.run(input, { ...context, shown: { ...shown, change: { before: await stored.get(input.path)!.text(), after: '' } } })).toMatchObject({ isError: false });
			put('todo.md', 'Pears\nPlums');
		}
	});

	it('change nothing that is binary, large, said already or out of reach', async () => {
		put('binary', new Uint8Array([0, 1]));
		put('large', 'x'.repeat(1_000_001));
		for (const [tool, input, sentence] of [
			[write, { path: 'binary', text: 'x' }, 'is binary'],
			[write, { path: 'large', text: 'x' }, '1000000 is the most'],
			[write, { path: 'new', text: 'é'.repeat(500_001) }, 'has 1000000 bytes at most'],
			[write, { path: 'todo.md', text: 'Pears\nPlums' }, 'says this already'],
			[write, { path: '/etc/passwd', text: 'x' }, 'can’t be a path here'],
			[write, { path: 'docs/HEAD', text: 'ref' }, 'for Git alone'],
			[write, { path: 'docs/Head.', text: 'ref' }, 'for Git alone'],
			[edit, { path: '.git/config', old_text: 'a', new_text: 'b' }, 'for Git alone'],
			[edit, { path: 'todo.md', old_text: 'Figs', new_text: '' }, 'not in the file'],
			[edit, { path: 'todo.md', old_text: 'P', new_text: '' }, 'more than once'],
			[edit, { path: 'none', old_text: 'a', new_text: '' }, 'There is no file']
		] as const) for (const outcome of [await tool.preview!(input, context), await tool.run(input, context)]) expect(outcome).toMatchObject(said(sentence));
		expect(await stored.get('todo.md')!.text()).toBe('Pears\nPlums');
		expect(stored.has('new')).toBe(false);
	});

	it('edit by exact replacement: what is around the passage stays, byte for byte', async () => {
		const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', 'é', '\ufeff', '😀', '$&', '$1'), maxLength: 30 });
		await fc.assert(
			fc.asyncProperty(text, text, text, text, async (before, old_text, after, new_text) => {
				put('file', before + old_text + after);
				const outcome = await edit.run({ path: 'file', old_text, new_text }, context);
				const whole = before + old_text + after;
				const first = whole.indexOf(old_text);
				const isOnce = old_text !== '' && first === whole.lastIndexOf(old_text);
				expect(outcome.isError).toBe(!isOnce || old_text === new_text);
				const stays = outcome.isError ? whole : whole.slice(0, first) + new_text + whole.slice(first + old_text.length);
				expect(new Uint8Array(await stored.get('file')!.arrayBuffer())).toEqual(new TextEncoder().encode(stays));
			})
		);
	});
});
