import type { Database } from './database';
import type { Change } from './tables/changes';

/** The log of changes. Each method can be part of the caller's transaction. */
export class Changes {
	constructor(private readonly db: Database) {}

	/** Reads the changes after that one, in order, at most `limit` of them. */
	after(seq: number, limit = Infinity): Promise<Change[]> {
		return this.db.changes.where('seq').above(seq).limit(limit).toArray();
	}

	/**
	 * The number of the newest change that is kept, 0 if none is. Numbers are not given twice, so where changes were dropped
	 * the last one is whichever is greater: this, or the cursor of a reader.
	 */
	async lastSeq(): Promise<number> {
		// The whole row: Dexie tells a live query that reads keys alone nothing of rows that the browser numbers.
		return (await this.db.changes.orderBy('seq').last())?.seq ?? 0;
	}
}
