/** The inside of a character class, for the flag `u`: characters that are laid out each by itself, by fonts that are at hand. */
const plain = '\\p{Z}\\p{Cc}\\p{N}\\p{P}\\p{Sc}\\p{Sm}\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';

/** Runs of other characters, which may join their neighbours. */
const others = new RegExp(`[^${plain}]+`, 'gu');

/** Marks, and vowel signs that are laid out as marks though they are letters. */
const marks = /[\p{M}\u0e33\u0eb3]/gu;

/** Characters that choose another look for the one before them, or have none of their own. */
const selectors = /[\p{Me}\p{Cf}\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

/** The costs beside a plain character's, which is 1: as measured, rather more. */
const [otherCost, markCost, selectorCost] = [4, 16, 36];

/** The longest run that is no more than its characters, in UTF-16 units. */
const shortRun = 64;
/** A longer one can be one character all along, which takes a time that grows with the square of its length: that square is divided by this. */
const runDivisor = 200;

/**
 * Returns what laying out a text costs, in plain characters. `end` is where the cost would pass `maxCost`, or the end of the text; the cost is that
 * of what is before it.
 */
export function layoutCost(text: string, maxCost: number): { cost: number; end: number } {
	let cost = 0;
	let at = 0;
	for (const { index, 0: run } of text.matchAll(others)) {
		const before = index - at;
		if (cost + before > maxCost) break;
		const own = costOfRun(run);
		if (cost + before + own > maxCost) return { cost: cost + before, end: index };
		cost += before + own;
		at = index + run.length;
	}
	const left = Math.min(text.length - at, maxCost - cost);
	return { cost: cost + left, end: at + left };
}

function costOfRun(run: string): number {
	const countOf = (pattern: RegExp) => run.match(pattern)?.length ?? 0;
	const [markCount, selectorCount] = [countOf(marks), countOf(selectors)];
	const joined = run.length > shortRun ? run.length ** 2 / runDivisor : 0;
	return run.length * (1 + otherCost) + markCount * (markCost - otherCost) + selectorCount * (selectorCost - otherCost) + joined;
}
