import { AppError } from '../shared/app-error';
import type * as Migrations from './migrations';
import { takeEarlyOrOpen, versionOf } from './raw-database';
import type { CopyProgress } from './row-lines';

/** Needs of opening. `version` is the one of this code; `root` is where files are kept. */
export interface Opening {
	factory: IDBFactory;
	name: string;
	version: number;
	root: () => Promise<FileSystemDirectoryHandle>;
	/** Told how much of the copy before a migration is made. */
	onCopy?: CopyProgress;
}

/** The prepared migration and copy. */
export interface Prepared {
	/** A connection that keeps the version as it is until it is closed, unless there is something to make or to migrate. */
	held?: IDBDatabase;
	/** Migrations of an older database, loaded before the transaction that does so, which can't wait for that. */
	migrations?: typeof Migrations;
}

/**
 * To be called before Dexie opens the database. Refuses one that a newer version of Snug wrote, untouched, and copies all
 * rows of an older one before it is migrated; both by AppErrors, `newer-database` and `snapshot-failed`.
 */
export async function prepareDatabase({ factory, name, version, root, onCopy }: Opening): Promise<Prepared> {
	const found = await takeEarlyOrOpen(factory, name);
	if (!found) return {};
	const known = versionOf(found);
	if (known === version) return { held: found };
	try {
		if (known > version) throw newerDatabase();
		return { migrations: await copyRows(found, known, root, onCopy) };
	} finally {
		found.close();
	}
}

export function newerDatabase(): AppError {
	return new AppError(
		'newer-database',
		'This data was written by a newer version of Snug, so this version leaves it alone. Reload to get the newer version; nothing is lost.'
	);
}

/** Resolves with what migrates the rows that were copied. */
async function copyRows(db: IDBDatabase, version: number, root: Opening['root'], onCopy: CopyProgress | undefined): Promise<typeof Migrations> {
	try {
		const [{ Snapshots }, migrations] = await Promise.all([import('./snapshots'), import('./migrations')]);
		await new Snapshots(root).take(db, version, onCopy);
		return migrations;
	} catch (error) {
		throw new AppError(
			'snapshot-failed',
			isFull(error)
				? 'This version of Snug stores chats in a new way, and first keeps a copy of all of them. There is no room for it, so nothing was changed. Free some disk space, then reload.'
				: 'This version of Snug stores chats in a new way, and first keeps a copy of all of them. The copy could not be made, so nothing was changed. Reload to try again, or download your data on the repair page.',
			{ retryable: true, cause: error }
		);
	}
}

function isFull(error: unknown): boolean {
	return error instanceof DOMException && error.name === 'QuotaExceededError';
}
