import { describe, expect, it, onTestFinished } from 'vitest';
// Before all that goes through the tables.
import '../../../../tests/fixtures/more-tables';
import { newMessage, newSession, openDatabase } from '../../../../tests/fixtures/database';
import { newId } from '../../shared/id';
import { append } from '../../storage/append';
import { RefusedRow } from '../../storage/checked';
import type { Database } from '../../storage/database';
import { rawData } from '../../storage/examine';
import { openAsItIs } from '../../storage/raw-database';
import { settled } from '../../storage/raw-rows';
import { countRows } from '../../storage/snapshots';
import { Trash } from '../../storage/trash';
import { admitRow } from '../gate/admit-row';
import { createBackup } from './create';
import { importFile } from '../imports/import-file';

const now = Date.UTC(2026, 1, 1);

/** A session with a message, and rows of the new tables. */
async function live(db: Database): Promise<{ id: string; bookmark: { sessionId: string; name: string } }> {
	const session = newSession();
	const message = newMessage('user', 'Hello');
	await append(db, { session, messages: [message] });
	const bookmark = { sessionId: session.id, name: 'first', messageId: message.id, createdAt: 1000, notes: [{ text: 'here', at: 1000 }] };
	await db.table('bookmarks').put(bookmark);
	await db.table('prompts').put({ name: 'short', text: 'Be short.', createdAt: 1000 });
	return { id: session.id, bookmark };
}

describe('a table that was added to the list', () => {
	it('is created by the version that its definition names', async () => {
		const db = openDatabase();
		await db.open();
		expect(db.verno).toBe(99);
		const { primKey, indexes } = db.table('bookmarks').schema;
		expect([primKey.src, ...indexes.map(({ src }) => src)]).toEqual(['[sessionId+name]', 'createdAt']);
	});

	it('[R6] refuses a row that does not fit, and quarantines one that is read', async () => {
		const db = openDatabase();
		const { id } = await live(db);
		await expect(db.table('bookmarks').put({ sessionId: id, name: 'bad' })).rejects.toThrow(RefusedRow);
		const raw = (await openAsItIs(indexedDB, db.name))!;
		onTestFinished(() => raw.close());
		await settled(raw.transaction('bookmarks', 'readwrite').objectStore('bookmarks').put({ sessionId: id, name: 'bad' }));
		expect(await db.table('bookmarks').get([id, 'bad'])).toBeUndefined();
		await expect.poll(() => db.quarantine.toArray()).toMatchObject([{ table: 'bookmarks', row: { name: 'bad' } }]);
		expect(await db.table('bookmarks').count()).toBe(1);
	});

	it('[E5] logs what is written, in the same transaction', async () => {
		const db = openDatabase();
		const { id, bookmark } = await live(db);
		await db.changes.clear();
		await db.table('bookmarks').put({ ...bookmark, createdAt: 2000 });
		expect(await db.changes.toArray()).toMatchObject([{ sessionId: id, messageIds: [] }]);
		await db.table('prompts').clear();
		expect(await db.changes.count()).toBe(1);
	});

	it('[P2] is purged with its session, and where nothing else is left of one', async () => {
		const db = openDatabase();
		const { id, bookmark } = await live(db);
		const other = await live(db);
		await db.table('bookmarks').put({ ...bookmark, sessionId: newId() });
		const trash = new Trash(db);
		await trash.deleteSessionsUnfenced([id], 0);
		await trash.purgeUnfenced(now);
		expect(await db.table('bookmarks').toArray()).toEqual([other.bookmark]);
	});

	it('[P2] is in a backup and in copies of rows, and comes back', async () => {
		const [from, to] = [openDatabase(), openDatabase()];
		const { id, bookmark } = await live(from);
		const { file, checked } = await createBackup(from, { now });
		expect(checked).toMatchObject({ counts: { bookmarks: 1, prompts: 1 }, leftOut: [] });
		await importFile(to, file, { now });
		expect(await to.table('bookmarks').toArray()).toEqual([bookmark]);
		expect(await to.table('prompts').toArray()).toEqual(await from.table('prompts').toArray());

		const own = { ...bookmark, messageId: newId() };
		await to.table('bookmarks').put(own);
		await to.table('prompts').put({ name: 'short', text: 'Mine.', createdAt: 1 });
		const { leftOut } = await importFile(to, file, { now });
		expect(leftOut).toEqual([{ table: 'bookmarks', reason: 'The chat is here already and keeps its own.', count: 1 }]);
		expect(await to.table('bookmarks').where(':id').equals([id, 'first']).toArray()).toEqual([own]);
		expect(await to.table('prompts').toArray()).toMatchObject([{ text: 'Mine.' }]);

		const raw = (await openAsItIs(indexedDB, from.name))!;
		onTestFinished(() => raw.close());
		expect(await countRows(await rawData(raw))).toMatchObject({ bookmarks: 1, prompts: 1 });
	});

	it.each([
		['an id that Snug does not make', { messageId: 'a' }],
		['a time that can’t be', { createdAt: 8.64e15 }],
		['such a time inside of a list', { notes: [{ text: '', at: 8.64e15 }] }],
		['a text without end', { notes: [{ text: 'x'.repeat(3_000_000), at: 1 }] }],
		['a list without end', { notes: Array<unknown>(100_001).fill({ text: '', at: 1 }) }],
		['a field of another kind', { notes: 'x' }]
	])('[P8] does not let a row in from outside with %s', (_, wrong) => {
		const row = { sessionId: newId(), name: 'a', messageId: newId(), createdAt: 1, notes: [] };
		const admit = (row: unknown) => admitRow('bookmarks' as 'drafts', row);
		expect(admit({ ...row, more: 1 })).toEqual({ row });
		expect(admit({ ...row, ...wrong })).toHaveProperty('reason');
	});
});
