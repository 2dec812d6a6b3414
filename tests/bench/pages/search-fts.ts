// The same by FTS5, the full-text search of SQLite, in a worker of its own.
import '../../../src/lib/shared/trusted-types';
import type { Query } from '../queries.mjs';
import { timed, timedEach } from './search-side';
import type { FtsReply, FtsRequest } from './search-fts-worker';

let worker: Worker | undefined;

window.searchSide = {
	fill: async (from, to) => ({ indexing: await call({ kind: 'fill', from, to }) }),
	finish: async () => ({ indexing: await call({ kind: 'optimize' }) }),
	first: (query) => timed(ask, query),
	ask: (queries) => timedEach(ask, queries)
};

function ask({ match }: Query): Promise<number> {
	return call({ kind: 'search', match });
}

/** One call at a time. */
function call(request: FtsRequest): Promise<number> {
	worker ??= new Worker(new URL('./search-fts-worker.ts', import.meta.url), { type: 'module' });
	const asked = worker;
	return new Promise((resolve, reject) => {
		asked.onmessage = ({ data }: MessageEvent<FtsReply>) => ('failed' in data ? reject(new Error(data.failed)) : resolve(data.answer));
		asked.onerror = ({ message }) => reject(new Error(message));
		asked.postMessage(request);
	});
}
