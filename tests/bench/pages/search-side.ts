import type { Query } from '../queries.mjs';

/** One of the two that are compared. Times are milliseconds, from the call in the page to the answer in the page. */
export interface SearchSide {
	/** Adds the messages of the corpus from number `from` up to but without `to`, whole sessions. */
	fill(from: number, to: number): Promise<{ indexing: number }>;
	/** Waits for, or does, what is left to be done for the index. */
	finish(): Promise<{ indexing: number }>;
	/** Starts the worker and asks it at once: the best 20, with ids, scores and snippets, and how many there are. */
	first(query: Query): Promise<Asked>;
	/** Asks one after the other. */
	ask(queries: Query[]): Promise<Asked[]>;
}

export interface Asked {
	took: number;
	/** How many there are. */
	total: number;
}

declare global {
	interface Window {
		searchSide: SearchSide;
	}
}

/** How many are asked for. */
export const limit = 20;

/** How many messages are put at once: whole sessions. */
export const batch = 10_000;

/** Both answer a query with how many there are. */
export async function timed(ask: (query: Query) => Promise<number>, query: Query): Promise<Asked> {
	const before = performance.now();
	const total = await ask(query);
	return { took: performance.now() - before, total };
}

export async function timedEach(ask: (query: Query) => Promise<number>, queries: Query[]): Promise<Asked[]> {
	const all: Asked[] = [];
	for (const query of queries) all.push(await timed(ask, query));
	return all;
}
