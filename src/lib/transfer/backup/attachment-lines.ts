import { blobOf, joined, streamOf } from '../../shared/byte-lines';
import { createPause } from '../../shared/pause';

/*
 * The line of an attachment has its files in base64, of up to 67 MB. They are taken out before it is parsed and are decoded in parts: what is done with a
 * text of that length at once keeps the page from everything else.
 */

const encoder = new TextEncoder();
/** Bytes before a file in a line, as `encodeLines` writes them; in a text each of their quotes would have a backslash. */
const mark = encoder.encode('"$bytes":"');
const [quote, dollar] = [0x22, 0x24];

/** The most dollar signs of a line that are looked at: an attachment has three files at most. */
const maxDollars = 100;

/** Takes the files out of a line. In the rest, each is its index in `contents`, in base64 still. */
export function withoutContents(line: Uint8Array<ArrayBuffer>): { rest: Uint8Array<ArrayBuffer>; contents: Uint8Array<ArrayBuffer>[] } {
	const contents: Uint8Array<ArrayBuffer>[] = [];
	const pieces: Uint8Array<ArrayBuffer>[] = [];
	let from = 0;
	let at = line.indexOf(dollar);
	for (let looked = 0; at >= 0 && looked < maxDollars; looked++) {
		const start = at - 1 + mark.length;
		const isFile = mark.every((byte, index) => line[at - 1 + index] === byte);
		const end = isFile ? line.indexOf(quote, start) : -1;
		if (end >= 0) {
			pieces.push(line.subarray(from, start - 1), encoder.encode(String(contents.length)));
			contents.push(line.subarray(start, end));
			from = end + 1;
		}
		at = line.indexOf(dollar, Math.max(at + 1, from));
	}
	return { rest: joined([...pieces, line.subarray(from)]), contents };
}

/** The row of an attachment as it is stored, with its files from `contents`; what is none is left for its schema to refuse. */
export async function decodeAttachment(row: unknown, contents: Uint8Array<ArrayBuffer>[]): Promise<unknown> {
	const fields = await decodeFields(row, contents);
	if (typeof fields !== 'object' || fields === null || !('extract' in fields)) return fields;
	return { ...fields, extract: await decodeFields(fields.extract, contents) };
}

async function decodeFields(row: unknown, contents: Uint8Array<ArrayBuffer>[]): Promise<unknown> {
	if (typeof row !== 'object' || row === null) return row;
	const fields: [string, unknown][] = [];
	for (const [field, value] of Object.entries(row)) fields.push([field, field === 'extract' ? value : await decodeFile(value, contents)]);
	return Object.fromEntries(fields);
}

async function decodeFile(value: unknown, contents: Uint8Array<ArrayBuffer>[]): Promise<unknown> {
	if (typeof value !== 'object' || value === null || !('$bytes' in value)) return value;
	const { $bytes, mediaType } = value as { $bytes: number; mediaType: string };
	const content = contents[$bytes];
	try {
		return content && (await blobOf(streamOf(decodeBase64(content)), mediaType));
	} catch {
		return undefined;
	}
}

/** Number of characters of base64 that are decoded at a time: a multiple of four, so that each part is base64. */
const charactersAtOnce = 4 * 65_536;

async function* decodeBase64(text: Uint8Array<ArrayBuffer>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
	const decoder = new TextDecoder();
	const pause = createPause();
	for (let at = 0; at < text.length; at += charactersAtOnce) {
		const binary = atob(decoder.decode(text.subarray(at, at + charactersAtOnce)));
		const bytes = new Uint8Array(binary.length);
		for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index);
		yield bytes;
		await pause();
	}
}
