import { newestTip, type Tree } from '../conversation/tree';
import { systemClock } from '../shared/clock';
import { fencingTokenOf, type FencingToken } from './fence';
import type { Store } from './tables';
import type { Position } from './tables/positions';

/**
 * Makes a position of what is `known` of one that is lost or broken: at the end of the newest branch, behind a fence that no tab can know,
 * so that none that was preempted may write, and the one that has the lease has to learn it.
 */
export function placedPosition(tree: Pick<Tree, 'sessionId' | 'tips'>, { headId = newestTip(tree).id, fence }: Partial<Position> = {}, now = systemClock()): Position {
	return { sessionId: tree.sessionId, headId, fence: fence ?? now };
}

/** Reads the position of a session, and makes one where its row is lost. Undefined where there is no session. Part of the running transaction. */
export async function requirePosition(db: Store, sessionId: string): Promise<Position | undefined> {
	const [position, tree] = await Promise.all([db.positions.get(sessionId), db.trees.get(sessionId)]);
	if (position || !tree) return position;
	const placed = placedPosition(tree);
	await db.positions.put(placed);
	return placed;
}

/** Makes `headId` the last message of the active path, whatever the fence. Part of the running transaction. */
export async function putHeadUnfenced(db: Store, sessionId: string, headId: string): Promise<void> {
	const { fence = systemClock() } = (await db.positions.get(sessionId)) ?? {};
	await db.positions.put({ sessionId, headId, fence });
}

/** Reads what a write of the session must know. To be called by who has its lock. Writes nothing, unless the position is lost. */
export async function readFencingToken(db: Store, sessionId: string): Promise<FencingToken> {
	const position = await db.positions.get(sessionId);
	if (position || (await db.trees.where('sessionId').equals(sessionId).count()) === 0) return fencingTokenOf(position);
	return db.transaction('rw', db.positions, db.trees, db.messages, async () => fencingTokenOf(await requirePosition(db, sessionId)));
}
