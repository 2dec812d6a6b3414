/** Of what units one character that anyone writes has at most; a text of nothing but marks is cut anywhere. */
const maxCharacterLength = 32;

/** Returns a text in at most `max` UTF-16 units, with … in the place of its end where that is left out. `max` is at least 1. */
export function shorten(text: string, max: number): string {
	return text.length <= max ? text : `${text.slice(0, characterStart(text, max - 1)).trimEnd()}…`;
}

/** Returns the end of a text in at most `max` UTF-16 units, with … in the place of what came before. `max` is at least 1. */
export function shortenStart(text: string, max: number): string {
	if (text.length <= max) return text;
	return `…${text.slice(characterEnd(text, text.length - max + 1))}`;
}

/** Returns the start and the end of a text in at most `max` UTF-16 units, with … in the place of what is left out between them. `max` is at least 2. */
export function shortenMiddle(text: string, max: number): string {
	if (text.length <= max) return text;
	const half = Math.ceil(max / 2);
	return text.slice(0, characterStart(text, half - 1)) + shortenStart(text, max - half + 1);
}

/** Returns the last index up to `at` that is not inside of a character. */
export function characterStart(text: string, at: number): number {
	let start = at;
	while (start > 0 && at - start < maxCharacterLength && isInside(text, start)) start--;
	return start;
}

/** Returns the first index from `at` on that is not inside of a character. */
export function characterEnd(text: string, at: number): number {
	let end = at;
	while (end < text.length && end - at < maxCharacterLength && isInside(text, end)) end++;
	return end;
}

/** Tells whether the unit at `index` is one character with the unit before it: the half of a pair, a mark, or joined to it. */
function isInside(text: string, index: number): boolean {
	if (index >= text.length) return false;
	const unit = text.charCodeAt(index);
	if (unit < 0x300) return false;
	if (unit >= 0xdc00 && unit <= 0xdfff) return true;
	return text[index - 1] === '\u200d' || /^[\p{M}\u200d]$/u.test(text[index]!);
}
