/** The beginning of a file that is looked at before all of it is read, in bytes. */
export const headBytes = 65_536;

/** Returns the media type of an image that browsers can draw, by its first bytes; undefined for anything else. */
export function imageType(head: Uint8Array): string | undefined {
	const latin = String.fromCharCode(...head.subarray(0, 12));
	if (latin.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
	if (latin.startsWith('\xff\xd8\xff')) return 'image/jpeg';
	if (latin.startsWith('RIFF') && latin.endsWith('WEBP')) return 'image/webp';
	if (/^GIF8[79]a/.test(latin)) return 'image/gif';
	return undefined;
}

/** Kinds of files that documents come in. */
export type DocumentContainer = 'pdf' | 'zip';

/** Returns the kind of file that a document may be in, by its first bytes; undefined for anything else. */
export function documentContainer(head: Uint8Array): DocumentContainer | undefined {
	const latin = String.fromCharCode(...head.subarray(0, 5));
	if (latin === '%PDF-') return 'pdf';
	return latin.startsWith('PK\x03\x04') ? 'zip' : undefined;
}

/** Says whether bytes are UTF-8 without NUL; with `whole: false`, but for a character that is cut off at their end. */
export function isText(bytes: Uint8Array, { whole } = { whole: true }): boolean {
	if (bytes.includes(0)) return false;
	try {
		new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !whole });
		return true;
	} catch (error) {
		if (error instanceof TypeError) return false;
		throw error;
	}
}
