import * as v from 'valibot';
import { withSiteData } from '../shared/site-data';
import type { Database } from './database';
import { emptyQuarantine } from './quarantined-rows';
import { time } from './tables/fields';
import { sweepFiles } from './unused-files';

const name = 'snug:emptying';
/** Milliseconds after which nothing of it is done any more. */
const longest = 3_600_000;
const schema = v.object({ at: time, goesAt: time });

/**
 * Remembers, in local storage, that everything was deleted (`at`), and when that can't be undone any more (`goesAt`): then what is of no chat any
 * more goes as well, also where the page was closed meanwhile. Where local storage is refused, a file that no chat has stays for its day.
 */
export class Emptying {
	constructor(
		private readonly db: Database,
		private readonly storage: () => Storage
	) {}

	begin(at: number, goesAt: number): void {
		withSiteData(this.storage, (storage) => storage.setItem(name, JSON.stringify({ at, goesAt })));
	}

	/** Forgets it: it was undone. */
	end(): void {
		withSiteData(this.storage, (storage) => storage.removeItem(name));
	}

	/**
	 * Removes what no purge of a chat does, if it is due, and no chat is here, not even in the trash: the files that were left in composers,
	 * whatever their age, and what is quarantined of chats. One that is here, since that was undone, or a file was imported, or a new one was begun,
	 * may need them: then they stay as they do at other times. `held` as for `sweepFiles`.
	 */
	async finish(now: number, held: readonly string[]): Promise<void> {
		const begun = withSiteData(this.storage, (storage) => v.parse(schema, JSON.parse(storage.getItem(name) ?? '')));
		if (!begun || begun.goesAt > now) return;
		const isEmpty = (await this.db.trees.count()) === 0;
		if (isEmpty) {
			await sweepFiles(this.db, now, held, begun.at);
			await emptyQuarantine(this.db);
		}
		if (isEmpty || now > begun.goesAt + longest) this.end();
	}
}
