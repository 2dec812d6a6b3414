import type { FilePart } from './message';

/** The user's unsent text: the composer's text and files, and edits of messages, by message id. */
export interface Unsent {
	text: string;
	attachments: FilePart[];
	edits?: Readonly<Record<string, string>>;
}

export const nothingUnsent: Unsent = { text: '', attachments: [] };

/** Separates texts that are joined. */
export const between = '\n\n';

/** One text after the other, each a paragraph of its own. */
export function joinTexts(first: string, second: string): string {
	if (first.trim() === '') return second;
	return second.trim() === '' ? first : `${first}${between}${second}`;
}

/** Files of one list after those of the other, each once. */
export function joinFiles(first: FilePart[], second: FilePart[] = []): FilePart[] {
	const seen = new Set<string>();
	return [...first, ...second].filter(({ attachmentId: id }) => !seen.has(id) && seen.add(id));
}

/** Puts what was sent from a composer in front of what is in it. */
export function joinUnsent(first: Unsent, second: Unsent): Unsent {
	const edits = { ...first.edits, ...second.edits };
	return {
		text: joinTexts(first.text, second.text),
		attachments: joinFiles(first.attachments, second.attachments),
		...(Object.keys(edits).length > 0 ? { edits } : {})
	};
}

export function isSameUnsent(a: Unsent, b: Unsent): boolean {
	const [edits, others] = [a.edits ?? {}, b.edits ?? {}];
	return (
		a.text === b.text &&
		a.attachments.length === b.attachments.length &&
		a.attachments.every(({ attachmentId }, index) => attachmentId === b.attachments[index]!.attachmentId) &&
		Object.keys(edits).length === Object.keys(others).length &&
		Object.entries(edits).every(([id, text]) => others[id] === text)
	);
}

/** Files of one list that are not in the other. */
export function without(files: FilePart[], others: FilePart[]): FilePart[] {
	return files.filter(({ attachmentId }) => others.every((other) => other.attachmentId !== attachmentId));
}
