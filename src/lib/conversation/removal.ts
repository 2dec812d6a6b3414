import type { Message } from './message';
import { branchAt } from './paths';
import { inOrder, type Tip, type Tree } from './tree';

/** The branches that a deletion took out of a tree row, to be put back, or to find the rows by. */
export interface Removal {
	/** The first message of what was removed. */
	id: string;
	parentId: string;
	/** The removed branches; the first begins at the removed message. */
	tips: [Tip, ...Tip[]];
	/** The head and the main tip where they were among it, or null. */
	headId: string | null;
	mainTip: string | null;
}

/** Counts the messages that a removal covers. */
export function countRemoved({ tips }: Pick<Removal, 'tips'>): number {
	return tips.reduce((sum, { depth, forkDepth }) => sum + depth - forkDepth + 1, 0);
}

/**
 * Returns the tree row without `node`, which is on the branch `forkId`, and all that follows it; and what that took out. A main tip among
 * it is given up. `headId` is the head where it is among it, or null: it then moves to the node's parent. The root can't be removed: that is deleting the session.
 */
export function removeBranch(
	tree: Tree,
	node: Pick<Message, 'id' | 'depth' | 'parentId'>,
	forkId: string | null,
	headId: string | null
): { tree: Tree; removal: Removal } {
	const { id, depth, parentId } = node;
	const own = branchAt(tree, forkId);
	if (!own || parentId === null) throw new Error(`can't be removed from its tree: ${id}`);
	// The removed part becomes a branch that begins at the node, whatever it began as, and can come back as one.
	const first: Tip = { ...own, forkId: id, forkDepth: depth, fromId: own.forkId === id ? own.fromId : own.forkId };
	const tips: [Tip, ...Tip[]] = [first];
	const take = (from: string | null, below: number, as: string | null) => {
		for (const tip of tree.tips) {
			if (tip.forkId === null || tip === own || tip.fromId !== from || tip.forkDepth <= below) continue;
			tips.push({ ...tip, fromId: as });
			take(tip.forkId, tip.forkDepth, tip.forkId);
		}
	};
	take(forkId, depth, id);
	const gone = new Set(tips.map((tip) => tip.forkId));
	const mainIsBelow = tips.some((tip) => tip.id === tree.mainTip);
	const kept = tree.tips
		.filter((tip) => tip === own || !gone.has(tip.forkId))
		.flatMap((tip) => (tip !== own ? [tip] : own.forkId === id ? [] : [{ ...own, id: parentId, depth: depth - 1 }]));
	return {
		tree: {
			...tree,
			tips: kept,
			mainTip: mainIsBelow ? null : tree.mainTip,
			removed: [...tree.removed, id]
		},
		removal: { id, parentId, tips, headId, mainTip: mainIsBelow ? tree.mainTip : null }
	};
}

/**
 * Returns the tree row with what was removed from it; a main tip that was among it is that again, unless another took its
 * place since. `fromId` is the branch
 * that the parent of the removed message is on by now, which another removal may have changed. Where that branch ends in
 * the parent, it goes on with what comes back: a removal and its undoing leave the row as it was.
 */
export function restoreBranch(tree: Tree, { id, parentId, tips, mainTip }: Removal, fromId = tips[0].fromId): Tree {
	const [first, ...others] = tips;
	const ended = tree.tips.find((tip) => tip.id === parentId);
	const restored = ended
		? [{ ...ended, id: first.id, depth: first.depth }, ...others.map((tip) => (tip.fromId === id ? { ...tip, fromId: ended.forkId } : tip))]
		: [{ ...first, fromId }, ...others];
	return {
		...tree,
		tips: inOrder([...tree.tips.filter((tip) => tip !== ended), ...restored]),
		mainTip: (tree.mainTip === parentId ? first.id : tree.mainTip) ?? mainTip,
		removed: tree.removed.filter((removed) => removed !== id)
	};
}

/** Returns the head after a removal was undone: where it was before that, unless the user has gone on elsewhere since. */
export function restoredHead(headId: string, removal: Pick<Removal, 'headId' | 'parentId'>): string {
	return removal.headId !== null && headId === removal.parentId ? removal.headId : headId;
}
