import type { Message } from './message';
import { newestTip, type Tip, type Tree } from './tree';

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

/** The newest of the branches that run through the message of branch `forkId` at `depth`: where stepping to it leads. */
export function newestTipThrough(tree: Tree, forkId: string | null, depth: number): Tip | undefined {
	return newestTips(tree)(forkId, depth);
}

/**
 * Makes a `newestTipThrough` of one tree that goes through all branches once. A branch may leave one that leaves one, and so on for as many
 * as there are.
 */
export function newestTips({ tips }: Tree): (forkId: string | null, depth: number) => Tip | undefined {
	const own = new Map(tips.map((tip) => [tip.forkId, tip]));
	const leaving = new Map<string | null, Tip[]>();
	for (const tip of tips) {
		if (tip.forkId === null) continue;
		const others = leaving.get(tip.fromId);
		if (others) others.push(tip);
		else leaving.set(tip.fromId, [tip]);
	}
	/** The newest end of each branch and of those that leave it. */
	const newest = new Map<string | null, Tip>();
	const through = (forkId: string | null, depth: number) => {
		const tip = own.get(forkId);
		if (!tip) return undefined;
		const below = (leaving.get(forkId) ?? []).filter(({ forkDepth }) => forkDepth > depth);
		// A deletion may have cut the branch where others leave it: then it ends in none of its own.
		const isLeaf = !below.some(({ forkDepth }) => forkDepth === tip.depth + 1);
		const ends = [...(isLeaf ? [tip] : []), ...below.map((branch) => newest.get(branch.forkId) ?? branch)];
		return ends.reduce((newest, tip) => (tip.id > newest.id ? tip : newest));
	};
	// A branch begins below the one that it leaves, so those below are known when it is its turn.
	for (const { forkId, forkDepth } of tips.toSorted((a, b) => b.forkDepth - a.forkDepth)) newest.set(forkId, through(forkId, forkDepth - 1)!);
	return through;
}

/** The ids of the versions of one message in the order in which they are counted: that of their beginning. */
export function versionsInOrder(versions: string[]): string[] {
	return versions.toSorted();
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

/** The branch of each message that is in one, by its `forkId`. */
export function forksOf({ tips }: Tree, messages: Message[]): Map<string, string | null> {
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

/** The head, where that is a message of one of the branches, or else the end of the newest. */
export function headIn(tree: Tree, messages: Message[], headId: string | undefined): string {
	return headId !== undefined && forksOf(tree, messages).has(headId) ? headId : newestTip(tree).id;
}
