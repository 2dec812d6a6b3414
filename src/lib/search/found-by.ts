import type { WordMark } from './marks';

/**
 * Returns the marks of what a text is found by: where it has a word of the query, what is only a part of that word is none, so that
 * `word10` marks no `word` elsewhere. The parts count where the text has but these.
 */
export function foundBy(marks: readonly WordMark[]): WordMark[] {
	const had = marks.reduce((all, [, , , own]) => all | own, 0);
	return marks.filter(([, , words, own]) => ((words & ~had) | own) !== 0);
}
