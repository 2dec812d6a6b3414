/** The inside of a character class, for the flag `u`: what is laid out each by itself, and what parts others. */
const apart = '\\p{Z}\\p{Cc}\\p{N}\\p{P}\\p{S}\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';

/** Runs of characters that may join their neighbours. */
const joined = new RegExp(`[^${apart}]+`, 'gu');

/** The longest of them that costs nothing to speak of, in UTF-16 units. */
const short = 64;

/** The cost of a character that has no look of its own, such as a joiner. */
const formatCost = 2000;

/**
 * Returns the cost of those characters of a text that may join the one before them, as marks, vowel signs and stacked letters do: a run of them can be one
 * character all along, and laying it out takes a time that grows with the square of its length. `end` is where the cost would pass `maxCost`, or the end of the text.
 */
export function joinedCost(text: string, maxCost: number): { cost: number; end: number } {
	let cost = 0;
	for (const { index, 0: run } of text.matchAll(joined)) {
		const own = run.length > short ? run.length ** 2 : formatCost * (run.match(/\p{Cf}/gu)?.length ?? 0);
		if (cost + own > maxCost) return { cost, end: index };
		cost += own;
	}
	return { cost, end: text.length };
}
