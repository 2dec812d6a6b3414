import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentOf, newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { createIdMaker } from '../shared/id';
import { append, type NewMessage } from './append';
import { Drafts } from './drafts';
import { Messages } from './messages';
import { Sessions } from './sessions';

describe('append', () => {
	it('[A1] makes a session with its first messages, and returns them as stored', async () => {
		const db = openDatabase();
		const session = newSession();
		const rows = await append(db, { session, messages: [newMessage('system', 'Be brief.'), newMessage('user', 'Hello')] });
		expect(await contentOf(db)).toMatchObject({
			sessions: [{ ...session, messageCount: 2, usage: {}, updatedAt: 1000 }],
			messages: rows,
			trees: [{ sessionId: session.id, headId: rows[1]!.id, tips: [{ id: rows[1]!.id, depth: 1, forkId: null }] }]
		});
		expect(rows.map(({ parentId, depth }) => [parentId, depth])).toEqual([
			[null, 0],
			[rows[0]!.id, 1]
		]);
	});

	it('[A1] makes no session where its first message can not be stored', async () => {
		const db = openDatabase();
		const message = newMessage('user', 'Hello');
		await expect(append(db, { session: newSession(), messages: [message, message] })).rejects.toThrow();
		expect(Object.values(await contentOf(db)).flat()).toEqual([]);
	});

	it('leaves everything as it was where a part fails', async () => {
		const db = openDatabase();
		const session = newSession();
		const [taken] = await append(db, { session, messages: [newMessage('user', 'Hello')] });
		await new Drafts(db).setAnswer(session.id, { parentId: taken!.id, text: 'He', reasoning: '', model: 'm', startedAt: 1 });
		const before = await contentOf(db);
		const again = newMessage('assistant', 'Hello yourself', { id: taken!.id, usage: { outputTokens: 3 } });
		await expect(
			append(db, {
				session: session.id,
				messages: [newMessage('assistant', 'One'), again],
				changes: { status: 'success' },
				settlesAnswer: true
			})
		).rejects.toThrow();
		expect(await contentOf(db)).toEqual(before);
	});

	it('refuses a session or a parent that is not there', async () => {
		const db = openDatabase();
		const session = newSession();
		await expect(append(db, { session: session.id, messages: [newMessage('user', 'Hi')] })).rejects.toThrow('not there');
		await append(db, { session, messages: [newMessage('user', 'Hi')] });
		const before = await contentOf(db);
		const orphan = { session: session.id, parentId: 'gone', messages: [newMessage('user', 'Hi')] as [NewMessage] };
		await expect(append(db, orphan)).rejects.toThrow('not there');
		expect(await contentOf(db)).toEqual(before);
	});

	it('[E9] counts messages, sums usage, changes the named fields and never dates a session back', async () => {
		const db = openDatabase();
		const session = newSession({ createdAt: 5000 });
		await append(db, { session, messages: [newMessage('user', 'Hi', { createdAt: 5000 })] });
		const usage = { inputTokens: 10, outputTokens: 2 };
		await append(db, { session: session.id, messages: [newMessage('assistant', 'A', { usage, createdAt: 4000 })] });
		await append(db, {
			session: session.id,
			messages: [newMessage('user', 'More', { createdAt: 6000 }), newMessage('assistant', 'B', { usage, createdAt: 7000 })],
			changes: { status: 'success', model: 'other' }
		});
		expect(await new Sessions(db).get(session.id)).toEqual({
			...session,
			status: 'success',
			model: 'other',
			messageCount: 4,
			usage: { inputTokens: 20, outputTokens: 4 },
			updatedAt: 7000
		});
	});

	it('takes the unfinished answer with it, and leaves the composer its text', async () => {
		const db = openDatabase();
		const drafts = new Drafts(db);
		const session = newSession();
		const [question] = await append(db, { session, messages: [newMessage('user', 'Hi')] });
		await drafts.setComposer(session.id, 'Next');
		await drafts.setAnswer(session.id, { parentId: question!.id, text: 'He', reasoning: '', model: 'm', startedAt: 1 });
		await append(db, { session: session.id, messages: [newMessage('assistant', 'Hello')], settlesAnswer: true });
		expect(await drafts.get(session.id)).toEqual({ sessionId: session.id, composer: 'Next' });
	});

	it('[A3] keeps one tree, wherever messages are added and all in one millisecond', async () => {
		const db = openDatabase();
		const batches = fc.array(fc.record({ pick: fc.option(fc.nat()), size: fc.integer({ min: 1, max: 3 }) }), { maxLength: 8 });
		await fc.assert(
			fc.asyncProperty(batches, async (batches) => {
				const newId = createIdMaker(() => 1000);
				const session = newSession();
				const written = await append(db, { session, messages: [newMessage('user', '0', { id: newId() })] });
				for (const { pick, size } of batches) {
					const parent = pick === null ? undefined : written[pick % written.length]!;
					const [first, ...more] = Array.from({ length: size }, () => newMessage('user', 'x', { id: newId() }));
					const rows = await append(db, {
						session: session.id,
						messages: [first!, ...more],
						...(parent ? { parentId: parent.id } : {})
					});
					expect(rows[0]!.parentId).toBe((parent ?? written.at(-1)!).id);
					written.push(...rows);
				}

				const stored = await new Messages(db).all(session.id);
				const byId = new Map(stored.map((message) => [message.id, message]));
				expect(new Set(written.map(({ id }) => id))).toEqual(new Set(byId.keys()));
				expect(stored.filter(({ parentId }) => parentId === null)).toHaveLength(1);
				for (const { parentId, depth } of stored) expect(depth).toBe(parentId === null ? 0 : byId.get(parentId)!.depth + 1);
				const leaves = stored.filter(({ id }) => !stored.some(({ parentId }) => parentId === id));
				const tree = await db.trees.get(session.id);
				expect(new Set(tree!.tips.map(({ id }) => id))).toEqual(new Set(leaves.map(({ id }) => id)));
				expect((await new Sessions(db).get(session.id))!.messageCount).toBe(stored.length);
			}),
			{ numRuns: 40 }
		);
	});

	it('gives two appends at once a place each', async () => {
		const db = openDatabase();
		const session = newSession();
		await append(db, { session, messages: [newMessage('user', 'Hi')] });
		await Promise.all(
			['A', 'B', 'C'].map((text) => append(db, { session: session.id, messages: [newMessage('user', text)] }))
		);
		expect((await new Messages(db).path(session.id)).map(({ depth }) => depth)).toEqual([0, 1, 2, 3]);
		expect((await new Sessions(db).get(session.id))!.messageCount).toBe(4);
	});
});
