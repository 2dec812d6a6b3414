import { unchecked, type TableDefinition } from './definition';

/** Manifest of the search index: one row, written in one transaction with the parts that it names and with its cursor, up to which it has all changes. */
export interface SearchManifest {
	name: 'manifest';
	/** Version of the terms and the bytes; an index of another format is rebuilt. */
	format: number;
	/** Id of the index: a new one each time that it is rebuilt. */
	index: string;
	/** Number of times that it was written: a tab that knows a smaller one reads it again. */
	commits: number;
	/** The last message that the build has read; absent once it is complete. */
	buildCursor?: [sessionId: string, depth: number, id: string];
	/** Messages beyond `buildCursor` that are in the index already, because they changed meanwhile. */
	indexedAhead: string[];
	/** `deletionBitmap` has a bit for each document that is deleted for good. */
	segments: { id: string; documents: number; bytes: number; deletionBitmap: Uint8Array }[];
	/** Sessions with documents in it that are in the trash, and may come back. */
	trashed: string[];
	/** The first messages of deleted branches, by session: `removed` of the tree when it was read. */
	removedBranches: Record<string, string[]>;
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
