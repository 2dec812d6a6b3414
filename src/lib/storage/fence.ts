import type { Tree } from '../conversation/tree';
import { AppError } from '../shared/app-error';

/**
 * Throws an AppError if another tab has taken the session over since this one learnt its fence [A5]. To be called inside
 * the transaction that writes, with the tree row read there: a Web Lock that was stolen does not stop a write that is
 * under way, this does. Nothing is checked where `fence` is undefined.
 */
export function requireFence(tree: Pick<Tree, 'fence'> | undefined, fence: number | undefined): void {
	if (fence === undefined || (tree?.fence ?? 0) === fence) return;
	throw new AppError('taken-over', 'Another tab has taken over this chat, so nothing was written here. Your text is still in the composer.');
}
