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

/** The files of a line, in base64 still, each by the name that stands for it in the rest: the line can't know one. */
export type Contents = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** Takes the files out of a line. */
export function withoutContents(line: Uint8Array<ArrayBuffer>): { rest: Uint8Array<ArrayBuffer>; contents: Contents } {
	const contents = new Map<string, Uint8Array<ArrayBuffer>>();
	const unknown = crypto.randomUUID();
	const pieces: Uint8Array<ArrayBuffer>[] = [];
	let from = 0;
	let at = line.indexOf(dollar);
	for (let looked = 0; at >= 0 && looked < maxDollars; looked++) {
		const start = at - 1 + mark.length;
		const isFile = mark.every((byte, index) => line[at - 1 + index] === byte);
		const end = isFile ? line.indexOf(quote, start) : -1;
		if (end >= 0) {
			const name = `${unknown} ${contents.size}`;
			pieces.push(line.subarray(from, start), encoder.encode(name));
			contents.set(name, line.subarray(start, end));
			from = end;
		}
		at = line.indexOf(dollar, Math.max(at + 1, from));
	}
	return { rest: joined([...pieces, line.subarray(from)]), contents };
}

/**
 * Puts the files of an attachment into its row, into those fields that have one; what is none is left for the schema to refuse. Throws the
 * signal's reason when that aborts.
 */
export async function putContents(row: unknown, contents: Contents, signal?: AbortSignal): Promise<void> {
	if (!isObject(row)) return;
	await decodeFields(row, ['content', 'thumbnail'], contents, signal);
	if (isObject(row.extract)) await decodeFields(row.extract, ['text'], contents, signal);
}

type Fields = Record<string, unknown>;

function isObject(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null;
}

async function decodeFields(row: Fields, fields: string[], contents: Contents, signal?: AbortSignal): Promise<void> {
	for (const field of fields) if (Object.hasOwn(row, field)) row[field] = await decodeFile(row[field], contents, signal);
}

async function decodeFile(value: unknown, contents: Contents, signal?: AbortSignal): Promise<unknown> {
	if (!isObject(value) || !('$bytes' in value)) return value;
	const content = contents.get(value.$bytes as string);
	try {
		return content && (await blobOf(streamOf(decodeBase64(content, signal)), value.mediaType as string));
	} catch {
		signal?.throwIfAborted();
		return undefined;
	}
}

/** Number of characters of base64 that are decoded at a time: a multiple of four, so that each part is base64. */
const charactersAtOnce = 4 * 65_536;

async function* decodeBase64(text: Uint8Array<ArrayBuffer>, signal?: AbortSignal): AsyncGenerator<Uint8Array<ArrayBuffer>> {
	const decoder = new TextDecoder();
	const pause = createPause();
	for (let at = 0; at < text.length; at += charactersAtOnce) {
		signal?.throwIfAborted();
		const binary = atob(decoder.decode(text.subarray(at, at + charactersAtOnce)));
		const bytes = new Uint8Array(binary.length);
		for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index);
		yield bytes;
		await pause();
	}
}
