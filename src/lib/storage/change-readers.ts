import { Changes } from './changes';
import type { Database } from './database';
import type { ChangeReader } from './tables/change-cursors';

/** Number of changes that a reader may be behind. One that is further behind is taken to be gone; should it come back, it starts over. */
export const maxBehind = 100_000;

/** Cursors of the readers of the change log. Each method can be part of the caller's transaction. */
export class ChangeReaders {
	constructor(private readonly db: Database) {}

	/** Reads where a reader is; undefined for one that has not begun, or was ended. */
	async cursor(reader: ChangeReader): Promise<number | undefined> {
		return (await this.db.changeCursors.get(reader))?.seq;
	}

	/** Has a reader begin behind all that is written: what comes from now on is kept until it has passed it. Returns where it begins. */
	begin(reader: ChangeReader): Promise<number> {
		return this.inTransaction(async () => {
			const others = (await this.db.changeCursors.toArray()).map(({ seq }) => seq);
			const seq = Math.max(await new Changes(this.db).lastSeq(), ...others);
			await this.advance(reader, seq);
			return seq;
		});
	}

	/** Moves a reader on to that change, itself included, and drops what every reader is done with. */
	advance(reader: ChangeReader, seq: number): Promise<void> {
		return this.inTransaction(async () => {
			await this.db.changeCursors.put({ reader, seq });
			await this.dropRead();
		});
	}

	/** Ends a reader: nothing is kept for it any more. */
	end(reader: ChangeReader): Promise<void> {
		return this.inTransaction(async () => {
			await this.db.changeCursors.delete(reader);
			await this.dropRead();
		});
	}

	/** Ends the readers that are too far behind, so that the log does not grow for ever where one is gone; drops what no reader is left for. */
	trim(limit = maxBehind): Promise<void> {
		const { changes, changeCursors } = this.db;
		return this.inTransaction(async () => {
			for (const { reader, seq } of await changeCursors.toArray()) {
				if ((await changes.where('seq').above(seq).count()) > limit) await changeCursors.delete(reader);
			}
			await this.dropRead();
		});
	}

	/** Drops what every reader is done with. Part of the running transaction. */
	private async dropRead(): Promise<void> {
		const { changes, changeCursors } = this.db;
		const slowest = Math.min(...(await changeCursors.toArray()).map(({ seq }) => seq));
		await changes.where('seq').belowOrEqual(slowest).delete();
	}

	private inTransaction<T>(work: () => Promise<T>): Promise<T> {
		// Dexie follows native promises only through a function that it sees to be async.
		return this.db.transaction('rw', this.db.changes, this.db.changeCursors, async () => work());
	}
}
