import { characterStart } from './shorten';

/** The length of text that is drawn until more is asked for, in UTF-16 units: a page lays it out at once in good time. */
export const textLimit = 100_000;

/** The longest rest that is not worth a button, in UTF-16 units. */
const shortRest = 200;

/** Returns what is shown of a text until more is asked for: its start, or all of it where little is left. */
export function shownOf(text: string, limit: number): string {
	return text.length <= limit + shortRest ? text : startOf(text, limit);
}

/** Returns the start of a text, at most `limit` long and at the end of a line where there is one near. */
export function startOf(text: string, limit: number): string {
	if (text.length <= limit) return text;
	const lineEnd = text.lastIndexOf('\n', limit - 1) + 1;
	if (lineEnd > limit - Math.min(2_000, limit / 10)) return text.slice(0, lineEnd);
	return text.slice(0, characterStart(text, limit));
}
