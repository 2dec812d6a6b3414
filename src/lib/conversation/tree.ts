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

/** The length of the longest label, in UTF-16 units. */
export const maxLabel = 80;

/**
 * The branch that ends in `tipId`, oldest first, taken from `messages` in any order. A message that is not among them
 * ends the walk: the result starts where the given rows start.
 */
export function pathTo<M extends Pick<Message, 'id' | 'parentId'>>(tipId: string, messages: Iterable<M>): M[] {
	return takePath(tipId, new Map(Array.from(messages, (message) => [message.id, message])));
}

/** The same, taken out of `messages` by their ids: what is left begins where this path or another leaves it. */
export function takePath<M extends Pick<Message, 'id' | 'parentId'>>(tipId: string, messages: Map<string, M>): M[] {
	const path: M[] = [];
	let next: string | null = tipId;
	while (next !== null) {
		const message = messages.get(next);
		if (!message) break;
		path.push(message);
		messages.delete(next);
		next = message.parentId;
	}
	return path.reverse();
}

/** The branch that begins at `forkId`; the first one for null. */
export function branchAt(tree: Tree, forkId: string | null): Tip | undefined {
	return tree.tips.find((tip) => tip.forkId === forkId);
}

/**
 * The branches that the path to a message of the branch `forkId` at `depth` runs through, the message's own first. Each
 * with the depths that are its share of the path, both included.
 */
export function chainTo(tree: Tree, forkId: string | null, depth: number): { tip: Tip; from: number; to: number }[] {
	const chain: { tip: Tip; from: number; to: number }[] = [];
	let to = depth;
	// Each branch begins above the one that leaves it: a row that says otherwise must not be followed for ever.
	for (let tip = branchAt(tree, forkId); tip && tip.forkDepth <= to; tip = tip.forkId === null ? undefined : branchAt(tree, tip.fromId)) {
		chain.push({ tip, from: tip.forkDepth, to });
		to = tip.forkDepth - 1;
	}
	return chain;
}

/**
 * The path of a chain downwards through `messages`, from the message `startId` on: at a fork it takes the branch that the
 * chain takes, everywhere else the message that the branch went on with. It ends where the given rows or the chain end.
 */
export function pathDown(startId: string, chain: ReturnType<typeof chainTo>, tree: Tree, messages: Message[]): Message[] {
	const children = new Map<string | null, Message[]>();
	for (const message of messages) {
		const siblings = children.get(message.parentId);
		if (siblings) siblings.push(message);
		else children.set(message.parentId, [message]);
	}
	const taken = new Set(chain.map(({ tip }) => tip.forkId));
	const forks = new Set(tree.tips.map((tip) => tip.forkId));
	const end = chain[0]?.to ?? -1;
	const path: Message[] = [];
	let next = messages.find(({ id }) => id === startId);
	while (next && next.depth <= end) {
		path.push(next);
		const below = (children.get(next.id) ?? []).filter(({ id }) => !tree.removed.includes(id));
		next = below.find(({ id }) => taken.has(id)) ?? below.find(({ id }) => !forks.has(id));
	}
	return path;
}

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

/**
 * The branch that a message makes longer, taken out of `tips` by their last messages, or that it begins, leaving the branch
 * `fromId`.
 */
function grownTip(tips: Map<string, Tip>, { id, parentId, depth }: Place & { parentId: string }, fromId: string | null): Tip {
	const before = tips.get(parentId);
	tips.delete(parentId);
	return before ? { ...before, id, depth } : { id, depth, forkId: id, forkDepth: depth, fromId };
}

/** The branch of each message that is in one, by its `forkId`. */
function forksOf({ tips }: Tree, messages: Message[]): Map<string, string | null> {
	const parents = new Map(messages.map(({ id, parentId }) => [id, parentId]));
	const forks = new Map<string, string | null>();
	for (const { id, depth, forkId, forkDepth } of tips) {
		let next: string | null | undefined = id;
		for (let at = depth; next != null && at >= forkDepth; at--) {
			forks.set(next, forkId);
			next = parents.get(next);
		}
	}
	return forks;
}

/** The newest of the branches that run through the message of branch `forkId` at `depth`: where stepping to it leads. */
export function newestTipThrough(tree: Tree, forkId: string | null, depth: number): Tip | undefined {
	const own = branchAt(tree, forkId);
	if (!own) return undefined;
	const below = tree.tips
		.filter((tip) => tip.forkId !== null && tip.fromId === forkId && tip.forkDepth > depth)
		.map((tip) => newestTipThrough(tree, tip.forkId, tip.forkDepth)!);
	return [...(isLeaf(own, tree) ? [own] : []), ...below].reduce((newest, tip) => (tip.id > newest.id ? tip : newest));
}

/** The newest of all branches: where the user is whose head is not known. */
export function newestTip({ tips }: Pick<Tree, 'tips'>): Tip {
	return tips.reduce((newest, tip) => (tip.id > newest.id ? tip : newest));
}

/** The head, where that is a message of one of the branches, or else the end of the newest. */
export function headIn(tree: Tree, messages: Message[], headId: string | undefined): string {
	return headId !== undefined && forksOf(tree, messages).has(headId) ? headId : newestTip(tree).id;
}

/** The ids of messages that nothing follows. */
export function leavesOf(tree: Tree): string[] {
	return tree.tips.filter((tip) => isLeaf(tip, tree)).map(({ id }) => id);
}

/** Tells whether nothing follows a branch's last message. A deletion may have cut the branch where others leave it. */
function isLeaf({ forkId, depth }: Tip, tree: Tree): boolean {
	return !tree.tips.some((tip) => tip.forkId !== null && tip.fromId === forkId && tip.forkDepth === depth + 1);
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

/** The messages that were not deleted: those that no removed message leads to, in the order given. */
export function withoutRemoved(tree: Tree | undefined, messages: Message[]): Message[] {
	if (!tree || tree.removed.length === 0) return messages;
	const absent = new Set(tree.removed);
	for (const { id, parentId } of [...messages].sort((a, b) => a.depth - b.depth)) {
		if (parentId !== null && absent.has(parentId)) absent.add(id);
	}
	return messages.filter(({ id }) => !absent.has(id));
}
