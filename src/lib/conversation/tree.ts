import type { Message } from './message';

/** A leaf of the tree. `forkId` is the message that this branch first does not share with an older one, or null. */
export interface Tip {
	id: string;
	depth: number;
	forkId: string | null;
}

/** One small row a session: where the person is, and the leaves. Its size grows with branches, not with messages. */
export interface Tree {
	sessionId: string;
	headId: string;
	tips: Tip[];
}

/**
 * The branch that ends in `tipId`, oldest first, taken from `messages` in any order. A message that is not among them
 * ends the walk: the result starts where the given rows start.
 */
export function pathTo(tipId: string, messages: Iterable<Message>): Message[] {
	const byId = new Map<string, Message>();
	for (const message of messages) byId.set(message.id, message);
	const path: Message[] = [];
	let next: string | null = tipId;
	while (next !== null) {
		const message = byId.get(next);
		if (!message) break;
		path.push(message);
		byId.delete(next);
		next = message.parentId;
	}
	return path.reverse();
}

/**
 * The tree row after `message` was added: it becomes the head, and a tip in its parent's place, or, where the parent
 * was no tip, a new branch that forks at the message itself.
 */
export function growTree(tree: Tree | undefined, message: Pick<Message, 'id' | 'sessionId' | 'parentId' | 'depth'>): Tree {
	const tips = tree?.tips ?? [];
	const { id, depth } = message;
	const parent = tips.findIndex((tip) => tip.id === message.parentId);
	const grown =
		parent >= 0
			? tips.with(parent, { id, depth, forkId: tips[parent]!.forkId })
			: [...tips, { id, depth, forkId: tips.length > 0 ? id : null }];
	return { sessionId: message.sessionId, headId: id, tips: grown };
}
