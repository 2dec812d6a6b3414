/** The inside of a character class, for the flag `u`: scripts that are written from right to left, with their digits. */
export const rightToLeftCharacters = '\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufeff\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}';

/** A character that is written from right to left, and one after it that is not; what can stand in either, such as a blank, is neither. */
const rightToLeft = `(?![\\p{N}\\p{Cf}])[${rightToLeftCharacters}]`;
const leftToRight = `(?!${rightToLeft})[^ \\n!-/:-@\\[-\`{-~\\p{Join_Control}\\p{Variation_Selector}]`;
const digit = '[\\p{N}\\u0600-\\u0605\\u06dd\\u0890\\u0891\\u08e2]';
/** A number: after what is written from right to left it has a direction of its own, and what parts it from the next one has not. */
const number = `${digit}+(?:[.,:/+-]${digit}+)*`;
/** One of Arabic digits: it has a direction of its own after other letters too. */
const arabicNumber = `(?=[${rightToLeftCharacters}])${number}`;
const mayTurn = new RegExp(`[${rightToLeftCharacters}\\p{Bidi_Control}]`, 'u');
const isRightToLeft = new RegExp(rightToLeft, 'u');
const isOfItsOwn = new RegExp(`${digit}|\\p{Bidi_Control}`, 'u');

/** The most changes of direction that are laid out in one piece: more of them take longer by the square. */
const maxTurns = 2000;

/**
 * Cuts a text into pieces that are laid out in good time, each as a block of its own, where it changes its direction more often than any
 * text has to; at the end of a line or between words where there is one.
 */
export function cutAtTurns(text: string): string[] {
	if (!mayTurn.test(text)) return [text];
	const turn = {
		afterLeft: new RegExp(`${arabicNumber}|${rightToLeft}|\\p{Bidi_Control}`, 'gu'),
		afterRight: new RegExp(`${number}|${leftToRight}`, 'gu'),
		afterOther: new RegExp(`${number}|${rightToLeft}|${leftToRight}`, 'gu')
	};
	const pieces: string[] = [];
	let start = 0;
	let turns = 0;
	let next = turn.afterLeft;
	for (let found = next.exec(text); found; found = next.exec(text)) {
		let at = found.index + found[0].length;
		next = isRightToLeft.test(found[0]) ? turn.afterRight : isOfItsOwn.test(found[0]) ? turn.afterOther : turn.afterLeft;
		if (++turns > maxTurns) {
			const piece = text.slice(start, found.index);
			at = start + (piece.lastIndexOf('\n') + 1 || piece.lastIndexOf(' ') + 1 || piece.length);
			pieces.push(text.slice(start, at));
			start = at;
			turns = 0;
			// As if it were laid out with what came before: it is, in a field.
			next = turn.afterOther;
		}
		next.lastIndex = at;
	}
	return [...pieces, text.slice(start)];
}
