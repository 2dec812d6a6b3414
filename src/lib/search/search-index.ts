import { Changes } from '../storage/changes';
import type { Database } from '../storage/database';
import { absorb } from './absorb';
import { answer } from './answer';
import type { SearchOptions, SearchResult } from './hit';
import { IndexState } from './index-state';
import { IndexStore, SegmentGone } from './index-store';
import { parseQuery } from './parse-query';

/** How often a search begins again, because another tab merged what it was reading. */
const tries = 5;

/** How long a search that wants everything waits before it looks again, in milliseconds. */
const lookAgain = 100;

/** The search index as one worker has it: searches it, and takes in what was written before each search [E5, E7]. */
export class SearchIndex {
	readonly store: IndexStore;
	readonly state: IndexState;
	private readonly changes: Changes;
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

	/** What is found for a text as a person types it. Bad text is answered by `refused`. */
	async search(text: string, options: SearchOptions = {}): Promise<SearchResult> {
		const parsed = parseQuery(text);
		if (parsed.refused !== undefined) return { hits: [], total: 0, counted: true, corrections: [], models: [], refused: parsed.refused };
		if (options.whole) await this.untilWhole();
		const result = await this.exclusively(() =>
			this.again(async () => {
				await this.refresh();
				return answer(this.db, this.state.sources(), parsed, options);
			})
		);
		const { manifest } = this.state;
		if (manifest && !manifest.builtTo) return result;
		const { done, total } = (await this.store.progress()) ?? { done: 0, total: 0 };
		return { ...result, progress: { done, total } };
	}

	/** Takes in what was written, here or in another tab, since the last time. To be called exclusively; rejects with `SegmentGone`. */
	async refresh(): Promise<void> {
		const { db, state, store } = this;
		// Both of one moment: another tab drops the changes that it has written into the index.
		const { manifest, changes } = await db.transaction('r', db.searchState, db.changes, async () => {
			const manifest = await store.manifest();
			const known = manifest?.index === state.manifest?.index && manifest?.commits === state.manifest?.commits;
			return { manifest: known ? state.manifest : manifest, changes: await this.changes.after(known ? state.absorbed : (manifest?.watermark ?? 0)) };
		});
		if (manifest !== state.manifest) await state.load(manifest);
		if (manifest && changes.length > 0) await absorb(db, state, changes, this.pause);
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
		while (!(await this.store.progress())?.whole) await new Promise((resolve) => setTimeout(resolve, lookAgain));
	}
}
