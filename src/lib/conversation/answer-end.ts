import type { AnswerPart } from './growing-answer';

/** Returns how much an answer says: its words in UTF-16 units, and one for each call and result. It never gets less while an answer grows. */
export function lengthOf(parts: readonly AnswerPart[]): number {
	return parts.reduce((sum, part) => sum + ('text' in part ? part.text.length : 1), 0);
}

/** The end of an answer, from a place in its parts on: of `parts` the first may go on from `textFrom` characters of the part at `partsFrom`. */
export interface AnswerEnd {
	parts: AnswerPart[];
	partsFrom: number;
	textFrom: number;
}

/** Returns what has been added to an answer since it had the parts `before`. */
export function endSince(before: readonly AnswerPart[], parts: readonly AnswerPart[]): AnswerEnd {
	const known = before.findIndex((part, index) => part !== parts[index]);
	const partsFrom = known < 0 ? before.length : known;
	const [first, ...rest] = parts.slice(partsFrom);
	const earlier = before[partsFrom];
	if (!first) return { parts: [], partsFrom, textFrom: 0 };
	const textFrom = 'text' in first && earlier?.type === first.type ? earlier.text.length : 0;
	return { parts: ['text' in first ? { ...first, text: first.text.slice(textFrom) } : first, ...rest], partsFrom, textFrom };
}

/** Joins the parts of an answer and a later end of it; undefined where something between them is missing. */
export function joinEnd(before: readonly AnswerPart[], { parts, partsFrom, textFrom }: AnswerEnd): AnswerPart[] | undefined {
	const kept = before.slice(0, partsFrom);
	if (kept.length < partsFrom) return undefined;
	if (textFrom === 0) return [...kept, ...parts];
	const [earlier, [first, ...rest]] = [before[partsFrom], parts];
	if (!first || !('text' in first) || earlier?.type !== first.type || earlier.text.length < textFrom) return undefined;
	return [...kept, { ...first, text: earlier.text.slice(0, textFrom) + first.text }, ...rest];
}
