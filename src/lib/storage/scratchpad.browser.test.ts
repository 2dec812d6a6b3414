import { describe, expect, it } from 'vitest';
import { newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { append } from './append';
import { Scratchpad, todoName } from './scratchpad';
import { Trash } from './trash';

async function withSessions(...ids: string[]): Promise<Scratchpad> {
	const db = openDatabase();
	for (const id of ids) await append(db, { session: newSession({ id, key: id }), messages: [newMessage('user', 'Hi')] });
	return new Scratchpad(db);
}

describe('Scratchpad', () => {
	it('[A7] two sessions may use one name', async () => {
		const scratchpad = await withSessions('s', 's2');
		await scratchpad.set('s', todoName, 'mine', 1);
		await scratchpad.set('s2', todoName, 'other', 2);
		await scratchpad.set('s', 'notes', 'n', 3);
		await scratchpad.set('s', todoName, 'mine, changed', 4);
		expect(await scratchpad.list('s')).toEqual([
			{ sessionId: 's', name: 'notes', content: 'n', createdAt: 3, updatedAt: 3 },
			{ sessionId: 's', name: todoName, content: 'mine, changed', createdAt: 1, updatedAt: 4 }
		]);
		expect((await scratchpad.get('s2', todoName))?.content).toBe('other');
		expect(await scratchpad.get('s3', todoName)).toBeUndefined();
	});

	it('[A7] gives back what it removes, to be put back', async () => {
		const scratchpad = await withSessions('s');
		await scratchpad.set('s', 'notes', 'n', 1);
		const entry = (await scratchpad.remove('s', 'notes', 5))!;
		expect(await scratchpad.list('s')).toEqual([]);
		expect(await scratchpad.remove('s', 'notes', 5)).toBeUndefined();
		await scratchpad.putBack(entry);
		expect(await scratchpad.list('s')).toEqual([entry]);
		await scratchpad.putBack({ ...entry, content: 'older' });
		await scratchpad.putBack({ ...entry, content: 'oldest' });
		expect((await scratchpad.list('s')).map(({ name, content }) => [name, content])).toEqual([
			['notes', 'n'],
			['notes 2', 'older'],
			['notes 3', 'oldest']
		]);
	});

	it('[A7] renames an entry in one step', async () => {
		const scratchpad = await withSessions('s');
		await scratchpad.set('s', 'notes', 'n', 1);
		const [entry] = await scratchpad.list('s');
		const later = scratchpad.set('s', 'notes', 'newer', 2);
		await Promise.all([later, scratchpad.rename('s', 'notes', 'other', 3)]);
		expect(await scratchpad.list('s')).toEqual([{ ...entry, content: 'newer', name: 'other', updatedAt: 3 }]);
		await scratchpad.rename('s', 'notes', 'third', 4);
		expect(await scratchpad.list('s')).toHaveLength(1);
	});

	it('[A7] keeps both entries where the name is taken by then, and the entry where the store refuses', async () => {
		const scratchpad = await withSessions('s');
		for (const name of ['notes', 'other']) await scratchpad.set('s', name, name, 1);
		const entries = await scratchpad.list('s');
		await expect(scratchpad.rename('s', 'notes', 'other', 2)).rejects.toMatchObject({ code: 'note-exists' });
		await expect(scratchpad.begin('s', 'notes', 2)).rejects.toMatchObject({ code: 'note-exists' });
		expect(await scratchpad.list('s')).toEqual(entries);
		// No key can be of this.
		await expect(scratchpad.rename('s', 'notes', null as unknown as string, 2)).rejects.toThrow();
		expect(await scratchpad.list('s')).toEqual(entries);
	});

	it('[A7] changes an entry as it is by then, and returns what it says', async () => {
		const scratchpad = await withSessions('s');
		const add = (letter: string) => scratchpad.change('s', 'notes', (content = '') => content + letter, 1);
		expect(await Promise.all(['a', 'b', 'c'].map(add))).toEqual(['a', 'ab', 'abc']);
		expect((await scratchpad.get('s', 'notes'))?.content).toBe('abc');
	});

	it('[A7] survives a deletion that is undone, and goes with the session', async () => {
		const db = openDatabase();
		const scratchpad = new Scratchpad(db);
		const trash = new Trash(db);
		for (const id of ['s', 's2']) {
			await append(db, { session: newSession({ id }), messages: [newMessage('user', 'Hi')] });
			await scratchpad.set(id, 'notes', id, 1);
		}
		const removed = (await scratchpad.remove('s', 'notes', 5))!;
		await trash.deleteSessionsUnfenced(['s'], 0);
		await scratchpad.set('s', 'other', 'while deleted', 2);
		await scratchpad.putBack(removed);
		await trash.restoreUnfenced(['s']);
		expect((await scratchpad.get('s', 'other'))?.content).toBe('while deleted');
		expect((await scratchpad.get('s', 'notes'))?.content).toBe('s');
		await trash.deleteSessionsUnfenced(['s'], 0);
		await trash.purgeUnfenced(1e6);
		for (const late of [scratchpad.set('s', 'notes', 'late', 1), scratchpad.putBack(removed), scratchpad.rename('s', 'notes', 'late', 2)]) {
			await expect(late).rejects.toMatchObject({ code: 'session-absent' });
		}
		expect(await scratchpad.list('s')).toEqual([]);
		expect((await scratchpad.get('s2', 'notes'))?.content).toBe('s2');
	});
});
