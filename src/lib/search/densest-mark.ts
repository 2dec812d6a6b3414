import type { WordMark } from './marks';

/** Length of the window, in UTF-16 units from the beginning of its first word to that of its last: about a line, so that a snippet shows them all. */
const maxDistance = 96;

/**
 * Returns the index of the mark that a text is shown at: the first one in the window that has most different words of the query, and of
 * several such windows the earliest. Takes marks in order.
 */
export function densestMark(marks: readonly WordMark[]): number {
	/** The last mark of each word. */
	const last = new Map<number, number>();
	let [best, most] = [0, 0];
	for (const [index, [from, , words]] of marks.entries()) {
		for (let rest = words; rest !== 0; rest &= rest - 1) last.set(rest & -rest, index);
		const inWindow = [...last.values()].filter((at) => marks[at]![0] >= from - maxDistance);
		if (inWindow.length <= most) continue;
		most = inWindow.length;
		best = Math.min(...inWindow);
	}
	return best;
}
