import { unseenCharacters } from '../shared/unseen-characters';

let graphemes: Intl.Segmenter | undefined;

/** Matches what no name or excerpt needs. */
const unseen = new RegExp(`[${unseenCharacters}]`, 'gu');

/** The longest character that is shown, in UTF-16 units: of what is drawn as one, with thousands of marks, laying out takes seconds. */
const longestCharacter = 40;

/**
 * The start of a text on one line, without what can't be seen, at most `max` characters as people count them: cut between words where there are any,
 * never inside a character, before one that is too long to be shown, and ending in … if anything is left out.
 */
export function excerptOf(text: string, max: number): string {
	const near = text.trimStart().slice(0, max * 32);
	const line = near
		.replace(/[\p{Z}\p{Cc}]/gu, ' ')
		.replace(unseen, '')
		.replace(/ +/g, ' ')
		.trim();
	graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
	const start: string[] = [];
	let isWhole = true;
	for (const { segment } of graphemes.segment(line)) {
		isWhole = start.length < max && segment.length <= longestCharacter;
		if (!isWhole) break;
		start.push(segment);
	}
	if (isWhole) return line;
	const whole = start.slice(0, max - 1).join('');
	const space = start[max - 1] === ' ' ? whole.length : whole.lastIndexOf(' ');
	const cut = space > whole.length / 2 ? whole.slice(0, space) : whole;
	return `${cut.replace(/[\s,;:.…–—-]+$/u, '')}…`;
}
