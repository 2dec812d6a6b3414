import { AppError } from '../shared/app-error';
import { openAsItIs, versionOf } from './raw-database';
import type { CopyProgress } from './row-lines';

/** What opening needs to know. `version` is the one of this code; `root` is where files are kept. */
export interface Opening {
	factory: IDBFactory;
	name: string;
	version: number;
	root: () => Promise<FileSystemDirectoryHandle>;
	/** Told how much of the copy before a migration is made. */
	onCopy?: CopyProgress;
}

/**
 * To be called before Dexie opens the database. Refuses one that a newer version of Snug wrote, untouched, and copies all
 * rows of an older one before it is migrated; both by AppErrors, `newer-database` and `snapshot-failed`. Returns a connection
 * which keeps the version as it is until it is closed, unless there is something to make or to migrate.
 */
export async function prepareDatabase({ factory, name, version, root, onCopy }: Opening): Promise<IDBDatabase | undefined> {
	const found = await openAsItIs(factory, name);
	if (!found) return undefined;
	const known = versionOf(found);
	if (known === version) return found;
	try {
		if (known > version) throw newerDatabase();
		await copyRows(found, known, root, onCopy);
		return undefined;
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

async function copyRows(db: IDBDatabase, version: number, root: Opening['root'], onCopy: CopyProgress | undefined): Promise<void> {
	try {
		const { Snapshots } = await import('./snapshots');
		await new Snapshots(root).take(db, version, onCopy);
	} catch (error) {
		throw new AppError(
			'snapshot-failed',
			isFull(error)
				? 'This version of Snug stores sessions in a new way, and first keeps a copy of all of them. There is no room for it, so nothing was changed. Free some disk space, then reload.'
				: 'This version of Snug stores sessions in a new way, and first keeps a copy of all of them. The copy could not be made, so nothing was changed. Reload to try again, or download your data on the repair page.',
			{ retryable: true, cause: error }
		);
	}
}

function isFull(error: unknown): boolean {
	return error instanceof DOMException && error.name === 'QuotaExceededError';
}
