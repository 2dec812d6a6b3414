import { Changes } from '../storage/changes';
import type { Database } from '../storage/database';
import type { Change } from '../storage/tables/changes';
import { applyChanges } from './apply-changes';
import { answer, prepare } from './answer';
import type { SearchOptions, SearchResult } from './hit';
import { IndexState } from './index-state';
import { IndexStore, SegmentGone } from './index-store';
import { Expansion } from './index/expansion';
import { parseQuery } from './index/parse-query';

/** Limits of what is applied before a search: messages, and changes. The rest follows after it. */
const maxMessages = 2000;
const maxChanges = 1000;

/** Limit of how often a search begins again because another tab merged what it was reading. */
const maxRetries = 5;

/** Interval at which a search that wants everything checks if the index is complete. */
const pollMs = 100;

/** The search index as one worker has it: searches it, and applies the changes of before to it first [E5, E7]. */
export class SearchIndex {
	readonly store: IndexStore;
	readonly state: IndexState;
	private readonly changes: Changes;
	/** Number of written messages that are not in it yet, as far as it knows. */
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
		if (parsed.refused !== undefined) return { hits: [], total: 0, corrections: [], typos: [], models: [], refused: parsed.refused };
		if (options.whole) await this.untilWhole();
		const result = await this.exclusively(() =>
			this.withRetry(async () => {
				// Mostly nothing was written, and then what was read meanwhile is what is needed.
				const known = new Expansion(this.state.sources());
				await Promise.all([this.refresh(), prepare(known, parsed)]);
				const sources = this.state.sources();
				return answer(this.db, sources === known.sources ? known : new Expansion(sources), parsed, options);
			})
		);
		const { manifest } = this.state;
		if (manifest && !manifest.buildCursor && this.behind === 0) return result;
		const { done, total, documents } = (await this.store.progress()) ?? { done: 0, total: 0, documents: 0 };
		return { ...result, progress: this.behind > 0 ? { done: documents, total: documents + this.behind } : { done, total } };
	}

	/**
	 * Applies the changes since the last time, of this tab and others; of very many, as after a restored backup, only the first, and
	 * `behind` counts the rest. To be called exclusively; rejects with `SegmentGone`.
	 */
	async refresh(): Promise<void> {
		const { db, state, store } = this;
		// Both of one moment: another tab drops the changes that it has written into the index.
		const { manifest, changes } = await db.transaction('r', db.searchState, db.changes, db.changeCursors, async () => {
			const manifest = await store.manifest();
			const known = manifest?.index === state.manifest?.index && manifest?.commits === state.manifest?.commits;
			return { manifest: known ? state.manifest : manifest, changes: await this.changes.after(known ? state.cursor : (manifest?.cursor ?? 0), maxChanges) };
		});
		if (manifest !== state.manifest) await state.load(manifest);
		this.behind = 0;
		if (!manifest || changes.length === 0) return;
		let messages = 0;
		const rest = changes.findIndex((change, index) => (messages += sizeOf(change)) > maxMessages && index > 0);
		const now = rest < 0 ? changes : changes.slice(0, rest);
		await applyChanges(db, state, now, this.pause);
		if (now.length < changes.length || changes.length === maxChanges) {
			this.behind = Math.max(1, changes.slice(now.length).reduce((sum, change) => sum + sizeOf(change), 0));
		}
	}

	/** Does `work`, and retries it from what is stored where another tab has merged a segment meanwhile. */
	async withRetry<T>(work: () => Promise<T>): Promise<T> {
		for (let left = maxRetries; ; left--) {
			try {
				return await work();
			} catch (error) {
				if (!(error instanceof SegmentGone) || left === 0) throw error;
			}
		}
	}

	private async untilWhole(): Promise<void> {
		for (;;) {
			await this.exclusively(() => this.withRetry(() => this.refresh()));
			const { manifest } = this.state;
			if (manifest && !manifest.buildCursor && this.behind === 0) return;
			await new Promise((resolve) => setTimeout(resolve, pollMs));
		}
	}
}

/** Counts the messages that a change names; of a whole session it is not known. */
function sizeOf({ messageIds }: Change): number {
	return messageIds === 'all' ? 1 : messageIds.length;
}
