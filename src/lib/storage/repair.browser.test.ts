import { describe, expect, it, onTestFinished } from 'vitest';
import { spoken } from '../../../tests/fixtures/answers';
import { newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import type { Message } from '../conversation/message';
import type { Tree } from '../conversation/tree';
import type { Position } from './tables/positions';
import { faultsOf } from '../conversation/tree-faults';
import { newId } from '../shared/id';
import { Answers } from './answers';
import { append } from './append';
import { databaseVersion, type Database } from './database';
import { examine, quarantineLines, rawData } from './examine';
import { unfenced } from './fence';
import { Messages } from './messages';
import { Providers } from './providers';
import { openAsItIs } from './raw-database';
import { settled } from './raw-rows';
import { rebuildSessionUnfenced } from './repair';
import { quarantineUnfenced } from './quarantine';
import { Trash } from './trash';
import { Trees } from './trees';

async function filled() {
	const db = openDatabase();
	const rows = await append(db, {
		session: newSession({ id: 's', title: 'Mine', preview: 'Hello' }),
		messages: [newMessage('system', ''), newMessage('user', 'Hello'), newMessage('assistant', 'Hi'), newMessage('user', 'More')]
	});
	const [branch] = await append(db, { session: 's', fence: unfenced, parentId: rows[1]!.id, messages: [newMessage('assistant', 'Hi there')] });
	return { db, rows: rows as [Message, Message, Message, Message], branch: branch! };
}

function put(db: Database, table: string, row: unknown): Promise<unknown> {
	return settled(db.backendDB().transaction(table, 'readwrite').objectStore(table).put(row));
}

function remove(db: Database, table: string, key: IDBValidKey): Promise<unknown> {
	return settled(db.backendDB().transaction(table, 'readwrite').objectStore(table).delete(key));
}

async function look(db: Database) {
	const raw = (await openAsItIs(indexedDB, db.name))!;
	const found = await examine(raw);
	raw.close();
	return found;
}

async function expectValid(db: Database): Promise<Message[]> {
	const { invalidRows, invalidSessions } = await look(db);
	expect({ invalidRows, invalidSessions }).toEqual({ invalidRows: [], invalidSessions: [] });
	const session = (await db.sessions.get('s'))!;
	const messages = await new Messages(db).all('s');
	expect(faultsOf((await db.trees.get('s'))!, messages, (await db.positions.get('s'))?.headId)).toEqual([]);
	expect(session.messageCount).toBe(messages.length);
	expect(session.bytes).toBe(messages.reduce((sum, { parts }) => sum + JSON.stringify(parts).length, 0));
	return messages;
}

describe('examine', () => {
	it('[P2] finds nothing wrong where nothing is, and says how far it is', async () => {
		const { db } = await filled();
		await append(db, { session: newSession({ id: 'deleted' }), messages: [newMessage('user', 'x')] });
		await new Trash(db).deleteSessionsUnfenced(['deleted'], 0);
		const raw = (await openAsItIs(indexedDB, db.name))!;
		onTestFinished(() => raw.close());
		const progress: number[] = [];
		const found = await examine(raw, (share) => progress.push(share));
		expect(found).toMatchObject({ version: databaseVersion, known: true, invalidRows: [], quarantined: [], invalidSessions: [] });
		expect(Object.fromEntries(found.counts.map(({ table, count }) => [table, count]))).toMatchObject({ sessions: 1, messages: 6, trees: 2, trash: 1 });
		expect(progress).toEqual(progress.toSorted((a, b) => a - b));
		expect(progress.at(-1)).toBe(1);
		expect(found.counts).toContainEqual({ table: 'changes', count: 4 });
	});

	it('[P2] [R6] finds each row that does not fit, and changes nothing', async () => {
		const { db, rows } = await filled();
		await put(db, 'messages', { ...rows[2], role: 'robot' });
		await put(db, 'settings', { name: 'systemPrompt', value: 1 });
		const { invalidRows } = await look(db);
		expect(invalidRows).toEqual([
			{ table: 'messages', key: ['s', 2, rows[2].id], reason: expect.stringContaining('“role” is "robot"') as string },
			{ table: 'settings', key: 'systemPrompt', reason: expect.stringContaining('“value” is 1') as string }
		]);
		expect(await look(db)).toMatchObject({ invalidRows, quarantined: [] });
		for (const row of invalidRows) await quarantineUnfenced(db, row, () => 7);
		const after = await look(db);
		expect(after).toMatchObject({ invalidRows: [], invalidSessions: [] });
		expect(after.quarantined).toMatchObject([
			{ table: 'messages', reason: invalidRows[0]!.reason, at: 7, row: { role: 'robot' } },
			{ table: 'settings', reason: invalidRows[1]!.reason, at: 7 }
		]);
		await quarantineUnfenced(db, invalidRows[0]!);
		expect(await db.quarantine.count()).toBe(2);
	});

	it('[R6] puts nothing in the place of a message whose ids can’t be those of one', async () => {
		const { db } = await filled();
		for (const depth of [0, 7]) await put(db, 'messages', { id: `/${depth}`, sessionId: '/x', depth, parentId: 'y' });
		await put(db, 'messages', { id: 'z', sessionId: '/x', depth: 8, parentId: 5 });
		const { invalidRows } = await look(db);
		expect(invalidRows).toHaveLength(3);
		for (const row of invalidRows) await quarantineUnfenced(db, row);
		expect(await look(db)).toMatchObject({ invalidRows: [], quarantined: [{}, {}, {}] });
	});

	it('[P2] only counts in a database of another version', async () => {
		const name = `test ${crypto.randomUUID()}`;
		onTestFinished(() => void indexedDB.deleteDatabase(name));
		const request = indexedDB.open(name, databaseVersion * 10 + 10);
		request.onupgradeneeded = () => request.result.createObjectStore('sessions').put({ strange: true }, 1);
		const raw = await settled(request);
		expect(await examine(raw)).toEqual({ version: databaseVersion + 1, known: false, counts: [{ table: 'sessions', count: 1 }], invalidRows: [], quarantined: [], invalidSessions: [] });
		expect(await rowsOf(await rawData(raw))).toEqual([{ table: 'sessions', row: { strange: true } }]);
		raw.close();
	});

	it('[P2] gives away every row that was not made from others, but no key of a server', async () => {
		const { db } = await filled();
		await new Providers(db).put({ id: 'p', name: 'p', baseUrl: 'http://p', createdAt: 1 }, 'secret');
		await put(db, 'providers', { id: 'q', apiKey: 'secret' });
		await quarantineUnfenced(db, { table: 'providers', key: 'q' });
		await db.segments.put({ segment: 'a', kind: 'head', number: 0, content: new Uint8Array(9) });
		const raw = (await openAsItIs(indexedDB, db.name))!;
		onTestFinished(() => raw.close());
		const rows = await rowsOf(await rawData(raw));
		expect(rows.filter(({ table }) => table === 'messages').map(({ row }) => row)).toEqual(await db.messages.toArray());
		expect(rows).toContainEqual({ table: 'providers', row: { id: 'p', name: 'p', baseUrl: 'http://p', createdAt: 1 } });
		expect(rows.filter(({ table }) => table === 'quarantine')).toHaveLength(1);
		expect(rows.filter(({ table }) => ['changes', 'changeCursors', 'segments', 'searchState'].includes(table))).toEqual([]);
		expect(JSON.stringify(rows)).not.toContain('secret');
		const lines = await (await quarantineLines(await db.quarantine.toArray())).text();
		expect(JSON.parse(lines)).toMatchObject({ table: 'providers', key: 'q', row: { id: 'q' } });
		expect(lines).not.toContain('secret');
	});

	it('[P2] tells how far it is, and why it can not go on', async () => {
		const { db } = await filled();
		const read = async (onProgress: (share: number, raw: IDBDatabase) => void) => {
			const raw = (await openAsItIs(indexedDB, db.name))!;
			onTestFinished(() => raw.close());
			return rawData(raw, (share) => onProgress(share, raw));
		};
		const told: number[] = [];
		await read((share) => told.push(share));
		expect(told.length).toBeGreaterThan(3);
		expect(told).toEqual(told.toSorted((a, b) => a - b));
		expect(told.at(-1)).toBe(1);
		await expect(read((_, raw) => raw.close())).rejects.toMatchObject({ name: 'InvalidStateError' });
	});
});

describe('rebuildSessionUnfenced', () => {
	it('[P2] rebuilds a tree row, with what the user said of it', async () => {
		const { db, rows, branch } = await filled();
		await new Trees(db).label('s', rows[1].id, 'start', unfenced);
		const tree = (await db.trees.get('s'))!;
		await put(db, 'trees', { ...tree, tips: tree.tips.slice(0, 1) } satisfies Tree);
		await put(db, 'positions', { sessionId: 's', headId: 'nowhere', fence: 3 } satisfies Position);
		expect((await look(db)).invalidSessions).toEqual([
			{ id: 's', name: 'Mine', lost: false, faults: [`Message ${branch.id} is in no branch.`, 'The head nowhere is not there.'] }
		]);
		await rebuildSessionUnfenced(db, 's');
		expect(await expectValid(db)).toHaveLength(5);
		expect(await db.trees.get('s')).toMatchObject({ labels: { [rows[1].id]: 'start' } });
		expect(await db.positions.get('s')).toEqual({ sessionId: 's', headId: branch.id, fence: 3 });

		await remove(db, 'trees', 's');
		expect((await look(db)).invalidSessions).toMatchObject([{ faults: ['The order of its messages is lost.'] }]);
		await rebuildSessionUnfenced(db, 's');
		expect(await expectValid(db)).toHaveLength(5);
		expect(await db.positions.get('s')).toMatchObject({ fence: 3 });
	});

	it('[P2] [A5] rebuilds a position that is lost, behind a fence that no tab knows', async () => {
		const { db, branch } = await filled();
		await remove(db, 'positions', 's');
		expect((await look(db)).invalidSessions).toMatchObject([{ id: 's', faults: ['Where you were in it is lost.'] }]);
		await rebuildSessionUnfenced(db, 's', () => 5000);
		expect(await expectValid(db)).toHaveLength(5);
		expect(await db.positions.get('s')).toEqual({ sessionId: 's', headId: branch.id, fence: 5000 });
	});

	it('[P2] puts a marker where a message is missing, so that what follows it is there', async () => {
		const { db, rows } = await filled();
		await remove(db, 'messages', ['s', 1, rows[1].id]);
		expect((await look(db)).invalidSessions).toHaveLength(1);
		await rebuildSessionUnfenced(db, 's');
		const messages = await expectValid(db);
		expect(messages).toHaveLength(5);
		expect(messages.find(({ id }) => id === rows[1].id)).toMatchObject({ parentId: rows[0].id, parts: [{ type: 'unreadable' }] });
		for (const row of [rows[2], rows[3]]) expect(messages).toContainEqual(row);
	});

	it('[P2] makes a session of messages whose session is gone', async () => {
		const { db } = await filled();
		await remove(db, 'sessions', 's');
		expect((await look(db)).invalidSessions).toEqual([
			{ id: 's', name: 'A chat without a row', lost: true, faults: ['Its 5 messages are there, but not the chat.'] }
		]);
		await rebuildSessionUnfenced(db, 's');
		expect(await expectValid(db)).toHaveLength(5);
		expect(await db.sessions.get('s')).toMatchObject({ preview: 'Hello', status: 'interrupted', workspace: 'home', createdAt: 1000 });
	});

	it('[P2] quarantines what is left of a session without messages', async () => {
		const { db } = await filled();
		await settled(db.backendDB().transaction('messages', 'readwrite').objectStore('messages').clear());
		expect((await look(db)).invalidSessions).toMatchObject([{ id: 's', faults: ['It has no messages.'] }]);
		await rebuildSessionUnfenced(db, 's');
		const { invalidSessions, quarantined } = await look(db);
		expect(invalidSessions).toEqual([]);
		expect(quarantined.map(({ table, key }) => [table, key]).sort()).toEqual([
			['sessions', 's'],
			['trees', 's']
		]);
	});

	it('[P2] keeps the unfinished answer of a deleted branch also where what it answers can’t be read', async () => {
		const { db, branch } = await filled();
		await new Trees(db).removeBranch('s', branch.id, 0, unfenced);
		const answer = { messageId: newId(), parentId: branch.id, parts: spoken('Good day'), model: '', startedAt: 1 };
		await new Answers(db).setDeletedUnfenced('s', answer);
		await put(db, 'messages', { ...branch, parts: 7 });
		await rebuildSessionUnfenced(db, 's');
		expect((await expectValid(db)).find(({ id }) => id === answer.messageId)).toMatchObject({ parts: [{ text: 'Good day' }] });
	});

	it('[P2] rebuilds a session with broken rows everywhere, and brings deleted branches back', async () => {
		const { db, rows, branch } = await filled();
		await new Trees(db).removeBranch('s', branch.id, 0, unfenced);
		const answer = { messageId: newId(), parentId: branch.id, parts: spoken('Good day'), model: '', startedAt: 1 };
		await new Answers(db).setDeletedUnfenced('s', answer);
		await put(db, 'messages', { ...rows[2], parentId: {} });
		await put(db, 'sessions', { id: 's', title: 'Mine' });
		await put(db, 'trees', { sessionId: 's' });
		await rebuildSessionUnfenced(db, 's');
		const messages = await expectValid(db);
		expect(messages).toHaveLength(6);
		expect(messages.find(({ id }) => id === answer.messageId)).toMatchObject({ parentId: branch.id, parts: [{ text: 'Good day' }] });
		expect(await db.sessions.get('s')).toMatchObject({ title: 'Mine', preview: 'Hello' });
		expect(await db.trash.count()).toBe(0);
		expect(await db.quarantine.count()).toBe(3);
	});
});

async function rowsOf(file: Blob): Promise<{ table: string; row: unknown }[]> {
	const text = await new Response(file.stream().pipeThrough(new DecompressionStream('gzip'))).text();
	return text.trim().split('\n').map((line) => JSON.parse(line) as { table: string; row: unknown });
}
