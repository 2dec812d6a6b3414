import type { Positions } from './positions';

/**
 * A set of documents that a query runs over: the tail or a segment. Documents have numbers from 0 to `columns.length - 1` in it,
 * in no promised order; `deleted` tells which of them do not count.
 */
export interface Source {
	readonly columns: Columns;
	/** 1 for each document that is deleted, also with its session in the trash. A tail replaces it by a longer one, so it is read again each time. */
	readonly deleted: Uint8Array;
	/** Finds a term, if any document has it. */
	find(term: string): TermEntry | undefined;
	/** Finds all terms with a prefix, the prefix itself included if it is one. */
	withPrefix(prefix: string): TermEntry[];
	/** Finds all terms within a Levenshtein distance of `maxDistance` UTF-16 units; the term itself has 0. */
	fuzzy(term: string, maxDistance: number): { entry: TermEntry; distance: number }[];
	/** Loads the postings of these: `postings` needs it before. */
	load(entries: TermEntry[]): Promise<void>;
	/** Writes the documents that have the term, ascending, deleted ones included, and how often each does; returns how many. */
	postings(entry: TermEntry, into: Postings): number;
	/** Loads as `load` does, for `positions`. */
	loadPositions(entries: TermEntry[]): Promise<void>;
	/** Writes the term's positions in each of those documents. `counts` is what `postings` wrote of it. */
	positions(entry: TermEntry, counts: Uint32Array, into: Positions): void;
	/** Returns the keys of documents, by number. */
	keys(documents: number[]): Promise<string[]>;
	/** Finds the document with a key, or undefined. It may be a deleted one, but one that was removed from a tail is not found. */
	findKey(key: string): Promise<number | undefined>;
	/** Finds the documents whose keys have a prefix, as `findKey` does. */
	findKeys(prefix: string): Promise<number[]>;
	/** Finds the documents of a session, as `findKey` does. */
	documentsOf(sessionId: string): number[];
}

/** A term of one source. `count` is how many documents have it, deleted ones included; `location` is known to that source only. */
export interface TermEntry {
	term: string;
	count: number;
	location: unknown;
}

/** A buffer for the postings of one term, as long as the source has documents. */
export interface Postings {
	documents: Uint32Array;
	counts: Uint32Array;
}

/** Values of each document, by number. The arrays may be longer than `length`. */
export interface Columns {
	length: number;
	/** Indexes into `sessionIds`. */
	session: Uint32Array;
	sessionIds: string[];
	/** Indexes into `roles`, with `codeFlag` added where it has code. */
	role: Uint8Array;
	/** Indexes into `models`; 0 is ''. */
	model: Uint16Array;
	models: string[];
	/** A message's, which is a part of its key in the store. */
	depth: Uint32Array;
	createdAt: Float64Array;
	/** The length that the score counts with: different tokens before they are processed, as in MiniSearch. */
	words: Uint32Array;
}

/** Kinds of documents, messages by role: the index is the code in `Columns.role`. */
export const roles = ['title', 'label', 'note', 'system', 'user', 'assistant', 'tool'] as const;

/** Added to the code of a role. */
export const codeFlag = 0x80;

/** A source with its live documents counted, and their words. */
export interface CountedSource {
	source: Source;
	documents: number;
	words: number;
}
