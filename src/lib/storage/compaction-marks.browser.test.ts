import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newBoundary, newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { pathTo } from '../conversation/paths';
import { createIdMaker } from '../shared/id';
import { append, type NewMessage } from './append';
import { Boundaries } from './boundaries';
import { compactionMarks } from './compaction-marks';
import { readContext } from './context-rows';
import { Contexts } from './contexts';
import { unfenced } from './fence';

/** A session of so many messages below its system prompt, and the marks between two depths as `depth state`. */
async function line(count: number) {
	const db = openDatabase();
	const messages = Array.from({ length: count + 1 }, (_, n) => newMessage(n === 0 ? 'system' : n % 2 ? 'user' : 'assistant', `m${n}`));
	const rows = await append(db, { session: newSession({ id: 's' }), messages: messages as [NewMessage, ...NewMessage[]] });
	const marks = async (from: number, to: number, at?: string) =>
		(await compactionMarks(db, 's', { from, to, at })).map(({ boundary, state }) => `${boundary.depth} ${state}`);
	return { db, rows, marks, boundaries: new Boundaries(db), contexts: new Contexts(db) };
}

describe('compactionMarks', () => {
	it('[A10] has the compactions that end in a stretch; of those on the path the newest is used, wherever that ends', async () => {
		const { rows, marks, boundaries } = await line(12);
		expect(await marks(0, 12)).toEqual([]);
		const compact = async (depth: number) => {
			const boundary = newBoundary(rows.slice(0, depth + 1));
			await boundaries.add(boundary, unfenced);
			return boundary;
		};
		await compact(4);
		const far = await compact(8);
		expect(await marks(0, 12)).toEqual(['4 replaced', '8 used']);
		expect(await marks(4, 7)).toEqual(['4 replaced']);
		expect(await marks(9, 12)).toEqual([]);
		const near = await compact(2);
		expect(await marks(3, 12)).toEqual(['4 replaced', '8 replaced']);
		await boundaries.remove(near.id, 1, unfenced);
		await compact(8);
		expect(await marks(8, 8)).toEqual(['8 replaced', '8 used']);
		// At the end of a path nothing follows it yet.
		expect(await marks(0, 8, far.upToId)).toEqual(['4 used', '8 used', '8 used']);
	});

	it('[A10] what is on another branch replaces nothing', async () => {
		const { db, rows, marks, boundaries } = await line(12);
		await boundaries.add(newBoundary(rows.slice(0, 4)), unfenced);
		const messages = Array.from({ length: 8 }, (_, n) => newMessage(n % 2 ? 'assistant' : 'user', `fork ${n}`)) as [NewMessage, ...NewMessage[]];
		const fork = await append(db, { session: 's', fence: unfenced, parentId: rows[6]!.id, messages });
		await boundaries.add(newBoundary([...rows.slice(0, 7), ...fork.slice(0, 3)]), unfenced);
		expect(await marks(0, 5)).toEqual(['3 replaced']);
		expect(await marks(0, 5, rows[12]!.id)).toEqual(['3 used']);
	});

	it('[P3] of many compactions it reads those of the stretch, and one', async () => {
		const db = openDatabase();
		let read = 0;
		db.use({
			stack: 'dbcore',
			name: 'counter',
			create: (down) => ({
				...down,
				table: (name) => {
					const table = down.table(name);
					if (name !== 'boundaries') return table;
					return {
						...table,
						get: (request) => table.get(request).then((row) => (read++, row as unknown)),
						query: (request) => table.query(request).then((response) => ((read += request.values ? response.result.length : 0), response))
					};
				}
			})
		});
		const messages = Array.from({ length: 1001 }, (_, n) => newMessage(n === 0 ? 'system' : n % 2 ? 'user' : 'assistant', 'x'));
		const rows = await append(db, { session: newSession({ id: 's' }), messages: messages as [NewMessage, ...NewMessage[]] });
		const all = Array.from({ length: 90 }, (_, n) => newBoundary(rows.slice(0, (n + 1) * 10 + 1)));
		await db.boundaries.bulkPut(all);
		read = 0;
		const marks = await compactionMarks(db, 's', { from: 801, to: 1000 });
		expect(marks.map(({ boundary, state }) => [boundary.depth, state])).toEqual([...Array.from({ length: 9 }, (_, n) => [810 + n * 10, 'replaced']), [900, 'used']]);
		expect(read).toBe(11);
		read = 0;
		expect((await readContext(db, 's'))!.boundary).toEqual(all[89]);
		expect(read).toBe(1);
		expect(JSON.stringify(await db.boundaries.toArray())).not.toContain(rows[5]!.id);
	});

	it('[S7] one that tells of what is excluded now is void, and an older one takes its place where it does not', async () => {
		const { rows, marks, boundaries, contexts } = await line(12);
		await boundaries.add(newBoundary(rows.slice(0, 4)), unfenced);
		await boundaries.add(newBoundary(rows.slice(0, 9)), unfenced);
		await contexts.exclude('s', rows[6]!.id, true, unfenced);
		expect(await marks(0, 12)).toEqual(['3 used', '8 void']);
		await contexts.exclude('s', rows[2]!.id, true, unfenced);
		expect(await marks(0, 12)).toEqual(['3 void', '8 void']);
		await boundaries.add(newBoundary(rows.slice(0, 7), { excluded: [rows[2]!.id, rows[6]!.id] }), unfenced);
		expect(await marks(0, 12)).toEqual(['3 replaced', '8 replaced', '6 used']);
		await contexts.exclude('s', rows[6]!.id, false, unfenced);
		await contexts.exclude('s', rows[2]!.id, false, unfenced);
		expect(await marks(0, 12)).toEqual(['3 replaced', '8 used', '6 void']);
	});
});

it('[S7] [A10] the boundary in force leaves out what is excluded on its path, and nothing else', async () => {
	const { db, boundaries, contexts } = await line(1);
	const drawn = fc.record({
		shape: fc.array(fc.nat(12), { minLength: 4, maxLength: 12 }),
		covers: fc.array(fc.record({ upTo: fc.nat(), excluded: fc.array(fc.nat(), { maxLength: 2 }) }), { maxLength: 5 }),
		excludes: fc.array(fc.nat(), { maxLength: 2 }),
		pins: fc.array(fc.nat(), { maxLength: 1 }),
		at: fc.nat()
	});
	await fc.assert(
		fc.asyncProperty(drawn, async ({ shape, covers, excludes, pins, at }) => {
			const newId = createIdMaker(() => 1000);
			const session = newSession();
			const all = await append(db, { session, messages: [newMessage('system', '', { id: newId() })] });
			for (const follows of shape) {
				const parentId = (follows > 8 ? all.at(-1)! : all[follows % all.length]!).id;
				all.push(...(await append(db, { session: session.id, fence: unfenced, parentId, messages: [newMessage('user', 'x', { id: newId() })] })));
			}
			const said = all.slice(1);
			const pick = (number: number) => said[number % said.length]!;
			for (const { upTo, excluded } of covers) {
				const path = pathTo(pick(upTo).id, all);
				const ids = new Set(excluded.map((number) => pick(number).id));
				const boundary = newBoundary(path, { id: newId(), excluded: path.map(({ id }) => id).filter((id) => ids.has(id)) });
				await boundaries.add(boundary, unfenced, { again: true });
			}
			for (const number of excludes) await contexts.exclude(session.id, pick(number).id, true, unfenced);
			for (const number of pins) await contexts.pin(session.id, pick(number).id, true, unfenced);
			const decided = (await contexts.get(session.id)) ?? { pins: [] as string[], excludes: [] as string[] };

			const path = pathTo(pick(at).id, all);
			const expected = (await boundaries.ofSession(session.id))
				.filter(({ upToId }) => path.slice(0, -1).some(({ id }) => id === upToId))
				.filter(({ depth, excluded }) => {
					const left = path.slice(0, depth + 1).filter(({ id }) => decided.excludes.includes(id));
					return left.every(({ id }) => excluded.includes(id)) && excluded.every((id) => [...decided.excludes, ...decided.pins].includes(id));
				})
				.sort((a, b) => (a.id < b.id ? -1 : 1))
				.at(-1);
			expect((await readContext(db, session.id, pick(at).id))!.boundary).toEqual(expected);
		}),
		{ numRuns: 60 }
	);
}, 60_000);
