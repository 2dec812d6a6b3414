import { streamOf } from '../shared/byte-lines';
import { isCopied } from './definitions';
import { countOf, rowsOf } from './raw-rows';
import { withoutSecrets } from './secrets';

/** Told how much of a copy is made, from 0 to 1. */
export type CopyProgress = (share: number) => void;

/**
 * All rows of all tables that are copied, as JSON Lines, gzipped: `{"table": "sessions", "row": {…}}`. What is binary is
 * `{"$bytes": "<base64>", "mediaType": "…"}`. No key is in it, whatever version the database is of.
 */
export function gzippedRows(db: IDBDatabase, onProgress: CopyProgress = () => {}): ReadableStream<Uint8Array<ArrayBuffer>> {
	return streamOf(encodeLines(copiedRows(db, onProgress))).pipeThrough(new CompressionStream('gzip'));
}

/** Number of bytes of a file that take about as long as a row. */
const bytesOfRow = 4096;

async function* copiedRows(db: IDBDatabase, onProgress: CopyProgress): AsyncGenerator<{ table: string; row: unknown }> {
	const tables = [...db.objectStoreNames].filter(isCopied);
	let total = 1;
	for (const table of tables) total += await countOf(db, table);
	if (tables.includes('attachments')) for await (const rows of rowsOf(db, 'attachments')) for (const { row } of rows) total += weightOf(row);
	let done = 0;
	for (const table of tables) {
		for await (const rows of rowsOf(db, table)) {
			for (const { row } of rows) {
				yield { table, row: withoutSecrets(table, row) };
				onProgress(Math.min(1, (done += 1 + (table === 'attachments' ? weightOf(row) : 0)) / total));
			}
		}
	}
	onProgress(1);
}

/** Returns the weight of a row's content: a row, and more for the content of an attachment. */
function weightOf(row: unknown): number {
	const content = (row as { content?: unknown } | null)?.content;
	return content instanceof Blob ? content.size / bytesOfRow : 0;
}

/** Number of characters that are encoded at a time, and how many bytes of a file: a multiple of three, so that base64 can be joined. */
const textAtOnce = 262_144;
const bytesAtOnce = 3 * 65_536;

/** Each value as a line of JSON, in bytes, some at a time: a file that is in one is read and encoded piece by piece. */
export async function* encodeLines(values: AsyncIterable<unknown> | Iterable<unknown>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
	const encoder = new TextEncoder();
	// In no row, since nobody knows it.
	const mark = crypto.randomUUID();
	let text = '';
	for await (const value of values) {
		const files: Blob[] = [];
		const json = JSON.stringify(plain(value, (file) => (files.push(file), mark))) ?? 'null';
		const pieces = files.length > 0 ? json.split(mark) : [json];
		for (const [index, piece] of pieces.entries()) {
			text += piece;
			const file = files[index];
			for (let at = 0; file && at < file.size; at += bytesAtOnce) {
				const bytes = await contentOf(file.slice(at, at + bytesAtOnce));
				if (!bytes) break;
				text += base64(bytes);
				if (text.length < textAtOnce) continue;
				yield encoder.encode(text);
				text = '';
			}
		}
		text += '\n';
		if (text.length < textAtOnce) continue;
		yield encoder.encode(text);
		text = '';
	}
	if (text !== '') yield encoder.encode(text);
}

/** The bytes of a part of a file, or undefined where the browser has lost them: everything else must be copied all the same. */
async function contentOf(part: Blob): Promise<Uint8Array | undefined> {
	try {
		return new Uint8Array(await part.arrayBuffer());
	} catch (error) {
		if (error instanceof DOMException && (error.name === 'NotFoundError' || error.name === 'NotReadableError')) return undefined;
		throw error;
	}
}

/** The deepest nesting that is followed: what is deeper, or inside of itself, Snug has not written. */
const deepest = 500;

/** The value with nothing in it that JSON does not know. `encode` says what stands for the content of a file. */
export function plain(value: unknown, encode: (file: Blob) => string, above: readonly object[] = []): unknown {
	if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))) return String(value);
	if (typeof value !== 'object' || value === null || value instanceof Date) return value;
	if (value instanceof Blob) return { $bytes: encode(value), mediaType: value.type };
	if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return { $bytes: encode(new Blob([value as BlobPart])), mediaType: '' };
	if (above.length === deepest || above.includes(value)) return '…';
	const inside = [...above, value];
	if (Array.isArray(value)) return Array.from(value, (inner) => plain(inner, encode, inside));
	if (value instanceof Map) return { $map: plain([...value], encode, inside) };
	if (value instanceof Set) return { $set: plain([...value], encode, inside) };
	return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, plain(inner, encode, inside)]));
}

function base64(bytes: Uint8Array): string {
	let binary = '';
	// Arguments are limited.
	for (let at = 0; at < bytes.length; at += 32_768) binary += String.fromCharCode(...bytes.subarray(at, at + 32_768));
	return btoa(binary);
}

/** The end of the table's name in a line at the latest, in bytes. */
const headBytes = 100;

/** The table that a line of a copy is of; undefined if it is no such line. */
export function tableOf(line: Uint8Array): string | undefined {
	return /^\{"table":"(\w+)","row":/.exec(new TextDecoder().decode(line.subarray(0, headBytes)))?.[1];
}
