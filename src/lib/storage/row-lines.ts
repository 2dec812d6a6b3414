import { rowsOf } from './raw-database';
import { derivedTables } from './search-rows';
import { secretTables } from './secrets';

/**
 * All rows of all tables that are copied, as JSON Lines, gzipped: `{"table": "sessions", "row": {…}}`. A
 * Blob or buffer is `{"$bytes": "<base64>", "mediaType": "…"}`. `change` may leave something out of a row.
 */
export function gzippedRows(db: IDBDatabase, change: (table: string, row: unknown) => unknown = (_, row) => row): ReadableStream<Uint8Array> {
	return streamOf(linesOf(db, change)).pipeThrough(new TextEncoderStream()).pipeThrough(new CompressionStream('gzip'));
}

async function* linesOf(db: IDBDatabase, change: (table: string, row: unknown) => unknown): AsyncGenerator<string> {
	for (const table of db.objectStoreNames) {
		if (!isCopied(table)) continue;
		for await (const rows of rowsOf(db, table)) {
			let lines = '';
			for (const { row } of rows) lines += lineOf({ table, row: await plain(change(table, row)) });
			yield lines;
		}
	}
}

/** Whether a table is in copies of rows: not one that is made from others, nor one with keys. */
export function isCopied(table: string): boolean {
	return !derivedTables.includes(table) && !secretTables.includes(table);
}

/** One value as a line. */
export function lineOf(value: unknown): string {
	return `${JSON.stringify(value)}\n`;
}

/** How many rows of each table are in a file of gzipped rows. Rejects if it is cut short or a line can't be read. */
export async function countRows(file: Blob): Promise<Record<string, number>> {
	const counts: Record<string, number> = {};
	const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).pipeThrough(new TextDecoderStream()).getReader();
	let rest = '';
	for (;;) {
		const { value, done } = await reader.read();
		if (done) break;
		const lines = (rest + value).split('\n');
		rest = lines.pop()!;
		for (const line of lines) {
			const { table } = JSON.parse(line) as { table: string };
			counts[table] = (counts[table] ?? 0) + 1;
		}
	}
	if (rest) throw new Error('a line without an end');
	return counts;
}

/** The value with nothing in it that JSON does not know. */
export async function plain(value: unknown): Promise<unknown> {
	if (typeof value === 'bigint') return String(value);
	if (typeof value !== 'object' || value === null || value instanceof Date) return value;
	if (value instanceof Blob) return { $bytes: base64(new Uint8Array(await value.arrayBuffer())), mediaType: value.type };
	if (value instanceof ArrayBuffer) return { $bytes: base64(new Uint8Array(value)), mediaType: '' };
	if (Array.isArray(value)) return Promise.all(value.map(plain));
	const entries = Object.entries(value).map(async ([field, inner]) => [field, await plain(inner)] as const);
	return Object.fromEntries(await Promise.all(entries));
}

function base64(bytes: Uint8Array): string {
	let binary = '';
	// Arguments are limited.
	for (let at = 0; at < bytes.length; at += 32_768) binary += String.fromCharCode(...bytes.subarray(at, at + 32_768));
	return btoa(binary);
}

/** What the generator yields, as fast as it is read. */
function streamOf(generator: AsyncGenerator<string>): ReadableStream<string> {
	return new ReadableStream<string>({
		async pull(controller) {
			const { value, done } = await generator.next();
			if (done) controller.close();
			else controller.enqueue(value);
		},
		async cancel() {
			await generator.return(undefined);
		}
	});
}
