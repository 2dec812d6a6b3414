import { Changes } from '../storage/changes';
import type { Database } from '../storage/database';
import type { Change } from '../storage/tables/changes';
import { absorb } from './absorb';
import { answer, prepare } from './answer';
import type { SearchOptions, SearchResult } from './hit';
import { IndexState } from './index-state';
import { IndexStore, SegmentGone } from './index-store';
import { Expansion } from './index/expansion';
import { parseQuery } from './index/parse-query';

/** Number of messages that are taken in before a search at most; how many changes are read for it. More comes after it. */
const mostMessages = 2000;
const mostChanges = 1000;

/** Number of times that a search begins again because another tab merged what it was reading. */
const tries = 5;

/** Time after which a search that wants everything looks again, in milliseconds. */
const lookAgain = 100;

/** The search index as one worker has it: searches it, and takes in what was written before each search [E5, E7]. */
export class SearchIndex {
	readonly store: IndexStore;
	readonly state: IndexState;
	private readonly changes: Changes;
	/** Number of messages that were written that it has not taken in yet, as far as it knows. */
	behind = 0;
	private last: Promise<unknown> = Promise.resolve();

	/** `pause` lets others have their turn, and is called now and then in work that takes long. */
	constructor(
		readonly db: Database,
		readonly pause: () => Promise<void>
	) {
		this.store = new IndexStore(db);
		this.state = new IndexState(this.store);
		this.changes = new Changes(db);
	}

	/** Does one thing after the other: what is in memory must not change under a search, or under a step of the index. */
	exclusively<T>(work: () => Promise<T>): Promise<T> {
		const done = this.last.then(work);
		this.last = done.catch(() => undefined);
		return done;
	}

	/** Searches for a text as a user types it. Bad text is answered by `refused`. */
	async search(text: string, options: SearchOptions = {}): Promise<SearchResult> {
		const parsed = parseQuery(text);
		if (parsed.refused !== undefined) return { hits: [], total: 0, corrections: [], models: [], refused: parsed.refused };
		if (options.whole) await this.untilWhole();
		const result = await this.exclusively(() =>
			this.again(async () => {
				// Mostly nothing was written, and then what was read meanwhile is what is needed.
				const known = new Expansion(this.state.sources());
				await Promise.all([this.refresh(), prepare(known, parsed)]);
				const sources = this.state.sources();
				return answer(this.db, sources === known.sources ? known : new Expansion(sources), parsed, options);
			})
		);
		const { manifest } = this.state;
		if (manifest && !manifest.builtTo && this.behind === 0) return result;
		const { done, total, documents } = (await this.store.progress()) ?? { done: 0, total: 0, documents: 0 };
		return { ...result, progress: this.behind > 0 ? { done: documents, total: documents + this.behind } : { done, total } };
	}

	/**
	 * Takes in what was written, here or in another tab, since the last time; of very much, as after a restored backup, only a part, and
	 * `behind` tells of the rest. To be called exclusively; rejects with `SegmentGone`.
	 */
	async refresh(): Promise<void> {
		const { db, state, store } = this;
		// Both of one moment: another tab drops the changes that it has written into the index.
		const { manifest, changes } = await db.transaction('r', db.searchState, db.changes, db.changeCursors, async () => {
			const manifest = await store.manifest();
			const known = manifest?.index === state.manifest?.index && manifest?.commits === state.manifest?.commits;
			return { manifest: known ? state.manifest : manifest, changes: await this.changes.after(known ? state.absorbed : (manifest?.watermark ?? 0), mostChanges) };
		});
		if (manifest !== state.manifest) await state.load(manifest);
		this.behind = 0;
		if (!manifest || changes.length === 0) return;
		let messages = 0;
		const rest = changes.findIndex((change, index) => (messages += sizeOf(change)) > mostMessages && index > 0);
		const now = rest < 0 ? changes : changes.slice(0, rest);
		await absorb(db, state, now, this.pause);
		if (now.length < changes.length || changes.length === mostChanges) {
			this.behind = Math.max(1, changes.slice(now.length).reduce((sum, change) => sum + sizeOf(change), 0));
		}
	}

	/** Does `work`, and again from what is stored where another tab has merged a segment meanwhile. */
	async again<T>(work: () => Promise<T>): Promise<T> {
		for (let left = tries; ; left--) {
			try {
				return await work();
			} catch (error) {
				if (!(error instanceof SegmentGone) || left === 0) throw error;
			}
		}
	}

	private async untilWhole(): Promise<void> {
		for (;;) {
			await this.exclusively(() => this.again(() => this.refresh()));
			const { manifest } = this.state;
			if (manifest && !manifest.builtTo && this.behind === 0) return;
			await new Promise((resolve) => setTimeout(resolve, lookAgain));
		}
	}
}

/** Counts the messages that a change names; of a whole session it is not known. */
function sizeOf({ messageIds }: Change): number {
	return messageIds === 'all' ? 1 : messageIds.length;
}
