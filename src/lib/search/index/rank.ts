import type { Matches } from './evaluate';
import type { CountedSource } from './source';

/** `place` is by depth in the session, for a search in one. */
export type SearchOrder = 'best' | 'newest' | 'place';

/**
 * The first `count` matches, as indexes into them: best first (of equal ones the newest), newest first, or by depth in their tree.
 */
export function rank(matches: Matches, sources: readonly CountedSource[], order: SearchOrder, count: number): number[] {
	const created = (i: number) => sources[matches.sources[i]!]!.source.columns.createdAt[matches.documents[i]!]!;
	// Documents of one source are numbered in the order of their keys, which is that of writing.
	const later = (a: number, b: number) =>
		created(b) - created(a) || matches.sources[b]! - matches.sources[a]! || matches.documents[b]! - matches.documents[a]!;
	const depth = (i: number) => sources[matches.sources[i]!]!.source.columns.depth[matches.documents[i]!]!;
	const compare =
		order === 'best'
			? (a: number, b: number) => matches.scores[b]! - matches.scores[a]! || later(a, b)
			: order === 'newest'
				? later
				: (a: number, b: number) => depth(a) - depth(b) || later(b, a);
	return topK(matches.length, count, compare);
}

/** Returns the first `count` of the numbers below `length`, in order. Reads each once; what is kept is a heap with the last one on top. */
function topK(length: number, count: number, compare: (a: number, b: number) => number): number[] {
	if (count >= length) return Array.from({ length }, (_, i) => i).sort(compare);
	const heap = Array.from({ length: count }, (_, i) => i).sort((a, b) => compare(b, a));
	for (let i = count; i < length && count > 0; i++) {
		if (compare(i, heap[0]!) >= 0) continue;
		heap[0] = i;
		siftDown(heap, compare);
	}
	return heap.sort(compare);
}

function siftDown(heap: number[], compare: (a: number, b: number) => number): void {
	for (let at = 0; ; ) {
		let last = at;
		for (const child of [2 * at + 1, 2 * at + 2]) if (child < heap.length && compare(heap[child]!, heap[last]!) > 0) last = child;
		if (last === at) return;
		[heap[at], heap[last]] = [heap[last]!, heap[at]!];
		at = last;
	}
}
