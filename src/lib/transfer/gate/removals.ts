import type { Message } from '../../conversation/message';
import type { Tip } from '../../conversation/tree';
import type { TrashItem } from '../../storage/tables/trash';
import { unfinishedIn } from '../../storage/trashed-answers';

/** Tells whether an erased text is of a message that is there. */
export function isOfMarker({ message: { id, parentId, depth } }: TrashItem & { kind: 'redaction' }, all: ReadonlyMap<string, Message>): boolean {
	const marker = all.get(id);
	return marker !== undefined && marker.parentId === parentId && marker.depth === depth;
}

interface Removals {
	all: ReadonlyMap<string, Message>;
	/** The first messages of the branches that are deleted. */
	removed: ReadonlySet<string>;
	/** Tells whether a message is another, or is below it. */
	isBelow: (id: string, aboveId: string) => boolean;
	/** The branch of each message that was gone through already: it was deleted with one branch only. */
	branchOf: Map<string, string | null>;
}

/** Tells whether a deleted branch is of the messages that are there. */
export function isOfBranch(item: TrashItem & { kind: 'branch' }, removals: Removals): boolean {
	const { removal } = item;
	const { all, removed, isBelow } = removals;
	const { id, parentId, tips, headId, mainTip } = removal;
	const begins = all.get(id);
	if (!begins || begins.parentId !== parentId || !removed.has(id)) return false;
	if (tips[0].forkId !== id || tips[0].forkDepth !== begins.depth) return false;
	const named = [headId, mainTip, ...unfinishedIn(item).map((answer) => answer.parentId)];
	return named.every((one) => one === null || isBelow(one, id)) && areBranches(tips, id, removals);
}

/** Tells whether each branch has its messages, from its last up to the one that it begins at, to itself, all of them below `id`, and leaves one before it. */
function areBranches(tips: Tip[], id: string, { all, isBelow, branchOf }: Removals): boolean {
	return tips.every(({ id: tipId, depth, forkId, forkDepth, fromId }, index) => {
		let next: string | null = tipId;
		for (let at = depth; next !== null && isBelow(next, id) && !branchOf.has(next); at--) {
			const message = all.get(next);
			if (message?.depth !== at) return false;
			branchOf.set(next, forkId);
			next = message.parentId;
			if (at === forkDepth) return message.id === forkId && (index === 0 || (next !== null && branchOf.get(next) === fromId));
		}
		return false;
	});
}

/** Makes a function that tells whether a message is another, or is below it, by when a walk from the roots enters and leaves each. */
export function descentOf(messages: Message[]): Removals['isBelow'] {
	const children = new Map<string | null, string[]>();
	for (const { id, parentId } of messages) {
		const siblings = children.get(parentId);
		if (siblings) siblings.push(id);
		else children.set(parentId, [id]);
	}
	const entered = new Map<string, number>();
	const left = new Map<string, number>();
	const waiting = [...(children.get(null) ?? [])];
	for (let step = 0; waiting.length > 0; step++) {
		const id = waiting.at(-1)!;
		if (entered.has(id)) {
			if (!left.has(id)) left.set(id, step);
			waiting.pop();
		} else {
			entered.set(id, step);
			for (const child of children.get(id) ?? []) waiting.push(child);
		}
	}
	return (id, aboveId) => {
		const [at, from, to] = [entered.get(id), entered.get(aboveId), left.get(aboveId)];
		return at !== undefined && from !== undefined && to !== undefined && from <= at && at < to;
	};
}
