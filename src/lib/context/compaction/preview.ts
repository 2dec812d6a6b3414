/** Whitespace and control characters, but for a space that stands alone already. */
const folds = /[\s\u0000-\u001f\u007f-\u009f]{2,}|[^\S ]|[\u0000-\u001f\u007f-\u009f]/g;

/**
 * How a text begins, on one line of at most `max` UTF-16 units: whitespace folded, and … at its end if anything is left
 * out. Thousands of these take milliseconds, so it does not look for words as `excerptOf` does.
 */
export function previewOf(text: string, max: number): string {
	const start = text.trimStart();
	const near = start.slice(0, max * 3);
	const line = near.replace(folds, ' ').trim();
	const isWhole = near.length === start.length;
	if (isWhole && line.length <= max) return line;
	const end = characterStart(line, Math.min(line.length, max - 1));
	return `${line.slice(0, end).trimEnd()}…`;
}

/** The end of a text in at most `max` UTF-16 units, … in the place of what came before. `max` is at least 1. */
export function endOf(text: string, max: number): string {
	if (text.length <= max) return text;
	let from = text.length - max + 1;
	while (from < text.length && isInside(text, from)) from++;
	return `…${text.slice(from)}`;
}

/** The last index up to `at` that is not inside of a character. */
export function characterStart(text: string, at: number): number {
	let start = at;
	// No character that anyone writes has more parts; a text of nothing but marks is cut anywhere.
	while (start > 0 && at - start < 32 && isInside(text, start)) start--;
	return start;
}

/** Whether the unit at `index` is one character with the unit before it: the half of a pair, a mark, or joined to it. */
function isInside(text: string, index: number): boolean {
	if (index >= text.length) return false;
	const unit = text.charCodeAt(index);
	if (unit < 0x300) return false;
	if (unit >= 0xdc00 && unit <= 0xdfff) return true;
	return text[index - 1] === '\u200d' || /^[\p{M}\u200d]$/u.test(text[index]!);
}
