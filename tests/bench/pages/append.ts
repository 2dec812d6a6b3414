// `append` beside IndexedDB without a library, in the same database, so over the same stores and indexes.
import { sizeOf, type Message } from '../../../src/lib/conversation/message';
import type { Session } from '../../../src/lib/conversation/session';
import { growTree } from '../../../src/lib/conversation/grow-tree';
import type { Tree } from '../../../src/lib/conversation/tree';
import type { Position } from '../../../src/lib/storage/tables/positions';
import { newId } from '../../../src/lib/shared/id';
import { append, type NewMessage, type NewSession } from '../../../src/lib/storage/append';
import { Database } from '../../../src/lib/storage/database';
import { unfenced } from '../../../src/lib/storage/fence';

type Taken = Record<'append' | 'sameWork' | 'onePut', number[]>;

declare global {
	interface Window {
		/** Milliseconds of `count` appends of each kind, taken in turns. */
		compareAppends: (count: number) => Promise<Taken>;
	}
}

const text = 'A question of a usual length, as people write them: one or two sentences, and not much more than that.';

window.compareAppends = async (count) => {
	const db = new Database();
	await db.open();
	const raw = await openRaw(db.name);
	const [forAppend, forSameWork, forPut] = [await begin(db), await begin(db), await begin(db)];
	let last = forPut.first;

	const variants: [keyof Taken, (message: NewMessage) => Promise<unknown>][] = [
		['append', (message) => append(db, { session: forAppend.id, fence: unfenced, messages: [message] })],
		['sameWork', (message) => appendRaw(raw, forSameWork.id, message)],
		['onePut', (message) => putRaw(raw, (last = below(last, message)))]
	];
	const taken: Taken = { append: [], sameWork: [], onePut: [] };
	// The first ones are for the browser to get warm.
	for (let i = -20; i < count; i++) {
		// Each is the first of the three as often as the others.
		const start = (i + 21) % variants.length;
		for (const [name, write] of [...variants.slice(start), ...variants.slice(0, start)]) {
			const message = newMessage();
			const before = performance.now();
			await write(message);
			const after = performance.now();
			if (i >= 0) taken[name].push(after - before);
		}
	}
	await requireRows(db, forAppend.id, count + 21);
	await requireRows(db, forSameWork.id, count + 21);
	return taken;
};

function newMessage(): NewMessage {
	return { id: newId(), role: 'user', parts: [{ type: 'text', text }], createdAt: Date.now() };
}

function below(parent: Message, message: NewMessage): Message {
	return { ...message, sessionId: parent.sessionId, parentId: parent.id, depth: parent.depth + 1 };
}

/** A session with its first message. */
async function begin(db: Database): Promise<{ id: string; first: Message }> {
	const now = Date.now();
	const session: NewSession = {
		id: newId(),
		key: `web:home:${now}`,
		title: '',
		titledBy: 'snug',
		workspace: 'home',
		surface: 'web',
		preview: text,
		provider: 'bench',
		model: 'bench',
		status: 'success',
		stopReason: '',
		filesTouched: [],
		pinned: 0,
		archived: 0,
		createdAt: now
	};
	const [first] = await append(db, { session, messages: [newMessage()] });
	return { id: session.id, first: first! };
}

function openRaw(name: string): Promise<IDBDatabase> {
	return new Promise((resolve, reject) => {
		const request = indexedDB.open(name);
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error!);
	});
}

/** What `append` reads and writes for one message, as directly as the browser allows. */
function appendRaw(raw: IDBDatabase, sessionId: string, message: NewMessage): Promise<void> {
	const transaction = raw.transaction(['sessions', 'messages', 'trees', 'positions'], 'readwrite', { durability: 'strict' });
	const [sessions, messages, trees, positions] = ['sessions', 'messages', 'trees', 'positions'].map((name) => transaction.objectStore(name));
	const readSession: IDBRequest<Session> = sessions!.get(sessionId);
	const readTree: IDBRequest<Tree> = trees!.get(sessionId);
	const readPosition: IDBRequest<Position> = positions!.get(sessionId);
	// Requests of one transaction are answered in order, so the others are there too.
	readPosition.onsuccess = () => {
		const [session, tree, position] = [readSession.result, readTree.result, readPosition.result];
		const tip = tree.tips.find(({ id }) => id === position.headId)!;
		const row: Message = { ...message, sessionId, parentId: tip.id, depth: tip.depth + 1 };
		messages!.add(row);
		trees!.put(growTree(tree, row, null));
		positions!.put({ ...position, headId: row.id });
		sessions!.put({ ...session, messageCount: session.messageCount + 1, bytes: session.bytes + sizeOf(row), updatedAt: row.createdAt });
	};
	return committed(transaction);
}

function putRaw(raw: IDBDatabase, row: Message): Promise<void> {
	const transaction = raw.transaction('messages', 'readwrite', { durability: 'strict' });
	transaction.objectStore('messages').put(row);
	return committed(transaction);
}

function committed(transaction: IDBTransaction): Promise<void> {
	return new Promise((resolve, reject) => {
		transaction.oncomplete = () => resolve();
		transaction.onabort = () => reject(transaction.error!);
	});
}

/** A comparison of things that were not done would look fine. */
async function requireRows(db: Database, sessionId: string, count: number): Promise<void> {
	const rows = await db.messages.where('id').notEqual('').filter((row) => row.sessionId === sessionId).count();
	const session = await db.sessions.get(sessionId);
	if (rows !== count || session?.messageCount !== count) throw new Error(`${rows} rows, where ${count} were written`);
}
