/** The doubtful values that a text still has, as whole words. */
export function doubtfulIn(text: string, doubtful: readonly string[]): string[] {
	return doubtful.filter((value) => value !== '' && new RegExp(patternOf(value), 'u').test(text));
}

/** A text in pieces, those that are doubtful values apart; together they are the text. */
export function markDoubtful(text: string, doubtful: readonly string[]): { text: string; doubtful: boolean }[] {
	// The longest first, so that a value within another does not take it apart.
	const values = doubtfulIn(text, doubtful).toSorted((a, b) => b.length - a.length);
	const pieces = values.length === 0 ? [text] : text.split(new RegExp(`(${values.map(patternOf).join('|')})`, 'u'));
	return pieces.map((piece, at) => ({ text: piece, doubtful: at % 2 === 1 })).filter((piece) => piece.text !== '');
}

/** `42` is not in `420`, but `/a` is in `./a`. */
function patternOf(value: string): string {
	const before = /^[\p{L}\p{N}]/u.test(value) ? String.raw`(?<![\p{L}\p{N}])` : '';
	const after = /[\p{L}\p{N}]$/u.test(value) ? String.raw`(?![\p{L}\p{N}])` : '';
	return before + value.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`) + after;
}
