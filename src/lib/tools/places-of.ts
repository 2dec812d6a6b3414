import { AppError } from '../shared/app-error';

/** The one passage of a text that takes the place of another, and words for it. */
interface Replacement {
	passage: string;
	by: string;
	/** The text's name in a sentence, and the tool that reads it. */
	text: string;
	readBy: string;
	/** A hint where the passage is not there. */
	hint?: string;
}

/** Replaces a passage that stands once in a text, letter by letter. Throws an AppError, which a model reads, where it does not stand there once. */
export function replaceOnce(content: string, { passage, by, text, readBy, hint = '' }: Replacement): string {
	const [at, second] = placesOf(content, passage);
	if (at === undefined) throw new AppError('passage-absent', `The passage is not in ${text}${hint}. Call ${readBy} and take it from there. Nothing was changed.`);
	if (second !== undefined) throw new AppError('passage-twice', `The passage is in ${text} more than once. Send more of what is around it. Nothing was changed.`);
	return content.slice(0, at) + by + content.slice(at + passage.length);
}

/**
 * Returns the first two places of a part in a text, those too that overlap. `indexOf` takes seconds for a part that nearly fits everywhere;
 * this looks at each character a fixed number of times (Knuth, Morris and Pratt).
 */
export function placesOf(text: string, part: string): number[] {
	/** Of each start of the part: the length of the longest shorter start that it ends with. */
	const borders = new Uint32Array(part.length + 1);
	const next = (matched: number, unit: number): number => {
		let length = matched;
		while (length > 0 && (length === part.length || part.charCodeAt(length) !== unit)) length = borders[length]!;
		return part.charCodeAt(length) === unit ? length + 1 : length;
	};
	for (let at = 1; at < part.length; at++) borders[at + 1] = next(borders[at]!, part.charCodeAt(at));
	const places: number[] = [];
	for (let at = 0, matched = 0; at < text.length && places.length < 2; at++) {
		matched = next(matched, text.charCodeAt(at));
		if (matched === part.length) places.push(at + 1 - part.length);
	}
	return places;
}
