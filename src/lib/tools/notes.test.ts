import { beforeEach, describe, expect, it } from 'vitest';
import { createTool as createEdit } from './notes-edit';
import { createTool as createRead } from './notes-read';
import { createTool as createWrite } from './notes-write';
import type { Notes } from './ports';

let stored: Map<string, string>;
const notes: Notes = {
	list: () => Promise.resolve([...stored].map(([name, { length }]) => ({ name, characters: length }))),
	read: (_, name) => Promise.resolve(stored.get(name)),
	change: (_, name, next) => {
		try {
			const text = next(stored.get(name));
			stored.set(name, text);
			return Promise.resolve(text);
		} catch (error) {
			return Promise.reject(error as Error);
		}
	}
};
const context = { sessionId: 's', signal: new AbortController().signal };
const [read, write, edit] = [createRead({ notes }), createWrite({ notes }), createEdit({ notes })];

beforeEach(() => void (stored = new Map([['todo', '- [ ] Pears\n- [ ] Plums']])));

describe('[Z8] tools for notes', () => {
	it('list the notes, and read one', async () => {
		expect(await read.run('', context)).toEqual({ output: { notes: [{ name: 'todo', characters: 23 }] }, isError: false });
		expect(await read.run({ name: 'todo' }, context)).toEqual({ output: { name: 'todo', text: '- [ ] Pears\n- [ ] Plums' }, isError: false });
		expect(await read.run({ name: 'none' }, context)).toMatchObject({ isError: true, output: expect.stringContaining('no note named “none”') as string });
	});

	it('begin a note, and add to it on a line of its own, as was shown before', async () => {
		for (const [name, text, after] of [
			['todo', '- [ ] Figs', '- [ ] Pears\n- [ ] Plums\n- [ ] Figs'],
			['Fruit', 'Figs', 'Figs']
		] as const) {
			const before = stored.get(name) ?? '';
			expect(await write.preview!({ name, text }, context)).toMatchObject({ change: { before, after } });
			expect(stored.get(name) ?? '').toBe(before);
			expect(await write.run({ name, text }, context)).toMatchObject({ isError: false });
			expect(stored.get(name)).toBe(after);
		}
	});

	it('replace a passage that is there once, and none else', async () => {
		expect(await edit.run({ name: 'todo', old_text: '- [ ] Pears', new_text: '- [x] Pears' }, context)).toMatchObject({ isError: false });
		expect(stored.get('todo')).toBe('- [x] Pears\n- [ ] Plums');
		for (const [input, said] of [
			[{ name: 'todo', old_text: 'Figs', new_text: '' }, 'not in the note'],
			[{ name: 'todo', old_text: '] P', new_text: '' }, 'more than once'],
			[{ name: 'none', old_text: 'a', new_text: '' }, 'no note named']
		] as const) {
			for (const outcome of [await edit.preview!(input, context), await edit.run(input, context)]) expect(outcome).toMatchObject({ isError: true, output: expect.stringContaining(said) as string });
		}
		expect(stored.get('todo')).toBe('- [x] Pears\n- [ ] Plums');
	});

	it('take no name that is more than a line, and no note without end', async () => {
		for (const name of ['a\nb', 'a\u202eb', 'a” is kept. “b', ' ', 'x'.repeat(101)]) expect(await write.run({ name, text: 'x' }, context)).toMatchObject({ isError: true });
		expect(await write.preview!({ name: 'long', text: 'x'.repeat(500_001) }, context)).toMatchObject({ isError: true, output: expect.stringContaining('500000') as string });
		expect(stored.size).toBe(1);
	});
});
