import { Dexie, liveQuery } from 'dexie';
import type { Message } from '../conversation/message';
import { Changes } from '../storage/changes';
import { Scratchpad } from '../storage/scratchpad';
import { applyChanges, reconcileSessions } from './apply-changes';
import { messageDocument, sessionDocuments } from './documents';
import { markDeleted, isDeleted, toEntry, type OpenSegment } from './index-state';
import { searchFormat, SegmentGone, type Manifest } from './index-store';
import type { Document } from './index/document';
import { noDocument, flush, type SegmentParts } from './index/flush';
import { messageKey } from './index/keys';
import { merge } from './index/merge';
import { Tail } from './index/tail';
import { pickMerge } from './index/merge-policy';
import { countTermsInSlices } from './index/words';
import type { SearchIndex } from './search-index';

/** Thresholds of the indexer's steps. */
export interface Sizes {
	/** Number of documents in the tail, or of changes, that triggers a flush. */
	tail: number;
	/** Number of documents in the tail, or of changes, that triggers one when there is nothing else to do. */
	idleTail: number;
	idleChanges: number;
	/** Number of rows that are read at once, and how many documents make a segment, while everything is read for the first time. */
	page: number;
	segment: number;
}

const defaultSizes: Sizes = { tail: 1024, idleTail: 128, idleChanges: 512, page: 1000, segment: 8192 };

/** Delay without a write before a small tail is flushed too, and before a failed step is retried. */
const idleAfterMs = 10_000;
const retryAfterMs = 30_000;

interface Environment {
	locks: LockManager;
	newId: () => string;
}

/** A segment that is not stored yet. */
interface NewSegment {
	id: string;
	parts: SegmentParts;
	open: OpenSegment;
	/** Called once it is stored. */
	stored: () => void;
}

/** Builds the index, and merges its segments. Runs in the worker that is elected leader: those of other tabs read what it writes. */
export class Indexer {
	private readonly changes: Changes;
	/** True if something was written since the last round of work began. */
	private hasNewChanges = false;
	private wakeUp = (): void => undefined;

	constructor(
		private readonly index: SearchIndex,
		private readonly environment: Environment,
		private readonly sizes = defaultSizes
	) {
		this.changes = new Changes(index.db);
	}

	/** Waits to be elected leader, by a Web Lock, and then maintains the index until the worker ends or the database is closed to it. */
	runAsLeader(): Promise<void> {
		return this.environment.locks.request('search-index', async () => {
			const { db } = this.index;
			// Also when the index was thrown away, to be rebuilt.
			const written = liveQuery(async () => [await this.changes.lastSeq(), await db.searchState.count()]);
			written.subscribe({ next: () => this.onChange(), error: (error) => console.warn('Changes can’t be followed.', error) });
			for (let idle = false; ; ) {
				const next = await this.work(idle);
				if (next.closed) return;
				idle = !(await this.sleep(next.after));
			}
		});
	}

	/** Takes steps until everything that was written is in the index; with `idle`, also those that could wait. */
	async catchUp(idle = false): Promise<void> {
		for (let more = true; more; ) {
			try {
				more = await this.step(idle);
			} catch (error) {
				// The index was thrown away under it: the next step begins another.
				if (!(error instanceof SegmentGone)) throw error;
			}
		}
	}

	/** Resolves with the delay in milliseconds after which to look again if nothing is written before; undefined is never. */
	private async work(idle: boolean): Promise<{ after?: number; closed?: true }> {
		this.hasNewChanges = false;
		try {
			await this.catchUp(idle);
			return idle ? {} : { after: idleAfterMs };
		} catch (error) {
			// A newer Snug in another tab has taken it over.
			if (error instanceof Dexie.DatabaseClosedError) return { closed: true };
			console.warn('The search index could not be written. It will be tried again.', error);
			return { after: retryAfterMs };
		}
	}

	private onChange(): void {
		this.hasNewChanges = true;
		this.wakeUp();
	}

	/** Sleeps so long, or until something is written, and tells if that was it. */
	private async sleep(milliseconds: number | undefined): Promise<boolean> {
		if (!this.hasNewChanges) {
			await new Promise<void>((resolve) => {
				const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds);
				this.wakeUp = () => {
					clearTimeout(timer);
					resolve();
				};
			});
		}
		return this.hasNewChanges;
	}

	/** Takes one step, of one transaction. Returns false where there is nothing to do. */
	private async step(idle: boolean): Promise<boolean> {
		const { sizes } = this;
		const { state } = this.index;
		await this.exclusiveStep(() => Promise.resolve());
		const { manifest } = state;
		if (!manifest) return this.beginBuild();
		const changes = state.cursor - manifest.cursor;
		const many = state.tail.size >= sizes.tail || changes >= sizes.tail;
		const few = state.tail.size >= sizes.idleTail || changes >= sizes.idleChanges;
		if (many || (idle && few)) return this.exclusiveStep(() => this.write({ segments: state.segments }));
		if (this.index.behind > 0) return true;
		if (manifest.buildCursor) return this.continueBuild(manifest, manifest.buildCursor);
		const picked = pickMerge(state.segments.map(measure), idle);
		return picked !== undefined && this.mergeSegments(picked.map((at) => state.segments[at]!));
	}

	/**
	 * Does something exclusively, after all changes were applied. Returns true. Where it fails, the state is loaded again as it is stored, so that
	 * nothing of the step is left in memory.
	 */
	private async exclusiveStep(work: () => Promise<void>): Promise<boolean> {
		const { index } = this;
		await index.exclusively(async () => {
			try {
				await index.withRetry(() => index.refresh());
				await work();
			} catch (error) {
				await index.state.load(await index.store.manifest());
				throw error;
			}
		});
		return true;
	}

	/** Begins an index with the session documents. What is written meanwhile is among the changes after its cursor. */
	private async beginBuild(): Promise<boolean> {
		const { db, store, state } = this.index;
		const { cursor, trashed } = await store.begin();
		const tail = new Tail();
		const removedBranches: Record<string, string[]> = {};
		let total = 0;
		for (let after = ''; ; ) {
			const sessions = await db.sessions.where('id').above(after).limit(this.sizes.page).toArray();
			const last = sessions.at(-1);
			if (!last) break;
			after = last.id;
			const trees = await db.trees.bulkGet(sessions.map(({ id }) => id));
			for (const [at, session] of sessions.entries()) {
				const tree = trees[at];
				total += session.messageCount;
				if (tree && tree.removed.length > 0) removedBranches[session.id] = tree.removed;
				for (const document of sessionDocuments(session, tree, await new Scratchpad(db).list(session.id))) await this.add(tail, document);
			}
		}
		const added = tail.size > 0 ? [this.newSegment(flush(tail).parts)] : [];
		const manifest: Manifest = {
			name: 'manifest',
			format: searchFormat,
			index: this.environment.newId(),
			commits: 0,
			cursor,
			buildCursor: ['', 0, ''],
			indexedAhead: [],
			segments: added.map(({ open }) => toEntry(open)),
			trashed,
			removedBranches
		};
		const progress = { done: 0, total, whole: false, ...totalSize(added.map(({ open }) => open)) };
		await this.index.exclusively(async () => {
			if (await store.commit({ manifest, progress, added, dropped: [] })) await state.load(manifest);
		});
		return true;
	}

	/** Continues the build from its cursor, by one segment. */
	private async continueBuild(begun: Manifest, from: [string, number, string]): Promise<boolean> {
		const { db, state, pause } = this.index;
		const since = state.cursor;
		const tail = new Tail();
		/** Sessions of which branches are deleted, which a message by itself does not tell. */
		const withRemovedBranches = new Set<string>();
		let buildCursor: typeof from | undefined = from;
		let read = 0;
		while (buildCursor && tail.size < this.sizes.segment) {
			const rows: Message[] = await db.messages.where(':id').above(buildCursor).limit(this.sizes.page).toArray();
			const last = rows.at(-1);
			buildCursor = last && [last.sessionId, last.depth, last.id];
			read += rows.length;
			for (const row of rows) {
				if (state.removedBranches.has(row.sessionId)) withRemovedBranches.add(row.sessionId);
				const document = withRemovedBranches.has(row.sessionId) || state.indexedAhead.has(row.id) ? undefined : messageDocument(row);
				if (document) await this.add(tail, document);
			}
		}
		return this.exclusiveStep(async () => {
			const { manifest } = state;
			if (manifest?.index !== begun.index) return;
			// Since it was read, a branch that came back or went for good may have had the rest of its session indexed.
			for (const id of state.indexedAhead) tail.remove(messageKey(id));
			const added = tail.size > 0 ? [this.newSegment(flush(tail).parts)] : [];
			const { buildCursor: _, ...rest } = manifest;
			state.manifest = buildCursor ? { ...rest, buildCursor } : rest;
			state.replace([...state.segments, ...added.map(({ open }) => open)]);
			// The segment may have what changed meanwhile as it was before.
			await applyChanges(db, state, await this.changes.after(since), pause);
			await reconcileSessions(db, state, withRemovedBranches, pause);
			await this.write({ segments: state.segments, added, read });
		});
	}

	private async mergeSegments(old: OpenSegment[]): Promise<boolean> {
		const { state, pause } = this.index;
		const bitmaps = old.map((open) => open.deletionBitmap.slice());
		const { parts, numbers } = await merge(
			old.map(({ segment }, at) => ({ segment, isDeleted: (document: number) => isDeleted(bitmaps[at]!, document) })),
			pause
		);
		return this.exclusiveStep(async () => {
			const current = old.map(({ id }) => state.segments.find((open) => open.id === id));
			if (current.includes(undefined)) return;
			const added = parts.head.columns.length > 0 ? [this.newSegment(parts)] : [];
			current.forEach((open, at) => {
				numbers[at]!.forEach((number, document) => {
					if (number !== noDocument && isDeleted(open!.deletionBitmap, document)) markDeleted(added[0]!.open, number);
				});
			});
			const kept = state.segments.filter((open) => !current.includes(open));
			await this.write({ segments: [...kept, ...added.map(({ open }) => open)], added, dropped: old.map(({ id }) => id) });
		});
	}

	/**
	 * Commits the index with these segments, and flushes the tail as one more. All applied changes are in it: after a crash, a step with only some
	 * of them would have the others applied again to a state that has them already.
	 */
	private async write(step: { segments: OpenSegment[]; added?: NewSegment[]; dropped?: string[]; read?: number }): Promise<void> {
		const { store, state } = this.index;
		// Thrown away meanwhile.
		if (!state.manifest) return;
		const flushed = state.tail.size > 0 ? [this.newSegment(flush(state.tail).parts)] : [];
		const segments = [...step.segments, ...flushed.map(({ open }) => open)];
		const manifest = state.nextManifest(segments);
		const before = await store.progress();
		const total = before?.total ?? 0;
		const whole = manifest.buildCursor === undefined;
		const done = whole ? total : Math.min(total, (before?.done ?? 0) + (step.read ?? 0));
		const progress = { done, total, whole, ...totalSize(segments) };
		const added = [...(step.added ?? []), ...flushed];
		if (await store.commit({ manifest, progress, added, dropped: step.dropped ?? [] })) {
			for (const { stored } of added) stored();
			state.manifest = manifest;
			if (whole) state.indexedAhead.clear();
			state.replace(segments, new Tail());
		} else await state.load(await store.manifest());
	}

	private newSegment(parts: SegmentParts): NewSegment {
		const id = this.environment.newId();
		return { id, parts, ...this.index.state.openNew(id, parts) };
	}

	private async add(tail: Tail, document: Document): Promise<void> {
		tail.add(document, await countTermsInSlices(document.text, this.index.pause));
	}
}

function measure({ segment, deletionBitmap }: OpenSegment): { documents: number; deleted: number } {
	let count = 0;
	for (let rest of deletionBitmap) for (; rest !== 0; rest &= rest - 1) count++;
	return { documents: segment.columns.length, deleted: count };
}

/** Sums the live documents of segments, and their bytes. */
function totalSize(segments: OpenSegment[]): { documents: number; bytes: number } {
	return {
		documents: segments.map(measure).reduce((sum, { documents, deleted }) => sum + documents - deleted, 0),
		bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0)
	};
}
