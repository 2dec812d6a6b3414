import { newId } from '../shared/id';
import { Database } from '../storage/database';
import type { SearchReply, SearchRequest } from './client';
import { Indexer } from './indexer';
import { createPause } from '../shared/pause';
import { SearchIndex } from './search-index';

const index = new SearchIndex(new Database(), createPause());
const reply = (answer: SearchReply) => postMessage(answer);

onmessage = ({ data: { number, text, options } }: MessageEvent<SearchRequest>) => {
	index.search(text, options).then(
		(result) => reply({ number, result }),
		(error: unknown) => reply({ number, failed: String(error) })
	);
};

void new Indexer(index, { locks: navigator.locks, newId }).runAsLeader();
