import type { Database } from '../../storage/database';
import { Settings } from '../../storage/settings';

const day = 86_400_000;

/**
 * Tells whether to remind the user of a backup [P2]: the browser may delete what is here, some of it is older than a week, and
 * no backup was made for two. Once a week at most, and not where they said no.
 */
export async function backupIsDue(db: Database, now: number, storage: Pick<StorageManager, 'persisted'>): Promise<boolean> {
	const settings = new Settings(db);
	const [wanted, remindedAt = 0, last, oldest] = await Promise.all([
		settings.get('backupReminder'),
		settings.get('backupRemindedAt'),
		settings.get('lastBackup'),
		db.sessions.orderBy('updatedAt').first()
	]);
	if (wanted === false || !oldest || now - remindedAt < 7 * day) return false;
	if (last ? now - last.at < 14 * day : now - oldest.createdAt < 7 * day) return false;
	return !(await storage.persisted());
}
