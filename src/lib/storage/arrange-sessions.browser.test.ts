import { expect, it } from 'vitest';
import { newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { threadKey } from '../conversation/session';
import { append, type NewSession } from './append';
import { archiveSessionsUnfenced, moveSessionsBackUnfenced, moveSessionsUnfenced, pinSessionsUnfenced } from './arrange-sessions';

async function fill(...sessions: Partial<NewSession>[]) {
	const db = openDatabase();
	for (const more of sessions) await append(db, { session: newSession(more), messages: [newMessage('user', 'Hello')] });
	return db;
}

it('[A14] archives those that are not archived yet, keeps their pins, and puts them back; pinning brings one back', async () => {
	const db = await fill({ id: 'a' }, { id: 'b' }, { id: 'c' });
	await pinSessionsUnfenced(db, ['b'], true);
	expect(await archiveSessionsUnfenced(db, ['c'], true)).toEqual(['c']);
	expect(await archiveSessionsUnfenced(db, ['a', 'b', 'c', 'nowhere'], true)).toEqual(['a', 'b']);
	expect(await db.sessions.bulkGet(['a', 'b', 'c'])).toMatchObject([{ archived: 1 }, { archived: 1, pinned: 1 }, { archived: 1 }]);
	expect(await archiveSessionsUnfenced(db, ['a', 'b'], false)).toEqual(['a', 'b']);
	await pinSessionsUnfenced(db, ['c'], true);
	expect(await db.sessions.bulkGet(['a', 'b', 'c'])).toMatchObject([{ archived: 0 }, { archived: 0, pinned: 1 }, { archived: 0, pinned: 1 }]);
});

it('[E2] moves sessions beside the thread of a workspace and back; not one that was moved elsewhere since', async () => {
	const thread = threadKey('alpha');
	const db = await fill({ id: 'a', workspace: 'alpha', key: thread }, { id: 'b' }, { id: 'c' });
	const [before] = await db.sessions.bulkGet(['b']);
	const moved = await moveSessionsUnfenced(db, ['a', 'b', 'c', 'nowhere'], 'beta');
	expect(moved.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
	expect(await moveSessionsUnfenced(db, ['a'], 'beta')).toEqual([]);
	await moveSessionsUnfenced(db, ['c'], 'gamma');
	// Another is the thread by now.
	await append(db, { session: newSession({ id: 'd', workspace: 'alpha', key: thread }), messages: [newMessage('user', 'Hello')] });
	await moveSessionsBackUnfenced(db, moved);
	expect(await db.sessions.bulkGet(['b', 'c'])).toMatchObject([{ workspace: before!.workspace, key: before!.key }, { workspace: 'gamma' }]);
	const back = (await db.sessions.get('a'))!;
	expect(back.workspace).toBe('alpha');
	expect(back.key).toMatch(new RegExp(`^${thread}:`));
});
