import { SearchClient } from '../search/client';
import type { SearchOptions, SearchResult } from '../search/hit';
import { Changes } from '../storage/changes';
import type { SearchProgress } from '../storage/tables/search-state';
import { db } from './environment';

const changes = new Changes(db);
const client = new SearchClient(() => new Worker(new URL('../search/search-worker.ts', import.meta.url), { type: 'module', name: 'search' }));

/** Everything that was said, in every branch, and titles, labels and notes [E7]. */
export const search = {
	/** Rejects with an AppError where the index can't be read. */
	find: (text: string, options?: SearchOptions) => client.search(text, options),
	/** Starts what keeps the index in step with what is stored, unless it runs. */
	start: () => void client.start(),
	/** Finds the words of a search in a text; `corrections` are what was taken in the place of words that are nowhere. */
	marker: async (text: string, corrections?: SearchResult['corrections']) => (await import('../search/marks')).marker(text, corrections),
	/** Reads rows only, so that a live query can follow it; undefined before there is an index. */
	progress: async (): Promise<SearchProgress | undefined> => {
		const row = await db.searchState.get('progress');
		return row?.name === 'progress' ? row : undefined;
	},
	/** Another number whenever something that can be found was written. Reads rows only, so that a live query can follow it. */
	lastChange: () => changes.lastSeq(),
	/** Throws the index away, so that it is rebuilt from what is stored. */
	rebuild: async () => (await import('../search/index-store')).discardIndex(db)
};
