import type { Message } from './message';
import { forksOf } from './paths';
import { grownTip, inOrder, type Tip, type Tree } from './tree';

/**
 * The tree row after `message` was added below a message of the branch `fromId`: it becomes the end of that branch where
 * its parent was, or else a branch of its own.
 */
export function growTree(
	tree: Tree | undefined,
	message: Pick<Message, 'id' | 'sessionId' | 'parentId' | 'depth'>,
	fromId: string | null
): Tree {
	const { id, depth, sessionId, parentId } = message;
	const { tips = [], mainTip = null, ...rest } = tree ?? { labels: {}, removed: [] };
	const parent = tips.findIndex((tip) => tip.id === parentId && tip.depth === depth - 1);
	const grown =
		parent >= 0
			? tips.with(parent, { ...tips[parent]!, id, depth })
			: [...tips, { id, depth, forkId: tips.length > 0 ? id : null, forkDepth: depth, fromId: tips.length > 0 ? fromId : null }];
	return { ...rest, sessionId, tips: grown, mainTip: parent >= 0 && mainTip === parentId ? id : mainTip };
}

/**
 * The tree row after `added` messages came from elsewhere, by depth. Each line of them is a branch of its own, also where it goes on
 * from the end of another: the main tip and the branches that were there stay. `messages` are those that were there.
 */
export function graftBranches(tree: Tree, messages: Message[], added: Message[]): Tree {
	const forkOf = forksOf(tree, messages);
	const grafts = new Map<string, Tip>();
	for (const { id, parentId, depth } of added) {
		const fromId = parentId === null ? undefined : forkOf.get(parentId);
		if (parentId === null || fromId === undefined) continue;
		const tip = grownTip(grafts, { id, parentId, depth }, fromId);
		grafts.set(id, tip);
		forkOf.set(id, tip.forkId);
	}
	return { ...tree, tips: inOrder([...tree.tips, ...grafts.values()]) };
}
