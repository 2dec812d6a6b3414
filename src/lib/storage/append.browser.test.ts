import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spoken } from '../../../tests/fixtures/answers';
import { contentOf, newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { sizeOf } from '../conversation/message';
import { faultsOf } from '../conversation/tree-faults';
import { createIdMaker, newId } from '../shared/id';
import { Answers } from './answers';
import { append, type NewMessage } from './append';
import { Drafts } from './drafts';
import { fencingTokenOf, unfenced } from './fence';
import { Messages } from './messages';
import { Sessions } from './sessions';
import { Trash } from './trash';
import { Trees } from './trees';

const draft = { messageId: newId(), parts: spoken('He'), model: 'm', startedAt: 1 };

describe('append', () => {
	it('[A1] makes a session with its first messages, and returns them as stored', async () => {
		const db = openDatabase();
		const session = newSession();
		const rows = await append(db, { session, messages: [newMessage('system', 'Be brief.'), newMessage('user', 'Hello')] });
		expect(await contentOf(db)).toMatchObject({
			sessions: [{ ...session, messageCount: 2, steps: 0, usage: {}, updatedAt: 1000 }],
			messages: rows,
			positions: [{ sessionId: session.id, headId: rows[1]!.id, fence: 0 }],
			trees: [{ sessionId: session.id, tips: [{ id: rows[1]!.id, depth: 1, forkId: null, forkDepth: 0, fromId: null }] }]
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
		await new Answers(db).set(session.id, { ...draft, parentId: taken!.id }, unfenced);
		const before = await contentOf(db);
		const again = newMessage('assistant', 'Hello yourself', { id: taken!.id, usage: { outputTokens: 3 } });
		await expect(
			append(db, {
				session: session.id, fence: unfenced,
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
		await expect(append(db, { session: session.id, fence: unfenced, messages: [newMessage('user', 'Hi')] })).rejects.toMatchObject({ code: 'session-absent' });
		await append(db, { session, messages: [newMessage('user', 'Hi')] });
		const before = await contentOf(db);
		const orphan = { session: session.id, fence: unfenced, parentId: 'gone', messages: [newMessage('user', 'Hi')] as [NewMessage] };
		await expect(append(db, orphan)).rejects.toMatchObject({ code: 'message-absent' });
		const other = await append(db, { session: newSession(), messages: [newMessage('user', 'Elsewhere')] });
		const elsewhere = { session: session.id, fence: unfenced, parentId: other[0]!.id, messages: [newMessage('user', 'Hi')] as [NewMessage] };
		await expect(append(db, elsewhere)).rejects.toMatchObject({ code: 'message-absent' });
		await new Trash(db).deleteSessionsUnfenced([other[0]!.sessionId], 0, 0);
		await new Trash(db).purgeUnfenced(0);
		const tombstone = { kind: 'session', id: other[0]!.sessionId, at: 0 };
		expect(await contentOf(db)).toEqual({ ...before, deletions: [tombstone] });
	});

	it('[E9] [R2] counts messages, bytes and answers, sums usage, changes the named fields and never dates a session back', async () => {
		const db = openDatabase();
		const session = newSession({ createdAt: 5000 });
		await append(db, { session, messages: [newMessage('user', 'Hi', { createdAt: 5000 })] });
		const usage = { inputTokens: 10, outputTokens: 2 };
		await append(db, { session: session.id, fence: unfenced, messages: [newMessage('assistant', 'A', { usage, createdAt: 4000 })] });
		await append(db, {
			session: session.id, fence: unfenced,
			messages: [newMessage('user', 'More', { createdAt: 6000 }), newMessage('assistant', 'B', { usage, createdAt: 7000 })],
			changes: { status: 'success', model: 'other' }
		});
		expect(await new Sessions(db).get(session.id)).toEqual({
			...session,
			status: 'success',
			model: 'other',
			messageCount: 4,
			steps: 2,
			bytes: ['Hi', 'A', 'More', 'B'].reduce((sum, text) => sum + sizeOf(newMessage('user', text)), 0),
			usage: { inputTokens: 20, outputTokens: 4 },
			updatedAt: 7000
		});
	});

	it('takes the unfinished answer with it, and leaves the composer its text', async () => {
		const db = openDatabase();
		const drafts = new Drafts(db);
		const session = newSession();
		const [question] = await append(db, { session, messages: [newMessage('user', 'Hi')] });
		await drafts.set(session.id, { text: 'Next', attachments: [] }, unfenced);
		await new Answers(db).set(session.id, { ...draft, parentId: question!.id }, unfenced);
		await append(db, { session: session.id, fence: unfenced, messages: [newMessage('assistant', 'Hello')], settlesAnswer: true });
		expect(await drafts.get(session.id)).toEqual({ sessionId: session.id, composer: 'Next' });
	});

	it('[E11] takes what was sent out of the draft in the same transaction, or changes nothing', async () => {
		const db = openDatabase();
		const drafts = new Drafts(db);
		const session = newSession();
		await append(db, { session, messages: [newMessage('user', 'Hi')] });
		await drafts.set(session.id, { text: 'Sent\n\nTyped since', attachments: [], edits: { m: 'Another' } }, unfenced);
		const message = newMessage('user', 'Sent');
		const unsent = () => ({ text: 'Typed since', attachments: [] });
		const before = await contentOf(db);
		await expect(append(db, { session: session.id, fence: unfenced, messages: [message, message], unsent })).rejects.toThrow();
		expect(await contentOf(db)).toEqual(before);
		await append(db, { session: session.id, fence: unfenced, messages: [message], unsent });
		expect(await drafts.get(session.id)).toEqual({ sessionId: session.id, composer: 'Typed since' });
		await append(db, { session: session.id, fence: unfenced, messages: [newMessage('user', 'Next')], unsent: () => ({ text: '', attachments: [] }) });
		expect(await db.drafts.count()).toBe(0);
	});

	it('[S11] refuses a message from a composer whose file is gone, unless another message has the file', async () => {
		const db = openDatabase();
		const session = newSession();
		const file = { type: 'file', attachmentId: 'abc', mediaType: 'image/png', name: 'a.png' } as const;
		const unsent = () => ({ text: '', attachments: [] });
		const sent = () => [newMessage('user', '', { parts: [file] })] as [NewMessage];
		await expect(append(db, { session, messages: sent(), unsent })).rejects.toMatchObject({ code: 'attachment-absent' });
		expect(await db.sessions.count()).toBe(0);
		await append(db, { session, messages: sent() });
		await append(db, { session: session.id, fence: unfenced, messages: sent(), unsent });
		expect(await db.messages.count()).toBe(2);
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
						fence: unfenced,
						messages: [first!, ...more],
						...(parent ? { parentId: parent.id } : {})
					});
					expect(rows[0]!.parentId).toBe((parent ?? written.at(-1)!).id);
					written.push(...rows);
				}

				const stored = await new Messages(db).all(session.id);
				const byId = new Map(stored.map((message) => [message.id, message]));
				expect(new Set(written.map(({ id }) => id))).toEqual(new Set(byId.keys()));
				expect(faultsOf((await db.trees.get(session.id))!, stored, (await db.positions.get(session.id))?.headId)).toEqual([]);
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
			['A', 'B', 'C'].map((text) => append(db, { session: session.id, fence: unfenced, messages: [newMessage('user', text)] }))
		);
		expect((await new Messages(db).path(session.id)).map(({ depth }) => depth)).toEqual([0, 1, 2, 3]);
		expect((await new Sessions(db).get(session.id))!.messageCount).toBe(4);
	});

	it('[A5] writes nothing behind a fence', async () => {
		const db = openDatabase();
		const session = newSession();
		await append(db, { session, messages: [newMessage('user', 'Hi')], fence: fencingTokenOf(undefined) });
		const fence = await new Trees(db).raiseFence(session.id);
		const before = await contentOf(db);
		const late = { session: session.id, messages: [newMessage('user', 'Late')] as [NewMessage] };
		await expect(append(db, { ...late, fence: fencingTokenOf({ fence: fence - 1 }) })).rejects.toMatchObject({ code: 'taken-over' });
		expect(await contentOf(db)).toEqual(before);
		await append(db, { ...late, fence });
		expect(await new Messages(db).path(session.id)).toHaveLength(2);
	});

	it('[S11] notes which message uses which file, and counts its bytes', async () => {
		const db = openDatabase();
		const session = newSession();
		const file = { type: 'file', attachmentId: 'abc', mediaType: 'image/png', name: 'a.png' } as const;
		const message = newMessage('user', '', { parts: [file] });
		await append(db, { session, messages: [message], fileBytes: new Map([['abc', 5000]]) });
		expect(await db.attachmentUses.toArray()).toEqual([{ attachmentId: 'abc', messageId: message.id, sessionId: session.id }]);
		expect((await new Sessions(db).get(session.id))!.bytes).toBe(5000 + sizeOf(message));
	});

	it('[Z9] leaves the user on the branch that they read when an answer ends elsewhere', async () => {
		const db = openDatabase();
		const session = newSession();
		const rows = await append(db, { session, messages: [newMessage('system', ''), newMessage('user', 'One')] });
		const [other] = await append(db, { session: session.id, fence: unfenced, parentId: rows[0]!.id, messages: [newMessage('user', 'Two')] });
		await append(db, { session: session.id, fence: unfenced, parentId: rows[1]!.id, messages: [newMessage('assistant', 'To one')] });
		expect(await db.positions.get(session.id)).toEqual({ sessionId: session.id, headId: other!.id, fence: 0 });
		expect(faultsOf((await db.trees.get(session.id))!, await new Messages(db).all(session.id), (await db.positions.get(session.id))?.headId)).toEqual([]);
	});

	it('refuses a parent that was deleted, and a session whose tree is lost', async () => {
		const db = openDatabase();
		const session = newSession();
		const rows = await append(db, { session, messages: [newMessage('user', 'a'), newMessage('assistant', 'b'), newMessage('user', 'c')] });
		await new Trees(db).removeBranch(session.id, rows[1]!.id, 0, unfenced);
		const below = { session: session.id, fence: unfenced, parentId: rows[2]!.id, messages: [newMessage('assistant', 'd')] as [NewMessage] };
		await expect(append(db, below)).rejects.toMatchObject({ code: 'message-absent' });
		await db.trees.delete(session.id);
		await expect(append(db, { session: session.id, fence: unfenced, messages: below.messages })).rejects.toMatchObject({ code: 'tree-absent' });
		expect(await db.messages.count()).toBe(3);
	});
});
