import { AppError } from '../shared/app-error';
import type { Store } from './tables';
import type { Position } from './tables/positions';

const brand = Symbol('fence');

/**
 * The number that a write of a session must know [A5]: what the position said when its writer got the lock. Only `fencingTokenOf` makes
 * one of a number, so that none can be made up.
 */
export type FencingToken = number & { readonly [brand]: 'fencing token' };

/**
 * In the place of a token: this write is guarded by something else, which a comment beside it names. Lint lets only storage/ and tests say
 * so. A function that takes no token at all ends in `Unfenced`.
 */
export const unfenced = { [brand]: 'unfenced' } as const;

/** A token, or the word that there is none. Never optional: who leaves it out has forgotten it. */
export type Fence = FencingToken | typeof unfenced;

/** Reads the token off a session's position, of which there may be none yet. To be called by who holds the session's lock, or has just raised it. */
export function fencingTokenOf(position: Pick<Position, 'fence'> | undefined): FencingToken {
	return (position?.fence ?? 0) as FencingToken;
}

/**
 * Reads a session's position. Throws an AppError if another tab has taken the session over since this one learnt its fence [A5], and where the
 * position is lost although there is a session: any tab might take the fence of none for its own. Part of the transaction that writes, over
 * `positions` and `trees`: a Web Lock that was stolen does not stop a write that is under way, this does.
 */
export async function requireFence(db: Store, sessionId: string, fence: Fence): Promise<Position | undefined> {
	const position = await db.positions.get(sessionId);
	if (fence === unfenced) return position;
	const isLost = !position && (await db.trees.where('sessionId').equals(sessionId).count()) > 0;
	if (!isLost && fencingTokenOf(position) === fence) return position;
	throw new AppError('taken-over', 'Another tab has taken over this chat. Your text is still in the composer.');
}
