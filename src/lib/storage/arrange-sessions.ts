import { threadKey, type Session } from '../conversation/session';
import type { Database } from './database';

// The order in which people keep their sessions. Any tab may change it; each call is one transaction.

/** Keeps sessions on top of the list, where archived ones are not, or no longer. */
export async function pinSessionsUnfenced(db: Database, ids: readonly string[], pinned: boolean): Promise<void> {
	await db.sessions.where('id').anyOf(ids).modify(pinned ? { pinned: 1, archived: 0 } : { pinned: 0 });
}

/**
 * Takes sessions out of the lists, or puts them back. One that is pinned stays so: no clean-up takes it. Resolves with the ids of those for which
 * that is a change.
 */
export async function archiveSessionsUnfenced(db: Database, ids: readonly string[], archived: boolean): Promise<string[]> {
	return db.transaction('rw', db.sessions, async () => {
		const wanted = archived ? 1 : 0;
		const changed = (await db.sessions.bulkGet([...ids])).flatMap((session) => (session && session.archived !== wanted ? [session.id] : []));
		await db.sessions.where('id').anyOf(changed).modify({ archived: wanted });
		return changed;
	});
}

type Place = Pick<Session, 'workspace' | 'key'>;

/** A session that was moved among workspaces, and the places. */
export interface MovedSession {
	id: string;
	from: Place;
	to: Place;
}

/** Moves sessions to a workspace, where they are beside its thread [E2]. Resolves with those that were elsewhere. */
export async function moveSessionsUnfenced(db: Database, ids: readonly string[], workspace: string): Promise<MovedSession[]> {
	return db.transaction('rw', db.sessions, async () => {
		const moved: MovedSession[] = [];
		for (const session of await db.sessions.bulkGet([...ids])) {
			if (!session || session.workspace === workspace) continue;
			const { id, key } = session;
			const to = { workspace, key: besideThread(session, workspace) };
			await db.sessions.update(id, to);
			moved.push({ id, from: { workspace: session.workspace, key }, to });
		}
		return moved;
	});
}

/** Moves sessions back to where they were; not one that is elsewhere by now. Where it was the thread, another may be that, and it is beside it. */
export async function moveSessionsBackUnfenced(db: Database, moved: readonly MovedSession[]): Promise<void> {
	await db.transaction('rw', db.sessions, async () => {
		for (const { id, from, to } of moved) {
			const session = await db.sessions.get(id);
			if (session?.workspace !== to.workspace || session.key !== to.key) continue;
			const isTaken = (await db.sessions.where('key').equals(from.key).count()) > 0;
			await db.sessions.update(id, isTaken ? { ...from, key: besideThread(session, from.workspace) } : from);
		}
	});
}

/** Returns a session that is new here: where it was the thread of its workspace and another is that by now, it is beside it. Part of the running transaction. */
export async function besideTaken(db: Database, session: Session): Promise<Session> {
	const { key, workspace } = session;
	const thread = threadKey(workspace);
	// Asked in any case: the transaction would end where nothing is asked of it.
	const isTaken = (await db.sessions.where('key').equals(thread).count()) > 0;
	return isTaken && key === thread ? { ...session, key: besideThread(session, workspace) } : session;
}

/** The key of a session that is not the thread of its workspace. What was imported keeps the key that it came with. */
export function besideThread({ key, createdAt }: Session, workspace: string): string {
	return key.startsWith('web:') ? `${threadKey(workspace)}:${createdAt}` : key;
}
