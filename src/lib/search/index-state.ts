import type { SearchManifest } from '../storage/tables/search-state';
import { sizeOf, type IndexStore, type Manifest } from './index-store';
import { BlockCache } from './index/block-cache';
import type { Document } from './index/document';
import type { FrozenParts } from './index/freeze';
import { sessionPrefix } from './index/keys';
import type { Segment } from './index/segment';
import type { CountedSource } from './index/source';
import { Tail } from './index/tail';
import type { DocumentTerms } from './index/words';

/** A frozen segment that is open. `dead` has a bit for each of its documents that is gone for good. */
export interface OpenSegment {
	id: string;
	bytes: number;
	segment: Segment;
	dead: Uint8Array;
}

/** The most bytes of read blocks that stay in memory. */
const cacheBytes = 16_000_000;

/**
 * State of the index, as one tab knows it: the manifest that was read last, and in memory what was written since. Everything
 * that changes it is done one after the other by its owner.
 */
export class IndexState {
	/** Undefined where there is no index yet. */
	manifest: Manifest | undefined;
	/** It has taken in all changes up to this one. */
	absorbed = 0;
	segments: OpenSegment[] = [];
	tail = new Tail();
	/** Sessions that are deleted and may come back. */
	absent = new Set<string>();
	/** By session, the first messages of its deleted branches. */
	removed = new Map<string, string[]>();
	/** Messages that are in the index before the first reading has come to them. */
	early = new Set<string>();
	/** By session, its own words by their keys, as they are in the index since it was loaded. */
	readonly spoken = new Map<string, Map<string, string>>();
	private readonly cache = new BlockCache(cacheBytes);
	private counted: CountedSource[] | undefined;

	constructor(private readonly store: IndexStore) {}

	/** Takes the index as it is stored. Segments that are open already stay open. Rejects with `SegmentGone`. */
	async load(manifest: Manifest | undefined): Promise<void> {
		const known = new Map(this.segments.map((open) => [open.id, open]));
		const segments = await Promise.all(
			(manifest?.segments ?? []).map(async ({ id, bytes, dead }) => {
				const own = dead.slice();
				const segment = known.get(id)?.segment ?? (await this.store.open(id, own, this.cache));
				return { id, bytes, segment, dead: own };
			})
		);
		this.manifest = manifest;
		this.absorbed = manifest?.watermark ?? 0;
		this.segments = segments;
		this.tail = new Tail();
		this.spoken.clear();
		this.absent = new Set(manifest?.absent);
		this.removed = new Map(Object.entries(manifest?.removed ?? {}));
		this.early = new Set(manifest?.early);
		for (const open of segments) this.showAll(open);
		this.counted = undefined;
	}

	/** Opens a segment that was just made, under an id that it will be stored with; `stored` is to be called then. */
	openMade(id: string, parts: FrozenParts): { open: OpenSegment; stored: () => void } {
		const dead = new Uint8Array(Math.ceil(parts.head.columns.length / 8));
		const { segment, stored } = this.store.openMade(id, parts, dead, this.cache);
		const open = { id, bytes: sizeOf(parts), dead, segment };
		this.showAll(open);
		return { open, stored };
	}

	/** Puts other segments in the place of those it has, and, where they hold what was in the tail, an empty tail in its place. */
	replace(segments: OpenSegment[], tail = this.tail): void {
		this.segments = segments;
		this.tail = tail;
		this.counted = undefined;
	}

	/** Adds a document that is in no segment. One of that key in the tail gives way to it. */
	add(document: Document, terms: DocumentTerms): void {
		if (this.tail.isWasted) this.tail = this.tail.compacted();
		const number = this.tail.add(document, terms);
		if (this.absent.has(document.sessionId)) this.tail.hidden[number] = 1;
		this.counted = undefined;
	}

	/** Takes out the document of that key, wherever it is, for good. */
	async kill(key: string): Promise<void> {
		this.tail.remove(key);
		for (const open of this.segments) {
			const number = await open.segment.findKey(key);
			if (number !== undefined) markDeleted(open, number);
		}
		this.counted = undefined;
	}

	/** Takes out what a session itself says: title, labels, notes. */
	async killSpoken(sessionId: string): Promise<void> {
		const prefix = sessionPrefix(sessionId);
		for (const number of await this.tail.findKeys(prefix)) for (const key of await this.tail.keys([number])) this.tail.remove(key);
		for (const open of this.segments) for (const number of await open.segment.findKeys(prefix)) markDeleted(open, number);
		this.spoken.delete(sessionId);
		this.counted = undefined;
	}

	/** Takes out everything of a session, for good. */
	forget(sessionId: string): void {
		for (const open of this.segments) for (const number of open.segment.documentsOf(sessionId)) markDeleted(open, number);
		for (const number of this.tail.documentsOf(sessionId)) this.tail.removeAt(number);
		this.absent.delete(sessionId);
		this.removed.delete(sessionId);
		this.spoken.delete(sessionId);
		this.counted = undefined;
	}

	/** Keeps everything of a session out of sight, or shows it again. */
	show(sessionId: string, shown: boolean): void {
		if (shown) this.absent.delete(sessionId);
		else this.absent.add(sessionId);
		for (const open of this.segments) {
			for (const number of open.segment.documentsOf(sessionId)) open.segment.hidden[number] = shown && !isDead(open.dead, number) ? 0 : 1;
		}
		for (const number of this.tail.documentsOf(sessionId)) this.tail.hidden[number] = shown ? 0 : 1;
		this.counted = undefined;
	}

	/** The keys of a session's documents that are not gone for good. */
	async keysOf(sessionId: string): Promise<string[]> {
		let keys = await this.tail.keys(this.tail.documentsOf(sessionId));
		for (const { segment, dead } of this.segments) {
			keys = keys.concat(await segment.keys(segment.documentsOf(sessionId).filter((number) => !isDead(dead, number))));
		}
		return keys;
	}

	/** Returns the sources that a query runs over. */
	sources(): CountedSource[] {
		return (this.counted ??= [...this.segments.map(({ segment }) => segment), this.tail].map((source) => {
			const { hidden, columns } = source;
			let documents = 0;
			let words = 0;
			for (let number = 0; number < columns.length; number++) {
				if (hidden[number] !== 0) continue;
				documents++;
				words += columns.words[number]!;
			}
			return { source, documents, words };
		}));
	}

	/** The manifest of all that is in memory, when these are the segments, and nothing is in the tail. */
	next(segments: OpenSegment[]): Manifest {
		const { manifest } = this;
		if (!manifest) throw new Error('there is no index to write');
		return {
			...manifest,
			commits: manifest.commits + 1,
			watermark: this.absorbed,
			early: manifest.builtTo ? [...this.early] : [],
			segments: segments.map(named),
			absent: [...this.absent],
			removed: Object.fromEntries(this.removed)
		};
	}

	/** Sets what is out of sight in a segment again. */
	private showAll({ segment, dead }: OpenSegment): void {
		for (let number = 0; number < segment.columns.length; number++) segment.hidden[number] = isDead(dead, number) ? 1 : 0;
		for (const sessionId of this.absent) for (const number of segment.documentsOf(sessionId)) segment.hidden[number] = 1;
	}
}

/** Returns the entry of a segment in a manifest. */
export function named({ id, bytes, segment, dead }: OpenSegment): SearchManifest['segments'][number] {
	return { id, documents: segment.columns.length, bytes, dead };
}

/** Takes one document of a segment out, for good. */
export function markDeleted({ segment, dead }: OpenSegment, number: number): void {
	dead[number >> 3]! |= 1 << (number & 7);
	segment.hidden[number] = 1;
}

export function isDead(dead: Uint8Array, number: number): boolean {
	return (dead[number >> 3]! & (1 << (number & 7))) !== 0;
}
