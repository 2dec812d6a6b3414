import { attachmentLimits } from '../../../conversation/attachment-limits';
import { characterStart } from '../../../shared/shorten';
import type { DocumentPart, OpenDocument } from './document';

/** The most parts of a document that are read. */
const maxParts = 5000;

const goesOn = '\n\n[The file continues. Only its beginning is included.]\n';

/** The text of a document as it is sent, and how many parts of it that is. */
export interface CollectedText {
	text: string;
	/** Number of parts that are in it, at least by their beginning. */
	read: number;
	/** False where something is left out, since it is too long. */
	whole: boolean;
}

/** Puts the parts of a document together, each below its title in brackets, up to the length that a text file may have. Empty where no part has any text. */
export async function collectText({ parts }: Pick<OpenDocument, 'parts'>): Promise<CollectedText> {
	const room = attachmentLimits.textBytes - goesOn.length;
	let [text, bytes, read, found] = ['', 0, 0, false];
	for await (const part of parts) {
		if (read === maxParts) return { text: text + goesOn, read, whole: false };
		const words = plain(part.text);
		found ||= words !== '';
		const piece = joined(part, words, read === 0);
		const size = sizeOf(piece);
		read++;
		if (bytes + size > room) return { text: text + beginningOf(piece, room - bytes) + goesOn, read, whole: false };
		text += piece;
		bytes += size;
	}
	return { text: found ? `${text}\n` : '', read, whole: true };
}

function joined({ title }: DocumentPart, words: string, isFirst: boolean): string {
	const head = title === undefined ? '' : `[${plain(title).replace(/\s+/g, ' ').slice(0, 200)}]`;
	return (isFirst ? '' : '\n\n') + [head, words].filter((text) => text !== '').join('\n');
}

/** Leaves out controls, which no text file may have either, halves of characters, and blank space that shows nothing. */
function plain(text: string): string {
	return text
		.toWellFormed()
		.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
		.replace(/[\u0000-\u0008\u000e-\u001f\u007f]/g, '')
		.replace(/(?<![ \t])[ \t]+$/gm, '')
		.replace(/\n{3,}/g, '\n\n')
		.trim();
}

function sizeOf(text: string): number {
	return new TextEncoder().encode(text).length;
}

/** The beginning of a text that has so many bytes at most. */
function beginningOf(text: string, bytes: number): string {
	const { read } = new TextEncoder().encodeInto(text, new Uint8Array(Math.max(0, bytes)));
	return text.slice(0, characterStart(text, read));
}
