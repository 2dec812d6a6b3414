import type { Message } from '../conversation/message';
import { isCalled, joinedTree, nodesOf, outlineOf, type Outline } from '../conversation/outline';
import { newestTip, type Tree } from '../conversation/tree';
import { isRemoved } from './branch-of';
import type { Database } from './database';
import { Lineage } from './lineage';
import { Messages } from './messages';

/** A branch of at most so many messages is read whole. */
const readWhole = 400;

/** Number of depths of a longer branch that are read at its beginning and at its end, and to each side of what must show. */
const atEnds = 100;
const around = 2;

/** Number of depths that are read at a time on the way down an exchange. */
const stride = 16;

/**
 * The tree of a session as nodes [Z9]; undefined where there is no session. It reads short branches whole, and of long ones
 * the beginning, the end, what is around forks, labels and the head, and the depths in `opened`, first and last of each
 * stretch; the rest is told as gaps.
 */
export function outline(db: Database, sessionId: string, opened: [from: number, to: number][] = []): Promise<Outline | undefined> {
	return db.transaction('r', db.trees, db.positions, db.messages, async () => {
		const tree = await db.trees.get(sessionId);
		return tree && draw(db, tree, opened);
	});
}

/**
 * The message that `text` names, to go on from it: `n12` is the end of the newest answer to that send, or the send where
 * it has none; `n12.2` the end of the second answer; anything else a message's id, or a label in any case. Undefined for
 * what is not there or was deleted.
 */
export function resolveNode(db: Database, sessionId: string, text: string): Promise<Message | undefined> {
	return db.transaction('r', db.trees, db.positions, db.messages, async () => {
		const tree = await db.trees.get(sessionId);
		const name = text.trim().toLowerCase();
		if (!tree) return undefined;
		const [, n, answer] = /^n(\d+)(?:\.(\d+))?$/.exec(name) ?? [];
		if (n !== undefined && answer === undefined) {
			const send = await living(db, tree, (await new Messages(db).sends(sessionId))[Number(n)]);
			return send && endBelow(db, tree, send);
		}
		if (n !== undefined) {
			const node = nodesOf(await draw(db, tree)).find((node) => isCalled(node, name));
			return living(db, tree, node?.endId);
		}
		const labelled = Object.keys(tree.labels).filter((id) => tree.labels[id]!.toLowerCase() === name);
		for (const id of [name, ...labelled]) {
			const message = await living(db, tree, id);
			if (message) return message;
		}
		return undefined;
	});
}

async function draw(db: Database, row: Tree, opened: [from: number, to: number][] = []): Promise<Outline> {
	const messages = new Messages(db);
	const tree = joinedTree(row);
	const { headId } = (await db.positions.get(tree.sessionId)) ?? { headId: newestTip(row).id };
	const sends = await messages.sends(tree.sessionId);
	const marked = await markedMessages(db, tree, headId);
	const known = await farBranches(db, tree, marked);

	const deepest = tree.tips.reduce((most, { depth }) => Math.max(most, depth), 0);
	const read = new Set<number>();
	let rows: Message[] = [];
	let wanted = [...firstDepths(tree, marked), ...opened.flatMap(([from, to]) => depthsFrom(from, to))];
	for (let margin = around * 4; ; margin *= 4) {
		const depths = [...new Set(wanted)].filter((depth) => depth >= 0 && depth <= deepest && !read.has(depth));
		const stretches = stretchesOf(depths.sort((a, b) => a - b));
		rows = rows.concat(...(await Promise.all(stretches.map(([from, to]) => messages.range(tree.sessionId, from, to)))));
		for (const depth of depths) read.add(depth);
		const { outline, missing } = outlineOf({ tree, headId, messages: rows, sends, known });
		if (missing.length === 0 || read.size > deepest) return outline;
		wanted = missing.flatMap((depth) => depthsFrom(depth - margin, depth + margin));
	}
}

/** The labelled messages, and the head, where the tree row does not tell where they are. */
async function markedMessages(db: Database, { sessionId, labels, tips }: Tree, headId: string): Promise<Message[]> {
	const ends = new Set(tips.map(({ id }) => id));
	const ids = [headId, ...Object.keys(labels)].filter((id) => !ends.has(id));
	if (ids.length === 0) return [];
	return (await new Messages(db).getMany(ids)).filter((message) => message.sessionId === sessionId);
}

/** The branches of messages, by `forkId`, that a branch which is not read whole may have: one that is tells its messages by itself. */
async function farBranches(db: Database, tree: Tree, messages: Message[]): Promise<Map<string, string | null>> {
	const long = tree.tips.filter((tip) => !isShort(tip));
	const far = messages.filter(({ depth }) => long.some((tip) => tip.forkDepth <= depth && depth <= tip.depth));
	const lineage = new Lineage(db, tree);
	await lineage.readRemovals(far);
	const present = far.filter((message) => lineage.removalOf(message) === undefined);
	await lineage.readBranches(present);
	return new Map(present.map((message) => [message.id, lineage.branchOf(message).forkId]));
}

function firstDepths({ tips }: Tree, marked: Message[]): number[] {
	return [
		...tips.flatMap((tip) => {
			const { forkDepth, depth } = tip;
			if (isShort(tip)) return depthsFrom(forkDepth, depth);
			return [...depthsFrom(forkDepth, forkDepth + atEnds - 1), ...depthsFrom(depth - atEnds + 1, depth)];
		}),
		...tips.filter(({ forkId }) => forkId !== null).flatMap((tip) => depthsFrom(tip.forkDepth - 1 - around, tip.forkDepth - 1 + around)),
		...marked.flatMap(({ depth }) => depthsFrom(depth - around, depth + around))
	];
}

function isShort({ forkDepth, depth }: { forkDepth: number; depth: number }): boolean {
	return depth - forkDepth < readWhole;
}

function depthsFrom(first: number, last: number): number[] {
	return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Depths in order as stretches without holes: the first and last of each. */
function stretchesOf(depths: number[]): [from: number, to: number][] {
	const stretches: [from: number, to: number][] = [];
	for (const depth of depths) {
		const last = stretches.at(-1);
		if (last?.[1] === depth - 1) last[1] = depth;
		else stretches.push([depth, depth]);
	}
	return stretches;
}

/** The last message of an exchange: down from its first, by the newest answer, to what was sent next. */
async function endBelow(db: Database, tree: Tree, first: Message): Promise<Message> {
	let end = first;
	for (;;) {
		const from = end.depth;
		const rows = await new Messages(db).range(tree.sessionId, from + 1, from + stride);
		const below = ({ id }: Message) =>
			rows
				.filter((row) => row.parentId === id && (row.role === 'assistant' || row.role === 'tool') && !tree.removed.includes(row.id))
				.reduce<Message | undefined>((newest, row) => (newest && newest.id > row.id ? newest : row), undefined);
		for (let next = below(end); next; next = below(next)) end = next;
		if (end.depth < from + stride) return end;
	}
}

/** The message with that id, if it is in this session and was not deleted. */
async function living(db: Database, tree: Tree, id: string | undefined): Promise<Message | undefined> {
	const message = id === undefined ? undefined : await new Messages(db).get(id);
	return message?.sessionId === tree.sessionId && !(await isRemoved(db, tree, message)) ? message : undefined;
}
