// What a session's length costs: reading its newest messages, appending to it, choosing what the model sees of it, compacting
// it, deleting it; and many sessions in the list.
import { sizeOf, type Message } from '../../../src/lib/conversation/message';
import type { Session } from '../../../src/lib/conversation/session';
import type { Tree } from '../../../src/lib/conversation/tree';
import type { Position } from '../../../src/lib/storage/tables/positions';
import { Compactor } from '../../../src/lib/engine/compaction/compactor';
import { atServer } from '../../../src/lib/engine/providers/answer-source';
import { ContextPlanner } from '../../../src/lib/engine/turns/context-planner';
import { TokenCounts } from '../../../src/lib/engine/tokens/token-counts';
import { Writers } from '../../../src/lib/engine/turns/writers';
import { noTools } from '../../../src/lib/engine/turns/toolbox';
import { newId } from '../../../src/lib/shared/id';
import { append } from '../../../src/lib/storage/append';
import { Database } from '../../../src/lib/storage/database';
import { unfenced } from '../../../src/lib/storage/fence';
import { Messages } from '../../../src/lib/storage/messages';
import { Trash } from '../../../src/lib/storage/trash';
import { Trees } from '../../../src/lib/storage/trees';
import { createBackup } from '../../../src/lib/transfer/backup/create';
import { importFile } from '../../../src/lib/transfer/imports/import-file';
import { markdownTokens } from '../../fixtures/markdown-text.mjs';
import { openRegistry } from '../../fixtures/providers';

declare global {
	interface Window {
		/** Makes a session of `count` messages, `calls` of them tool calls with their results, and returns its id. */
		makeSession: (count: number, calls?: number) => Promise<string>;
		/** Makes a session of `count` messages whose answers have formatting, code and tables, and whose last one ends with “the very end” in bold; returns its id. */
		makeFormatted: (count: number) => Promise<string>;
		/** Milliseconds of reading the newest 200 of each session, `times` over, in turns. */
		readNewest: (ids: string[], times: number) => Promise<number[][]>;
		/** Milliseconds of appending a message to each session, `times` over, in turns. */
		appendTo: (ids: string[], times: number) => Promise<number[][]>;
		/** Milliseconds of reading what decides what the model sees of a session, and of choosing from it, `times` over. */
		choose: (id: string, times: number) => Promise<{ read: number[]; chosen: number[]; sent: number }>;
		/** Compacts a session by a rule: milliseconds, and the frames meanwhile. */
		compact: (id: string, strategy: 'simple' | 'code-aware' | 'role-budget') => Promise<{ took: number; frames: number[] }>;
		/** Puts a compaction after each `every` messages of a session, as if it had been compacted by itself. */
		makeCompactions: (id: string, every: number) => Promise<void>;
		/** Deletes a session for good: milliseconds, and the longest frame meanwhile. */
		deleteSession: (id: string) => Promise<{ took: number; longestFrame: number }>;
		/** Milliseconds of restoring a backup of that many sessions of 1 000 messages, and of putting the same rows without a library. */
		compareImport: (sessions: number) => Promise<{ restored: number; raw: number }>;
		/** Makes that many sessions of so many messages each, two unless told. */
		makeSessions: (count: number, messages?: number) => Promise<void>;
	}
}

const text = 'A message of a usual length, as people write them: one or two sentences, and not much more than that.';
const db = new Database();

window.makeSession = (count, calls = 0) => put(rowsOf(count, calls));

window.makeFormatted = (count) => {
	const rows = rowsOf(count);
	const { messages } = rows;
	for (const message of messages) {
		if (message.role === 'assistant') message.parts = [{ type: 'text', text: markdownTokens(200, message.depth).join('') }];
	}
	messages.at(-1)!.parts.push({ type: 'text', text: '\n\nThis is **the very end**' });
	return put(rows);
};

async function put({ session, tree, position, messages }: ReturnType<typeof rowsOf>): Promise<string> {
	await db.transaction('rw', db.sessions, db.trees, db.positions, db.messages, async () => {
		await Promise.all([db.sessions.put(session), db.trees.put(tree), db.positions.put(position), db.messages.bulkPut(messages)]);
	});
	return session.id;
}

window.readNewest = (ids, times) => inTurns(ids, times, (id) => new Messages(db).newest(id, { limit: 200 }));

window.appendTo = (ids, times) =>
	inTurns(ids, times, (id) =>
		append(db, { session: id, fence: unfenced, messages: [{ id: newId(), role: 'user', parts: [{ type: 'text', text }], createdAt: Date.now() }] })
	);

const source = atServer({ id: 'p', name: 'Bench', baseUrl: 'http://localhost/v1', createdAt: 0 }, 'gpt-4.1-like');
const planner = new ContextPlanner({
	db,
	clock: Date.now,
	counts: new TokenCounts(),
	providers: openRegistry(),
	openToolbox: () => Promise.resolve(noTools)
});

window.choose = async (id, times) => {
	const read: number[] = [];
	const chosen: number[] = [];
	let sent = 0;
	for (let round = -10; round < times; round++) {
		const before = performance.now();
		const rows = (await planner.rows(id))!;
		const between = performance.now();
		const { plan } = await planner.view(rows, source);
		sent = plan.items.filter(({ state }) => state.in).length;
		if (round < 0) continue;
		read.push(between - before);
		chosen.push(performance.now() - between);
	}
	return { read, chosen, sent };
};

window.compact = async (id, strategy) => {
	const compactor = new Compactor({
		db,
		clock: Date.now,
		newId,
		writers: new Writers({ locks: navigator.locks, trees: new Trees(db), settle: () => Promise.resolve() }),
		planner,
		source: () => Promise.resolve(source),
		openModel: () => Promise.reject(new Error('no model here')),
		beforeBoundary: () => Promise.resolve(),
		onCompacted: () => undefined
	});
	const { took, frames } = await watchingFrames(async () => {
		const proposal = await compactor.propose(id, strategy);
		await compactor.accept(proposal, proposal.summary);
	});
	return { took, frames };
};

window.makeCompactions = async (id, every) => {
	const messages = (await new Messages(db).all(id)).filter(({ depth }) => depth > 0 && depth % every === 0);
	await db.boundaries.bulkPut(
		messages.map(({ id: upToId, depth }) => ({
			id: newId(),
			sessionId: id,
			upToId,
			depth,
			excluded: [],
			strategy: 'code-aware' as const,
			summary: text.repeat(30),
			figures: { messagesBefore: 61, messagesAfter: 8, tokensBefore: 14_200, tokensAfter: 2100 },
			madeAtDepth: depth,
			automatic: true,
			unverified: [],
			createdAt: Date.now()
		}))
	);
};

window.deleteSession = async (id) => {
	const trash = new Trash(db);
	await trash.deleteSessionsUnfenced([id], 0, 0);
	const { took, frames } = await watchingFrames(() => trash.purgeUnfenced(Date.now()));
	if ((await db.messages.where(':id').between([id], [id, []]).count()) > 0) throw new Error('something is left of the session');
	return { took, longestFrame: Math.max(...frames) };
};

/** How long `work` takes, and each frame that is drawn meanwhile; milliseconds. */
async function watchingFrames(work: () => Promise<unknown>): Promise<{ took: number; frames: number[] }> {
	const frames: number[] = [];
	let last = performance.now();
	let running = true;
	const watch = () => {
		const now = performance.now();
		frames.push(now - last);
		last = now;
		if (running) requestAnimationFrame(watch);
	};
	requestAnimationFrame(watch);
	const before = performance.now();
	await work();
	const took = performance.now() - before;
	await new Promise((resolve) => setTimeout(resolve, 100));
	running = false;
	return { took, frames };
}

window.makeSessions = async (count, messages = 2) => {
	const all = Array.from({ length: count }, () => rowsOf(messages));
	await db.transaction('rw', db.sessions, db.trees, db.positions, db.messages, async () => {
		await Promise.all([
			db.sessions.bulkPut(all.map(({ session }) => session)),
			db.trees.bulkPut(all.map(({ tree }) => tree)),
			db.positions.bulkPut(all.map(({ position }) => position)),
			db.messages.bulkPut(all.flatMap(({ messages }) => messages))
		]);
	});
};

window.compareImport = async (count) => {
	const [from, to, raw] = ['from', 'to', 'raw'].map((name) => new Database(`bench ${name}`)) as [Database, Database, Database];
	await Promise.all([from, to, raw].map((db) => db.open()));
	const all = Array.from({ length: count }, () => rowsOf(1000));
	for (const { session, tree, position, messages } of all) {
		await from.transaction('rw', from.sessions, from.trees, from.positions, from.messages, async () => {
			await Promise.all([from.sessions.put(session), from.trees.put(tree), from.positions.put(position), from.messages.bulkPut(messages)]);
		});
	}
	const { file } = await createBackup(from, { now: Date.now() });
	let before = performance.now();
	await importFile(to, file);
	const restored = performance.now() - before;
	if ((await to.messages.count()) !== count * 1000) throw new Error('not everything was restored');

	before = performance.now();
	for (const { session, tree, position, messages } of all) {
		const transaction = raw.backendDB().transaction(['sessions', 'messages', 'trees', 'positions'], 'readwrite', { durability: 'strict' });
		transaction.objectStore('sessions').put(session);
		transaction.objectStore('trees').put(tree);
		transaction.objectStore('positions').put(position);
		for (const message of messages) transaction.objectStore('messages').put(message);
		await new Promise((resolve, reject) => {
			transaction.oncomplete = resolve;
			transaction.onabort = () => reject(transaction.error!);
		});
	}
	return { restored, raw: performance.now() - before };
};

async function inTurns(ids: string[], times: number, work: (id: string) => Promise<unknown>): Promise<number[][]> {
	const taken: number[][] = ids.map(() => []);
	// The first ones are for the browser to get warm.
	for (let round = -10; round < times; round++) {
		for (let step = 0; step < ids.length; step++) {
			const index = (step + round + 10) % ids.length;
			const before = performance.now();
			await work(ids[index]!);
			if (round >= 0) taken[index]!.push(performance.now() - before);
		}
	}
	return taken;
}

/** A session of one branch, as the app would have written it; now and then an answer calls a tool before its words. */
function rowsOf(count: number, calls = 0): { session: Session; tree: Tree; position: Position; messages: Message[] } {
	const id = newId();
	const now = Date.now();
	const messages: Message[] = [];
	const every = calls === 0 ? Infinity : Math.floor(count / calls);
	for (let depth = 0; depth < count; depth++) {
		const toolCallId = `call-${depth - (depth % every)}`;
		const said = { role: depth === 0 ? 'system' : depth % 2 ? 'user' : 'assistant', parts: [{ type: 'text', text }] } as const;
		const called = { role: 'assistant', parts: [{ type: 'tool-call', toolCallId, toolName: 'search', input: { words: text } }] } as const;
		const result = { role: 'tool', parts: [{ type: 'tool-result', toolCallId, toolName: 'search', output: text, isError: false }] } as const;
		const { role, parts } = depth > 0 && depth % every === 0 ? called : depth > 1 && depth % every === 1 ? result : said;
		messages.push({ id: newId(), sessionId: id, parentId: messages.at(-1)?.id ?? null, depth, role, parts: [...parts], createdAt: now });
	}
	const tip = { id: messages.at(-1)!.id, depth: count - 1, forkId: null, forkDepth: 0, fromId: null };
	return {
		messages,
		tree: { sessionId: id, tips: [tip], labels: {}, mainTip: null, removed: [] },
		position: { sessionId: id, headId: tip.id, fence: 0 },
		session: {
			id,
			key: `web:home:${now}`,
			title: `Session ${id}`,
			titledBy: 'snug',
			workspace: 'home',
			surface: 'web',
			preview: text,
			provider: 'bench',
			model: 'bench',
			status: 'success',
			stopReason: '',
			steps: 0,
			messageCount: count,
			bytes: messages.reduce((sum, message) => sum + sizeOf(message), 0),
			usage: {},
			filesTouched: [],
			pinned: 0,
			archived: 0,
			createdAt: now,
			updatedAt: now
		}
	};
}
