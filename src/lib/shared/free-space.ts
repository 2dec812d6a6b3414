import { AppError } from './app-error';
import { formatBytes } from './bytes';

type Storage = Pick<StorageManager, 'estimate'>;

/** Estimates how many bytes more this site may store; undefined where the browser does not tell. */
export async function freeSpace(storage: Storage = navigator.storage): Promise<number | undefined> {
	const { usage, quota } = await storage.estimate();
	return usage === undefined || quota === undefined ? undefined : Math.max(0, quota - usage);
}

/** Makes sure that `bytes` more may be stored, as far as the browser tells. Throws an AppError (`disk-full`) with the sentence that `say` makes of what is needed and what is free. */
export async function requireSpace(storage: Storage, bytes: number, say: (needed: string, free: string) => string): Promise<void> {
	const free = await freeSpace(storage);
	if (free !== undefined && bytes > free) throw new AppError('disk-full', say(formatBytes(bytes), formatBytes(free)));
}
