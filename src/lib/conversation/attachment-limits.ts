/** The most files that can be attached to a message. */
export const filesPerMessage = 10;

/** Limits on attachments, in bytes. The text of a document has that of a text file; the result of a tool that is kept whole is sent in parts, if at all. */
export const attachmentLimits = { imageBytes: 20_000_000, documentBytes: 50_000_000, textBytes: 1_000_000, resultBytes: 20_000_000 };

/** The same for users, to be said before they choose. */
export const attachable = 'Images up to 20 MB, documents up to 50 MB, text files up to 1 MB';

/** Tells whether a text that is pasted is so long that it becomes a file. */
export function isLongPaste(text: string): boolean {
	return text.length > 10_000 || text.split('\n', 201).length > 200;
}
