import type { AppError } from '../shared/app-error';
import { clock, db, settings, useMark } from './environment';

/** The store as a whole: opening it, telling if anything is in it, and having the browser keep it. */
export const stored = {
	/**
	 * Rejects where nothing can be stored. Everything else opens the database by itself. `onObstacle` is told what keeps the
	 * database from being used, also later, and undefined when that is over; `onCopy` how much of the copy before an update is made,
	 * from 0 to 1, and undefined when there is none to make any more.
	 */
	open: async (onObstacle: (obstacle: AppError | undefined) => void, onCopy: (share: number | undefined) => void): Promise<void> => {
		db.onObstacle = onObstacle;
		db.onCopy = onCopy;
		await db.open();
	},
	/** Tells whether nothing was stored yet that would have to be looked after: no session, nothing deleted, unsent, attached or indexed. */
	isUnused: async (): Promise<boolean> => {
		const { sessions, trash, drafts, answers, attachments, segments } = db;
		const found = await Promise.all([sessions, trash, drafts, answers, attachments, segments].map((table) => table.limit(1).count()));
		return found.every((count) => count === 0);
	},
	/** Remembers that something is stored. */
	markUsed: () => useMark.set(),
	/** Tells whether the browser has removed all that was stored, and nothing was stored since. */
	wasEmptied: () => useMark.isOrphaned(db.isNew),
	/**
	 * Remembers that something is stored, and asks the browser, once, to keep this data when space runs short, and keeps its answer. Called
	 * after the first send, when there is something to keep; a reminder of a backup comes a week later at the earliest.
	 */
	askPersistence: async (): Promise<void> => {
		useMark.set();
		if (await settings.get('persistence')) return;
		// Days of use count from here: what was imported may be older.
		await settings.set('backupRemindedAt', clock());
		await settings.set('persistence', (await navigator.storage.persist()) ? 'granted' : 'denied');
	}
};
