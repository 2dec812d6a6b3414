import { Dexie } from 'dexie';
import type { Boundary } from '../conversation/boundary';
import { Messages } from './messages';
import type { Path } from './path';
import type { SessionContext } from './tables/contexts';

/** The user's decisions about single messages. */
export type ContextChoices = Pick<SessionContext, 'pins' | 'excludes'>;

/** The newest boundary that applies to a path and ends above its end. Part of the running transaction. */
export async function boundaryInForce(path: Path, choices: ContextChoices): Promise<Boundary | undefined> {
	const { db, tree, end } = path;
	const range = db.boundaries.where('[sessionId+depth]').between([tree.sessionId, Dexie.minKey], [tree.sessionId, end.depth]);
	const suitable = suitability(path, choices);
	const newestOnPath = async (boundaries: Boundary[]) => {
		for (const boundary of await suitable(boundaries)) if (isOnRead(path, boundary) ?? (await endsOn(path, boundary))) return boundary;
		return undefined;
	};
	// Ids are in the order of time. Mostly the newest applies, so that of many only one row is read.
	const newestId = (await range.primaryKeys()).sort().at(-1);
	const newest = newestId === undefined ? undefined : await db.boundaries.get(newestId);
	if (!newest) return undefined;
	return (await newestOnPath([newest])) ?? newestOnPath((await range.sortBy('id')).slice(0, -1).reverse());
}

/**
 * Makes a function that picks the boundaries on this path whose summaries tell all that is not excluded now, and nothing
 * that is: so excluding a message voids the summaries that tell it, and including it again brings them back. A pinned message
 * is sent by itself, whether or not it is told.
 */
export function suitability(path: Path, { pins, excludes }: ContextChoices): (boundaries: Boundary[]) => Promise<Boundary[]> {
	const { db, tree } = path;
	const depths = new Map<string, number>();
	const wanted = new Set([...pins, ...excludes]);
	const readDepths = async (ids: string[]) => {
		for (const id of ids) depths.set(id, Infinity);
		const own = (await new Messages(db).getMany(ids)).filter(({ sessionId, role }) => sessionId === tree.sessionId && role !== 'system');
		for (const { id, depth } of await path.through(own)) depths.set(id, depth);
	};
	return async (boundaries) => {
		// A file may bring as many ids as there are messages, in each.
		const leftOut = new Map(boundaries.map((boundary) => [boundary, new Set(boundary.excluded)]));
		const isTold = (id: string) => boundaries.some((boundary) => !leftOut.get(boundary)!.has(id));
		await readDepths(excludes.filter((id) => !depths.has(id) && isTold(id)));
		return boundaries.filter(
			(boundary) => boundary.excluded.every((id) => wanted.has(id)) && excludes.every((id) => leftOut.get(boundary)!.has(id) || depths.get(id)! > boundary.depth)
		);
	};
}

/** Tells whether a boundary ends on the path, as far as what was read of that tells: a long chain of promises without a read would end the transaction. */
function isOnRead({ from, read }: Path, { upToId, depth }: Boundary): boolean | undefined {
	return from > depth + 1 ? undefined : read.find((message) => message.depth === depth + 1)?.parentId === upToId;
}

async function endsOn(path: Path, boundary: Boundary): Promise<boolean> {
	const { upToId, depth } = boundary;
	await path.readTo(depth + 1);
	const known = isOnRead(path, boundary);
	if (known !== undefined) return known;
	const last = await path.db.messages.where('id').equals(upToId).first();
	return last?.sessionId === path.tree.sessionId && last.depth === depth && path.runsThrough(last);
}
