import { AppError } from '../../../shared/app-error';
import type { DocumentContainer } from '../../../shared/media-type';
import type { Extract } from '../../../storage/tables/attachments';
import type { Refusal } from './document';
import { readDocument } from './read-document';

/** The documents whose text can be read, for users. */
export const documentNames = 'PDF, Word, Excel, PowerPoint, OpenDocument text, EPUB';

/** Reasons for which a document gives no text, each with the code and the sentence, after the file's name, that say so. */
const refusals: Record<Exclude<Refusal, 'unknown'> | 'late' | 'lost', [code: string, sentence: string]> = {
	encrypted: ['attachment-encrypted', 'is protected by a password, so it can’t be read. Save a copy without the password and attach that.'],
	damaged: ['attachment-broken', 'is a document that can’t be read. It may be damaged.'],
	'too-large': ['attachment-large', 'is too large to unpack.'],
	lost: ['attachment-unread', 'could not be read here. Reload the page, then attach it again.'],
	late: ['attachment-late', 'takes too long to read. Attach a shorter part, or paste its text.']
};

/**
 * Reads the text of a document; null for a file of the same container that is no document. Throws an AppError that names the file where it can't be read or has no text, and
 * the signal's reason once that is aborted.
 */
export async function extractOf(file: Blob, container: DocumentContainer, name: string, signal?: AbortSignal): Promise<{ mediaType: string; extract: Extract } | null> {
	const document = await readDocument(file, container, { ...(signal && { signal }) });
	if ('refused' in document) {
		if (document.refused === 'unknown') return null;
		const [code, sentence] = refusals[document.refused];
		throw new AppError(code, `“${name}” ${sentence}`);
	}
	const { mediaType, text, read, whole, count: parts, unit } = document;
	if (text === '') throw new AppError('attachment-no-text', `“${name}” has no text that can be read. If its pages are scans, attach them as images.`);
	return { mediaType, extract: { text: new Blob([text], { type: 'text/plain' }), characters: text.length, parts, read, whole, ...(unit && { unit }) } };
}
