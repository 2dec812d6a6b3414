// Snug's own search, over the real store, with its worker; and a field to type into, with the results below it.
import '../../../src/lib/shared/trusted-types';
import { sizeOf, type Message } from '../../../src/lib/conversation/message';
import type { Session } from '../../../src/lib/conversation/session';
import type { Tree } from '../../../src/lib/conversation/tree';
import { SearchClient } from '../../../src/lib/search/client';
import type { Hit } from '../../../src/lib/search/hit';
import { Database } from '../../../src/lib/storage/database';
import { corpusId, corpusTime, createCorpus, messagesPerSession, models, type CorpusMessage } from '../corpus.mjs';
import type { Query } from '../queries.mjs';
import { batch, limit, timed, timedEach } from './search-side';

const client = new SearchClient(() => new Worker(new URL('../../../src/lib/search/search-worker.ts', import.meta.url), { type: 'module' }));

window.searchSide = {
	async fill(from, to) {
		const makeMessage = createCorpus(await (await fetch('material.json')).json());
		const db = new Database();
		for (let start = from; start < to; start += batch) {
			const made = Array.from({ length: Math.min(batch, to - start) }, (_, index) => makeMessage(start + index));
			await putMessages(db, made);
		}
		db.close();
		return { indexing: 0 };
	},
	async finish() {
		const before = performance.now();
		client.start();
		const settled = await whenSettled();
		return { indexing: settled - before };
	},
	first: (query) => timed(ask, query),
	ask: (queries) => timedEach(ask, queries)
};

async function ask({ text, session, role }: Query): Promise<number> {
	const { refused, total } = await client.search(text, {
		limit,
		...(session === undefined ? {} : { sessionId: corpusId('session', session) }),
		...(role === undefined ? {} : { role })
	});
	if (refused !== undefined) throw new Error(`${text}: ${refused}`);
	return total;
}

/**
 * When the index was written for the last time: everything is in it then, and its segments are merged. The next merge is known
 * by nothing but that it comes, later the more there is.
 */
async function whenSettled(): Promise<number> {
	const db = new Database();
	let last = { commits: -1, at: performance.now(), quiet: 0 };
	while (last.quiet === 0 || performance.now() - last.at < last.quiet) {
		await new Promise((resolve) => setTimeout(resolve, 100));
		const [manifest, progress] = await db.searchState.bulkGet(['manifest', 'progress']);
		if (manifest?.name !== 'manifest' || progress?.name !== 'progress' || manifest.commits === last.commits) continue;
		last = { commits: manifest.commits, at: performance.now(), quiet: progress.whole ? 3000 + progress.total / 20 : 0 };
	}
	db.close();
	return last.at;
}

/** As the app would have written them: each session one branch. */
async function putMessages(db: Database, made: CorpusMessage[]): Promise<void> {
	const messages = made.map(rowOf);
	const last = messages.filter(({ depth }, index) => depth === messagesPerSession - 1 || index === messages.length - 1);
	await db.transaction('rw', db.sessions, db.trees, db.positions, db.messages, async () => {
		await Promise.all([
			db.sessions.bulkAdd(last.map((tip) => sessionOf(tip, messages.filter(({ sessionId }) => sessionId === tip.sessionId)))),
			db.trees.bulkAdd(last.map(treeOf)),
			db.positions.bulkAdd(last.map(({ id, sessionId }) => ({ sessionId, headId: id, fence: 0 }))),
			db.messages.bulkAdd(messages)
		]);
	});
}

function rowOf({ number, session, role, text, model }: CorpusMessage): Message {
	const depth = number % messagesPerSession;
	return {
		id: corpusId('message', number),
		sessionId: corpusId('session', session),
		parentId: depth === 0 ? null : corpusId('message', number - 1),
		depth,
		role,
		parts: [{ type: 'text', text }],
		createdAt: corpusTime(number),
		...(model === undefined ? {} : { model })
	};
}

function treeOf({ id, sessionId, depth }: Message): Tree {
	const tip = { id, depth, forkId: null, forkDepth: 0, fromId: null };
	return { sessionId, tips: [tip], labels: {}, mainTip: null, removed: [] };
}

/** Without a title, so that there is nothing to be found but messages. */
function sessionOf(tip: Message, messages: Message[]): Session {
	const createdAt = messages[0]!.createdAt;
	return {
		id: tip.sessionId,
		key: `web:home:${createdAt}`,
		title: '',
		titledBy: 'snug',
		workspace: 'home',
		surface: 'web',
		preview: `Session ${tip.sessionId}`,
		provider: 'bench',
		model: models[0]!,
		status: 'success',
		stopReason: '',
		steps: messages.length / 2,
		messageCount: messages.length,
		bytes: messages.reduce((sum, message) => sum + sizeOf(message), 0),
		usage: {},
		filesTouched: [],
		pinned: 0,
		archived: 0,
		createdAt,
		updatedAt: tip.createdAt
	};
}

const field = document.querySelector('input')!;
field.addEventListener('input', () => {
	const typed = field.value;
	void client.search(typed, { limit }).then(({ hits }) => {
		if (field.value === typed) document.querySelector('ol')!.replaceChildren(...hits.map(draw));
	});
});

function draw({ session, snippet: { text, marks } }: Hit): HTMLElement {
	const item = document.createElement('li');
	let at = 0;
	for (const [from, to] of marks) {
		const mark = document.createElement('mark');
		mark.append(text.slice(from, to));
		item.append(text.slice(at, from), mark);
		at = to;
	}
	item.append(text.slice(at), ` (${session})`);
	return item;
}
