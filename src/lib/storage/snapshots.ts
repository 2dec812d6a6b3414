import { countOf } from './raw-database';
import { countRows, gzippedRows, isCopied } from './row-lines';

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

	/** Newest version first. */
	async list(): Promise<Snapshot[]> {
		const folder = await this.folder();
		const found: Snapshot[] = [];
		for await (const name of folder.keys()) {
			const version = pattern.exec(name)?.[1];
			if (version === undefined) continue;
			const { size, lastModified } = await this.file(name);
			found.push({ name, version: Number(version), bytes: size, at: lastModified });
		}
		return found.sort((a, b) => b.version - a.version);
	}

	async file(name: string): Promise<File> {
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
	async take(db: IDBDatabase, version: number): Promise<void> {
		const name = `v${version}.jsonl.gz`;
		const handle = await (await this.folder()).getFileHandle(name, { create: true });
		try {
			await gzippedRows(db).pipeTo(await handle.createWritable());
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
