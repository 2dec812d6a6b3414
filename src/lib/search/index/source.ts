import type { Places } from './places';

/**
 * A set of documents that a query runs over: the live tail or a frozen segment. Documents have numbers from 0 to `columns.length - 1` in it,
 * in no promised order; `hidden` tells which of them do not count.
 */
export interface Source {
	readonly columns: Columns;
	/** 1 for each document that is deleted, by number. A tail takes a longer one when it grows, so it is asked for again each time. */
	readonly hidden: Uint8Array;
	/** The term, if any document has it. */
	find(term: string): TermEntry | undefined;
	/** All terms that begin so, the prefix itself included if it is one. */
	withPrefix(prefix: string): TermEntry[];
	/** All terms whose Levenshtein distance, in UTF-16 units, is at most `maxDistance`; the term itself has 0. */
	near(term: string, maxDistance: number): { entry: TermEntry; distance: number }[];
	/** Makes sure that the postings of these can be read at once: `postings` needs it before. */
	load(entries: TermEntry[]): Promise<void>;
	/** Writes the documents that have the term, ascending, hidden ones included, and how often each does; returns how many. */
	postings(entry: TermEntry, into: Postings): number;
	/** As `load`, for `places`. */
	loadPlaces(entries: TermEntry[]): Promise<void>;
	/** Writes where the term is in each of those documents. `counts` is what `postings` wrote of it. */
	places(entry: TermEntry, counts: Uint32Array, into: Places): void;
	/** The keys of documents, by number. */
	keys(documents: number[]): Promise<string[]>;
	/** The document with that key, or undefined. It may be hidden, but one that was removed from a tail is not found. */
	findKey(key: string): Promise<number | undefined>;
	/** The documents whose keys begin so, as in `findKey`. */
	findKeys(prefix: string): Promise<number[]>;
	/** The documents of a session, as in `findKey`. */
	documentsOf(sessionId: string): number[];
}

/** A term of one source. `count` is how many documents have it, hidden ones included; `place` is known to that source only. */
export interface TermEntry {
	term: string;
	count: number;
	place: unknown;
}

/** Room for the postings of one term, as long as the source has documents. */
export interface Postings {
	documents: Uint32Array;
	counts: Uint32Array;
}

/** Values of each document, by number. The arrays may be longer than `length`. */
export interface Columns {
	length: number;
	/** Into `sessionIds`. */
	session: Uint32Array;
	sessionIds: string[];
	/** Into `roles`, with `codeFlag` added where it has code. */
	role: Uint8Array;
	/** Into `models`; 0 is ''. */
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

/** A source with what counts in it: documents that are not hidden, and their words. */
export interface CountedSource {
	source: Source;
	documents: number;
	words: number;
}
