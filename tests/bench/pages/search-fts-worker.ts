import sqlite3InitModule, { type Database } from '@sqlite.org/sqlite-wasm';
import { corpusId, createCorpus } from '../corpus.mjs';
import { roleTag, sessionTag } from '../queries.mjs';
import { batch, limit } from './search-side';

export type FtsRequest = { kind: 'fill'; from: number; to: number } | { kind: 'optimize' } | { kind: 'search'; match: string };

/** `answer`: milliseconds, or how many there are. */
export type FtsReply = { answer: number; found?: unknown[] } | { failed: string };

/**
 * Role and session are words of a second column, weighed with nothing: a filter is then a term like any other, which is
 * much faster than to join a table. A prefix index makes prefixes of two and three letters faster.
 */
const create = `CREATE VIRTUAL TABLE IF NOT EXISTS messages USING fts5(
	text, tags, id UNINDEXED, tokenize = 'porter unicode61', prefix = '2 3')`;

const search = `SELECT id, -rank AS score, snippet(messages, 0, '', '', '…', 24) AS snippet FROM messages
	WHERE messages MATCH ? AND rank MATCH 'bm25(1.0, 0.0)' ORDER BY rank LIMIT ${limit}`;

const count = 'SELECT count(*) FROM messages WHERE messages MATCH ?';

const opening = open();

globalThis.onmessage = async ({ data }: MessageEvent<FtsRequest>) => {
	const reply = await answer(await opening, data).catch((error: unknown): FtsReply => ({ failed: String(error) }));
	globalThis.postMessage(reply);
};

/** The pool of OPFS files is the fastest of what SQLite can keep a database in here; the others would be started in vain. */
async function open(): Promise<Database> {
	Object.assign(globalThis, { sqlite3ApiConfig: { disable: { vfs: { kvvfs: true, opfs: true, 'opfs-vfs': true, 'opfs-wl': true } } } });
	const sqlite3 = await sqlite3InitModule();
	const { OpfsSAHPoolDb } = await sqlite3.installOpfsSAHPoolVfs({ initialCapacity: 4 });
	const db = new OpfsSAHPoolDb('/search.db');
	db.exec('PRAGMA cache_size = -65536');
	return db;
}

async function answer(db: Database, request: FtsRequest): Promise<FtsReply> {
	if (request.kind === 'fill') return { answer: await fill(db, request.from, request.to) };
	if (request.kind === 'optimize') return { answer: timeOf(() => db.exec("INSERT INTO messages(messages) VALUES ('optimize')")) };
	const found = db.selectObjects(search, [request.match]);
	return { answer: Number(db.selectValue(count, [request.match])), found };
}

/** How long it took without the making of the messages. */
async function fill(db: Database, from: number, to: number): Promise<number> {
	const makeMessage = createCorpus(await (await fetch('/bench/material.json')).json());
	db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
	db.exec(create);
	let took = 0;
	for (let start = from; start < to; start += batch) {
		const made = Array.from({ length: Math.min(batch, to - start) }, (_, index) => makeMessage(start + index));
		took += timeOf(() =>
			db.transaction(() => {
				const insert = db.prepare('INSERT INTO messages (text, tags, id) VALUES (?, ?, ?)');
				for (const { number, session, role, text } of made) {
					insert.bind([text, `${sessionTag(session)} ${roleTag(role)}`, corpusId('message', number)]).stepReset();
				}
				insert.finalize();
			})
		);
	}
	return took;
}

function timeOf(work: () => unknown): number {
	const before = performance.now();
	work();
	return performance.now() - before;
}
