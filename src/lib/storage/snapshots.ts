import { AppError } from '../shared/app-error';
import { blobOf, chunksOf, linesOf, streamOf } from '../shared/byte-lines';
import { gunzip } from '../shared/gunzip';
import { definitions, isCopied } from './definitions';
import { countOf } from './raw-rows';
import { encodeLines, gzippedRows, tableOf, type CopyProgress } from './row-lines';
import { withoutSecrets } from './secrets';

/** The rows of a database as they were before a migration. `version` is what it was then; `at` epoch milliseconds. */
export interface Snapshot {
	name: string;
	version: number;
	bytes: number;
	at: number;
}

const pattern = /^v(\d+)\.jsonl\.gz$/;

/** Copies of all rows that were made before migrations, as files in OPFS: `snapshots/v<version>.jsonl.gz`, one a version. */
export class Snapshots {
	constructor(private readonly root = () => navigator.storage.getDirectory()) {}

	/** Newest version first; none where the browser lets no files be kept. */
	async list(): Promise<Snapshot[]> {
		const folder = await this.folder().catch((error: unknown) => {
			if (error instanceof DOMException && error.name === 'SecurityError') return undefined;
			throw error;
		});
		if (!folder) return [];
		const found: Snapshot[] = [];
		for await (const name of folder.keys()) {
			const version = pattern.exec(name)?.[1];
			if (version === undefined) continue;
			const { size, lastModified } = await this.stored(name);
			found.push({ name, version: Number(version), bytes: size, at: lastModified });
		}
		return found.sort((a, b) => b.version - a.version);
	}

	/** A copy without keys, to be given away: versions before 5 left the keys of servers in. Throws an AppError if it can't be read. */
	async file(name: string): Promise<Blob> {
		const stored = await this.stored(name);
		try {
			return (await hasSecrets(stored)) ? await blobOf(streamOf(cleanLines(stored)).pipeThrough(new CompressionStream('gzip'))) : stored;
		} catch (error) {
			throw new AppError('snapshot-damaged', 'This copy can’t be read any more, so there is nothing to download.', { cause: error });
		}
	}

	private async stored(name: string): Promise<File> {
		return (await (await this.folder()).getFileHandle(name)).getFile();
	}

	async remove(name: string): Promise<void> {
		await (await this.folder()).removeEntry(name);
	}

	/**
	 * Copies every row of the tables that are copied, and reads the copy back to see that all are in it; an older copy of that
	 * version gives way to it.
	 * Rejects where that fails, and then leaves no copy.
	 */
	async take(db: IDBDatabase, version: number, onProgress?: CopyProgress): Promise<void> {
		const name = `v${version}.jsonl.gz`;
		const handle = await (await this.folder()).getFileHandle(name, { create: true });
		try {
			await gzippedRows(db, onProgress).pipeTo(await handle.createWritable());
			await this.compare(db, await handle.getFile());
		} catch (error) {
			await this.remove(name);
			throw error;
		}
	}

	private async compare(db: IDBDatabase, file: File): Promise<void> {
		const copied = await countRows(file);
		for (const table of db.objectStoreNames) {
			if (!isCopied(table)) continue;
			const stored = await countOf(db, table);
			if ((copied[table] ?? 0) !== stored) throw new Error(`the copy has ${copied[table] ?? 0} of ${stored} rows of ${table}`);
		}
	}

	private async folder(): Promise<FileSystemDirectoryHandle> {
		return (await this.root()).getDirectoryHandle('snapshots', { create: true });
	}
}

function rowLines(file: Blob): AsyncGenerator<Uint8Array<ArrayBuffer>> {
	return linesOf(chunksOf(gunzip(file)));
}

/** Counts the rows of each table in a file of gzipped rows. Rejects if it is cut short or has something else in it. */
export async function countRows(file: Blob): Promise<Record<string, number>> {
	const counts: Record<string, number> = {};
	for await (const line of rowLines(file)) {
		const table = tableOf(line);
		if (table === undefined || line.at(-1) !== 10) throw new Error('a line that is no row');
		counts[table] = (counts[table] ?? 0) + 1;
	}
	return counts;
}

/** Tells whether rows of a table can hold a key. */
function mayHold(table: string | undefined): boolean {
	return table !== undefined && (definitions.get(table)?.secrets !== undefined || !isCopied(table));
}

async function hasSecrets(file: Blob): Promise<boolean> {
	for await (const line of rowLines(file)) {
		if (!mayHold(tableOf(line))) continue;
		for await (const clean of cleaned(line)) if (clean.length !== line.length || clean.some((byte, at) => byte !== line[at])) return true;
	}
	return false;
}

async function* cleanLines(file: Blob): AsyncGenerator<Uint8Array<ArrayBuffer>> {
	for await (const line of rowLines(file)) {
		const table = tableOf(line);
		if (!mayHold(table)) yield line;
		else if (isCopied(table!)) yield* cleaned(line);
	}
}

function cleaned(line: Uint8Array): AsyncGenerator<Uint8Array<ArrayBuffer>> {
	const { table, row } = JSON.parse(new TextDecoder().decode(line)) as { table: string; row: unknown };
	return encodeLines([{ table, row: withoutSecrets(table, row) }]);
}
