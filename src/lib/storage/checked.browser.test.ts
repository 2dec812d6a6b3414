import { liveQuery } from 'dexie';
import { describe, expect, it, vi } from 'vitest';
import { newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { spoken } from '../../../tests/fixtures/answers';
import type { Message } from '../conversation/message';
import { faultsOf } from '../conversation/tree-faults';
import { newId } from '../shared/id';
import { Answers } from './answers';
import { append } from './append';
import type { Database } from './database';
import { tablesWhere } from './definitions';
import { fencingTokenOf, unfenced } from './fence';
import { findSessions } from './find-sessions';
import { Messages } from './messages';
import { Providers } from './providers';
import { settled } from './raw-rows';
import { faultOf } from './row-checks';
import { Sessions } from './sessions';
import type { CheckedTable } from './tables';
import { Trees } from './trees';

/** A session of four messages, one of them in a branch of its own. */
async function filled() {
	const db = openDatabase();
	const session = newSession({ id: 's', title: 'Kept', preview: 'Hello' });
	const messages = [newMessage('system', ''), newMessage('user', 'Hello'), newMessage('assistant', 'Hi'), newMessage('user', 'More')] as const;
	const rows = await append(db, { session, messages: [...messages] });
	return { db, session, rows: rows as [Message, Message, Message, Message] };
}

/** Changes a row behind the app's back. */
async function breakRow(db: Database, table: string, key: IDBValidKey, change: (row: never) => void): Promise<unknown> {
	const store = db.backendDB().transaction(table, 'readwrite').objectStore(table);
	const row: unknown = await settled(store.get(key));
	change(row as never);
	await settled(store.put(row));
	return row;
}

const rawRow = (db: Database, table: string, key: IDBValidKey) =>
	settled<unknown>(db.backendDB().transaction(table).objectStore(table).get(key));

/** The quarantine, once that many rows are in it. */
function quarantined(db: Database, count = 1) {
	return vi.waitFor(async () => {
		const rows = await db.quarantine.toArray();
		expect(rows).toHaveLength(count);
		return rows;
	});
}

describe('checked rows', () => {
	it('[R6] a broken message is read as a marker in its place, and the row goes to the quarantine whole', async () => {
		const { db, rows } = await filled();
		const [system, user, answer, more] = rows;
		const key = ['s', 2, answer.id];
		const broken = await breakRow(db, 'messages', key, (row: Message) => {
			(row as { createdAt: unknown }).createdAt = 'yesterday';
			(row as { parentId: unknown }).parentId = 7;
		});
		const path = await new Messages(db).path('s');
		expect(path.map(({ id, parentId, depth, role }) => ({ id, parentId, depth, role }))).toEqual(
			[system, user, answer, more].map(({ id, parentId, depth, role }) => ({ id, parentId, depth, role }))
		);
		expect(path[2]!.parts).toEqual([{ type: 'unreadable', reason: 'Its field “parentId” is 7, where text belongs.' }]);

		const [row] = await quarantined(db);
		expect(row).toMatchObject({ table: 'messages', key, row: broken, reason: expect.stringContaining('parentId') as string });
		expect(row!.at).toBeGreaterThan(1e12);
		expect(await rawRow(db, 'messages', key)).toEqual(path[2]);
		expect(faultsOf((await db.trees.get('s'))!, await db.messages.toArray(), (await db.positions.get('s'))?.headId)).toEqual([]);
		expect(await new Messages(db).get(answer.id)).toEqual(path[2]);
		// Nothing is quarantined twice.
		expect(await db.quarantine.count()).toBe(1);
	});

	it('[R6] a live query shows the marker, and goes on', async () => {
		const { db, rows } = await filled();
		await breakRow(db, 'messages', ['s', 1, rows[1].id], (row: Message) => row.parts.push({ type: 'nonsense' } as never));
		const shown: string[][] = [];
		// As `Live` asks: Dexie keeps track over awaits only in a function that is async itself.
		const live = liveQuery(async () => new Messages(db).newest('s')).subscribe((path) =>
			shown.push(path.flatMap(({ parts }) => parts.map(({ type }) => type)))
		);
		await quarantined(db);
		await vi.waitFor(() => expect(shown.length).toBeGreaterThan(0));
		live.unsubscribe();
		for (const types of shown) expect(types).toEqual(['unreadable', 'text', 'text']);
	});

	it('[R6] a message can be written below a marker, in the transaction that met the broken row first', async () => {
		const { db, rows } = await filled();
		await breakRow(db, 'messages', ['s', 2, rows[2].id], (row: Message) => ((row as { parts: unknown }).parts = null));
		const [branch] = await append(db, { session: 's', fence: unfenced, parentId: rows[2].id, messages: [newMessage('user', 'Instead')] });
		await quarantined(db);
		expect(await new Messages(db).path('s')).toHaveLength(4);
		expect(branch!.parentId).toBe(rows[2].id);
		expect(faultsOf((await db.trees.get('s'))!, await db.messages.toArray(), (await db.positions.get('s'))?.headId)).toEqual([]);
	});

	it('[R6] a broken tree row is rebuilt, with what can be read of it', async () => {
		const { db, rows } = await filled();
		await new Trees(db).label('s', rows[1].id, 'start', unfenced);
		await new Trees(db).raiseFence('s');
		await new Trees(db).moveHead('s', rows[2].id, unfenced);
		await breakRow(db, 'trees', 's', (row: { tips: unknown }) => (row.tips = 'none'));
		expect(await new Messages(db).path('s')).toEqual(rows.slice(0, 3));
		expect((await quarantined(db))[0]).toMatchObject({ table: 'trees', key: 's' });
		expect(await db.trees.get('s')).toMatchObject({ labels: { [rows[1].id]: 'start' }, removed: [] });
		expect(await db.positions.get('s')).toEqual({ sessionId: 's', headId: rows[2].id, fence: 1 });
		expect(faultsOf((await db.trees.get('s'))!, await db.messages.toArray(), (await db.positions.get('s'))?.headId)).toEqual([]);
	});

	it('[R6] [A5] a fence that can not be read lets no tab write, and deleted branches stay deleted', async () => {
		const { db, rows } = await filled();
		await new Trees(db).removeBranch('s', rows[2].id, 0, unfenced);
		await breakRow(db, 'trees', 's', (row: { removed: unknown }) => (row.removed = {}));
		await breakRow(db, 'positions', 's', (row: { fence: unknown }) => (row.fence = 'high'));
		// What is deleted is in the trash, which this read does not see: it has to wait.
		expect(await new Messages(db).path('s')).toEqual([]);
		await quarantined(db, 2);
		expect(await new Messages(db).path('s')).toEqual(rows.slice(0, 2));
		const late = { session: 's', messages: [newMessage('user', 'Late')] as [ReturnType<typeof newMessage>], fence: fencingTokenOf({ fence: 0 }) };
		await expect(append(db, late)).rejects.toMatchObject({ code: 'taken-over' });
	});

	it('[R6] [A5] a position whose head can not be read is at the end of the newest branch, and keeps its fence', async () => {
		const { db, rows } = await filled();
		await new Trees(db).raiseFence('s');
		await new Trees(db).moveHead('s', rows[1].id, unfenced);
		await breakRow(db, 'positions', 's', (row: { headId: unknown }) => (row.headId = 7));
		expect((await new Messages(db).path('s')).at(-1)).toEqual(rows.at(-1));
		expect((await quarantined(db))[0]).toMatchObject({ table: 'positions', key: 's' });
		expect(await rawRow(db, 'positions', 's')).toEqual({ sessionId: 's', headId: rows.at(-1)!.id, fence: 1 });
	});

	it('[R6] [A5] a position that is lost is made by who writes next, and lets no preempted tab write', async () => {
		const { db, rows } = await filled();
		const trees = new Trees(db);
		const preempted = await trees.fencingToken('s');
		await trees.moveHead('s', rows[1].id, unfenced);
		await trees.raiseFence('s');
		await settled(db.backendDB().transaction('positions', 'readwrite').objectStore('positions').clear());
		expect((await new Messages(db).path('s')).at(-1)).toEqual(rows.at(-1));
		const answer = { messageId: newId(), parentId: rows[1].id, parts: spoken('Late'), model: '', startedAt: 1 };
		const late = { session: 's', messages: [newMessage('user', 'Late')] as [ReturnType<typeof newMessage>], fence: preempted };
		for (const isMade of [false, true]) {
			if (isMade) expect(await trees.fencingToken('s')).toBeGreaterThan(1_000_000);
			await expect(append(db, late)).rejects.toMatchObject({ code: 'taken-over' });
			await expect(new Answers(db).grow('s', answer, preempted)).rejects.toMatchObject({ code: 'taken-over' });
			await expect(trees.moveHead('s', rows[0].id, preempted)).rejects.toMatchObject({ code: 'taken-over' });
			expect(await db.positions.count()).toBe(isMade ? 1 : 0);
		}
		expect(await db.positions.get('s')).toMatchObject({ headId: rows.at(-1)!.id });
		await trees.moveHead('s', rows[0].id, await trees.fencingToken('s'));
		expect(await db.positions.get('s')).toMatchObject({ headId: rows[0].id });
	});

	it('[R6] a head that is not there is the end of the newest branch, and what is sent follows that', async () => {
		const { db, rows } = await filled();
		await db.positions.update('s', { headId: 'nowhere' });
		expect((await new Messages(db).path('s')).at(-1)).toEqual(rows.at(-1));
		const [sent] = await append(db, { session: 's', fence: unfenced, messages: [newMessage('user', 'On')] });
		expect(sent!.parentId).toBe(rows.at(-1)!.id);
		expect(await db.positions.get('s')).toEqual({ sessionId: 's', headId: sent!.id, fence: 0 });
	});

	it('[R6] a broken session row is rebuilt from its messages, with what can be read of it', async () => {
		const { db } = await filled();
		const before = await db.sessions.get('s');
		await breakRow(db, 'sessions', 's', (row: { preview: unknown; bytes: unknown; status: unknown }) => {
			row.preview = undefined;
			row.bytes = 'many';
			row.status = 'done';
		});
		expect(await new Sessions(db).list()).toEqual([]);
		expect((await quarantined(db))[0]).toMatchObject({ table: 'sessions', key: 's' });
		expect(await new Sessions(db).get('s')).toEqual({ ...before, status: 'interrupted' });
	});

	it('[R6] a broken session row without messages just goes', async () => {
		const db = openDatabase();
		await db.open();
		await settled(db.backendDB().transaction('sessions', 'readwrite').objectStore('sessions').put({ id: 's' }));
		expect(await new Sessions(db).get('s')).toBeUndefined();
		await quarantined(db);
		expect(await rawRow(db, 'sessions', 's')).toBeUndefined();
	});

	it('[R6] a broken row of any other table is absent, and the rest is read', async () => {
		const db = openDatabase();
		const providers = new Providers(db);
		for (const id of ['a', 'b', 'c']) await providers.put({ id, name: id, baseUrl: `http://${id}`, createdAt: 1 });
		await breakRow(db, 'providers', 'b', (row: { baseUrl: unknown }) => (row.baseUrl = 5));
		expect((await providers.list()).map(({ id }) => id)).toEqual(['a', 'c']);
		expect((await db.providers.bulkGet(['a', 'b'])).map((row) => row?.id)).toEqual(['a', undefined]);
		await quarantined(db);
		expect(await rawRow(db, 'providers', 'b')).toBeUndefined();
	});

	it('[R6] a cursor passes over broken rows', async () => {
		const db = openDatabase();
		for (const createdAt of [1, 2, 3, 4, 5]) {
			await append(db, { session: newSession({ id: `s${createdAt}`, preview: 'alike', createdAt }), messages: [newMessage('user', 'x', { createdAt })] });
		}
		await breakRow(db, 'sessions', 's4', (row: { title: unknown }) => (row.title = null));
		const found = db.sessions.orderBy('updatedAt').reverse().filter(({ preview }) => preview === 'alike');
		expect((await found.toArray()).map(({ id }) => id)).toEqual(['s5', 's3', 's2', 's1']);
		await quarantined(db);
		expect((await findSessions(db, 'alike')).map(({ id }) => id)).toEqual(['s5', 's4', 's3', 's2', 's1']);
	});

	it('[P8] a write that does not fit stores nothing of its transaction, and makes no row that is out of reach', async () => {
		const { db, rows } = await filled();
		const costly = { ...rows[3]!, usage: { costUsd: Infinity } };
		const write = () =>
			db.transaction('rw', db.messages, db.sessions, async () => {
				await db.sessions.update('s', { title: 'Changed' });
				await db.messages.put(costly);
			});
		await expect(write()).rejects.toThrow('Its field “usage.costUsd”');
		await expect(db.messages.bulkAdd([{ ...rows[3]!, id: 'new', depth: -1 }])).rejects.toThrow();
		await expect(db.sessions.update('s', { pinned: 7 as 1 })).rejects.toThrow('Its field “pinned”');
		expect(await new Messages(db).all('s')).toEqual(rows);
		expect(await new Sessions(db).get('s')).toMatchObject({ title: expect.not.stringContaining('Changed'), pinned: 0 });
		expect(await db.quarantine.count()).toBe(0);
	});

	it('changing a field of a broken row neither deletes the row nor hides it', async () => {
		const { db } = await filled();
		await breakRow(db, 'sessions', 's', (row: { usage: unknown }) => (row.usage = 1));
		await new Sessions(db).updateUnfenced('s', { title: 'Mine', titledBy: 'user' });
		await quarantined(db);
		expect(await new Sessions(db).get('s')).toMatchObject({ title: 'Mine', titledBy: 'user', usage: {}, messageCount: 4 });
	});

	it('a message that names no place in a tree goes to the quarantine, and the others stay', async () => {
		const { db, rows } = await filled();
		const key = ['s', 'deep', 'x'];
		await settled(
			db.backendDB().transaction('messages', 'readwrite').objectStore('messages').put({ ...rows[3], id: 'x', depth: 'deep' })
		);
		expect(await new Messages(db).all('s')).toEqual(rows);
		expect((await quarantined(db))[0]).toMatchObject({ table: 'messages', key });
		expect(await db.messages.count()).toBe(4);
	});

	it('says what is wrong in a sentence', () => {
		expect(faultOf('settings', 3)).toMatch(/^The row is 3, where .+ belongs\.$/);
		expect(faultOf('drafts', { sessionId: 's', composer: '', attachments: [{ type: 'text' }] })).toMatch(/^Its field “attachments\.0\.type” is "text"/);
		expect(faultOf('drafts', { sessionId: 's', attachments: [] })).toBe('The field “composer” is missing.');
		expect(faultOf('drafts', { sessionId: 's', composer: '', later: true })).toBeUndefined();
		for (const table of tablesWhere(({ schema }) => schema !== undefined)) expect(faultOf(table as CheckedTable, {})).toMatch(/\.$/);
	});

	it('costs little: 200 messages in a small part of a frame', () => {
		const message = { ...newMessage('assistant', 'x'.repeat(2000), { model: 'm', usage: { outputTokens: 3 } }), sessionId: 's', parentId: 'p', depth: 3 };
		const check = () => {
			const start = performance.now();
			for (let count = 0; count < 200; count++) faultOf('messages', message);
			return performance.now() - start;
		};
		const times = Array.from({ length: 20 }, check).sort((a, b) => a - b);
		console.log(`200 messages checked in ${times[10]!.toFixed(2)} ms`);
		expect(times[10]).toBeLessThan(5);
	});
});
