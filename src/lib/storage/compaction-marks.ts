import type { Boundary } from '../conversation/boundary';
import { boundaryInForce, suitability } from './boundary-in-force';
import { endOf } from './branch-of';
import type { Database } from './database';
import { Path } from './path';

/**
 * A compaction where it ends among messages. `used`: it applies to what follows it; `replaced`: a later one stands in its place;
 * `void`: its summary tells of something that is excluded now, or leaves out something that is not.
 */
export interface CompactionMark {
	boundary: Boundary;
	state: 'used' | 'replaced' | 'void';
}

/** The depths of a stretch of a path, both included, and the end of the path where that is not the head. */
export interface MarkedRange {
	from: number;
	to: number;
	at?: string | undefined;
}

/**
 * The compactions that end within a stretch of a path, and beside it on other branches, in the order in which they were made.
 * Reads no others but the one in force, so that it does not matter how many there are. Rows only, so that a live query can follow it.
 */
export function compactionMarks(db: Database, sessionId: string, { from, to, at }: MarkedRange): Promise<CompactionMark[]> {
	const { trees, positions, messages, boundaries, contexts } = db;
	return db.transaction('r', [trees, positions, messages, boundaries, contexts], async () => {
		const found = await boundaries.where('[sessionId+depth]').between([sessionId, from], [sessionId, to], true, true).sortBy('id');
		const tree = found.length > 0 ? await trees.get(sessionId) : undefined;
		if (!tree) return [];
		const end = await endOf(db, tree, await positions.get(sessionId), at);
		const decided = (await contexts.get(sessionId)) ?? { pins: [], excludes: [] };
		const path = new Path(db, tree, end);
		const inForce = await boundaryInForce(path, decided);
		const suitable = await suitability(path, decided)(found);
		return found.map((boundary) => {
			// What was made later and is not in force ends at the end of the path, or does not suit.
			const isLater = inForce === undefined || boundary.id >= inForce.id;
			return { boundary, state: !isLater ? 'replaced' : suitable.includes(boundary) ? 'used' : 'void' };
		});
	});
}
