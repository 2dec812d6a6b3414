import type { CreateOptions, SaveTarget } from '../transfer/backup/create';
import { clock, db } from './environment';

/** Everything but keys, model files and calibrations in one file [P2]. */
export const backup = {
	name: async () => (await import('../transfer/backup/format')).backupName(clock()),
	/** The file, read back. */
	create: async (options?: Omit<CreateOptions, 'now'>) =>
		(await import('../transfer/backup/create')).createBackup(db, { ...options, now: clock() }),
	/** Writes the file, and reads it back from there. */
	save: async (target: SaveTarget, options?: Omit<CreateOptions, 'now'>) =>
		(await import('../transfer/backup/create')).saveBackup(db, target, { ...options, now: clock() }),
	isDue: async () => (await import('../transfer/backup/due')).backupIsDue(db, clock(), navigator.storage)
};
