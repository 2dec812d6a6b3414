import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newSession } from '../../../tests/fixtures/database';
import { conversations } from '../app/conversations';
import type { Session } from '../conversation/session';
import { AppError } from '../shared/app-error';
import { Database } from '../storage/database';
import { dismissNotice, notices } from './notices.svelte';
import { deleteSessions } from './session-actions';
import { Selection } from './selection';
import { SessionList } from './session-list.svelte';

const db = new Database();
let stop: (() => void) | undefined;

beforeEach(() => db.sessions.clear());
afterEach(async () => {
	stop?.();
	await db.sessions.clear();
});

/** Session 0 is the newest; every hundredth is pinned. */
function makeSessions(count: number): Session[] {
	return Array.from({ length: count }, (_, index) => ({
		...newSession({ preview: `Session ${index}`, workspace: index % 2 ? 'odd' : 'home', pinned: index % 100 === 99 ? 1 : 0 }),
		messageCount: 1,
		steps: 0,
		bytes: 1,
		usage: {},
		updatedAt: 1_000_000 - index
	}));
}

/** A list that something draws, as far as `count` and the rows that were asked for. */
function drawn(): SessionList {
	const list = new SessionList();
	stop = $effect.root(() => {
		$effect(() => void list.count);
	});
	flushSync();
	return list;
}

test('[A12] of ten thousand sessions only a window is held, and it goes where one looks, pinned ones first', async () => {
	await db.sessions.bulkAdd(makeSessions(10_000));
	const list = drawn();
	await vi.waitFor(() => expect(list.count).toBe(10_000));
	expect(list.at(0)?.preview).toBe('Session 99');
	expect(list.at(200)).toBeUndefined();

	list.show(5000, 5014);
	// Behind a hundred pinned ones, the 4901st of the others.
	await vi.waitFor(() => expect(list.at(5000)?.preview).toBe('Session 4949'));
	expect(list.at(5014)?.preview).toBe('Session 4963');
	expect(list.at(0)).toBeUndefined();
	expect(Array.from({ length: 10_000 }, (_, index) => list.at(index)).filter(Boolean).length).toBeLessThan(150);
});

test('[A12] a row that changes shows at once, in its new place', async () => {
	const [first, second] = makeSessions(2) as [Session, Session];
	await db.sessions.bulkAdd([first, second]);
	const list = drawn();
	await vi.waitFor(() => expect(list.at(1)?.id).toBe(second.id));
	await db.sessions.update(second.id, { updatedAt: 2_000_000, title: 'Now newest' });
	await vi.waitFor(() => expect(list.at(0)?.title).toBe('Now newest'));
	expect(list.at(1)?.id).toBe(first.id);
});

test('[E10] it is narrowed by workspace, and words find among what is left', async () => {
	await db.sessions.bulkAdd(makeSessions(40));
	const list = drawn();
	list.narrow({ workspace: 'odd' });
	await vi.waitFor(() => expect(list.count).toBe(20));
	list.search('session 21');
	await vi.waitFor(() => expect(list.count).toBe(1));
	expect(list.at(0)?.preview).toBe('Session 21');
	list.search('session 22');
	await vi.waitFor(() => expect(list.count).toBe(0));
});

test('[A14] a range is chosen with all its rows, also those that are not read, and everything is only what is listed', async () => {
	const sessions = makeSessions(99);
	await db.sessions.bulkAdd(sessions);
	const list = drawn();
	await vi.waitFor(() => expect(list.count).toBe(99));
	const selection = new Selection(list);
	await selection.choose(sessions[90]!.id, 90, true);
	await selection.choose(sessions[2]!.id, 2, true, { through: true });
	expect(selection.chosen.sort()).toEqual(
		sessions
			.slice(2, 91)
			.map(({ id }) => id)
			.sort()
	);
	selection.clear();
	list.narrow({ workspace: 'odd' });
	await selection.all();
	expect(selection.size).toBe(49);
});

test('[R2] a session whose turn no tab runs any more was interrupted, whatever its row says', async () => {
	const [session] = makeSessions(1) as [Session];
	await db.sessions.add({ ...session, status: 'running' });
	const list = drawn();
	await vi.waitFor(() => expect(list.at(0)?.status).toBe('interrupted'));
});

test('[A14] a deletion and an Undo that are refused half way leave nothing that can’t be had back', async () => {
	const rows = makeSessions(300);
	await db.sessions.bulkAdd(rows);
	await db.trees.bulkAdd(rows.map(({ id }) => ({ sessionId: id, tips: [{ id, depth: 0, forkId: null, forkDepth: 0, fromId: null }], labels: {}, mainTip: null, removed: [] })));
	const refused = new AppError('disk-full', 'There is no space left.', { retryable: true });
	const remove = conversations.deleteSessions;
	const removing = vi.spyOn(conversations, 'deleteSessions').mockImplementationOnce(remove).mockRejectedValueOnce(refused);
	await expect(deleteSessions(rows.map(({ id }) => id))).rejects.toBe(refused);
	expect(await db.sessions.count()).toBe(50);
	removing.mockRestore();
	await deleteSessions(rows.slice(250).map(({ id }) => id));
	expect(await db.sessions.count()).toBe(0);

	const restoring = vi.spyOn(conversations.trash, 'restore').mockRejectedValueOnce(refused);
	const undo = () => notices.findLast(({ action }) => action)!;
	await dismissNotice(undo(), { act: true });
	expect(await db.sessions.count()).toBe(0);
	restoring.mockRestore();
	for (let left = 2; left > 0; left--) await dismissNotice(undo(), { act: true });
	expect(await db.sessions.count()).toBe(300);
	notices.length = 0;
	await db.trees.clear();
});
