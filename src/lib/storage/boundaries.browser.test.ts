import { describe, expect, it } from 'vitest';
import { contentOf, newBoundary, newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import type { Message } from '../conversation/message';
import { append } from './append';
import { Boundaries } from './boundaries';
import { fencingTokenOf, unfenced } from './fence';
import { redact } from './redact';
import { Trash } from './trash';
import { Trees } from './trees';
import { totalUsage } from './usage-totals';

async function said(id = 's') {
	const db = openDatabase();
	const messages = [newMessage('system', ''), newMessage('user', 'One'), newMessage('assistant', 'Two', { usage: { inputTokens: 10 } }), newMessage('user', 'Three')];
	const rows = await append(db, { session: newSession({ id }), messages: messages as [(typeof messages)[0]] });
	return { db, boundaries: new Boundaries(db), rows: rows as [Message, Message, Message, Message] };
}

describe('Boundaries', () => {
	it('[A10] [E9] keeps a compaction and changes no message; what it took is counted once, also when it is undone and put back', async () => {
		const { db, boundaries, rows } = await said();
		const { boundaries: _, sessions: __, ...before } = await contentOf(db);
		const boundary = newBoundary(rows.slice(0, 3), { usage: { inputTokens: 5, outputTokens: 2 } });
		await boundaries.add(boundary, fencingTokenOf({ fence: 0 }));
		expect(await contentOf(db)).toMatchObject({ ...before, boundaries: [boundary] });
		expect(await db.sessions.get('s')).toMatchObject({ usage: { inputTokens: 15, outputTokens: 2 }, messageCount: 4, updatedAt: 1000 });
		expect(await boundaries.remove(boundary.id, 1, fencingTokenOf({ fence: 0 }))).toEqual(boundary);
		expect(await boundaries.remove(boundary.id, 1, unfenced)).toBeUndefined();
		expect(await boundaries.get(boundary.id)).toBeUndefined();
		await boundaries.add(boundary, unfenced, { again: true });
		expect(await boundaries.get(boundary.id)).toEqual(boundary);
		expect((await db.sessions.get('s'))!.usage).toEqual({ inputTokens: 15, outputTokens: 2 });
	});

	it('gives those of a session by depth, also of one millisecond, and counts them', async () => {
		const { db, boundaries, rows } = await said();
		const [other] = await append(db, { session: newSession({ id: 'ss' }), messages: [newMessage('user', 'x')] });
		const [deep, shallow, newer] = [newBoundary(rows.slice(0, 3)), newBoundary(rows.slice(0, 2)), newBoundary(rows.slice(0, 3))];
		for (const boundary of [newer, deep, shallow, newBoundary([other!])]) await boundaries.add(boundary, unfenced);
		expect(await boundaries.ofSession('s')).toEqual([shallow, deep, newer]);
		expect([await boundaries.count('s'), await boundaries.count('none'), await boundaries.count()]).toEqual([3, 0, 4]);
	});

	it('[A5] is refused behind the fence', async () => {
		const { db, boundaries, rows } = await said();
		const boundary = newBoundary(rows.slice(0, 3));
		await boundaries.add(boundary, fencingTokenOf({ fence: 0 }));
		await new Trees(db).raiseFence('s');
		await expect(boundaries.add(newBoundary(rows), fencingTokenOf({ fence: 0 }))).rejects.toMatchObject({ code: 'taken-over' });
		await expect(boundaries.remove(boundary.id, 1, fencingTokenOf({ fence: 0 }))).rejects.toMatchObject({ code: 'taken-over' });
		expect(await boundaries.ofSession('s')).toEqual([boundary]);
	});

	it('is refused where what it covers is deleted, or was redacted after it was read', async () => {
		const { db, boundaries, rows } = await said();
		const boundary = newBoundary(rows.slice(0, 3), { createdAt: 3000 });
		await redact(db, rows[1].id, 2000, unfenced);
		await boundaries.add(boundary, unfenced);
		await expect(boundaries.add(boundary, unfenced, { readAt: 1999 })).rejects.toMatchObject({ code: 'message-absent' });
		await boundaries.remove(boundary.id, 1, unfenced);
		await redact(db, rows[2].id, 4000, unfenced);
		await expect(boundaries.add(boundary, unfenced, { again: true })).rejects.toMatchObject({ code: 'message-absent' });
		await boundaries.add(newBoundary(rows.slice(0, 2), { createdAt: 3000 }), unfenced);

		await new Trees(db).removeBranch('s', rows[3].id, 5000, unfenced);
		await expect(boundaries.add(newBoundary(rows, { createdAt: 6000 }), unfenced)).rejects.toMatchObject({ code: 'message-absent' });
		await new Trash(db).purgeUnfenced(1e9);
		await expect(boundaries.add(newBoundary(rows, { createdAt: 6000 }), unfenced)).rejects.toMatchObject({ code: 'message-absent' });
		await new Trash(db).deleteSessionsUnfenced(['s'], 5000);
		await expect(boundaries.add(newBoundary(rows.slice(0, 2), { createdAt: 6000 }), unfenced)).rejects.toMatchObject({ code: 'session-absent' });
		expect(await boundaries.count('s')).toBe(1);
	});
});

it('[E9] totals of all sessions: usage, answers and compactions, without what is in the trash', async () => {
	const { db, boundaries, rows } = await said();
	await boundaries.add(newBoundary(rows.slice(0, 3), { usage: { inputTokens: 5, costUsd: 0.5 } }), unfenced);
	for (const id of ['t', 'deleted']) {
		const written = await append(db, {
			session: newSession({ id, key: id }),
			messages: [newMessage('user', 'x'), newMessage('assistant', 'y', { usage: { outputTokens: 7 } })]
		});
		await boundaries.add(newBoundary(written), unfenced);
	}
	await new Trash(db).deleteSessionsUnfenced(['deleted'], 1, 1e9);
	expect(await totalUsage(db)).toEqual({ sessions: 2, steps: 2, usage: { inputTokens: 15, outputTokens: 7, costUsd: 0.5 }, compactions: 2 });
	expect(await totalUsage(openDatabase())).toEqual({ sessions: 0, steps: 0, usage: {}, compactions: 0 });
});
