import type { DBCoreTable } from 'dexie';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newBoundary, newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { defaultContextSettings } from '../conversation/context-settings';
import { textOf, type Message } from '../conversation/message';
import { pathTo } from '../conversation/paths';
import { createIdMaker } from '../shared/id';
import { append, type NewMessage } from './append';
import { Boundaries } from './boundaries';
import { readContext } from './context-rows';
import { Contexts } from './contexts';
import type { Database } from './database';
import { unfenced } from './fence';
import { Scratchpad } from './scratchpad';
import { Settings } from './settings';
import { Trash } from './trash';
import { Trees } from './trees';

/** Counts the message rows that are read, and how often boundaries are, from now on. To be called before the database is opened. */
function countReads(db: Database): { rows: number; boundaries: number } {
	const counter = { rows: 0, boundaries: 0 };
	const seen = <T>(answer: T): T => (counter.boundaries++, answer);
	const noted = (table: DBCoreTable): DBCoreTable => ({
		...table,
		get: (request) => table.get(request).then(seen),
		getMany: (request) => table.getMany(request).then(seen),
		query: (request) => table.query(request).then(seen),
		openCursor: (request) => table.openCursor(request).then(seen)
	});
	const counted = (table: DBCoreTable): DBCoreTable => ({
		...table,
		get: (request) => table.get(request).then((row) => ((counter.rows += row === undefined ? 0 : 1), row as unknown)),
		getMany: (request) => table.getMany(request).then((rows) => ((counter.rows += rows.length), rows)),
		query: (request) => table.query(request).then((response) => ((counter.rows += request.values ? response.result.length : 0), response)),
		openCursor: () => Promise.reject(new Error('rows are read by cursor, and not counted'))
	});
	db.use({
		stack: 'dbcore',
		name: 'counter',
		create: (down) => ({
			...down,
			table: (name) => {
				const table = down.table(name);
				return name === 'messages' ? counted(table) : name === 'boundaries' ? noted(table) : table;
			}
		})
	});
	return counter;
}

/** Messages in turns, the first of them a system message. */
function turns(count: number): [NewMessage, ...NewMessage[]] {
	return Array.from({ length: count }, (_, index) =>
		newMessage(index === 0 ? 'system' : index % 2 ? 'user' : 'assistant', `m${index}`)
	) as [NewMessage, ...NewMessage[]];
}

async function line(count: number) {
	const db = openDatabase();
	const reads = countReads(db);
	const rows = await append(db, { session: newSession({ id: 's' }), messages: turns(count) });
	return { db, reads, rows, boundaries: new Boundaries(db), contexts: new Contexts(db) };
}

/** A message further down, below `parentId`, or the head. */
async function say(db: Database, role: 'system' | 'user' | 'assistant' | 'tool', parentId?: string, more: Partial<NewMessage> = {}): Promise<Message> {
	const [row] = await append(db, { session: 's', fence: unfenced, messages: [newMessage(role, role, more)], ...(parentId ? { parentId } : {}) });
	return row!;
}

describe('readContext', () => {
	it('[P8] however many messages are pinned and excluded, each is read once, and so is what tells of branches where they are', async () => {
		const { db, reads, rows } = await line(3000);
		await say(db, 'user', rows[1]!.id);
		await say(db, 'user', rows[2990]!.id);
		const ids = rows.slice(1, 2700).map(({ id }) => id);
		const [pins, excludes] = [ids.filter((_, at) => at % 2 === 0), ids.filter((_, at) => at % 2 === 1)];
		await new Boundaries(db).add(newBoundary(rows.slice(0, 100)), unfenced);
		await db.contexts.put({ sessionId: 's', pins, excludes, settings: {} });
		await new Trees(db).moveHead('s', rows[2999]!.id, unfenced);
		reads.rows = 0;
		const read = (await readContext(db, 's'))!;
		expect(read.olderKept.map(({ id }) => id)).toEqual(pins);
		expect(read.boundary).toBeUndefined();
		expect(reads.rows).toBeLessThan(3 * rows.length);
	});

	it('[A9] [E6] of 5000 messages it reads the newest, and of what is covered or older only the pinned', async () => {
		const { db, reads, rows, boundaries, contexts } = await line(5000);
		const read = async () => {
			reads.rows = 0;
			return (await readContext(db, 's'))!;
		};
		const all = await read();
		expect(reads.rows).toBeLessThanOrEqual(202);
		expect(all.path).toEqual(rows.slice(-200));
		expect(all).toMatchObject({ system: 'm0', endId: rows[4999]!.id, endDepth: 4999, unread: { count: 4799, covered: 0 }, boundary: undefined });

		await contexts.pin('s', rows[3]!.id, true, unfenced);
		await contexts.pin('s', rows[4990]!.id, true, unfenced);
		const far = newBoundary(rows.slice(0, 3001));
		await boundaries.add(far, unfenced);
		const farBack = await read();
		expect(reads.rows).toBeLessThanOrEqual(205);
		expect(farBack).toMatchObject({ boundary: far, olderKept: [rows[3]], unread: { count: 4798, covered: 2999 } });
		expect(farBack.path).toEqual(rows.slice(-200));

		const near = newBoundary(rows.slice(0, 4981));
		await boundaries.add(near, unfenced);
		const after = await read();
		expect(reads.rows).toBeLessThanOrEqual(22);
		expect(after).toMatchObject({ boundary: near, olderKept: [rows[3]], unread: { count: 4979, covered: 4979 } });
		expect(after.path).toEqual(rows.slice(4981));

		const fork = await say(db, 'user', rows[4800]!.id);
		const elsewhere = await read();
		expect(reads.rows).toBeLessThanOrEqual(205);
		expect(elsewhere).toMatchObject({ endId: fork.id, boundary: far });
	}, 60_000);

	it('[E3] [A9] the system prompt in force is the newest of the path, however far up it stands; none of them is a message that is sent', async () => {
		const { db, rows, boundaries } = await line(20);
		const prompt = await say(db, 'system', rows[8]!.id);
		for (let more = 0; more < 300; more++) await say(db, more % 2 === 0 ? 'user' : 'assistant', more === 0 ? prompt.id : undefined);
		const boundary = newBoundary([...rows.slice(0, 9), prompt]);
		const far = (await readContext(db, 's'))!;
		expect(far).toMatchObject({ system: textOf(prompt), unread: { count: 308 - 200, covered: 0 } });
		expect(far.path.every(({ role }) => role !== 'system')).toBe(true);
		expect((await readContext(db, 's', rows[19]!.id))!.system).toBe(textOf(rows[0]!));
		await boundaries.add(boundary, unfenced);
		expect(await readContext(db, 's')).toMatchObject({ system: textOf(prompt), unread: { count: 308 - 200, covered: 8 } });
	});

	it('[A9] [R1] of an answer that goes on it reads the question, however far up it stands', async () => {
		const { db, rows, reads } = await line(20);
		expect(await readContext(db, 's')).toMatchObject({ questionId: undefined, olderKept: [] });
		const elsewhere = await say(db, 'user', rows[3]!.id);
		const question = await say(db, 'user', rows[17]!.id);
		for (let step = 0; step < 300; step++) await say(db, step % 2 === 0 ? 'assistant' : 'tool');
		reads.rows = 0;
		const read = (await readContext(db, 's'))!;
		expect(reads.rows).toBeLessThan(220);
		expect(read).toMatchObject({ questionId: question.id, olderKept: [question], unread: { count: 300 - 200 + 17, covered: 0 } });
		expect(await readContext(db, 's', elsewhere.id)).toMatchObject({ questionId: undefined, olderKept: [] });
	});

	it('[P3] [A10] however many summaries an early exclude voids, the one in force is found by a few reads', async () => {
		const { db, reads, rows, boundaries, contexts } = await line(120);
		for (let end = 2; end < 100; end++) await boundaries.add(newBoundary(rows.slice(0, end)), unfenced);
		await contexts.exclude('s', rows[4]!.id, true, unfenced);
		reads.boundaries = reads.rows = 0;
		expect((await readContext(db, 's'))!.boundary).toMatchObject({ upToId: rows[3]!.id });
		expect(reads.boundaries).toBeLessThanOrEqual(3);
		expect(reads.rows).toBeLessThanOrEqual(130);
		// Of another branch there may be as many, and none excluded.
		const fork = await say(db, 'user', rows[1]!.id);
		const tip = await say(db, 'assistant', fork.id);
		for (let depth = 2; depth < 60; depth++) await say(db, 'user');
		expect((await readContext(db, 's'))!.boundary).toMatchObject({ upToId: rows[1]!.id });
		expect((await readContext(db, 's', tip.id))!.boundary).toMatchObject({ upToId: rows[1]!.id });
	});

	it('[A10] a boundary applies on another branch as far as what it covers is shared; else an older one takes its place', async () => {
		const { db, rows, boundaries } = await line(12);
		const boundaryAt = async (at?: string) => (await readContext(db, 's', at))!.boundary;
		const fork = await say(db, 'user', rows[6]!.id);
		const tip = await say(db, 'assistant', fork.id);
		const [shared, trunk] = [newBoundary(rows.slice(0, 5)), newBoundary(rows.slice(0, 9))];
		await boundaries.add(shared, unfenced);
		await boundaries.add(trunk, unfenced);
		expect(await boundaryAt(rows[11]!.id)).toEqual(trunk);
		expect(await boundaryAt(tip.id)).toEqual(shared);
		// It would cover all.
		expect(await boundaryAt(rows[8]!.id)).toEqual(shared);
		expect(await boundaryAt(rows[4]!.id)).toBeUndefined();
		// The newest counts, also where it covers less.
		const less = newBoundary(rows.slice(0, 4));
		await boundaries.add(less, unfenced);
		expect(await boundaryAt(rows[11]!.id)).toEqual(less);
		expect((await readContext(db, 's', rows[11]!.id))!.path).toEqual(rows.slice(4));
		await boundaries.remove(less.id, 1, unfenced);
		expect(await boundaryAt(rows[11]!.id)).toEqual(trunk);
	});

	it('[A14] a boundary of a deleted branch does not apply to what takes its place', async () => {
		const { db, rows, boundaries } = await line(12);
		await boundaries.add(newBoundary(rows.slice(0, 9)), unfenced);
		await new Trees(db).removeBranch('s', rows[6]!.id, 0, unfenced);
		for (let count = 0; count < 6; count++) await say(db, count % 2 ? 'assistant' : 'user');
		expect(await readContext(db, 's')).toMatchObject({ boundary: undefined, endDepth: 11 });
		await new Settings(db).set('context', { contextMessages: 2 });
		expect((await readContext(db, 's'))!.boundary).toBeUndefined();
		await new Trash(db).purgeUnfenced(1e9);
		expect((await readContext(db, 's'))!.boundary).toBeUndefined();
	});

	it('[A9] no tool call is parted from its results, neither at the beginning nor where one of them is pinned', async () => {
		const { db, rows, contexts } = await line(4);
		const call = (id: string) => ({ type: 'tool-call' as const, toolCallId: id, toolName: 'search', input: {} });
		const calling = () => say(db, 'assistant', undefined, { parts: [call('a'), call('b')] });
		const unit = [await calling(), await say(db, 'tool'), await say(db, 'tool')];
		await say(db, 'user');
		const newest = [await calling(), await say(db, 'tool'), await say(db, 'tool')];
		await contexts.setOverridesUnfenced('s', { contextMessages: 2 });
		expect((await readContext(db, 's'))!.path).toEqual(newest);
		for (const pinned of unit) {
			await contexts.pin('s', pinned.id, true, unfenced);
			const end = await say(db, 'user');
			const found = (await readContext(db, 's'))!;
			expect(found.path.at(-1)).toEqual(end);
			expect(found.olderKept).toEqual(unit);
			expect(found.unread.count).toBe(end.depth - found.path.length - unit.length);
			await contexts.pin('s', pinned.id, false, unfenced);
		}
		await contexts.pin('s', rows[1]!.id, true, unfenced);
		expect((await readContext(db, 's'))!.olderKept).toEqual([rows[1]]);
	});

	it('sends what is pinned on the path only, and the newest system message that was read', async () => {
		const { db, rows, contexts } = await line(30);
		await contexts.setOverridesUnfenced('s', { contextMessages: 4 });
		const fork = await say(db, 'user', rows[3]!.id);
		for (const { id } of [fork, rows[0]!, rows[2]!, rows[20]!]) await contexts.pin('s', id, true, unfenced);
		await contexts.pin('s', 'gone', true, unfenced);
		expect((await readContext(db, 's', rows[29]!.id))!.olderKept).toEqual([rows[2], rows[20]]);
		expect(await readContext(db, 's', fork.id)).toMatchObject({ olderKept: [], path: [rows[1], rows[2], rows[3], fork], system: 'm0' });

		const prompt = await say(db, 'system', rows[29]!.id);
		const last = await say(db, 'user', prompt.id);
		const later = (await readContext(db, 's'))!;
		expect(later.system).toBe('system');
		expect(later.path.slice(-4)).toEqual([rows[27], rows[28], rows[29], last]);
	});

	it('has the settings of every scope, the narrowest in force, and the notes', async () => {
		const { db, contexts } = await line(3);
		const settings = new Settings(db);
		expect(await readContext(db, 's')).toMatchObject({ settings: defaultContextSettings, notes: [], todo: '', pins: [], excludes: [] });
		await db.sessions.update('s', { persona: 'chef' });
		await settings.set('context', { minRecent: 2, contextMessages: 50, contextWindows: { a: 1000 } });
		await settings.set('contextByPersona', { chef: { minRecent: 3, cheapMessages: 9 }, other: { minRecent: 7 } });
		await contexts.setOverridesUnfenced('s', { cheapMessages: 8, contextWindows: { b: 2000 } });
		await contexts.exclude('s', 'x', true, unfenced);
		for (const [name, text] of [['todo', '- [ ] Cook'], ['plan', 'Soup'], ['aside', '']] as const) await new Scratchpad(db).set('s', name, text, 1);
		expect(await readContext(db, 's')).toMatchObject({
			settings: { ...defaultContextSettings, minRecent: 3, contextMessages: 50, cheapMessages: 8, contextWindows: { a: 1000, b: 2000 } },
			scopes: {
				everywhere: { minRecent: 2, contextMessages: 50, contextWindows: { a: 1000 } },
				persona: { minRecent: 3, cheapMessages: 9 },
				session: { cheapMessages: 8, contextWindows: { b: 2000 } }
			},
			notes: ['aside', 'plan'],
			todo: '- [ ] Cook',
			excludes: ['x']
		});
	});

	it('is undefined where there is no session, or it is deleted', async () => {
		const { db } = await line(3);
		expect(await readContext(db, 'none')).toBeUndefined();
		await new Trash(db).deleteSessionsUnfenced(['s'], 0);
		expect(await readContext(db, 's')).toBeUndefined();
	});

	it('[A9] [A10] [E6] on any tree it says the same as all rows together', async () => {
		const db = openDatabase();
		const [boundaries, contexts] = [new Boundaries(db), new Contexts(db)];
		const drawn = fc.record({
			shape: fc.array(fc.record({ follows: fc.nat({ max: 30 }), tool: fc.boolean() }), { minLength: 1, maxLength: 24 }),
			covers: fc.array(fc.nat(), { maxLength: 4 }),
			pins: fc.array(fc.nat(), { maxLength: 3 }),
			at: fc.nat(),
			contextMessages: fc.integer({ min: 2, max: 9 }),
			hasPrompt: fc.boolean()
		});
		await fc.assert(
			fc.asyncProperty(drawn, async ({ shape, covers, pins, at, contextMessages, hasPrompt }) => {
				// All of one millisecond.
				const newId = createIdMaker(() => 1000);
				const session = newSession();
				const all = await append(db, { session, messages: [newMessage(hasPrompt ? 'system' : 'user', 'first', { id: newId() })] });
				for (const { follows, tool } of shape) {
					const parentId = (follows > 8 ? all.at(-1)! : all[follows % all.length]!).id;
					all.push(...(await append(db, { session: session.id, fence: unfenced, parentId, messages: [newMessage(tool ? 'tool' : 'user', 'x', { id: newId() })] })));
				}
				const pick = (number: number) => all[number % all.length]!;
				for (const number of covers) await boundaries.add(newBoundary(pathTo(pick(number).id, all), { id: newId() }), unfenced);
				for (const number of pins) await contexts.pin(session.id, pick(number).id, true, unfenced);
				await contexts.setOverridesUnfenced(session.id, { contextMessages });

				const found = (await readContext(db, session.id, pick(at).id))!;
				const path = pathTo(pick(at).id, all);
				const end = path.at(-1)!;
				const made = (await boundaries.ofSession(session.id)).filter(({ upToId, depth }) => depth < end.depth && path.some(({ id }) => id === upToId));
				const boundary = made.sort((a, b) => (a.id < b.id ? -1 : 1)).at(-1);
				const said = path.filter(({ role }) => role !== 'system');
				const rest = said.filter(({ depth }) => depth > (boundary?.depth ?? -1));
				const older = said.slice(0, said.length - found.path.length);
				const question = rest.at(-1)?.role === 'tool' ? said.findLast(({ role }) => role === 'user') : undefined;
				const kept = older.filter(({ id }) => id === question?.id || pins.some((number) => pick(number).id === id));
				const covered = older.filter((message) => message.depth <= (boundary?.depth ?? -1) && !kept.includes(message));

				expect(found.boundary).toEqual(boundary);
				expect(found.path).toEqual(rest.slice(rest.length - found.path.length));
				expect(found.path.length).toBeGreaterThanOrEqual(Math.min(contextMessages, rest.length));
				if (found.path.length < rest.length) expect(found.path[0]!.role).toBe('user');
				expect(found.questionId).toBe(question?.id);
				expect(found.olderKept).toEqual(kept);
				expect(found.unread).toEqual({ count: older.length - kept.length, covered: covered.length });
				expect(found.system).toBe(hasPrompt ? textOf(all[0]!) : '');
			}),
			{ numRuns: 80 }
		);
	}, 60_000);
});
