import { Dexie } from 'dexie';
import { AppError } from '../shared/app-error';
import type { Database } from './database';

/**
 * A named note of one session [A7]: two sessions may use one name. It survives everything but the session's deletion.
 * The to-do list is the entry named `todo`, a Markdown task list. Times are epoch milliseconds.
 */
export interface ScratchpadEntry {
	sessionId: string;
	name: string;
	content: string;
	createdAt: number;
	updatedAt: number;
}

/** The name of the entry that is the to-do list. */
export const todoName = 'todo';

export class Scratchpad {
	constructor(private readonly db: Database) {}

	/** By name. */
	list(sessionId: string): Promise<ScratchpadEntry[]> {
		return this.db.scratchpad.where(':id').between([sessionId, Dexie.minKey], [sessionId, Dexie.maxKey]).toArray();
	}

	get(sessionId: string, name: string): Promise<ScratchpadEntry | undefined> {
		return this.db.scratchpad.get([sessionId, name]);
	}

	/** Writes an entry, as a whole. Throws an AppError (`session-absent`) where its session is gone for good. */
	set(sessionId: string, name: string, content: string, now: number): Promise<void> {
		const { scratchpad, trees } = this.db;
		return this.db.transaction('rw', scratchpad, trees, async () => {
			if ((await trees.where('sessionId').equals(sessionId).count()) === 0) {
				throw new AppError('session-absent', 'This chat was deleted, so the note was not kept.');
			}
			const createdAt = (await this.get(sessionId, name))?.createdAt ?? now;
			await scratchpad.put({ sessionId, name, content, createdAt, updatedAt: now });
		});
	}

	/** Returns what was there, to be put back. */
	remove(sessionId: string, name: string): Promise<ScratchpadEntry | undefined> {
		return this.db.transaction('rw', this.db.scratchpad, async () => {
			const entry = await this.get(sessionId, name);
			await this.db.scratchpad.delete([sessionId, name]);
			return entry;
		});
	}

	async put(entry: ScratchpadEntry): Promise<void> {
		await this.db.scratchpad.put(entry);
	}
}
