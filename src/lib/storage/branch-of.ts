import { chainTo } from '../conversation/paths';
import { newestTip, type Place, type Tip, type Tree } from '../conversation/tree';
import type { Database } from './database';
import { Lineage } from './lineage';
import type { Position } from './tables/positions';

/** The branch that a message is on. Part of the running transaction. The message must not be a deleted one. */
export async function branchOf(db: Database, tree: Tree, place: Place): Promise<Tip> {
	const lineage = new Lineage(db, tree);
	await lineage.readBranches([place]);
	return lineage.branchOf(place);
}

/** The branches that a path runs through, with its share of each. */
export type Chain = ReturnType<typeof chainTo>;

/** The branches that the path to a message runs through. Part of the running transaction; the message must not be a deleted one. */
export async function chainOf(db: Database, tree: Tree, place: Place): Promise<Chain> {
	return chainTo(tree, (await branchOf(db, tree, place)).forkId, place.depth);
}

/** Tells whether the path of a chain runs through a message of the session; of a deleted one never. Part of the running transaction. */
export async function isInChain(db: Database, tree: Tree, chain: Chain, place: Place): Promise<boolean> {
	return (await inChain(db, tree, chain, [place])).length > 0;
}

/** The messages of the session that the path of a chain runs through. Part of the running transaction. */
export async function inChain<M extends Place>(db: Database, tree: Tree, chain: Chain, places: M[]): Promise<M[]> {
	const lineage = new Lineage(db, tree);
	const shareOf = ({ depth }: Place) => chain.find(({ from, to }) => from <= depth && depth <= to);
	const near = places.filter(shareOf);
	await lineage.readRemovals(near);
	const present = near.filter((place) => lineage.removalOf(place) === undefined);
	await lineage.readBranches(present);
	return present.filter((place) => lineage.branchOf(place).forkId === shareOf(place)!.tip.forkId);
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
	const lineage = new Lineage(db, tree);
	await lineage.readRemovals([place]);
	return lineage.removalOf(place);
}
