import { characterEnd, characterStart } from '../shared/shorten';

/** A text without its middle, if it is longer than `most` UTF-16 units; the line that says so is among these. */
export function cutMiddle(text: string, most: number): string {
	if (text.length <= most) return text;
	const room = Math.max(0, most - lineFor(text.length).length);
	const start = startOf(text, Math.ceil(room * 0.6));
	const end = endOf(text, room - start.length);
	return start + lineFor(text.length - start.length - end.length) + end;
}

function lineFor(characters: number): string {
	return `\n[… ${characters} characters left out …]\n`;
}

/**
 * The start of a text, if it is longer than `most` UTF-16 units: up to a line's end, or else a space, or else as far as it
 * goes. The line that says so comes on top.
 */
export function cutEnd(text: string, most: number): string {
	if (text.length <= most) return text;
	const start = startOf(text, most);
	// A text cut just before a line's end or a space ends there.
	const line = text[start.length] === '\n' ? start.length : start.lastIndexOf('\n');
	const space = text[start.length] === ' ' ? start.length : start.lastIndexOf(' ');
	return `${start.slice(0, line > 0 ? line : space > 0 ? space : undefined).trimEnd()}\n[… cut]`;
}

/** The first units of a text, without a part of a character at the end. */
function startOf(text: string, length: number): string {
	return text.slice(0, characterStart(text, length));
}

function endOf(text: string, length: number): string {
	return text.slice(characterEnd(text, text.length - length));
}

/** The largest whole number from `least` to `most` that fits, where smaller ones fit if one does; `least` if none does. */
export function largest(least: number, most: number, fits: (number: number) => boolean): number {
	if (!fits(least)) return least;
	let [yes, no] = [least, most + 1];
	while (no - yes > 1) {
		const middle = Math.floor((yes + no) / 2);
		if (fits(middle)) yes = middle;
		else no = middle;
	}
	return yes;
}
