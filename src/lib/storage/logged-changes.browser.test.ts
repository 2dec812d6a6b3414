import { Dexie, liveQuery } from 'dexie';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { spoken } from '../../../tests/fixtures/answers';
import { newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import type { Message } from '../conversation/message';
import { Answers } from './answers';
import { append, type Append } from './append';
import { Changes } from './changes';
import { Database } from './database';
import { Drafts } from './drafts';
import { unfenced } from './fence';
import { Messages } from './messages';
import { settled } from './raw-rows';
import { redact } from './redact';
import { rebuildSessionUnfenced } from './repair';
import { Scratchpad } from './scratchpad';
import { Sessions } from './sessions';
import { quarantineUnfenced } from './quarantine';
import type { Change } from './tables/changes';
import { Trash } from './trash';
import { Trees } from './trees';
import { TurnStore } from './turn-store';

type Rows = [Message, Message, Message, Message, branch: Message];

/** A session `s` with two branches and a note. */
async function filled() {
	const db = openDatabase();
	const rows = await append(db, {
		session: newSession({ id: 's' }),
		messages: [newMessage('system', ''), newMessage('user', 'Hello'), newMessage('assistant', 'Hi'), newMessage('user', 'More')]
	});
	const [branch] = await append(db, { session: 's', fence: unfenced, parentId: rows[1]!.id, messages: [newMessage('assistant', 'Hi there')] });
	await new Scratchpad(db).set('s', 'note', 'text', 1);
	return { db, rows: [...rows, branch] as Rows };
}

/** Returns the changes that `work` logs, without their numbers. */
async function loggedBy(db: Database, work: () => PromiseLike<unknown>): Promise<Omit<Change, 'seq'>[]> {
	const changes = new Changes(db);
	const before = await changes.lastSeq();
	await work();
	return (await changes.after(before)).map(({ seq: _, ...change }) => change);
}

const noteOf = (sessionId: string, content: string) => ({ sessionId, name: 'note', content, createdAt: 1, updatedAt: 1 });

const named = (...messages: Message[]) => ({ sessionId: 's', messageIds: messages.map(({ id }) => id) });

/** Puts a row that does not fit in the place of a message, behind the app's back. */
function breakMessage(db: Database, message: Message): Promise<unknown> {
	return settled(db.backendDB().transaction('messages', 'readwrite').objectStore('messages').put({ ...message, parts: null }));
}

type Work = (db: Database, rows: Rows) => PromiseLike<unknown>;

const redactAnswer: Work = (db, [, , answer]) => redact(db, answer.id, 2, unfenced);
const deleteSession: Work = (db) => new Trash(db).deleteSessionsUnfenced(['s'], 2, 0);
const deleteBranch: Work = (db, [, , answer]) => new Trees(db).removeBranch('s', answer.id, 2, unfenced);
const breakLast: Work = (db, [, , , more]) => breakMessage(db, more);

/** Each way to write what can be found: its name, the write, what it logs, and what is done before it. */
const writers: [string, Work, (rows: Rows) => Omit<Change, 'seq'>, before?: Work][] = [
	['a message redacted', redactAnswer, ([, , answer]) => named(answer)],
	['a redaction undone', (db, [, , { id }]) => new Trash(db).restoreUnfenced([`redacted:${id}`]), ([, , answer]) => named(answer), redactAnswer],
	['a session deleted', deleteSession, () => named()],
	['a session brought back', (db) => new Trash(db).restoreUnfenced(['s']), () => named(), deleteSession],
	['a session gone for good', (db) => new Trash(db).purgeUnfenced(9), () => ({ ...named(), messageIds: 'all' }), deleteSession],
	['a branch deleted', deleteBranch, () => named()],
	['a branch brought back', (db, [, , answer]) => new Trash(db).restoreUnfenced([answer.id]), () => named(), deleteBranch],
	['a branch gone for good', (db) => new Trash(db).purgeUnfenced(1e6), ([, , answer, more]) => named(answer, more), deleteBranch],
	['a label', (db, [, hello]) => new Trees(db).label('s', hello.id, 'start', unfenced), () => named()],
	['a title', (db) => new Sessions(db).updateUnfenced('s', { title: 'Mine' }), () => named()],
	['the end of a turn', (db) => new TurnStore(db, unfenced).end('s', 'success', ''), () => named()],
	['a note', (db) => new Scratchpad(db).set('s', 'other', 'text', 2), () => named()],
	['a note removed', (db) => new Scratchpad(db).remove('s', 'note', 2), () => named()],
	['a note put back', (db) => new Scratchpad(db).putBack(noteOf('s', 'text')), () => named()],
	['a note renamed', (db) => new Scratchpad(db).rename('s', 'note', 'other', 2), () => named()],
	[
		'a broken message quarantined',
		(db, [, , , { id }]) => quarantineUnfenced(db, { table: 'messages', key: ['s', 3, id] }),
		([, , , more]) => named(more),
		breakLast
	],
	['a session rebuilt', (db) => rebuildSessionUnfenced(db, 's'), ([, , , more]) => named(more), breakLast]
];

describe('what was written is logged', () => {
	it('[E5] a message added is one row, whatever else is written with it', async () => {
		const { db, rows } = await filled();
		const { id } = rows[3];
		await new Answers(db).set('s', { messageId: 'a', parentId: id, parts: spoken('He'), model: 'm', startedAt: 1 }, unfenced);
		const messages: Append['messages'] = [newMessage('assistant', 'A'), newMessage('user', 'B')];
		const messageIds = messages.map(({ id }) => id);
		const add = { session: 's', fence: unfenced, parentId: id, messages, settlesAnswer: true };
		expect(await loggedBy(db, () => append(db, add))).toEqual([{ sessionId: 's', messageIds }]);
		const first = newMessage('user', 'Hello');
		const begin = { session: newSession({ id: 't' }), messages: [first] as Append['messages'] };
		expect(await loggedBy(db, () => append(db, begin))).toEqual([{ sessionId: 't', messageIds: [first.id] }]);
	});

	it.each(writers)('[E5] %s is one row', async (_, write, expected, before) => {
		const { db, rows } = await filled();
		await before?.(db, rows);
		expect(await loggedBy(db, () => write(db, rows))).toEqual([expected(rows)]);
	});

	it.each(writers)('[E5] %s is not logged where it is not written', async (_, write, __, before) => {
		const { db, rows } = await filled();
		await before?.(db, rows);
		const failing = async () => {
			const work = db.transaction('rw', db.tables, async () => {
				await write(db, rows);
				throw new Error('no room');
			});
			await expect(work).rejects.toThrow('no room');
		};
		expect(await loggedBy(db, failing)).toEqual([]);
	});

	it('[E5] what says nothing new adds nothing, and what does adds that', async () => {
		const { db, rows } = await filled();
		const [, hello, answer, more] = rows;
		const fresh = { ...more, id: 'new', parentId: more.id, depth: 4 };
		const logged = await loggedBy(db, () =>
			db.transaction('rw', db.tables, async () => {
				await db.trees.update('s', { redactedAt: 5 });
				await db.messages.bulkPut([hello, answer]);
				await db.sessions.update('s', { title: 'Mine' });
				await db.messages.put(answer);
				await db.messages.bulkAdd([fresh]);
				await db.messages.delete(['s', 4, 'new']);
				await db.messages.where(':id').equals(['s', 3, more.id]).delete();
				await db.messages.where(':id').between(['s', Dexie.minKey], ['s', Dexie.maxKey]).delete();
				await db.messages.add(hello);
			})
		);
		expect(logged).toEqual([
			named(),
			named(hello, answer),
			named(fresh),
			named(more),
			{ ...named(), messageIds: 'all' }
		]);
	});

	it('[E5] [A5] moving the head and raising the fence log nothing', async () => {
		const { db, rows } = await filled();
		const trees = new Trees(db);
		const logged = await loggedBy(db, async () => {
			await trees.moveHead('s', rows[1].id, unfenced);
			await trees.stepTo('s', rows[0].id, unfenced);
			await trees.raiseFence('s');
		});
		expect(logged).toEqual([]);
		expect(await loggedBy(db, () => trees.label('s', rows[1].id, 'hello', unfenced))).toEqual([named()]);
	});

	it('[E5] a range of keys over several sessions is logged for each', async () => {
		const { db, rows } = await filled();
		const [other] = await append(db, { session: newSession({ id: 't' }), messages: [newMessage('user', 'Elsewhere')] });
		await new Scratchpad(db).set('t', 'note', 'text', 1);
		const there = [
			{ ...named(), messageIds: (await new Messages(db).all('s')).map(({ id }) => id) },
			{ ...named(other!), sessionId: 't' }
		];
		const both = [named(), { ...named(), sessionId: 't' }];
		expect(rows).toHaveLength(5);
		expect(await loggedBy(db, () => db.messages.clear())).toEqual(there);
		expect(await loggedBy(db, () => db.scratchpad.where(':id').above([Dexie.minKey]).delete())).toEqual(both);
		expect(await loggedBy(db, () => db.sessions.where('id').between('a', 'z').delete())).toEqual(both);
		expect(await loggedBy(db, () => db.trees.toCollection().modify((tree) => void (tree.redactedAt = 1)))).toEqual(both);
		expect(await loggedBy(db, () => db.trees.where('sessionId').equals('t').delete())).toEqual([both[1]]);
		expect(await loggedBy(db, () => db.trees.where('sessionId').anyOf([]).delete())).toEqual([]);
	});

	it('[E5] rows of other tables are not, nor keys that no session has', async () => {
		const { db } = await filled();
		await settled(db.backendDB().transaction('messages', 'readwrite').objectStore('messages').put({ sessionId: 7, depth: 0, id: 'x' }));
		const logged = await loggedBy(db, async () => {
			await new Drafts(db).set('s', { text: 'unsent', attachments: [] }, unfenced);
			await quarantineUnfenced(db, { table: 'messages', key: [7, 0, 'x'] });
		});
		expect(await db.quarantine.count()).toBe(1);
		expect(logged).toEqual([]);
	});

	it('[E5] where it can not be, nothing is written, also if the error is caught', async () => {
		const { db, rows } = await filled();
		// No number is left after it.
		await db.changes.put({ seq: 2 ** 53, sessionId: 's', messageIds: [] });
		const before = await db.sessions.get('s');
		await expect(new Sessions(db).updateUnfenced('s', { title: 'Mine' })).rejects.toThrow();
		await expect(append(db, { session: 's', fence: unfenced, messages: [newMessage('user', 'Late')] })).rejects.toThrow();
		const caught = db.transaction('rw', db.sessions, async () => {
			await db.sessions.update('s', { title: 'Mine' }).catch(() => 'caught');
		});
		await expect(caught).rejects.toThrow();
		expect(await db.sessions.get('s')).toEqual(before);
		expect(await new Messages(db).all('s')).toHaveLength(rows.length);
	});

	it('[E5] another connection hears of it', async () => {
		const { db } = await filled();
		const other = new Database(db.name);
		const heard: number[] = [];
		const live = liveQuery(() => new Changes(other).lastSeq()).subscribe((seq) => heard.push(seq));
		await vi.waitFor(() => expect(heard).toEqual([3]));
		await new Sessions(db).updateUnfenced('s', { title: 'Mine' });
		await vi.waitFor(() => expect(heard).toEqual([3, 4]));
		live.unsubscribe();
		other.close();
	});

	it('[E5] after any writes, each row that differs is named by a change since', { timeout: 60_000 }, async () => {
		const step = fc.record({ what: fc.nat(12), session: fc.nat(2), message: fc.nat(20), fails: fc.boolean() });
		await fc.assert(
			fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 8 }), async (transactions) => {
				const db = openDatabase();
				for (const id of ['a', 'b', 'c']) {
					await append(db, { session: newSession({ id }), messages: [newMessage('user', id), newMessage('assistant', id)] });
				}
				for (const steps of transactions) {
					const before = await searchableRows(db);
					const seq = await new Changes(db).lastSeq();
					await db
						.transaction('rw', db.tables, async () => {
							for (const { what, session, message } of steps) await write(db, what, 'abc'[session]!, message);
							if (steps.every(({ fails }) => fails)) throw new Error('fails');
						})
						.catch(() => undefined);
					const logged = await new Changes(db).after(seq);
					const written = differing(before, await searchableRows(db));
					for (const { sessionId, messageId } of written) {
						const about = logged.filter((change) => change.sessionId === sessionId);
						expect(about).not.toEqual([]);
						if (messageId) expect(about.some(({ messageIds }) => messageIds === 'all' || messageIds.includes(messageId))).toBe(true);
					}
					if (written.length === 0 && steps.every(({ fails }) => fails)) expect(logged).toEqual([]);
				}
			}),
			{ numRuns: 40 }
		);
	});
});

/** One of all kinds of requests that Dexie makes. */
async function write(db: Database, what: number, session: string, at: number): Promise<unknown> {
	const all = await db.messages.where(':id').between([session, Dexie.minKey], [session, Dexie.maxKey]).toArray();
	const message = all[at % all.length];
	const { messages, sessions, trees, scratchpad } = db;
	if (what === 0 && message) {
		// Of a session that is gone.
		return append(db, { session, fence: unfenced, parentId: message.id, messages: [newMessage('user', 'x')] }).catch(() => undefined);
	}
	if (what === 1 && message) return messages.put({ ...message, createdAt: at });
	if (what === 2 && message) return messages.update([session, message.depth, message.id], { createdAt: at });
	if (what === 3 && message) return messages.bulkDelete([[session, message.depth, message.id], [session, 99, 'nowhere']]);
	if (what === 4) return messages.where(':id').between([session, at % 3, Dexie.minKey], [session, Dexie.maxKey]).delete();
	if (what === 5) return messages.where('[sessionId+role]').equals([session, 'user']).delete();
	if (what === 6) return messages.toCollection().modify((row) => void (row.createdAt = at));
	if (what === 7) return sessions.update(session, { title: String(at) });
	if (what === 8) return sessions.delete(session);
	if (what === 9) return trees.where('sessionId').anyOf(['a', session]).modify((tree) => void (tree.redactedAt = at));
	if (what === 10) return scratchpad.bulkPut([noteOf(session, String(at))]);
	if (what === 11) return scratchpad.where('sessionId').equals(session).delete();
	return [messages, sessions, trees, scratchpad][at % 4]!.clear();
}

/** The rows of the four tables as text, by table and key. */
async function searchableRows(db: Database): Promise<Map<string, string>> {
	const found = new Map<string, string>();
	for (const table of [db.messages, db.sessions, db.trees, db.scratchpad]) {
		const [keys, rows] = await Promise.all([table.toCollection().primaryKeys(), table.toArray()]);
		for (const [index, key] of keys.entries()) found.set(JSON.stringify([table.name, key]), JSON.stringify(rows[index]));
	}
	return found;
}

/** Lists the sessions whose rows are not the same in both. */
function differing(before: Map<string, string>, after: Map<string, string>): { sessionId: string; messageId?: string }[] {
	return [...new Set([...before.keys(), ...after.keys()])]
		.filter((place) => before.get(place) !== after.get(place))
		.map((place) => {
			const [table, key] = JSON.parse(place) as [string, string | string[]];
			const [sessionId, , messageId] = [key].flat();
			return { sessionId: sessionId!, ...(table === 'messages' ? { messageId: messageId! } : {}) };
		});
}
