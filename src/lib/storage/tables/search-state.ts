import { unchecked, type TableDefinition } from './definition';

/** Manifest of the search index: one row, written in one transaction with the parts that it names and with its cursor, up to which it has all changes. */
export interface SearchManifest {
	name: 'manifest';
	/** Of the words and the bytes; an index of another format is rebuilt. */
	format: number;
	/** Id of the index: a new one each time that it is rebuilt. */
	index: string;
	/** Number of times that it was written: a tab that knows a smaller one reads it again. */
	commits: number;
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

/** Progress of the index. */
export interface SearchProgress {
	name: 'progress';
	/** Messages; both 0 until they are counted. */
	done: number;
	total: number;
	/** True if everything is in it. */
	whole: boolean;
	documents: number;
	bytes: number;
}

export const searchState = {
	schema: unchecked<SearchManifest | SearchProgress>(),
	key: 'name',
	indexes: { 4: '' },
	scope: 'derived'
} as const satisfies TableDefinition<SearchManifest | SearchProgress>;
