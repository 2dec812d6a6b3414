/**
 * One part of a frozen segment of the search index, opaque to the store. `head` is read when the segment is opened, blocks
 * of `postings` and `keys` when a query needs them, those of `places` when it has a phrase.
 */
export interface SegmentPart {
	segment: string;
	kind: 'head' | 'postings' | 'places' | 'keys';
	number: number;
	content: unknown;
}

/** What the search index holds: one row, written with the parts that it names in one transaction. */
export interface SearchManifest {
	name: 'manifest';
	/** Of the words and the bytes; an index of another format is made anew. */
	format: number;
	/** Which index this is: a new one each time that it is made anew. */
	index: string;
	/** How often it was written: who knows a smaller number reads it again. */
	commits: number;
	/** It holds all changes up to this one. */
	watermark: number;
	/** The last message that the first reading of everything has come to; absent once that is over. */
	builtTo?: [sessionId: string, depth: number, id: string];
	/** Messages beyond `builtTo` that are in the index already, because they changed meanwhile. */
	early: string[];
	/** `dead` has a bit for each document that is gone for good. */
	segments: { id: string; documents: number; bytes: number; dead: Uint8Array }[];
	/** Sessions with documents in it that are deleted, but may come back. */
	absent: string[];
	/** By session, the first messages of branches that are deleted: what `removed` of the tree said when it was read. */
	removed: Record<string, string[]>;
}

/** How far the index is, for who waits for it. */
export interface SearchProgress {
	name: 'progress';
	/** Messages; both 0 until they are counted. */
	done: number;
	total: number;
	/** Whether everything is in it. */
	whole: boolean;
	documents: number;
	bytes: number;
}

/** What is made from other tables, and can be made again: no part of a backup or a snapshot. */
export const derivedTables = ['changes', 'segments', 'searchState'];
