import type { SearchManifest } from '../storage/tables/search-state';
import { sizeOf, type IndexStore, type Manifest } from './index-store';
import { BlockCache } from './index/block-cache';
import type { Document } from './index/document';
import type { SegmentParts } from './index/flush';
import { sessionPrefix } from './index/keys';
import type { Segment } from './index/segment';
import type { CountedSource } from './index/source';
import { Tail } from './index/tail';
import type { DocumentTerms } from './index/words';

/** An open segment. Its deletion bitmap has a bit for each document that is deleted for good; those of sessions in the trash are not in it. */
export interface OpenSegment {
	id: string;
	bytes: number;
	segment: Segment;
	deletionBitmap: Uint8Array;
}

/** Limit of the blocks that stay in memory. */
const maxCacheBytes = 16_000_000;

/**
 * State of the index, as one tab knows it: the manifest that was read last, and in memory what was written since. Everything
 * that changes it is done one after the other by its owner.
 */
export class IndexState {
	/** Undefined where there is no index yet. */
	manifest: Manifest | undefined;
	/** Sequence number of the last change that was applied. */
	cursor = 0;
	segments: OpenSegment[] = [];
	tail = new Tail();
	/** Sessions in the trash, which may come back. */
	trashed = new Set<string>();
	/** The first messages of deleted branches, by session. */
	removedBranches = new Map<string, string[]>();
	/** Messages beyond the build cursor that are indexed already, since they were written or changed meanwhile. */
	indexedAhead = new Set<string>();
	/** Texts of session documents by session and key, as they are in the index; of the sessions that were looked at since it was loaded. */
	readonly sessionDocuments = new Map<string, Map<string, string>>();
	private readonly cache = new BlockCache(maxCacheBytes);
	private counted: CountedSource[] | undefined;

	constructor(private readonly store: IndexStore) {}

	/** Loads the index as it is stored. Segments that are open already stay open. Rejects with `SegmentGone`. */
	async load(manifest: Manifest | undefined): Promise<void> {
		const known = new Map(this.segments.map((open) => [open.id, open]));
		const segments = await Promise.all(
			(manifest?.segments ?? []).map(async ({ id, bytes, deletionBitmap }) => {
				const own = deletionBitmap.slice();
				const segment = known.get(id)?.segment ?? (await this.store.open(id, own, this.cache));
				return { id, bytes, segment, deletionBitmap: own };
			})
		);
		this.manifest = manifest;
		this.cursor = manifest?.cursor ?? 0;
		this.segments = segments;
		this.tail = new Tail();
		this.sessionDocuments.clear();
		this.trashed = new Set(manifest?.trashed);
		this.removedBranches = new Map(Object.entries(manifest?.removedBranches ?? {}));
		this.indexedAhead = new Set(manifest?.indexedAhead);
		for (const open of segments) this.applyDeletions(open);
		this.counted = undefined;
	}

	/** Opens a new segment under the id that it will be stored with; `stored` is to be called then. */
	openNew(id: string, parts: SegmentParts): { open: OpenSegment; stored: () => void } {
		const deletionBitmap = new Uint8Array(Math.ceil(parts.head.columns.length / 8));
		const { segment, stored } = this.store.openNew(id, parts, deletionBitmap, this.cache);
		const open = { id, bytes: sizeOf(parts), deletionBitmap, segment };
		this.applyDeletions(open);
		return { open, stored };
	}

	/** Replaces the segments, and also the tail where it was flushed into one of them. */
	replace(segments: OpenSegment[], tail = this.tail): void {
		this.segments = segments;
		this.tail = tail;
		this.counted = undefined;
	}

	/** Adds a document that is in no segment; replaces one of the same key in the tail. */
	add(document: Document, terms: DocumentTerms): void {
		if (this.tail.needsCompaction) this.tail = this.tail.compacted();
		const number = this.tail.add(document, terms);
		if (this.trashed.has(document.sessionId)) this.tail.deleted[number] = 1;
		this.counted = undefined;
	}

	/** Deletes the document of a key for good, from the tail and all segments. */
	async deleteDocument(key: string): Promise<void> {
		this.tail.remove(key);
		for (const open of this.segments) {
			const number = await open.segment.findKey(key);
			if (number !== undefined) markDeleted(open, number);
		}
		this.counted = undefined;
	}

	/** Deletes a session's own documents for good: title, labels, notes. */
	async deleteSessionDocuments(sessionId: string): Promise<void> {
		const prefix = sessionPrefix(sessionId);
		for (const number of await this.tail.findKeys(prefix)) for (const key of await this.tail.keys([number])) this.tail.remove(key);
		for (const open of this.segments) for (const number of await open.segment.findKeys(prefix)) markDeleted(open, number);
		this.sessionDocuments.delete(sessionId);
		this.counted = undefined;
	}

	/** Deletes all documents of a session for good. */
	deleteSession(sessionId: string): void {
		for (const open of this.segments) for (const number of open.segment.documentsOf(sessionId)) markDeleted(open, number);
		for (const number of this.tail.documentsOf(sessionId)) this.tail.removeAt(number);
		this.trashed.delete(sessionId);
		this.removedBranches.delete(sessionId);
		this.sessionDocuments.delete(sessionId);
		this.counted = undefined;
	}

	/** Marks all documents of a session as deleted while it is in the trash, or undoes that. */
	setVisible(sessionId: string, visible: boolean): void {
		if (visible) this.trashed.delete(sessionId);
		else this.trashed.add(sessionId);
		for (const open of this.segments) {
			for (const number of open.segment.documentsOf(sessionId)) open.segment.deleted[number] = visible && !isDeleted(open.deletionBitmap, number) ? 0 : 1;
		}
		for (const number of this.tail.documentsOf(sessionId)) this.tail.deleted[number] = visible ? 0 : 1;
		this.counted = undefined;
	}

	/** Returns the keys of a session's documents that are not deleted for good. */
	async keysOf(sessionId: string): Promise<string[]> {
		let keys = await this.tail.keys(this.tail.documentsOf(sessionId));
		for (const { segment, deletionBitmap } of this.segments) {
			keys = keys.concat(await segment.keys(segment.documentsOf(sessionId).filter((number) => !isDeleted(deletionBitmap, number))));
		}
		return keys;
	}

	/** Returns the sources that a query runs over. */
	sources(): CountedSource[] {
		return (this.counted ??= [...this.segments.map(({ segment }) => segment), this.tail].map((source) => {
			const { deleted, columns } = source;
			let documents = 0;
			let words = 0;
			for (let number = 0; number < columns.length; number++) {
				if (deleted[number] !== 0) continue;
				documents++;
				words += columns.words[number]!;
			}
			return { source, documents, words };
		}));
	}

	/** Returns the manifest of what is in memory, for these segments and an empty tail. */
	nextManifest(segments: OpenSegment[]): Manifest {
		const { manifest } = this;
		if (!manifest) throw new Error('there is no index to write');
		return {
			...manifest,
			commits: manifest.commits + 1,
			cursor: this.cursor,
			indexedAhead: manifest.buildCursor ? [...this.indexedAhead] : [],
			segments: segments.map(toEntry),
			trashed: [...this.trashed],
			removedBranches: Object.fromEntries(this.removedBranches)
		};
	}

	/** Sets which documents of a segment are deleted: those in its bitmap, and those of sessions in the trash. */
	private applyDeletions({ segment, deletionBitmap }: OpenSegment): void {
		for (let number = 0; number < segment.columns.length; number++) segment.deleted[number] = isDeleted(deletionBitmap, number) ? 1 : 0;
		for (const sessionId of this.trashed) for (const number of segment.documentsOf(sessionId)) segment.deleted[number] = 1;
	}
}

/** Makes the manifest's entry of a segment. */
export function toEntry({ id, bytes, segment, deletionBitmap }: OpenSegment): SearchManifest['segments'][number] {
	return { id, documents: segment.columns.length, bytes, deletionBitmap };
}

/** Deletes one document of a segment for good. */
export function markDeleted({ segment, deletionBitmap }: OpenSegment, number: number): void {
	deletionBitmap[number >> 3]! |= 1 << (number & 7);
	segment.deleted[number] = 1;
}

export function isDeleted(deletionBitmap: Uint8Array, number: number): boolean {
	return (deletionBitmap[number >> 3]! & (1 << (number & 7))) !== 0;
}
