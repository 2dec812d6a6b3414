import { expect, it, vi } from 'vitest';
import { contentOf, newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { newId } from '../shared/id';
import { append } from '../storage/append';
import type { Database } from '../storage/database';
import { unfenced } from '../storage/fence';
import { Scratchpad } from '../storage/scratchpad';
import { Sessions } from '../storage/sessions';
import { Settings } from '../storage/settings';
import { Trash } from '../storage/trash';
import { Cleanup } from './cleanup';

const day = 86_400_000;
const { locks } = navigator;

function setUp() {
	const db = openDatabase();
	let now = 1000 * day;
	const spared: string[] = [];
	const nextStart = () => new Cleanup({ db, locks, clock: () => now, spared: () => Promise.resolve(spared) });
	return { spared, db, cleanup: nextStart(), nextStart, settings: new Settings(db), pass: (days: number) => (now += days * day), now: () => now };
}

/** A session that was last changed so many days before day 1000; returns its id, which no other test has. */
async function keep(db: Database, age: number): Promise<string> {
	const at = (1000 - age) * day;
	const session = newSession({ id: newId(), key: newId(), createdAt: at });
	await append(db, { session, messages: [newMessage('user', 'text', { createdAt: at })] });
	return session.id;
}

it('[A8] removes nothing before a rule was switched on, and says what it would, until that was seen', async () => {
	const { db, cleanup, settings, pass } = setUp();
	await keep(db, 400);
	await keep(db, 10);
	const sessions = await db.sessions.toArray();
	expect(await cleanup.atStart()).toEqual({ wouldGo: 1 });
	expect(await cleanup.atStart()).toBeUndefined();
	pass(7);
	expect(await cleanup.atStart()).toEqual({ wouldGo: 1 });
	await settings.set('retentionSeen', true);
	pass(400);
	expect(await cleanup.atStart()).toBeUndefined();
	expect(await db.sessions.toArray()).toEqual(sessions);
	expect(await db.trash.count()).toBe(0);
});

it('[A8] [E11] spares a chat that has more than is in the database, in the list and where it came since', async () => {
	const { db, cleanup, spared } = setUp();
	const [left, old] = [await keep(db, 400), await keep(db, 300)];
	const rule = { days: 90, maxBytes: null };
	expect((await cleanup.candidates(rule)).map(({ session }) => session.id)).toEqual([left, old]);
	spared.push(left);
	expect((await cleanup.preview({ olderThanDays: 90 })).map(({ id }) => id)).toEqual([old]);
	expect(await cleanup.run([left, old], rule)).toEqual([old]);
});

it('[A8] does what the rule says once a day at most, and keeps what it took for a week', async () => {
	const { db, cleanup, settings, pass, now } = setUp();
	const [old, later] = [await keep(db, 90), await keep(db, 89.5)];
	await settings.set('retention', { days: 90, maxBytes: null });
	expect(await cleanup.atStart()).toEqual({ removed: [old], rule: { days: 90, maxBytes: null } });
	pass(0.9);
	expect(await cleanup.atStart()).toBeUndefined();
	pass(0.1);
	expect(await cleanup.atStart()).toMatchObject({ removed: [later] });
	const trash = new Trash(db);
	expect(await trash.purgeUnfenced(now() + 5.9 * day)).toEqual([]);
	await trash.restoreUnfenced([old, later]);
	expect(await db.sessions.count()).toBe(2);
});

it('[A8] a rule that is switched on while the app is still starting waits for the next start', async () => {
	const { db, cleanup, nextStart } = setUp();
	const old = await keep(db, 90);
	await cleanup.setRule({ days: 90, maxBytes: null });
	expect(await cleanup.atStart()).toBeUndefined();
	expect(await db.trash.count()).toBe(0);
	expect(await nextStart().atStart()).toMatchObject({ removed: [old] });
	await cleanup.setRule(null);
	await keep(db, 90);
	expect(await nextStart().atStart()).not.toHaveProperty('removed');
});

it('[A8] spares sessions that are pinned or open in a tab', async () => {
	const { db, cleanup, settings } = setUp();
	const [pinned, open, old] = [await keep(db, 400), await keep(db, 400), await keep(db, 400)];
	await new Sessions(db).updateUnfenced(pinned, { pinned: 1 });
	await settings.set('retention', { days: 90, maxBytes: null });
	await locks.request(`session:${open}`, async () => {
		expect((await cleanup.preview({ olderThanDays: 30 })).map(({ id }) => id)).toEqual([old]);
		expect(await cleanup.run([pinned, open, 'absent', old])).toEqual([old]);
	});
	expect(await cleanup.atStart()).toMatchObject({ removed: [open] });
});

it('[A8] spares what is written or noted between the look and the removal', async () => {
	const { db, cleanup, settings, now } = setUp();
	const [written, noted, old] = [await keep(db, 400), await keep(db, 400), await keep(db, 400)];
	await settings.set('retention', { days: 90, maxBytes: null });
	const look = cleanup.candidates.bind(cleanup);
	vi.spyOn(cleanup, 'candidates').mockImplementation(async (rule) => {
		const found = await look(rule);
		await append(db, { session: written, fence: unfenced, messages: [newMessage('user', 'new words', { createdAt: now() })] });
		await new Scratchpad(db).set(noted, 'plan', 'new words', now());
		return found;
	});
	expect(await cleanup.atStart()).toMatchObject({ removed: [old] });
	expect((await cleanup.preview({ olderThanDays: 0 })).map(({ id }) => id).sort()).toEqual([written, noted].sort());
});

it('[A8] removes for good at once what the user says, and nothing else', async () => {
	const { db, cleanup } = setUp();
	const [one, other] = [await keep(db, 400), await keep(db, 400)];
	await cleanup.run([one, other]);
	await cleanup.removeNow([one]);
	const rows = Object.values(await contentOf(db)).flat() as { sessionId?: string }[];
	expect(rows.filter(({ sessionId }) => sessionId === one)).toEqual([]);
	await new Trash(db).restoreUnfenced([other]);
	expect(await db.sessions.get(other)).toBeDefined();
});
