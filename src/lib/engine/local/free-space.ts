import { AppError } from '../../shared/app-error';
import { formatBytes } from '../../shared/bytes';

/**
 * Makes sure that `bytes` more may be stored, as far as the browser tells. Throws AppError `disk-full`, whose sentence
 * names both sizes.
 */
export async function requireSpace(
	storage: Pick<StorageManager, 'estimate'>,
	bytes: number,
	name: string
): Promise<void> {
	const { usage, quota } = await storage.estimate();
	if (usage === undefined || quota === undefined) return;
	const free = Math.max(0, quota - usage);
	if (bytes <= free) return;
	const message =
		`${name} needs ${formatBytes(bytes)}, but only ${formatBytes(free)} are free for this site. Free some space or ` +
		'remove another model, then try again.';
	throw new AppError('disk-full', message);
}
