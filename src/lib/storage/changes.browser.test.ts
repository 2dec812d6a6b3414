import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../tests/fixtures/database';
import { Changes } from './changes';

describe('Changes', () => {
	it('[E5] are read in order after any one of them, and counted on where they were dropped', async () => {
		const db = openDatabase();
		const changes = new Changes(db);
		expect([await changes.lastSeq(), await changes.after(0)]).toEqual([0, []]);
		const write = (sessionId: string) => db.scratchpad.put({ sessionId, name: 'note', content: 'text', createdAt: 1, updatedAt: 1 });
		for (const sessionId of ['a', 'b', 'c', 'd']) await write(sessionId);
		const seqs = async (after: number, limit?: number) => (await changes.after(after, limit)).map(({ seq, sessionId }) => [seq, sessionId]);
		expect(await seqs(0)).toEqual([[1, 'a'], [2, 'b'], [3, 'c'], [4, 'd']]);
		expect(await seqs(1, 2)).toEqual([[2, 'b'], [3, 'c']]);
		expect(await changes.lastSeq()).toBe(4);
		await changes.dropTo(3);
		expect(await seqs(0)).toEqual([[4, 'd']]);
		await changes.dropTo(4);
		expect(await changes.lastSeq()).toBe(0);
		await write('e');
		expect(await seqs(4)).toEqual([[5, 'e']]);
	});

	it('[E5] are dropped together with what the caller writes, or not at all', async () => {
		const db = openDatabase();
		const changes = new Changes(db);
		await db.scratchpad.put({ sessionId: 'a', name: 'note', content: 'text', createdAt: 1, updatedAt: 1 });
		const failing = db.transaction('rw', db.changes, db.searchState, async () => {
			await changes.dropTo(await changes.lastSeq());
			expect(await changes.after(0)).toEqual([]);
			throw new Error('no room');
		});
		await expect(failing).rejects.toThrow('no room');
		expect(await changes.lastSeq()).toBe(1);
	});
});
