import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../tests/fixtures/database';
import { ChangeReaders } from './change-readers';
import { Changes } from './changes';
import type { ChangeReader } from './tables/change-cursors';

/** Readers that are to come, as their rows will name them. */
const readers = ['search', 'sync', 'folder'] as ChangeReader[];

describe('Changes', () => {
	it('[E5] are read in order after any one of them, and counted on where the only reader is done with them', async () => {
		const db = openDatabase();
		const [changes, cursors] = [new Changes(db), new ChangeReaders(db)];
		expect([await changes.lastSeq(), await changes.after(0)]).toEqual([0, []]);
		const write = (sessionId: string) => db.scratchpad.put({ sessionId, name: 'note', content: 'text', createdAt: 1, updatedAt: 1 });
		for (const sessionId of ['a', 'b', 'c', 'd']) await write(sessionId);
		const seqs = async (after: number, limit?: number) => (await changes.after(after, limit)).map(({ seq, sessionId }) => [seq, sessionId]);
		expect(await seqs(0)).toEqual([[1, 'a'], [2, 'b'], [3, 'c'], [4, 'd']]);
		expect(await seqs(1, 2)).toEqual([[2, 'b'], [3, 'c']]);
		expect(await changes.lastSeq()).toBe(4);
		await cursors.advance('search', 3);
		expect(await seqs(0)).toEqual([[4, 'd']]);
		await cursors.advance('search', 4);
		expect(await changes.lastSeq()).toBe(0);
		await write('e');
		expect(await seqs(4)).toEqual([[5, 'e']]);
		expect(await cursors.cursor('search')).toBe(4);
		expect(await cursors.begin('search')).toBe(5);
		expect(await changes.lastSeq()).toBe(0);
		expect(await cursors.begin('search')).toBe(5);
	});

	it('[E5] each reader is given every change once from where it began, whoever else reads, ends or is gone; what none is left for goes', async () => {
		const reader = fc.constantFrom(...readers);
		const limit = 6;
		const steps = fc.array(
			fc.oneof(
				{ weight: 10, arbitrary: fc.constant('write' as const) },
				{ weight: 4, arbitrary: fc.record({ reader, take: fc.nat({ max: 3 }) }) },
				{ weight: 1, arbitrary: fc.record({ reader, end: fc.constant(true as const) }) },
				{ weight: 1, arbitrary: fc.constant('trim' as const) }
			),
			{ maxLength: 60 }
		);
		await fc.assert(
			fc.asyncProperty(steps, async (steps) => {
				const db = openDatabase();
				const [changes, cursors] = [new Changes(db), new ChangeReaders(db)];
				const written: string[] = [];
				// By reader: how many of what was written it has passed.
				const passed = new Map<ChangeReader, number>();
				let kept = 0;
				for (const step of steps) {
					if (step === 'write') {
						written.push(`s${written.length}`);
						await db.scratchpad.put({ sessionId: written.at(-1)!, name: 'note', content: '', createdAt: 1, updatedAt: 1 });
					} else if (step === 'trim') {
						await cursors.trim(limit);
						for (const [reader, count] of passed) if (written.length - count > limit) passed.delete(reader);
					} else if ('end' in step) {
						await cursors.end(step.reader);
						passed.delete(step.reader);
					} else if (passed.has(step.reader)) {
						const count = passed.get(step.reader)!;
						const next = await changes.after((await cursors.cursor(step.reader))!, step.take);
						expect(next.map(({ sessionId }) => sessionId)).toEqual(written.slice(count, count + step.take));
						await cursors.advance(step.reader, next.at(-1)?.seq ?? (await cursors.cursor(step.reader))!);
						passed.set(step.reader, count + next.length);
					} else {
						expect(await cursors.cursor(step.reader)).toBeUndefined();
						await cursors.begin(step.reader);
						passed.set(step.reader, written.length);
					}
					if (step !== 'write') kept = Math.max(kept, Math.min(written.length, ...passed.values()));
					expect((await db.changes.toArray()).map(({ sessionId }) => sessionId)).toEqual(written.slice(kept));
					expect(new Set((await db.changeCursors.toArray()).map(({ reader }) => reader))).toEqual(new Set(passed.keys()));
				}
				db.close();
			}),
			{ numRuns: 100 }
		);
	});

	it('[E5] are dropped together with what the caller writes, or not at all', async () => {
		const db = openDatabase();
		const [changes, cursors] = [new Changes(db), new ChangeReaders(db)];
		await db.scratchpad.put({ sessionId: 'a', name: 'note', content: 'text', createdAt: 1, updatedAt: 1 });
		const failing = db.transaction('rw', db.changes, db.changeCursors, db.searchState, async () => {
			await cursors.advance('search', await changes.lastSeq());
			expect(await changes.after(0)).toEqual([]);
			throw new Error('no room');
		});
		await expect(failing).rejects.toThrow('no room');
		expect(await changes.lastSeq()).toBe(1);
	});
});
