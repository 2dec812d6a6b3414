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
		const { copyRows } = await import('./copy-before-migration').catch((cause: unknown) => {
			throw new AppError('snapshot-failed', 'A part of the new version did not arrive, so nothing was changed. Reload to try again.', { retryable: true, cause });
		});
		return { migrations: await copyRows(found, known, root, onCopy) };
	} finally {
		found.close();
	}
}

export function newerDatabase(): AppError {
	return new AppError(
		'newer-database',
		'A newer version of Snug wrote this data. Reload to get that version; nothing is lost.'
	);
}
