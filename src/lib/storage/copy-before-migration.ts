import { AppError } from '../shared/app-error';
import type * as Migrations from './migrations';
import type { CopyProgress } from './row-lines';

/** Copies all rows of a database before it is migrated. Resolves with what migrates them; throws an AppError (`snapshot-failed`). */
export async function copyRows(db: IDBDatabase, version: number, root: () => Promise<FileSystemDirectoryHandle>, onCopy: CopyProgress | undefined): Promise<typeof Migrations> {
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
