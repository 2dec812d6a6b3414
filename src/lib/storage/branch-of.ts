import { Dexie } from 'dexie';
import type { Message } from '../conversation/message';
import { chainTo } from '../conversation/paths';
import { newestTip, type Place, type Tip, type Tree } from '../conversation/tree';
import type { Database } from './database';
import type { Position } from './tables/positions';

/** Number of depths that are read at a time on the way up. */
const stride = 200;

/**
 * The branch that a message is on. Mostly the tree row alone tells; where several branches have a message at that
 * depth, the parents are followed up to where only one of them can be it. Part of the running transaction. The message must
 * not be a deleted one.
 */
export async function branchOf(db: Database, tree: Tree, place: Place): Promise<Tip> {
	let left = tree.tips.filter((tip) => tip.forkDepth <= place.depth && place.depth <= tip.depth);
	let rows = new Map<string, Message>();
	let { id, depth } = place;
	for (;;) {
		const own = left.find((tip) => tip.forkId === id || tip.id === id);
		if (own) return own;
		// Another branch that begins at this depth begins with another message.
		left = left.filter((tip) => tip.forkId === null || tip.forkDepth < depth);
		if (left.length === 1) return left[0]!;
		if (!rows.has(id)) rows = await rowsEndingAt(db, tree.sessionId, depth);
		const parentId = rows.get(id)?.parentId;
		if (left.length === 0 || parentId == null) throw new Error(`a message in no branch of its session: ${place.id}`);
		id = parentId;
		depth--;
	}
}

/** The branches that a path runs through, with its share of each. */
export type Chain = ReturnType<typeof chainTo>;

/** The branches that the path to a message runs through. Part of the running transaction; the message must not be a deleted one. */
export async function chainOf(db: Database, tree: Tree, place: Place): Promise<Chain> {
	return chainTo(tree, (await branchOf(db, tree, place)).forkId, place.depth);
}

/** Tells whether the path of a chain runs through a message of the session, also a deleted one. Part of the running transaction. */
export async function isInChain(db: Database, tree: Tree, chain: Chain, place: Place): Promise<boolean> {
	const share = chain.find(({ from, to }) => from <= place.depth && place.depth <= to);
	if (!share || (await isRemoved(db, tree, place))) return false;
	return (await branchOf(db, tree, place)).forkId === share.tip.forkId;
}

/** The message where the user is, or the end of the newest branch where that is not there. Part of the running transaction. */
export async function headOf(db: Database, tree: Tree, position: Position | undefined): Promise<Place> {
	const tip = position ? tree.tips.find((tip) => tip.id === position.headId) : newestTip(tree);
	if (tip) return tip;
	const message = await db.messages.where('id').equals(position!.headId).first();
	return message?.sessionId === tree.sessionId && !(await isRemoved(db, tree, message)) ? message : newestTip(tree);
}

/** The last message of the path to the head, or to `at` if that is a message of the session, and not deleted. Part of the running transaction. */
export async function endOf(db: Database, tree: Tree, position: Position | undefined, at?: string): Promise<Place> {
	const wanted = at === undefined ? undefined : await db.messages.where('id').equals(at).first();
	if (wanted?.sessionId === tree.sessionId && !(await isRemoved(db, tree, wanted))) return wanted;
	return headOf(db, tree, position);
}

/** Tells whether a message was deleted, or one that it follows. Part of the running transaction. */
export async function isRemoved(db: Database, tree: Tree, place: Place): Promise<boolean> {
	return (await removedAbove(db, tree, place)) !== undefined;
}

/** The first message of the deletion that took a message; undefined if it was not deleted. Part of the running transaction. */
export async function removedAbove(db: Database, tree: Tree, place: Place): Promise<string | undefined> {
	if (tree.removed.length === 0) return undefined;
	let rows = new Map<string, Message>();
	let { id, depth } = place;
	for (;;) {
		if (tree.removed.includes(id)) return id;
		if (!rows.has(id)) rows = await rowsEndingAt(db, tree.sessionId, depth);
		const parentId = rows.get(id)?.parentId;
		if (parentId == null) return undefined;
		id = parentId;
		depth--;
	}
}

async function rowsEndingAt(db: Database, sessionId: string, depth: number): Promise<Map<string, Message>> {
	const rows = await db.messages
		.where(':id')
		.between([sessionId, depth - stride + 1, Dexie.minKey], [sessionId, depth, Dexie.maxKey])
		.toArray();
	return new Map(rows.map((row) => [row.id, row]));
}
