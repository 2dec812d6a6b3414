import { describe, expect, it } from 'vitest';
import { newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import type { Session } from '../conversation/session';
import type { NewSession } from './append';
import { append } from './append';
import type { Database } from './database';
import { unfenced } from './fence';
import { findSessions } from './find-sessions';
import { sessionFacets } from './session-facets';
import { sessionGroups } from './session-groups';
import { Sessions } from './sessions';
import { Trash } from './trash';

/** Sessions of one message each, last changed at `createdAt`. */
async function fill(db: Database, sessions: Partial<NewSession>[]): Promise<Sessions> {
	for (const more of sessions) {
		const session = newSession(more);
		await append(db, { session, messages: [newMessage('user', session.preview, { createdAt: session.createdAt })] });
	}
	return new Sessions(db);
}

const idsOf = (sessions: { id: string }[]) => sessions.map(({ id }) => id);

describe('Sessions', () => {
	it('[A12] [A8] lists pinned ones first, then the newest, without deleted ones', async () => {
		const db = openDatabase();
		const sessions = await fill(db, [
			{ id: 'old', createdAt: 1000 },
			{ id: 'newest', createdAt: 3000 },
			{ id: 'pinned', createdAt: 500 },
			{ id: 'middle', createdAt: 2000 }
		]);
		expect(idsOf(await sessions.list())).toEqual(['newest', 'middle', 'old', 'pinned']);
		await sessions.updateUnfenced('pinned', { pinned: 1 });
		await db.sessions.update('old', { updatedAt: 4000 });
		expect(idsOf(await sessions.list())).toEqual(['pinned', 'old', 'newest', 'middle']);
		await new Trash(db).deleteSessionsUnfenced(['old'], 5000);
		expect(idsOf(await sessions.list())).toEqual(['pinned', 'newest', 'middle']);
		expect(await sessions.get('old')).toBeUndefined();
		expect(idsOf(await sessions.list({ limit: 1 }))).toEqual(['pinned']);
		expect(await sessions.list({ limit: 0 })).toEqual([]);
		expect(idsOf(await sessions.list({ offset: 1, limit: 1 }))).toEqual(['newest']);
		expect(idsOf(await sessions.list({ offset: 2 }))).toEqual(['middle']);
		expect(await sessions.list({ offset: 3 })).toEqual([]);
		expect(await sessions.count()).toBe(3);
	});

	it('[A12] counts what stands under each heading, in as few looks as there are headings, and ends with what is older than most', async () => {
		const db = openDatabase();
		const now = new Date(2026, 2, 10, 15, 30).getTime();
		const row = (id: string, createdAt: number, more: Partial<Session> = {}) => ({ ...newSession({ id, createdAt }), messageCount: 1, steps: 0, bytes: 1, usage: {}, updatedAt: createdAt, ...more });
		expect(await sessionGroups(db, {}, now)).toEqual([]);
		await db.sessions.bulkAdd([
			row('pinned', now, { pinned: 1, workspace: 'work' }),
			row('later', now + 86_400_000 * 400),
			row('today', now),
			row('yesterday', new Date(2026, 2, 9).getTime(), { workspace: 'work' }),
			...Array.from({ length: 1200 }, (_, month) => row(`of month ${month}`, new Date(2020, -month, 15).getTime()))
		]);
		const groups = await sessionGroups(db, {}, now);
		expect(groups.slice(0, 5)).toEqual([
			{ name: 'Pinned', count: 1 },
			{ name: 'Today', count: 2 },
			{ name: 'Yesterday', count: 1 },
			{ name: 'January 2020', count: 1 },
			{ name: 'December 2019', count: 1 }
		]);
		expect(groups).toHaveLength(61);
		expect(groups.at(-1)).toEqual({ name: 'Older', count: 1204 - 1 - 2 - 1 - 57 });
		expect(await sessionGroups(db, { workspace: 'work' }, now)).toEqual([
			{ name: 'Pinned', count: 1 },
			{ name: 'Yesterday', count: 1 }
		]);
	});

	it('[A14] leaves archived ones out of every list but their own, finds them by name, and has them back when one writes there', async () => {
		const db = openDatabase();
		const sessions = await fill(db, [
			{ id: 'a', title: 'Kites', createdAt: 1 },
			{ id: 'b', title: 'Kestrels', workspace: 'work', createdAt: 2 }
		]);
		await sessions.updateUnfenced('b', { archived: 1 });
		expect(idsOf(await sessions.list())).toEqual(['a']);
		expect(await sessions.list({ workspace: 'work' })).toEqual([]);
		expect(idsOf(await sessions.list({ archived: true }))).toEqual(['b']);
		expect(idsOf(await sessions.list({ archived: true, workspace: 'work', surface: 'web' }))).toEqual(['b']);
		expect([await sessions.count(), await sessions.count({ archived: true })]).toEqual([1, 1]);
		expect(await sessionGroups(db, {}, 10)).toEqual([{ name: 'Today', count: 1 }]);
		expect(await sessionFacets(db)).toMatchObject({ workspaces: ['home', 'work'] });
		expect(idsOf(await findSessions(db, 'kestrels'))).toEqual(['b']);
		expect((await sessions.newest())?.id).toBe('a');
		await append(db, { session: 'b', fence: unfenced, messages: [newMessage('assistant', 'An answer that was being written')] });
		expect(idsOf(await sessions.list({ archived: true }))).toEqual(['b']);
		await append(db, { session: 'b', fence: unfenced, messages: [newMessage('user', 'And then?')] });
		expect(idsOf(await sessions.list())).toEqual(['b', 'a']);
		await sessions.updateUnfenced('a', { archived: 1 });
		await sessions.updateUnfenced('b', { archived: 1 });
		expect((await sessions.newest())?.id).toBe('b');
	});

	it('[E8] filters by workspace and surface, and knows what there is to filter by', async () => {
		const db = openDatabase();
		const all = [
			{ id: 'a', workspace: 'home', surface: 'web', createdAt: 1 },
			{ id: 'b', workspace: 'home', surface: 'pwa', createdAt: 2 },
			{ id: 'c', workspace: 'work', surface: 'web', createdAt: 3 },
			{ id: 'd', workspace: 'work', surface: 'web', createdAt: 4 },
			{ id: 'e', workspace: 'work 2', surface: 'import', createdAt: 5 }
		];
		const sessions = await fill(db, all);
		await sessions.updateUnfenced('c', { pinned: 1 });
		expect(await sessionFacets(db)).toEqual({ workspaces: ['home', 'work', 'work 2'], surfaces: ['import', 'pwa', 'web'] });
		expect(idsOf(await sessions.list({ workspace: 'work' }))).toEqual(['c', 'd']);
		expect(idsOf(await sessions.list({ surface: 'web' }))).toEqual(['c', 'd', 'a']);
		expect(idsOf(await sessions.list({ workspace: 'home', surface: 'pwa' }))).toEqual(['b']);
		expect(idsOf(await sessions.list({ surface: 'web', offset: 1, limit: 1 }))).toEqual(['d']);
		expect(await sessions.list({ workspace: 'wor' })).toEqual([]);
		expect(await sessions.count({ workspace: 'work' })).toBe(2);
		expect(await sessions.count({ surface: 'pwa', workspace: 'work' })).toBe(0);
		expect(await sessionFacets(openDatabase())).toEqual({ workspaces: [], surfaces: [] });
	});

	it('[E4] finds by id, else by title in any case, else by words, newest first', async () => {
		const id = '01a2014b-1da2-7021-b4df-461c28b66195';
		const db = openDatabase();
		await fill(db, [
			{ id, title: 'Zebra', preview: 'Stripes', createdAt: 1 },
			{ id: 'b', title: 'Zebra crossings', preview: id, createdAt: 2 },
			{ id: 'c', title: 'ZEBRA', preview: 'Again', createdAt: 3 },
			{ id: 'd', title: '', preview: 'How does a zebra sleep?', createdAt: 4 },
			{ id: 'e', title: 'Émile', preview: '', createdAt: 5, extra: { alias: 'Session-7' } }
		]);
		expect(idsOf(await findSessions(db, id.toUpperCase()))).toEqual([id]);
		expect(idsOf(await findSessions(db, ' zebra '))).toEqual(['c', id]);
		expect(idsOf(await findSessions(db, 'ZEBRA CROSSINGS'))).toEqual(['b']);
		expect(idsOf(await findSessions(db, 'ebra'))).toEqual(['d', 'c', 'b', id]);
		expect(idsOf(await findSessions(db, 'sleep'))).toEqual(['d']);
		expect(idsOf(await findSessions(db, 'émile'))).toEqual(['e']);
		expect(idsOf(await findSessions(db, 'session-7'))).toEqual(['e']);
		expect(idsOf(await findSessions(db, id.slice(0, 8)))).toEqual(['b', id]);
		expect(await findSessions(db, 'nowhere')).toEqual([]);
		expect(await findSessions(db, ' ')).toEqual([]);
	});

	it('[E4] shows ten candidates at most', async () => {
		const many = Array.from({ length: 12 }, (_, index) => ({ preview: 'alike', createdAt: index }));
		const db = openDatabase();
		await fill(db, many);
		expect(await findSessions(db, 'alik')).toHaveLength(10);
	});

	it('[E1] [A4] finds a thread by its key, and what was last written to', async () => {
		const sessions = await fill(openDatabase(), [
			{ id: 'thread', key: 'web:work', createdAt: 2 },
			{ id: 'other', key: 'web:work:1', createdAt: 1 }
		]);
		await sessions.updateUnfenced('other', { pinned: 1 });
		expect((await sessions.byKey('web:work'))?.id).toBe('thread');
		expect(await sessions.byKey('web:nowhere')).toBeUndefined();
		expect((await sessions.newest())?.id).toBe('thread');
	});

	it('does nothing to a session that is not there', async () => {
		const db = openDatabase();
		const sessions = new Sessions(db);
		await sessions.updateUnfenced('nowhere', { pinned: 1 });
		expect(await sessions.get('nowhere')).toBeUndefined();
		expect(await sessions.newest()).toBeUndefined();
		expect(await db.sessions.count()).toBe(0);
	});
});
