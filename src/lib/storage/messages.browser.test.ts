import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import type { Message } from '../conversation/message';
import { createIdMaker } from '../shared/id';
import { append, type NewMessage } from './append';
import type { Database } from './database';
import { unfenced } from './fence';
import { Messages } from './messages';
import { Trees } from './trees';

/** A session of one millisecond whose messages hang where `shape` says: each number picks a parent among those before. */
async function grow(db: Database, shape: number[]): Promise<Message[]> {
	const newId = createIdMaker(() => 1000);
	const session = newSession();
	const written = await append(db, { session, messages: [newMessage('user', '0', { id: newId() })] });
	for (const pick of shape) {
		const parentId = written[pick % written.length]!.id;
		const messages = [newMessage('user', 'x', { id: newId() })] as [NewMessage];
		written.push(...(await append(db, { session: session.id, fence: unfenced, parentId, messages })));
	}
	return written;
}

function naivePath(head: Message, messages: Message[]): Message[] {
	const parent = messages.find(({ id }) => id === head.parentId);
	return parent ? [...naivePath(parent, messages), head] : [head];
}

describe('Messages', () => {
	it('[E6] gives the newest N of the open branch, oldest first, after skipping as many as asked', async () => {
		const db = openDatabase();
		const messages = new Messages(db);
		// Mostly long branches: a parent among the last few.
		const shapes = fc.array(fc.nat({ max: 30 }), { maxLength: 12 }).map((picks) =>
			picks.map((pick, index) => (pick > 6 ? index : pick))
		);
		const limits = fc.oneof(fc.nat({ max: 15 }), fc.constant(Infinity));
		const windows = fc.array(fc.tuple(limits, fc.nat({ max: 15 })), { minLength: 4, maxLength: 8 });
		await fc.assert(
			fc.asyncProperty(shapes, windows, async (shape, asked) => {
				const written = await grow(db, shape);
				const path = naivePath(written.at(-1)!, written);
				const { sessionId } = path[0]!;
				expect(await messages.path(sessionId)).toEqual(path);
				for (const [limit, offset] of asked) {
					const newestFirst = [...path].reverse().slice(offset, offset + limit);
					expect(await messages.newest(sessionId, { limit, offset })).toEqual(newestFirst.reverse());
				}
			}),
			{ numRuns: 40 }
		);
	});

	it('[A10] gives a path page by page, the newest page first', async () => {
		const db = openDatabase();
		const messages = new Messages(db);
		await fc.assert(
			fc.asyncProperty(fc.array(fc.nat({ max: 8 }), { maxLength: 12 }), fc.integer({ min: 1, max: 6 }), fc.nat(), async (picks, size, at) => {
				const written = await grow(db, picks.map((pick, index) => (pick > 3 ? index : pick)));
				const end = written[at % written.length]!;
				const pages = await Array.fromAsync(messages.pages(end.sessionId, end.id, size));
				expect(pages.slice(0, -1).every(({ length }) => length === size)).toBe(true);
				expect(pages.reverse().flat()).toEqual(naivePath(end, written));
			}),
			{ numRuns: 20 }
		);
		expect(await Array.fromAsync(messages.pages('another'))).toEqual([]);
	});

	it('[E6] gives 200 where nothing is said, and other sessions nothing', async () => {
		const db = openDatabase();
		const messages = new Messages(db);
		const session = newSession();
		const rows = Array.from({ length: 210 }, (_, index) => newMessage('user', String(index)));
		const written = await append(db, { session, messages: [rows[0]!, ...rows.slice(1)] });
		expect(await messages.newest(session.id)).toEqual(written.slice(10));
		expect(await messages.newest('another')).toEqual([]);
		expect(await messages.all('another')).toEqual([]);
	});

	it('gives all branches by depth, then id, and the head where the user is', async () => {
		const db = openDatabase();
		const messages = new Messages(db);
		const written = await grow(db, [0, 1, 0, 3]);
		const [root, a, aa, b, bb] = written as [Message, Message, Message, Message, Message];
		expect(await messages.all(root.sessionId)).toEqual([root, a, b, aa, bb]);
		expect(await messages.headOf(root.sessionId)).toMatchObject({ id: bb.id, depth: 2 });
		expect(await messages.headOf('another')).toBeUndefined();
		expect(await messages.get(aa.id)).toEqual(aa);
		expect(await messages.get('another')).toBeUndefined();
	});

	it('[P5] tells on which path a message is to be read: the one that is read, the one to the head, or the newest through it', async () => {
		const db = openDatabase();
		const messages = new Messages(db);
		await fc.assert(
			fc.asyncProperty(fc.array(fc.nat({ max: 8 }), { minLength: 1, maxLength: 12 }), fc.nat(), fc.nat(), async (picks, wanted, read) => {
				const written = await grow(db, picks.map((pick, index) => (pick > 3 ? index : pick)));
				const { id, sessionId, depth } = written[wanted % written.length]!;
				const at = written[read % written.length]!;
				const runsThrough = (end: Message) => naivePath(end, written).some((message) => message.id === id);
				const head = written.at(-1)!;
				const leaves = written.filter((message) => written.every(({ parentId }) => parentId !== message.id));
				const newest = leaves.filter(runsThrough).reduce((a, b) => (a.id > b.id ? a : b));
				const toHead = runsThrough(head) ? { end: head, at: undefined } : { end: newest, at: newest.id };
				for (const [given, { end, at: path }] of [
					[undefined, toHead],
					[at.id, runsThrough(at) ? { end: at, at: at.id } : toHead]
				] as const) {
					const place = await messages.whereIs(sessionId, id, given);
					expect(place).toMatchObject({ depth, end: { id: end.id, depth: end.depth } });
					expect(place!.at).toBe(path);
				}
			}),
			{ numRuns: 30 }
		);
	});

	it('[P5] tells of no message that is not there, or was deleted with what it followed', async () => {
		const db = openDatabase();
		const messages = new Messages(db);
		const [root, a, aa, b] = (await grow(db, [0, 1, 0])) as [Message, Message, Message, Message];
		const { sessionId } = root;
		await new Trees(db).removeBranch(sessionId, a.id, 5000, unfenced);
		expect(await messages.whereIs(sessionId, aa.id)).toBeUndefined();
		expect(await messages.whereIs(sessionId, 'nothing')).toBeUndefined();
		expect(await messages.whereIs('another', b.id)).toBeUndefined();
		expect(await messages.whereIs(sessionId, b.id, aa.id)).toMatchObject({ end: { id: b.id }, at: aa.id });
	});

	it('finds the head also where it is no leaf', async () => {
		const db = openDatabase();
		const messages = new Messages(db);
		const [root, a] = (await grow(db, [0, 1, 0])) as [Message, Message];
		await db.positions.update(root.sessionId, { headId: a.id });
		expect(await messages.headOf(root.sessionId)).toMatchObject({ id: a.id, depth: 1 });
		expect(await messages.path(root.sessionId)).toEqual([root, a]);
	});
});
