// What a session's length costs: reading its newest messages, appending to it, deleting it; and many sessions in the list.
import { sizeOf, type Message } from '../../../src/lib/conversation/message';
import type { Session } from '../../../src/lib/conversation/session';
import type { Tree } from '../../../src/lib/conversation/tree';
import { newId } from '../../../src/lib/shared/id';
import { append } from '../../../src/lib/storage/append';
import { Database } from '../../../src/lib/storage/database';
import { Messages } from '../../../src/lib/storage/messages';
import { Trash } from '../../../src/lib/storage/trash';
import { createBackup } from '../../../src/lib/transfer/backup/create';
import { restoreBackup } from '../../../src/lib/transfer/backup/restore';

declare global {
	interface Window {
		/** Makes a session of `count` messages and returns its id. */
		makeSession: (count: number) => Promise<string>;
		/** Milliseconds of reading the newest 200 of each session, `times` over, in turns. */
		readNewest: (ids: string[], times: number) => Promise<number[][]>;
		/** Milliseconds of appending a message to each session, `times` over, in turns. */
		appendTo: (ids: string[], times: number) => Promise<number[][]>;
		/** Deletes a session for good: milliseconds, and the longest frame meanwhile. */
		deleteSession: (id: string) => Promise<{ took: number; longestFrame: number }>;
		/** Milliseconds of restoring a backup of that many sessions of 1 000 messages, and of putting the same rows without a library. */
		compareImport: (sessions: number) => Promise<{ restored: number; raw: number }>;
		/** Makes that many sessions of one message each. */
		makeSessions: (count: number) => Promise<void>;
	}
}

const text = 'A message of a usual length, as people write them: one or two sentences, and not much more than that.';
const db = new Database();

window.makeSession = async (count) => {
	const { session, tree, messages } = rowsOf(count);
	await db.transaction('rw', db.sessions, db.trees, db.messages, async () => {
		await Promise.all([db.sessions.put(session), db.trees.put(tree), db.messages.bulkPut(messages)]);
	});
	return session.id;
};

window.readNewest = (ids, times) => inTurns(ids, times, (id) => new Messages(db).newest(id, { limit: 200 }));

window.appendTo = (ids, times) =>
	inTurns(ids, times, (id) =>
		append(db, { session: id, messages: [{ id: newId(), role: 'user', parts: [{ type: 'text', text }], createdAt: Date.now() }] })
	);

window.deleteSession = async (id) => {
	const trash = new Trash(db);
	await trash.deleteSessions([id], 0, 0);
	let longestFrame = 0;
	let last = performance.now();
	let running = true;
	const watch = () => {
		const now = performance.now();
		longestFrame = Math.max(longestFrame, now - last);
		last = now;
		if (running) requestAnimationFrame(watch);
	};
	requestAnimationFrame(watch);
	const before = performance.now();
	await trash.purge(Date.now());
	const took = performance.now() - before;
	await new Promise((resolve) => setTimeout(resolve, 100));
	running = false;
	if ((await db.messages.where(':id').between([id], [id, []]).count()) > 0) throw new Error('something is left of the session');
	return { took, longestFrame };
};

window.makeSessions = async (count) => {
	const all = Array.from({ length: count }, () => rowsOf(2));
	await db.transaction('rw', db.sessions, db.trees, db.messages, async () => {
		await Promise.all([
			db.sessions.bulkPut(all.map(({ session }) => session)),
			db.trees.bulkPut(all.map(({ tree }) => tree)),
			db.messages.bulkPut(all.flatMap(({ messages }) => messages))
		]);
	});
};

window.compareImport = async (count) => {
	const [from, to, raw] = ['from', 'to', 'raw'].map((name) => new Database(`bench ${name}`)) as [Database, Database, Database];
	await Promise.all([from, to, raw].map((db) => db.open()));
	const all = Array.from({ length: count }, () => rowsOf(1000));
	for (const { session, tree, messages } of all) {
		await from.transaction('rw', from.sessions, from.trees, from.messages, async () => {
			await Promise.all([from.sessions.put(session), from.trees.put(tree), from.messages.bulkPut(messages)]);
		});
	}
	const { file } = await createBackup(from, { now: Date.now() });
	let before = performance.now();
	await restoreBackup(to, file);
	const restored = performance.now() - before;
	if ((await to.messages.count()) !== count * 1000) throw new Error('not everything was restored');

	before = performance.now();
	for (const { session, tree, messages } of all) {
		const transaction = raw.backendDB().transaction(['sessions', 'messages', 'trees'], 'readwrite', { durability: 'strict' });
		transaction.objectStore('sessions').put(session);
		transaction.objectStore('trees').put(tree);
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

/** A session of one branch, as the app would have written it. */
function rowsOf(count: number): { session: Session; tree: Tree; messages: Message[] } {
	const id = newId();
	const now = Date.now();
	const messages: Message[] = [];
	for (let depth = 0; depth < count; depth++) {
		messages.push({
			id: newId(),
			sessionId: id,
			parentId: messages.at(-1)?.id ?? null,
			depth,
			role: depth === 0 ? 'system' : depth % 2 ? 'user' : 'assistant',
			parts: [{ type: 'text', text }],
			createdAt: now
		});
	}
	const tip = { id: messages.at(-1)!.id, depth: count - 1, forkId: null, forkDepth: 0, fromId: null };
	return {
		messages,
		tree: { sessionId: id, headId: tip.id, tips: [tip], labels: {}, mainTip: null, removed: [], fence: 0 },
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
			createdAt: now,
			updatedAt: now
		}
	};
}
