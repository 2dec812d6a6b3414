import type { Boundary } from './boundary';
import type { Message } from './message';

/** A compaction where it ends among messages, and whether a later one stands in its place on their path. */
export interface CompactionMark {
	boundary: Boundary;
	replaced: boolean;
}

/**
 * The compactions that end within a stretch of a path, by the message after which they are drawn, oldest first. Of those
 * on the path the newest is in force, also where it ends above or below the stretch; `reachesEnd` says that nothing of
 * the path is below.
 */
export function compactionMarks(
	stretch: Pick<Message, 'id'>[],
	boundaries: readonly Boundary[],
	{ reachesEnd }: { reachesEnd: boolean }
): Map<string, CompactionMark[]> {
	const ids = new Set(stretch.map(({ id }) => id));
	const within = boundaries.filter(({ upToId }) => ids.has(upToId)).sort(byAge);
	if (within.length === 0) return new Map();
	// What a compaction covers is a path: it tells of two whether one runs through the end of the other.
	const lastId = stretch.at(-1)!.id;
	const isAbove = (other: Boundary) => within[0]!.coveredIds.includes(other.upToId);
	const isBelow = (other: Boundary) => !reachesEnd && other.coveredIds.includes(lastId);
	const newest = boundaries.filter((other) => ids.has(other.upToId) || isAbove(other) || isBelow(other)).sort(byAge).at(-1);
	const marks = new Map<string, CompactionMark[]>();
	for (const boundary of within) {
		const before = marks.get(boundary.upToId) ?? [];
		marks.set(boundary.upToId, [...before, { boundary, replaced: boundary !== newest }]);
	}
	return marks;
}

function byAge(a: Boundary, b: Boundary): number {
	return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}
