import { Dexie } from 'dexie';
import type { Session } from '../conversation/session';
import type { Database } from './database';

/** How long a deleted session can be brought back [A14]. */
export const undoMilliseconds = 10_000;

/** The session rows. A row is made by `append`, with its first message. */
export class Sessions {
	constructor(private readonly db: Database) {}

	/** Newest first; deleted ones left out. */
	list({ limit = Infinity }: { limit?: number } = {}): Promise<Session[]> {
		return this.db.sessions
			.orderBy('updatedAt')
			.reverse()
			.filter((session) => session.deletedAt === undefined)
			.limit(limit)
			.toArray();
	}

	/** The session, unless it is not there or deleted. */
	async get(id: string): Promise<Session | undefined> {
		const session = await this.db.sessions.get(id);
		return session?.deletedAt === undefined ? session : undefined;
	}

	async update(id: string, changes: Partial<Pick<Session, 'status' | 'stopReason' | 'updatedAt'>>): Promise<void> {
		await this.db.sessions.update(id, changes);
	}

	/** Takes the session out of every list. Its rows stay until `purge`, so that `restore` brings all of it back. */
	async delete(id: string, now: number): Promise<void> {
		await this.db.sessions.update(id, { deletedAt: now });
	}

	async restore(id: string): Promise<void> {
		await this.db.sessions.where('id').equals(id).modify((session) => delete session.deletedAt);
	}

	/**
	 * Removes what was deleted at least `undoMilliseconds` before `now`, rows of all tables, one transaction a session.
	 * Returns the removed ids. Safe to run in several tabs, and again after a crash.
	 */
	async purge(now: number): Promise<string[]> {
		const { sessions, messages, trees, drafts } = this.db;
		const gone = await sessions
			.filter(({ deletedAt }) => deletedAt !== undefined && deletedAt <= now - undoMilliseconds)
			.primaryKeys();
		for (const id of gone) {
			await this.db.transaction('rw', sessions, messages, trees, drafts, async () => {
				await messages.where(':id').between([id, Dexie.minKey], [id, Dexie.maxKey]).delete();
				await Promise.all([sessions.delete(id), trees.delete(id), drafts.delete(id)]);
			});
		}
		return gone;
	}
}
