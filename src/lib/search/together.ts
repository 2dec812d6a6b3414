import type { WordMark } from './marks';

/** The most UTF-16 units between the beginnings of words that stand together: about a line, so that a snippet shows them all. */
const near = 96;

/**
 * Index of the mark that a text is shown at: the first of those where most different words of the query stand together, and of
 * several such places the earliest. Takes marks in order.
 */
export function mostTogether(marks: readonly WordMark[]): number {
	/** By word, its mark that was met last. */
	const last = new Map<number, number>();
	let [best, most] = [0, 0];
	for (const [index, [from, , words]] of marks.entries()) {
		for (let rest = words; rest !== 0; rest &= rest - 1) last.set(rest & -rest, index);
		const together = [...last.values()].filter((at) => marks[at]![0] >= from - near);
		if (together.length <= most) continue;
		most = together.length;
		best = Math.min(...together);
	}
	return best;
}
