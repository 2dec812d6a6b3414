import type { Database } from './database';

/**
 * That something which can be searched was written: one row a transaction and session, added in that transaction itself by
 * `loggedChanges`, so that no writer can forget it. `seq` grows in the order of the commits. Who reads a change looks at
 * what is stored by then: it says where to look, not what happened there.
 *
 * It always stands for the session's own words too: its title, labels, notes, and whether it is there at all.
 */
export interface Change {
	seq: number;
	sessionId: string;
	/** The messages that were written, or `all` where that is not known one by one. */
	messageIds: string[] | 'all';
}

/** The log of changes. Each method can be part of the caller's transaction. */
export class Changes {
	constructor(private readonly db: Database) {}

	/** What came after that one, in order, at most `limit` of them. */
	after(seq: number, limit = Infinity): Promise<Change[]> {
		return this.db.changes.where('seq').above(seq).limit(limit).toArray();
	}

	/**
	 * The number of the newest change that is kept, 0 if none is. Numbers are not given twice, so where changes were dropped
	 * the last one is whichever is greater: this, or the one that they were dropped to.
	 */
	async lastSeq(): Promise<number> {
		// The whole row: Dexie tells a live query that reads keys alone nothing of rows that the browser numbers.
		return (await this.db.changes.orderBy('seq').last())?.seq ?? 0;
	}

	/** Drops the changes up to that one, itself included. */
	async dropTo(seq: number): Promise<void> {
		await this.db.changes.where('seq').belowOrEqual(seq).delete();
	}
}
