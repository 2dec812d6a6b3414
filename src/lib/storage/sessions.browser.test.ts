import { describe, expect, it } from 'vitest';
import { contentOf, newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { append } from './append';
import type { Database } from './database';
import { Drafts } from './drafts';
import { Sessions, undoMilliseconds } from './sessions';

/** A session with two branches and a draft, last changed at that time. */
async function fill(db: Database, id: string, at: number): Promise<void> {
	const session = newSession({ id, createdAt: at });
	const question = newMessage('user', id, { createdAt: at });
	const [root] = await append(db, { session, messages: [question, newMessage('assistant', 'A')] });
	await append(db, { session: id, parentId: root!.id, messages: [newMessage('assistant', 'B')] });
	await new Drafts(db).setComposer(id, 'unsent');
}

/** The rows of these sessions, in all tables. */
async function rowsOf(db: Database, ids: string[]): Promise<unknown[]> {
	const rows = Object.values(await contentOf(db)).flat() as { id?: string; sessionId?: string }[];
	return rows.filter(({ id, sessionId }) => ids.includes(sessionId ?? id!));
}

describe('Sessions', () => {
	it('[A12] lists the newest first, without deleted ones', async () => {
		const db = openDatabase();
		const sessions = new Sessions(db);
		for (const [id, at] of [['old', 1000], ['newest', 3000], ['middle', 2000]] as const) await fill(db, id, at);
		const ids = async (limit?: number) => (await sessions.list(limit === undefined ? {} : { limit })).map(({ id }) => id);
		expect(await ids()).toEqual(['newest', 'middle', 'old']);
		await sessions.update('old', { updatedAt: 4000 });
		expect(await ids()).toEqual(['old', 'newest', 'middle']);
		await sessions.delete('old', 5000);
		expect(await ids()).toEqual(['newest', 'middle']);
		expect(await ids(1)).toEqual(['newest']);
		expect(await ids(0)).toEqual([]);
	});

	it('[A14] brings a deleted session back as it was', async () => {
		const db = openDatabase();
		const sessions = new Sessions(db);
		await fill(db, 'one', 1000);
		const before = await contentOf(db);
		await sessions.delete('one', 5000);
		expect(await sessions.get('one')).toBeUndefined();
		await sessions.restore('one');
		expect(await contentOf(db)).toEqual(before);
		expect(await sessions.get('one')).toMatchObject({ id: 'one' });
	});

	it('[A14] purges only what was deleted long enough ago, with all of its rows', async () => {
		const db = openDatabase();
		const sessions = new Sessions(db);
		// Ids that begin alike: a range too wide would take more than it should.
		for (const id of ['a', 'aa', 'ab', 'b']) await fill(db, id, 1000);
		const others = await rowsOf(db, ['aa', 'ab', 'b']);
		await sessions.delete('a', 5000);
		expect(await sessions.purge(5000 + undoMilliseconds - 1)).toEqual([]);
		await sessions.restore('a');
		expect(await sessions.purge(5000 + undoMilliseconds)).toEqual([]);
		await sessions.delete('a', 6000);
		expect(await sessions.purge(6000 + undoMilliseconds)).toEqual(['a']);
		expect(await rowsOf(db, ['a'])).toEqual([]);
		expect(await rowsOf(db, ['aa', 'ab', 'b'])).toEqual(others);
	});

	it('[A14] purges safely twice, also at once', async () => {
		const db = openDatabase();
		const sessions = new Sessions(db);
		for (const id of ['a', 'b']) await fill(db, id, 1000);
		await sessions.delete('a', 0);
		await Promise.all([sessions.purge(undoMilliseconds), sessions.purge(undoMilliseconds)]);
		expect(await sessions.purge(undoMilliseconds)).toEqual([]);
		expect((await sessions.list()).map(({ id }) => id)).toEqual(['b']);
	});

	it('does nothing to a session that is not there', async () => {
		const db = openDatabase();
		const sessions = new Sessions(db);
		await sessions.delete('nowhere', 1);
		await sessions.restore('nowhere');
		await sessions.update('nowhere', { status: 'failed' });
		expect(await sessions.get('nowhere')).toBeUndefined();
		expect(await db.sessions.count()).toBe(0);
	});
});
