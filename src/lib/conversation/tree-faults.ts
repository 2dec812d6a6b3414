import type { Message } from './message';
import { withoutRemoved } from './paths';
import type { Tip, Tree } from './tree';

/**
 * Lists what is wrong with a tree row and the messages that it indexes, as sentences; none if it is valid: one root, no orphan,
 * each depth its parent's plus one, and each message that was not deleted in exactly one branch. `headId` is to be one of these.
 */
export function faultsOf(tree: Tree, messages: Message[], headId?: string): string[] {
	const faults: string[] = [];
	const living = withoutRemoved(tree, messages);
	const byId = new Map(living.map((message) => [message.id, message]));
	const roots = living.filter(({ parentId }) => parentId === null);
	if (roots.length !== 1) faults.push(`It has ${roots.length} roots.`);
	for (const { id, parentId, depth } of living) {
		const parent = parentId === null ? undefined : byId.get(parentId);
		if (parentId !== null && !parent) faults.push(`Message ${id} follows ${parentId}, which is not there.`);
		else if (depth !== (parent ? parent.depth + 1 : 0)) faults.push(`Message ${id} is at depth ${depth}.`);
	}

	const branchOf = new Map<string, string | null>();
	const beginnings: [Tip, Message][] = [];
	for (const tip of tree.tips) {
		let message = byId.get(tip.id);
		for (let depth = tip.depth; ; depth--) {
			if (!message || message.depth !== depth || branchOf.has(message.id)) {
				faults.push(`The branch to ${tip.id} has no message of its own at depth ${depth}.`);
				break;
			}
			branchOf.set(message.id, tip.forkId);
			if (depth <= tip.forkDepth) {
				beginnings.push([tip, message]);
				break;
			}
			message = message.parentId === null ? undefined : byId.get(message.parentId);
		}
	}
	for (const [{ id, forkId, fromId }, first] of beginnings) {
		if (forkId === null ? first.parentId !== null : first.id !== forkId) faults.push(`The branch to ${id} begins at ${first.id}.`);
		const leaves = first.parentId === null ? null : branchOf.get(first.parentId);
		if (leaves !== fromId) faults.push(`The branch to ${id} does not leave the branch ${fromId}.`);
	}
	for (const { id } of living) if (!branchOf.has(id)) faults.push(`Message ${id} is in no branch.`);
	if (headId !== undefined && !byId.has(headId)) faults.push(`The head ${headId} is not there.`);
	if (tree.mainTip !== null && !tree.tips.some(({ id }) => id === tree.mainTip)) faults.push(`The main tip ${tree.mainTip} ends no branch.`);
	return faults;
}
