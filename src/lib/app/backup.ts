import type { CreateOptions, SaveTarget } from '../transfer/backup/create';
import type { Offers, ReadOptions } from '../transfer/backup/restore';
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
	inspect: async (file: Blob, options?: ReadOptions) => (await import('../transfer/backup/restore')).inspectBackup(db, file, options),
	restore: async (file: Blob, options?: ReadOptions) =>
		(await import('../transfer/backup/restore')).restoreBackup(db, file, { ...options, storage: navigator.storage }),
	/** Takes servers and settings of a backup, which restoring it only lists. */
	accept: async (offers: Offers) => (await import('../transfer/backup/restore')).acceptOffers(db, offers),
	isDue: async () => (await import('../transfer/backup/due')).backupIsDue(db, clock(), navigator.storage)
};
