/** The most of a word that is laid out in one piece, in UTF-16 units. */
const longest = 300;

/** A character that a text may be cut before: no part of a longer character. */
const startsCharacter = /^[^\p{M}\p{C}\p{Emoji_Modifier}\p{Regional_Indicator}]/u;

/**
 * Returns where a line may break within words that are so long that looking for a break in all of them at once takes seconds, as it does where the
 * font kerns or joins their letters. `before` is the length of a word that goes on at the start of the text; `after` that of the one that it ends with.
 */
export function longWordBreaks(text: string, before = 0): { breaks: number[]; after: number } {
	const breaks: number[] = [];
	let length = before;
	for (let at = 0; at < text.length; at++) {
		const unit = text[at];
		if (unit === ' ' || unit === '\n' || unit === '\t') length = 0;
		else if (++length > longest && mayCut(text, at, length)) {
			breaks.push(at);
			length = 1;
		}
	}
	return { breaks, after: length };
}

/** Tells whether a word may be cut before a place: between characters, or between code points where none has ended for long. */
function mayCut(text: string, at: number, length: number): boolean {
	if (length > 2 * longest) return !/[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(at - 1, at + 1));
	return text[at - 1] !== '\u200d' && startsCharacter.test(text.slice(at, at + 2));
}

/** Cuts a text at the ascending offsets `at`; without them, where lines may break within its long words. */
export function cutAt(text: string, at = longWordBreaks(text).breaks): string[] {
	return [...at, text.length].map((end, index) => text.slice(at[index - 1] ?? 0, end));
}
