import type { Message } from './message';

/**
 * A branch, known by its last message (`id`, `depth`). It begins at `forkId`, the first message that it does not share
 * with an older branch, at depth `forkDepth`, and leaves the branch whose `forkId` is `fromId` there. Both are null for
 * the first branch, which begins at the root, and `fromId` is null for those that leave the first. So the message at
 * each depth from `forkDepth` to `depth` is this branch's own, and the branches together hold each message once.
 */
export interface Tip {
	id: string;
	depth: number;
	forkId: string | null;
	forkDepth: number;
	fromId: string | null;
}

/** The place of a message in its tree. */
export type Place = Pick<Message, 'id' | 'depth'>;

/**
 * One small row a session: an index over its messages, which can be rebuilt from them, and what the user said of
 * them. Its size grows with branches, not with messages. Nothing in it is of one device: where each is, its `Position` says.
 */
export interface Tree {
	sessionId: string;
	/** In the order in which the branches began. */
	tips: Tip[];
	/** By message id [Z9]. */
	labels: Record<string, string>;
	/** The last message of the branch that the user calls the main one, or null. */
	mainTip: string | null;
	/** The first messages of deleted branches whose rows are not gone yet; they count as absent. */
	removed: string[];
	/** Time at which a message was last redacted, in epoch milliseconds. */
	redactedAt?: number;
}

/**
 * The branch that a message makes longer, taken out of `tips` by their last messages, or that it begins, leaving the branch
 * `fromId`.
 */
export function grownTip(tips: Map<string, Tip>, { id, parentId, depth }: Place & { parentId: string }, fromId: string | null): Tip {
	const before = tips.get(parentId);
	tips.delete(parentId);
	return before ? { ...before, id, depth } : { id, depth, forkId: id, forkDepth: depth, fromId };
}

/** The newest of all branches: where the user is whose head is not known. */
export function newestTip({ tips }: Pick<Tree, 'tips'>): Tip {
	return tips.reduce((newest, tip) => (tip.id > newest.id ? tip : newest));
}

/** Branches in the order in which they began: the first one, then by the ids of their first messages. */
export function inOrder(tips: Tip[]): Tip[] {
	return tips.toSorted((a, b) => (a.forkId === null || (b.forkId !== null && a.forkId < b.forkId) ? -1 : 1));
}

/**
 * The tree row of a session's messages, rebuilt. It keeps what the user said of them in `before`, as far as it is
 * still true. Messages that no root leads to are left out; undefined if there is no root.
 */
export function rebuildTree(messages: Message[], before?: Tree): Tree | undefined {
	const byDepth = [...messages].sort((a, b) => a.depth - b.depth || (a.id < b.id ? -1 : 1));
	const removed = new Set(before?.removed);
	const placed = new Map<string, { forkId: string | null; depth: number }>();
	const tips = new Map<string, Tip>();
	for (const { id, parentId, depth } of byDepth) {
		const parent = parentId === null ? undefined : placed.get(parentId);
		const fits = parentId === null ? placed.size === 0 && depth === 0 : parent?.depth === depth - 1;
		if (removed.has(id) || !fits) continue;
		const first = { id, depth, forkId: null, forkDepth: depth, fromId: null };
		const tip = parentId === null ? first : grownTip(tips, { id, parentId, depth }, parent!.forkId);
		tips.set(id, tip);
		placed.set(id, { forkId: tip.forkId, depth });
	}
	if (tips.size === 0) return undefined;
	const ordered = inOrder([...tips.values()]);
	const main = before?.mainTip == null ? undefined : placed.get(before.mainTip);
	const present = new Set(messages.map(({ id }) => id));
	return {
		sessionId: messages[0]!.sessionId,
		tips: ordered,
		labels: Object.fromEntries(Object.entries(before?.labels ?? {}).filter(([id]) => present.has(id))),
		mainTip: main ? ordered.find(({ forkId }) => forkId === main.forkId)!.id : null,
		removed: before?.removed ?? [],
		...(before?.redactedAt === undefined ? {} : { redactedAt: before.redactedAt })
	};
}
