import { Dexie, liveQuery } from 'dexie';
import type { Message } from '../conversation/message';
import { Changes } from '../storage/changes';
import { Scratchpad } from '../storage/scratchpad';
import { absorb, absorbWholly } from './absorb';
import { messageDocument, sessionDocuments } from './documents';
import { markDeleted, isDead, named, type OpenSegment } from './index-state';
import { searchFormat, SegmentGone, type Manifest } from './index-store';
import type { Document } from './index/document';
import { dropped, freeze, type FrozenParts } from './index/freeze';
import { merge } from './index/merge';
import { Tail } from './index/tail';
import { dueForMerge } from './index/tiers';
import { countTermsInSlices } from './index/words';
import type { SearchIndex } from './search-index';

/** Sizes from which something is worth writing. */
export interface Sizes {
	/** The documents that the tail takes, or the changes, before it is frozen. */
	tail: number;
	/** Number of documents in the tail, or of changes, that is enough when nothing else is to do. */
	idleTail: number;
	idleChanges: number;
	/** Number of rows that are read at once, and how many documents make a segment, while everything is read for the first time. */
	page: number;
	segment: number;
}

const usual: Sizes = { tail: 1024, idleTail: 128, idleChanges: 512, page: 1000, segment: 8192 };

/** Time without a write before a small tail is flushed too, and before what failed is tried again; milliseconds. */
const idleAfter = 10_000;
const tryAgainAfter = 30_000;

interface Environment {
	locks: LockManager;
	newId: () => string;
}

/** A segment that is not stored yet. */
interface Made {
	id: string;
	parts: FrozenParts;
	open: OpenSegment;
	/** To be called when it is. */
	stored: () => void;
}

/** Makes the index and keeps it small. In one worker of all tabs only: the others read what it writes. */
export class Indexer {
	private readonly changes: Changes;
	/** True if something was written since the work began. */
	private woken = false;
	private endSleep = (): void => undefined;

	constructor(
		private readonly index: SearchIndex,
		private readonly environment: Environment,
		private readonly sizes = usual
	) {
		this.changes = new Changes(index.db);
	}

	/** Waits until no other worker keeps the index, and then does, until this one ends, or the database is closed to it. */
	keep(): Promise<void> {
		return this.environment.locks.request('search-index', async () => {
			const { db } = this.index;
			// Also when the index was thrown away, to be rebuilt.
			const written = liveQuery(async () => [await this.changes.lastSeq(), await db.searchState.count()]);
			written.subscribe({ next: () => this.wake(), error: (error) => console.warn('Changes can’t be followed.', error) });
			for (let idle = false; ; ) {
				const next = await this.work(idle);
				if (next.closed) return;
				idle = !(await this.sleep(next.after));
			}
		});
	}

	/** Does what there is to do, until everything that was written is in the index. `idle`: also what could wait. */
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

	/** Resolves with after how many milliseconds to look again if nothing is written before; never, where that is undefined. */
	private async work(idle: boolean): Promise<{ after?: number; closed?: true }> {
		this.woken = false;
		try {
			await this.catchUp(idle);
			return idle ? {} : { after: idleAfter };
		} catch (error) {
			// A newer Snug in another tab has taken it over.
			if (error instanceof Dexie.DatabaseClosedError) return { closed: true };
			console.warn('The search index could not be written. It will be tried again.', error);
			return { after: tryAgainAfter };
		}
	}

	private wake(): void {
		this.woken = true;
		this.endSleep();
	}

	/** Resolves with whether something was written meanwhile. */
	private async sleep(milliseconds: number | undefined): Promise<boolean> {
		if (!this.woken) {
			await new Promise<void>((resolve) => {
				const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds);
				this.endSleep = () => {
					clearTimeout(timer);
					resolve();
				};
			});
		}
		return this.woken;
	}

	/** One transaction's worth of work. False where there is nothing to do. */
	private async step(idle: boolean): Promise<boolean> {
		const { sizes } = this;
		const { state } = this.index;
		await this.inStep(() => Promise.resolve());
		const { manifest } = state;
		if (!manifest) return this.begin();
		const changes = state.absorbed - manifest.watermark;
		const many = state.tail.size >= sizes.tail || changes >= sizes.tail;
		const few = state.tail.size >= sizes.idleTail || changes >= sizes.idleChanges;
		if (many || (idle && few)) return this.inStep(() => this.write({ segments: state.segments }));
		if (this.index.behind > 0) return true;
		if (manifest.builtTo) return this.readOn(manifest, manifest.builtTo);
		const due = dueForMerge(state.segments.map(measured), idle);
		return due !== undefined && this.mergeSegments(due.map((at) => state.segments[at]!));
	}

	/**
	 * Does something exclusively, after all that was written was taken in. Returns true. Where it fails, what is stored is what holds, and
	 * nothing of it is left in memory.
	 */
	private async inStep(work: () => Promise<void>): Promise<boolean> {
		const { index } = this;
		await index.exclusively(async () => {
			try {
				await index.again(() => index.refresh());
				await work();
			} catch (error) {
				await index.state.load(await index.store.manifest());
				throw error;
			}
		});
		return true;
	}

	/** Makes an index of what sessions themselves say. What is written meanwhile is among the changes after its cursor. */
	private async begin(): Promise<boolean> {
		const { db, store, state } = this.index;
		const { watermark, absent } = await store.begin();
		const tail = new Tail();
		const removed: Record<string, string[]> = {};
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
				if (tree && tree.removed.length > 0) removed[session.id] = tree.removed;
				for (const document of sessionDocuments(session, tree, await new Scratchpad(db).list(session.id))) await this.add(tail, document);
			}
		}
		const added = tail.size > 0 ? [this.made(freeze(tail).parts)] : [];
		const manifest: Manifest = {
			name: 'manifest',
			format: searchFormat,
			index: this.environment.newId(),
			commits: 0,
			watermark,
			builtTo: ['', 0, ''],
			early: [],
			segments: added.map(({ open }) => named(open)),
			absent,
			removed
		};
		const progress = { done: 0, total, whole: false, ...sizesOf(added.map(({ open }) => open)) };
		await this.index.exclusively(async () => {
			if (await store.commit({ manifest, progress, added, dropped: [] })) await state.load(manifest);
		});
		return true;
	}

	/** Goes on with the first reading of all messages, by one segment. */
	private async readOn(begun: Manifest, from: [string, number, string]): Promise<boolean> {
		const { db, state, pause } = this.index;
		const since = state.absorbed;
		const tail = new Tail();
		/** Of these some branches are deleted, which a message by itself does not tell. */
		const apart = new Set<string>();
		let builtTo: typeof from | undefined = from;
		let read = 0;
		while (builtTo && tail.size < this.sizes.segment) {
			const rows: Message[] = await db.messages.where(':id').above(builtTo).limit(this.sizes.page).toArray();
			const last = rows.at(-1);
			builtTo = last && [last.sessionId, last.depth, last.id];
			read += rows.length;
			for (const row of rows) {
				if (state.removed.has(row.sessionId)) apart.add(row.sessionId);
				const document = apart.has(row.sessionId) || state.early.has(row.id) ? undefined : messageDocument(row);
				if (document) await this.add(tail, document);
			}
		}
		return this.inStep(async () => {
			const { manifest } = state;
			if (manifest?.index !== begun.index) return;
			const made = tail.size > 0 ? [this.made(freeze(tail).parts)] : [];
			const { builtTo: _, ...rest } = manifest;
			state.manifest = builtTo ? { ...rest, builtTo } : rest;
			state.replace([...state.segments, ...made.map(({ open }) => open)]);
			// What changed while it was read may be in the segment as it was.
			await absorb(db, state, await this.changes.after(since), pause);
			await absorbWholly(db, state, apart, pause);
			await this.write({ segments: state.segments, added: made, read });
		});
	}

	private async mergeSegments(old: OpenSegment[]): Promise<boolean> {
		const { state, pause } = this.index;
		const dead = old.map((open) => open.dead.slice());
		const { parts, numbers } = await merge(
			old.map(({ segment }, at) => ({ segment, dead: (document: number) => isDead(dead[at]!, document) })),
			pause
		);
		return this.inStep(async () => {
			const current = old.map(({ id }) => state.segments.find((open) => open.id === id));
			if (current.includes(undefined)) return;
			const made = parts.head.columns.length > 0 ? [this.made(parts)] : [];
			current.forEach((open, at) => {
				numbers[at]!.forEach((number, document) => {
					if (number !== dropped && isDead(open!.dead, document)) markDeleted(made[0]!.open, number);
				});
			});
			const kept = state.segments.filter((open) => !current.includes(open));
			await this.write({ segments: [...kept, ...made.map(({ open }) => open)], added: made, dropped: old.map(({ id }) => id) });
		});
	}

	/**
	 * Writes the index with these segments, and what is in the tail as one more. Everything that was absorbed is in it: a step that held
	 * only a part would have the rest looked at again after a crash, from a state that knows of it already.
	 */
	private async write(step: { segments: OpenSegment[]; added?: Made[]; dropped?: string[]; read?: number }): Promise<void> {
		const { store, state } = this.index;
		// Thrown away meanwhile.
		if (!state.manifest) return;
		const frozen = state.tail.size > 0 ? [this.made(freeze(state.tail).parts)] : [];
		const segments = [...step.segments, ...frozen.map(({ open }) => open)];
		const manifest = state.next(segments);
		const before = await store.progress();
		const total = before?.total ?? 0;
		const whole = manifest.builtTo === undefined;
		const done = whole ? total : Math.min(total, (before?.done ?? 0) + (step.read ?? 0));
		const progress = { done, total, whole, ...sizesOf(segments) };
		const added = [...(step.added ?? []), ...frozen];
		if (await store.commit({ manifest, progress, added, dropped: step.dropped ?? [] })) {
			for (const { stored } of added) stored();
			state.manifest = manifest;
			if (whole) state.early.clear();
			state.replace(segments, new Tail());
		} else await state.load(await store.manifest());
	}

	private made(parts: FrozenParts): Made {
		const id = this.environment.newId();
		return { id, parts, ...this.index.state.openMade(id, parts) };
	}

	private async add(tail: Tail, document: Document): Promise<void> {
		tail.add(document, await countTermsInSlices(document.text, this.index.pause));
	}
}

function measured({ segment, dead }: OpenSegment): { documents: number; dead: number } {
	let count = 0;
	for (let rest of dead) for (; rest !== 0; rest &= rest - 1) count++;
	return { documents: segment.columns.length, dead: count };
}

/** Sums the documents and bytes of segments, dead ones included. */
function sizesOf(segments: OpenSegment[]): { documents: number; bytes: number } {
	return {
		documents: segments.map(measured).reduce((sum, { documents, dead }) => sum + documents - dead, 0),
		bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0)
	};
}
