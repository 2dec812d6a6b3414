import { Dexie } from 'dexie';
import type { Boundary } from '../conversation/boundary';
import type { SessionContext } from './contexts';
import type { Path } from './path';

/** What the user decided about single messages. */
export type Decided = Pick<SessionContext, 'pins' | 'excludes'>;

/** The newest boundary that applies to a path and ends above its end. Part of the running transaction. */
export async function boundaryInForce(path: Path, decided: Decided): Promise<Boundary | undefined> {
	const { db, tree, end } = path;
	const range = db.boundaries.where('[sessionId+depth]').between([tree.sessionId, Dexie.minKey], [tree.sessionId, end.depth]);
	const suits = suitability(path, decided);
	// Ids are in the order of time. Mostly the newest applies, so that of many only one row is read.
	for (const id of (await range.primaryKeys()).sort().reverse()) {
		const boundary = await db.boundaries.get(id);
		if (boundary && (await endsOn(path, boundary)) && (await suits(boundary))) return boundary;
	}
	return undefined;
}

/**
 * Makes a function that says whether the summary of a boundary on this path tells of all that is not excluded now, and of
 * nothing that is: so excluding a message voids the summaries that tell it, and including it again brings them back. A pinned
 * message is sent by itself, whether or not it is told.
 */
export function suitability(path: Path, { pins, excludes }: Decided): (boundary: Boundary) => Promise<boolean> {
	const { db, tree } = path;
	const depths = new Map<string, number>();
	const wanted = new Set([...pins, ...excludes]);
	const depthOf = async (id: string): Promise<number> => {
		const known = depths.get(id);
		if (known !== undefined) return known;
		const message = await db.messages.where('id').equals(id).first();
		const isOnPath = message?.sessionId === tree.sessionId && message.role !== 'system' && (await path.runsThrough(message));
		depths.set(id, isOnPath ? message.depth : Infinity);
		return depths.get(id)!;
	};
	return async ({ depth, excluded }) => {
		if (!excluded.every((id) => wanted.has(id))) return false;
		for (const id of excludes) if (!excluded.includes(id) && (await depthOf(id)) <= depth) return false;
		return true;
	};
}

async function endsOn(path: Path, { upToId, depth }: Boundary): Promise<boolean> {
	await path.readTo(depth + 1);
	const below = path.read.find((message) => message.depth === depth + 1);
	if (below) return below.parentId === upToId;
	const last = await path.db.messages.where('id').equals(upToId).first();
	return last?.sessionId === path.tree.sessionId && last.depth === depth && path.runsThrough(last);
}
