import { threadKey, type Session } from '../conversation/session';
import type { Database } from './database';
import { Sessions } from './sessions';

/** A session's place among workspaces. */
export type WorkspacePlace = Pick<Session, 'workspace' | 'key'>;

/**
 * Moves a session to a workspace, where it is one beside the thread [E2], or back to where it was. Any tab may do it. Resolves with where it was;
 * undefined where it is not there, or there already.
 */
export async function moveSessionUnfenced(db: Database, id: string, to: string | WorkspacePlace): Promise<WorkspacePlace | undefined> {
	return db.transaction('rw', db.sessions, async () => {
		const session = await db.sessions.get(id);
		if (!session) return undefined;
		const { workspace, key, createdAt } = session;
		// What was imported keeps the key that it came with.
		const ownKey = (name: string) => (key.startsWith('web:') ? `${threadKey(name)}:${createdAt}` : key);
		const place = typeof to === 'string' ? { workspace: to, key: ownKey(to) } : { ...to };
		// Where it was the thread, another may be that by now.
		if (typeof to !== 'string' && (await db.sessions.where('key').equals(to.key).count()) > 0) place.key = ownKey(to.workspace);
		if (place.workspace === workspace) return undefined;
		await new Sessions(db).updateUnfenced(id, place);
		return { workspace, key };
	});
}
