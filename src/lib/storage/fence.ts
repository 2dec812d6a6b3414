import type { Tree } from '../conversation/tree';
import { AppError } from '../shared/app-error';

const brand = Symbol('fence');

/**
 * The number that a write of a session must know [A5]: what the tree row said when its writer got the lock. Only `fencingTokenOf` makes
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

/** Reads the token off a session's tree row, of which there may be none yet. To be called by who holds the session's lock, or has just raised it. */
export function fencingTokenOf(tree: Pick<Tree, 'fence'> | undefined): FencingToken {
	return (tree?.fence ?? 0) as FencingToken;
}

/**
 * Throws an AppError if another tab has taken the session over since this one learnt its fence [A5]. To be called inside
 * the transaction that writes, with the tree row read there: a Web Lock that was stolen does not stop a write that is
 * under way, this does.
 */
export function requireFence(tree: Pick<Tree, 'fence'> | undefined, fence: Fence): void {
	if (fence === unfenced || fencingTokenOf(tree) === fence) return;
	throw new AppError('taken-over', 'Another tab has taken over this chat, so nothing was written here. Your text is still in the composer.');
}
