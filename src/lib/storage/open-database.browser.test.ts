import { Dexie } from 'dexie';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { spoken } from '../../../tests/fixtures/answers';
import { newMessage, newSession } from '../../../tests/fixtures/database';
import version1 from '../../../tests/fixtures/database-v1.json';
import version2 from '../../../tests/fixtures/database-v2.json';
import version3 from '../../../tests/fixtures/database-v3.json';
import version5 from '../../../tests/fixtures/database-v5.json';
import version6 from '../../../tests/fixtures/database-v6.json';
import version7 from '../../../tests/fixtures/database-v7.json';
import version8 from '../../../tests/fixtures/database-v8.json';
import { writeDatabase, type Written } from '../../../tests/fixtures/written-database';
import { faultsOf } from '../conversation/tree-faults';
import type { AppError } from '../shared/app-error';
import { newId } from '../shared/id';
import { append } from './append';
import { Boundaries } from './boundaries';
import { Changes } from './changes';
import { Database, databaseVersion } from './database';
import { definitions, isCopied } from './definitions';
import { unfenced } from './fence';
import { Messages } from './messages';
import { openAsItIs } from './raw-database';
import { settled } from './raw-rows';
import { faultOf, isChecked } from './row-checks';
import { Sessions } from './sessions';
import { countRows, Snapshots } from './snapshots';
import { toStorageError } from './storage-failure';
import { Trash } from './trash';
import { undoMilliseconds } from './undo';

const tablesSinceVersion2 = ['answers', 'boundaries', 'calibrations', 'changeCursors', 'changes', 'checkpoints', 'contexts', 'deletions', 'fileChanges', 'folders', 'modelLists', 'positions', 'presets', 'searchState', 'secondAnswers', 'secrets', 'segments', 'sessionSettings', 'toolServers'];

/** A folder of this test's own, in the place of OPFS's root. */
async function newRoot(): Promise<() => Promise<FileSystemDirectoryHandle>> {
	const top = await navigator.storage.getDirectory();
	const name = `test ${newId()}`;
	const root = await top.getDirectoryHandle(name, { create: true });
	onTestFinished(() => top.removeEntry(name, { recursive: true }));
	return () => Promise.resolve(root);
}

function newName(): string {
	const name = `test ${newId()}`;
	onTestFinished(() => void indexedDB.deleteDatabase(name));
	return name;
}

/** A database of this test's own, and the obstacles that it tells. */
function database(name: string, root?: () => Promise<FileSystemDirectoryHandle>, Class = Database) {
	const db = new Class(name, root);
	onTestFinished(() => db.close());
	const obstacles: (string | undefined)[] = [];
	db.onObstacle = (obstacle) => obstacles.push(obstacle?.code);
	return { db, obstacles };
}

const writeVersion1 = (name: string) => writeDatabase(version1, name);

/** Everything that a database holds and is, whatever its version. */
async function rawContent(name: string, factory = indexedDB): Promise<unknown> {
	const db = (await openAsItIs(factory, name))!;
	const tables = await Promise.all(
		[...db.objectStoreNames].map(async (table) => {
			const store = db.transaction(table).objectStore(table);
			return [table, [...store.indexNames], await settled(store.getAll())] as const;
		})
	);
	db.close();
	return { version: db.version, tables };
}

const textOfGzip = (file: Blob) => new Response(file.stream().pipeThrough(new DecompressionStream('gzip'))).text();

/** Returns what `work` rejects with, as a user meets it. */
const failureOf = (work: PromiseLike<unknown>): Promise<unknown> =>
	Promise.resolve(work).then(
		() => 'no failure',
		(error: unknown) => toStorageError(error)
	);

describe('opening', () => {
	it('makes a database where there is none, once for all who ask at once', async () => {
		const name = newName();
		const { db, obstacles } = database(name);
		const [sessions, opened] = await Promise.all([db.sessions.toArray(), db.open(), db.drafts.count(), db.open()]);
		expect(sessions).toEqual([]);
		expect(opened).toBe(db);
		expect(db.backendDB().version).toBe(databaseVersion * 10);
		expect(obstacles).toEqual([]);
		db.close();
		await db.open();
		expect(await db.sessions.count()).toBe(0);
	});

	it('stays closed where it is closed while it opens', async () => {
		const { db } = database(newName());
		const opening = failureOf(db.open());
		db.close();
		expect(await opening).toMatchObject({ code: 'storage-refused' });
		expect(db.isOpen()).toBe(false);
		await db.open();
		expect(db.isOpen()).toBe(true);
	});

	it('refuses a newer database, and leaves it as it is', async () => {
		const name = newName();
		const newer = new Dexie(name);
		newer.version(databaseVersion + 1).stores({ sessions: 'id, somethingElse', inventions: 'id' });
		await newer.table('sessions').put({ id: 's', somethingElse: 1 });
		newer.close();
		const before = await rawContent(name);

		const { db, obstacles } = database(name);
		const waiting = failureOf(db.sessions.toArray());
		expect(await failureOf(db.open())).toMatchObject({ code: 'newer-database', message: expect.stringContaining('nothing is lost') as string });
		expect(await waiting).toMatchObject({ code: 'newer-database' });
		expect(await failureOf(new Sessions(db).list())).toMatchObject({ code: 'newer-database' });
		expect(await failureOf(append(db, { session: newSession(), messages: [newMessage('user', 'Hi')] }))).toMatchObject({ code: 'newer-database' });
		expect(new Set(obstacles)).toEqual(new Set(['newer-database']));
		expect(await rawContent(name)).toEqual(before);
	});

	it('takes a patched database of its own version for no newer one', async () => {
		const name = newName();
		const { db } = database(name);
		await db.open();
		db.close();
		(await settled(indexedDB.open(name, databaseVersion * 10 + 1))).close();
		const again = database(name);
		await again.db.open();
		expect(again.obstacles).toEqual([]);
	});

	it('an older tab closes and is told when a newer one comes, and writes nothing more', async () => {
		const name = newName();
		const { db, obstacles } = database(name);
		await append(db, { session: newSession({ id: 's' }), messages: [newMessage('user', 'Hi')] });
		const request = indexedDB.open(name, databaseVersion * 10 + 10);
		const newer = await settled(request);
		onTestFinished(() => newer.close());
		expect(obstacles).toEqual(['older-tab']);
		const failure = (await failureOf(db.sessions.toArray())) as AppError;
		expect(failure).toMatchObject({ code: 'older-tab', message: expect.stringContaining('Reload this tab') as string });
		expect(await failureOf(append(db, { session: 's', fence: unfenced, messages: [newMessage('user', 'Late')] }))).toMatchObject({ code: 'older-tab' });
		expect(await failureOf(db.open())).toMatchObject({ code: 'newer-database' });
		expect(newer.version).toBe(databaseVersion * 10 + 10);
	});

	it('gives way to a deletion', async () => {
		const name = newName();
		const { db, obstacles } = database(name);
		await db.open();
		vi.spyOn(console, 'warn').mockImplementation(() => undefined);
		await settled(indexedDB.deleteDatabase(name));
		expect(obstacles).toEqual([]);
		expect(await db.sessions.count()).toBe(0);
	});
});

describe('migration from version 1', () => {
	it('has every row, as the new schemas want them', async () => {
		const name = newName();
		await writeVersion1(name);
		const { db } = database(name, await newRoot());
		await db.open();
		expect(db.backendDB().version).toBe(databaseVersion * 10);

		const { rows } = version1;
		const kept = rows.sessions.filter((row) => !('deletedAt' in row));
		const deleted = rows.sessions.filter((row) => 'deletedAt' in row);
		expect(kept.length).toBeGreaterThan(3);
		expect(deleted).toHaveLength(1);
		expect(await db.messages.toArray()).toEqual(rows.messages);
		expect(await db.sessions.toArray()).toMatchObject(kept);
		expect(await db.settings.toArray()).toEqual(rows.settings);
		expect(await db.providers.toArray()).toEqual(rows.providers.map(({ apiKey: _, ...provider }) => provider));
		expect(await db.secrets.toArray()).toEqual(rows.providers.flatMap(({ id, apiKey }) => (apiKey ? [{ id, apiKey }] : [])));
		expect(await db.models.toArray()).toEqual(rows.models);
		expect(await db.drafts.toArray()).toEqual(rows.drafts.filter((draft) => !('answer' in draft)));
		const cutOff = rows.drafts.flatMap(({ sessionId, answer }) => (answer ? [{ ...withParts(answer), sessionId }] : []));
		expect(cutOff).not.toEqual([]);
		expect(await db.answers.toArray()).toMatchObject(cutOff);
		for (const { messageId } of await db.answers.toArray()) expect(messageId).toMatch(/^[0-9a-f-]{36}$/);

		for (const session of [...(await db.sessions.toArray())]) {
			const messages = rows.messages.filter(({ sessionId }) => sessionId === session.id);
			expect(session).toMatchObject({
				title: '',
				pinned: 0,
				messageCount: messages.length,
				steps: messages.filter(({ role }) => role === 'assistant').length,
				bytes: messages.reduce((sum, { parts }) => sum + JSON.stringify(parts).length, 0)
			});
			expect(faultsOf((await db.trees.get(session.id))!, await new Messages(db).all(session.id), (await db.positions.get(session.id))?.headId)).toEqual([]);
			const before = rows.trees.find(({ sessionId }) => sessionId === session.id)!;
			expect(await db.positions.get(session.id)).toEqual({ sessionId: session.id, headId: before.headId, fence: 0 });
		}
		const [item] = await new Trash(db).list();
		const { deletedAt } = deleted[0] as unknown as { deletedAt: number };
		expect(item).toMatchObject({ id: deleted[0]!.id, kind: 'session', at: deletedAt, purgeAt: deletedAt + undoMilliseconds });

		await fitting(db);
		expect(await db.quarantine.count()).toBe(0);
		expect(await db.changes.count()).toBe(0);
	});

	it('what was deleted comes back, and sessions go on', async () => {
		const name = newName();
		await writeVersion1(name);
		const { db } = database(name, await newRoot());
		const [item] = await new Trash(db).list();
		await new Trash(db).restoreUnfenced([item!.id]);
		expect(await db.sessions.count()).toBe(version1.rows.sessions.length);
		for (const { id, messageCount } of await new Sessions(db).list()) {
			await append(db, { session: id, fence: unfenced, messages: [newMessage('user', 'And then?')] });
			expect((await new Messages(db).path(id)).at(-1)!.parts).toEqual([{ type: 'text', text: 'And then?' }]);
			expect(faultsOf((await db.trees.get(id))!, await new Messages(db).all(id), (await db.positions.get(id))?.headId)).toEqual([]);
			expect((await db.sessions.get(id))!.messageCount).toBe(messageCount + 1);
		}
	});

	it('keeps a copy of all old rows first', async () => {
		const name = newName();
		const root = await newRoot();
		await writeVersion1(name);
		await database(name, root).db.open();
		const snapshots = new Snapshots(root);
		const [snapshot] = await snapshots.list();
		expect(snapshot).toMatchObject({ name: 'v1.jsonl.gz', version: 1 });
		expect(snapshot!.at).toBeGreaterThan(Date.now() - 60_000);
		const file = await snapshots.file('v1.jsonl.gz');
		expect(file.size).toBe(snapshot!.bytes);
		const rows: Record<string, unknown[]> = {};
		for (const line of (await textOfGzip(file)).trim().split('\n')) {
			const { table, row } = JSON.parse(line) as { table: string; row: unknown };
			(rows[table] ??= []).push(row);
		}
		expect(rows).toEqual({ ...version1.rows, providers: version1.rows.providers.map(({ apiKey: _, ...row }: { apiKey?: string }) => row) });
		await snapshots.remove('v1.jsonl.gz');
		expect(await snapshots.list()).toEqual([]);
	});

	it('does not start where there is no room for the copy', async () => {
		const { storageBuckets } = navigator as unknown as { storageBuckets: StorageBuckets };
		const bucketName = newId();
		const bucket = await storageBuckets.open(bucketName, { quota: 1_000_000 });
		onTestFinished(() => storageBuckets.delete(bucketName));
		const name = newName();
		await writeVersion1(name);
		// What does not get smaller.
		const noise = Array.from({ length: 3_000_000 }, () => String.fromCharCode(33 + Math.random() * 90)).join('');
		const raw = (await openAsItIs(indexedDB, name))!;
		await settled(raw.transaction('drafts', 'readwrite').objectStore('drafts').put({ sessionId: 'noise', composer: noise }));
		raw.close();
		const before = await rawContent(name);

		const { db, obstacles } = database(name, () => bucket.getDirectory());
		expect(await failureOf(db.sessions.toArray())).toMatchObject({
			code: 'snapshot-failed',
			message: expect.stringContaining('Free some disk space') as string
		});
		expect(obstacles).toContain('snapshot-failed');
		expect(await rawContent(name)).toEqual(before);
		expect(await new Snapshots(() => bucket.getDirectory()).list()).toEqual([]);
	});

	it('does not start where the copy can not be made', async () => {
		const name = newName();
		await writeVersion1(name);
		const before = await rawContent(name);
		const { db } = database(name, () => Promise.reject(new DOMException('', 'SecurityError')));
		expect(await failureOf(db.open())).toMatchObject({ code: 'snapshot-failed', message: expect.stringContaining('repair page') as string });
		expect(await rawContent(name)).toEqual(before);
	});

	it('leaves version 1 and its rows where it dies halfway, and can be tried again', async () => {
		class Dying extends Database {
			constructor(name: string, root?: () => Promise<FileSystemDirectoryHandle>) {
				super(name, root);
				this.version(2).upgrade(async (transaction) => {
					await transaction.table('sessions').clear();
					await transaction.table('trash').add({ id: 'half' });
					transaction.abort();
				});
			}
		}
		const name = newName();
		const root = await newRoot();
		await writeVersion1(name);
		const before = await rawContent(name);
		await expect(database(name, root, Dying).db.open()).rejects.toThrow();
		expect(await rawContent(name)).toEqual(before);
		const { db } = database(name, root);
		expect(await db.messages.count()).toBe(version1.rows.messages.length);
		expect(await new Snapshots(root).list()).toHaveLength(1);
	});

	it('[R6] is not stopped by a broken row', async () => {
		const name = newName();
		await writeVersion1(name);
		const raw = (await openAsItIs(indexedDB, name))!;
		const transaction = raw.transaction(['messages', 'sessions', 'trees', 'drafts'], 'readwrite');
		const [session, other] = version1.rows.sessions;
		const message = version1.rows.messages.find(({ sessionId, depth }) => sessionId === session!.id && depth === 1)!;
		transaction.objectStore('messages').put({ ...message, parts: null });
		transaction.objectStore('trees').put({ sessionId: session!.id, tips: 5 });
		transaction.objectStore('sessions').put({ id: other!.id });
		transaction.objectStore('drafts').put({ sessionId: session!.id, answer: 'none' });
		await settled(transaction.objectStore('trees').get(session!.id));
		raw.close();

		const { db } = database(name, await newRoot());
		await db.open();
		expect(await new Messages(db).path(session!.id)).toEqual([]);
		expect(await new Sessions(db).get(other!.id)).toBeUndefined();
		await vi.waitFor(async () => expect((await db.quarantine.toArray()).map(({ table }) => table).sort()).toEqual(['messages', 'sessions', 'trees']));
		const path = await new Messages(db).path(session!.id);
		expect(path[1]!.parts[0]!.type).toBe('unreadable');
		expect(path).toHaveLength(version1.rows.messages.filter(({ sessionId }) => sessionId === session!.id).length);
		expect(await new Sessions(db).get(other!.id)).toMatchObject({ preview: expect.any(String) as string });
	});

	it('waits for another tab that does not give way, says so, and goes on', async () => {
		const name = newName();
		await writeVersion1(name);
		const other = (await openAsItIs(indexedDB, name))!;
		const { db, obstacles } = database(name, await newRoot());
		const opening = db.open();
		await vi.waitFor(() => expect(obstacles).toEqual(['other-tabs']));
		other.close();
		await opening;
		expect(obstacles).toEqual(['other-tabs', undefined]);
		expect(await db.sessions.count()).toBeGreaterThan(0);
	});

	it('[P2] copies pictures piece by piece, however many there are, and tells how far it is', async () => {
		const name = newName();
		const root = await newRoot();
		await writeDatabase(version1, name);
		const pictures = Array.from({ length: 20 }, (_, index) => ({
			id: index.toString(16).padStart(64, '0'),
			content: new Blob([new Uint8Array(1_500_000)], { type: 'image/png' })
		}));
		const request = indexedDB.open(name, 20);
		request.onupgradeneeded = () => {
			const store = request.result.createObjectStore('attachments', { keyPath: 'id' });
			for (const picture of pictures) store.add(picture);
		};
		const raw = await settled(request);
		const told: number[] = [];
		const encode = vi.spyOn(TextEncoder.prototype, 'encode');
		onTestFinished(() => encode.mockRestore());
		await new Snapshots(root).take(raw, 2, (share) => told.push(share));
		raw.close();
		const pieces = encode.mock.calls.map(([text = '']) => text.length);
		expect(pieces.reduce((sum, length) => sum + length)).toBeGreaterThan(40_000_000);
		expect(Math.max(...pieces)).toBeLessThan(1_000_000);
		expect(told.filter((share) => share > 0.1 && share < 0.9).length).toBeGreaterThan(10);
		expect(told.at(-1)).toBe(1);
		expect(await new Snapshots(root).list()).toMatchObject([{ version: 2 }]);
	});

	it('copies files too, and tells a copy that is cut short', async () => {
		const name = newName();
		const root = await newRoot();
		const { db } = database(name, root);
		await db.attachments.put({ id: 'a', mediaType: 'text/plain', bytes: 2, content: new Blob(['é'], { type: 'text/plain' }), createdAt: 1 });
		await new Snapshots(root).take(db.backendDB(), 3);
		const file = await new Snapshots(root).file('v3.jsonl.gz');
		expect(JSON.parse(await textOfGzip(file))).toEqual({
			table: 'attachments',
			row: { id: 'a', mediaType: 'text/plain', bytes: 2, content: { $bytes: btoa('Ã©'), mediaType: 'text/plain' }, createdAt: 1 }
		});
		expect(await countRows(file)).toEqual({ attachments: 1 });
		await expect(countRows(file.slice(0, file.size - 12))).rejects.toThrow();
	});
});

/** Expects that nothing has changed but that these tables were added or emptied; `counts` says how many rows one of them has. */
async function unchanged(name: string, before: unknown, changed: string[], counts: Record<string, number> = {}): Promise<void> {
	const after = (await rawContent(name)) as { tables: (readonly [table: string, indexes: string[], rows: unknown[]])[] };
	const known = (before as typeof after).tables.map(([table]) => table);
	const isOther = (table: string) => known.includes(table) && !changed.includes(table);
	// Version 11 has other indexes of sessions.
	const others = ({ tables }: typeof after) => tables.filter(([table]) => isOther(table)).map(([table, indexes, rows]) => [table, table === 'sessions' ? [] : indexes, rows]);
	expect(others(after)).toEqual(renamed(others(before as typeof after)));
	for (const [table, , rows] of after.tables) if (!isOther(table)) expect(rows, table).toHaveLength(counts[table] ?? 0);
}

/** Returns what a version before 9 wrote with the names that unverified values, and titles of the user's, have now, and with sessions that are not archived. */
function renamed(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(renamed);
	if (Object.prototype.toString.call(value) !== '[object Object]') return value;
	const named = (name: string, inner: unknown): [string, unknown] =>
		name === 'titledBy' && inner === 'person' ? [name, 'user'] : [name === 'doubtful' ? 'unverified' : name, renamed(inner)];
	const archived = 'filesTouched' in (value as object) ? { archived: 0 } : {};
	return { ...Object.fromEntries(Object.entries(value as object).map(([name, inner]) => named(name, inner))), ...archived };
}

/** Expects that each tree of a version before 9 has become a tree and a position. */
async function movedPositions(db: Database, before: { sessionId: string; headId: string; fence: number }[]): Promise<void> {
	const inOrder = <R extends { sessionId: string }>(rows: R[]) => rows.toSorted((a, b) => (a.sessionId < b.sessionId ? -1 : 1));
	expect(inOrder(await db.trees.toArray())).toEqual(inOrder(before.map(({ headId: _, fence: __, ...tree }) => tree)));
	expect(inOrder(await db.positions.toArray())).toEqual(inOrder(before.map(({ sessionId, headId, fence }) => ({ sessionId, headId, fence }))));
}

/** Expects that every row fits its schema. */
async function fitting(db: Database): Promise<void> {
	for (const { name } of db.tables) {
		const stored = await settled<unknown[]>(db.backendDB().transaction(name).objectStore(name).getAll());
		if (isChecked(name)) for (const row of stored) expect(faultOf(name, row)).toBeUndefined();
	}
}

/** An unfinished answer of version 5 or before, as it is now. */
function withParts<A extends { text: string; reasoning: string }>({ text, reasoning, ...begun }: A) {
	return { ...begun, parts: spoken(text, reasoning) };
}

/** Counts the rows of each table that has any. */
const countsOf = (rows: Record<string, unknown[]>) =>
	Object.fromEntries(Object.entries(rows).flatMap(([table, { length }]) => (length ? [[table, length]] : [])));

/** As `countsOf`, of the tables that are copied. */
const copiedCountsOf = (rows: Record<string, unknown[]>) => countsOf(Object.fromEntries(Object.entries(rows).filter(([table]) => isCopied(table))));

describe('migration from version 2', () => {
	it('changes no row but the trees, and keeps a copy first', async () => {
		const name = newName();
		const root = await newRoot();
		const { rows } = version2;
		await writeDatabase(version2, name);
		const before = await rawContent(name);
		const { db } = database(name, root);
		await db.open();
		expect(db.backendDB().version).toBe(databaseVersion * 10);
		const tables = db.tables.map((table) => table.name).filter((table) => !(table in rows));
		expect(tables.sort()).toEqual(tablesSinceVersion2);
		await unchanged(name, before, ['trees', ...tables], { trees: rows.trees.length, positions: rows.trees.length });
		await movedPositions(db, rows.trees);
		await fitting(db);
		const [session] = await new Sessions(db).list();
		expect((await new Messages(db).path(session!.id)).map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'assistant']);
		expect(faultsOf((await db.trees.get(session!.id))!, await new Messages(db).all(session!.id), (await db.positions.get(session!.id))?.headId)).toEqual([]);
		await new Trash(db).restoreUnfenced(rows.trash.map(({ id }) => id));
		expect(await db.sessions.count()).toBe(2);

		const file = await new Snapshots(root).file('v2.jsonl.gz');
		expect(await countRows(file)).toEqual(countsOf(rows));
	});
});

describe('migration from version 3', () => {
	it('[E11] [P3] keeps an unfinished answer apart from the draft, names no covered messages in compactions, logs none, and keeps a copy first', async () => {
		const name = newName();
		const root = await newRoot();
		const { rows } = version3;
		await writeDatabase(version3, name);
		const before = await rawContent(name);
		const { db } = database(name, root);
		await db.open();
		expect(db.backendDB().version).toBe(databaseVersion * 10);
		await unchanged(name, before, ['drafts', 'boundaries', 'trash', 'trees'], { trees: rows.trees.length, positions: rows.trees.length, answers: 1, boundaries: rows.boundaries.length, trash: rows.trash.length });
		expect(JSON.stringify(before)).toContain('coveredIds');
		expect(JSON.stringify(await rawContent(name))).not.toContain('coveredIds');
		const [{ sessionId, answer }] = rows.drafts as [(typeof rows.drafts)[0]];
		expect(await db.answers.toArray()).toEqual([{ ...withParts(answer), sessionId }]);
		await fitting(db);
		expect(await countRows(await new Snapshots(root).file('v3.jsonl.gz'))).toEqual(countsOf(rows));

		const [kitchen, bread] = await new Sessions(db).list();
		expect((await new Messages(db).path(bread!.id)).map(({ parts }) => parts[0]!.type)).toEqual([
			'text',
			'text',
			'text',
			'text',
			'text',
			'redacted',
			'text'
		]);
		const [{ coveredIds: _, ...boundary }] = rows.boundaries as [(typeof rows.boundaries)[0]];
		expect(await new Boundaries(db).ofSession(bread!.id)).toEqual([renamed({ ...boundary, excluded: [] })]);
		await new Trash(db).restoreUnfenced(rows.trash.map(({ id }) => id));
		expect(await db.sessions.count()).toBe(3);
		expect(await new Boundaries(db).ofSession(bread!.id)).toHaveLength(2);
		await append(db, { session: kitchen!.id, fence: unfenced, messages: [newMessage('assistant', 'Knead the dough.')] });
		for (const { sessionId } of rows.trees) {
			expect(faultsOf((await db.trees.get(sessionId))!, await new Messages(db).all(sessionId), (await db.positions.get(sessionId))?.headId)).toEqual([]);
		}
		const logged = await new Changes(db).after(0);
		expect(logged.map(({ sessionId }) => sessionId).sort()).toEqual(rows.trees.map(({ sessionId }) => sessionId).sort());
	});
});

describe('migration from version 5', () => {
	it('[E11] keeps unfinished answers as parts, those of deleted branches too, changes nothing else, and keeps a copy first', async () => {
		const name = newName();
		const root = await newRoot();
		const { rows } = version5;
		await writeDatabase(version5, name);
		const before = await rawContent(name);
		const { db } = database(name, root);
		await db.open();
		expect(db.backendDB().version).toBe(databaseVersion * 10);
		await unchanged(name, before, ['answers', 'trash', 'trees'], { trees: rows.trees.length, positions: rows.trees.length, answers: rows.answers.length, trash: rows.trash.length });
		expect(await db.answers.toArray()).toEqual(rows.answers.map(withParts));
		expect(rows.answers.some(({ reasoning }) => reasoning !== '')).toBe(true);
		expect(rows.answers.some(({ reasoning }) => reasoning === '')).toBe(true);
		expect(await db.trash.toArray()).toEqual(renamed(rows.trash.map((item) => ('answer' in item ? { ...item, answer: withParts(item.answer!) } : item))));
		await fitting(db);
		expect(await countRows(await new Snapshots(root).file('v5.jsonl.gz'))).toEqual(copiedCountsOf(rows));

		const branch = rows.trash.find(({ kind }) => kind === 'branch')!;
		await new Trash(db).restoreUnfenced([branch.id]);
		expect(await db.answers.get(branch.sessionId)).toEqual({ ...withParts(branch.answer!), sessionId: branch.sessionId });
		for (const { sessionId } of rows.trees) {
			expect(faultsOf((await db.trees.get(sessionId))!, await new Messages(db).all(sessionId), (await db.positions.get(sessionId))?.headId)).toEqual([]);
		}
	});

	it('[R6] is not stopped by a broken answer', async () => {
		const name = newName();
		const [answer] = version5.rows.answers;
		const broken = [null, 7].map((text, index) => ({ ...answer, sessionId: `broken ${index}`, text }));
		await writeDatabase({ ...version5, rows: { ...version5.rows, answers: [...version5.rows.answers, ...broken] as never } }, name);
		const { db } = database(name, await newRoot());
		expect(await db.answers.toArray()).toEqual(version5.rows.answers.map(withParts));
		await vi.waitFor(async () => expect((await db.quarantine.toArray()).filter(({ table }) => table === 'answers')).toHaveLength(2));
	});
});

describe('migration from version 6', () => {
	it('[E5] changes no row but the trees and the manifest of the search index, whose place in the log becomes a cursor', async () => {
		const name = newName();
		await writeDatabase(version6 as Written, name);
		const before = await rawContent(name);
		const { db } = database(name, await newRoot());
		await db.open();
		const { length } = version6.rows.trees;
		await unchanged(name, before, ['searchState', 'trees'], { searchState: 2, changeCursors: 1, trees: length, positions: length });
		const [{ watermark, ...manifest }] = version6.rows.searchState as unknown as [{ watermark: number; name: string }];
		expect(await db.searchState.get('manifest')).toMatchObject({ ...manifest, segments: expect.anything() as unknown });
		expect(await db.searchState.get('manifest')).not.toHaveProperty('watermark');
		expect(await db.changeCursors.toArray()).toEqual([{ reader: 'search', seq: watermark }]);
		expect(await new Changes(db).after(watermark)).toEqual(version6.rows.changes);
	});
});

describe.each([
	['7', version7],
	['8', version8]
])('migration from version %s', (_, version) => {
	const { trees } = version.rows;

	it('[A5] keeps where the user is, and the fence, apart from the tree; changes nothing else, logs nothing, and keeps a copy first', async () => {
		const name = newName();
		const root = await newRoot();
		await writeDatabase(version as Written, name);
		const before = await rawContent(name);
		const { db } = database(name, root);
		await db.open();
		expect(db.backendDB().version).toBe(databaseVersion * 10);
		await unchanged(name, before, ['trees'], { trees: trees.length, positions: trees.length });
		await movedPositions(db, trees);
		expect(trees.some(({ fence }) => fence > 0)).toBe(true);
		expect(trees.some(({ headId, tips }) => !tips.some(({ id }) => id === headId))).toBe(true);
		await fitting(db);
		expect(await countRows(await new Snapshots(root).file(`v${version.nativeVersion / 10}.jsonl.gz`))).toEqual(copiedCountsOf(version.rows));
		for (const { id } of await new Sessions(db).list()) {
			expect((await new Messages(db).path(id)).at(-1)!.id).toBe(trees.find(({ sessionId }) => sessionId === id)!.headId);
			expect(faultsOf((await db.trees.get(id))!, await new Messages(db).all(id), (await db.positions.get(id))?.headId)).toEqual([]);
		}
		const branch = version.rows.trash.find(({ kind }) => kind === 'branch')!;
		await new Trash(db).restoreUnfenced([branch.id]);
		expect((await db.positions.get(branch.sessionId))!.headId).toBe(branch.removal!.headId);
	});

	it('[R6] [A5] is not stopped by broken trees: each chat opens, no tab writes with a fence that may be an old one', async () => {
		const name = newName();
		const broken = trees.map((tree, index) => [{ ...tree, headId: 7 }, { ...tree, fence: 'high' }, { ...tree, labels: 5 }, { sessionId: tree.sessionId, tips: 5 }][index]);
		const others = [{ sessionId: 17, headId: 'x', fence: 1 }, { sessionId: 'alone', tips: [], headId: null }];
		await writeDatabase({ ...version, rows: { ...version.rows, trees: [...broken, ...others] } } as unknown as Written, name);
		const { db } = database(name, await newRoot());
		await db.open();
		const [first, second, third, fourth] = trees.map(({ sessionId }) => sessionId) as [string, string, string, string];
		const newest = trees[0]!.tips.map(({ id }) => id).sort().at(-1);
		expect(await db.positions.get(first)).toEqual({ sessionId: first, headId: newest, fence: trees[0]!.fence });
		const fenceOf = async (id: string) => (await db.positions.get(id))!.fence;
		expect(await fenceOf(second)).toBeGreaterThan(1_000_000);
		expect(await db.positions.get(third)).toMatchObject({ headId: trees[2]!.headId, fence: trees[2]!.fence });
		expect(await db.positions.get(fourth)).toBeUndefined();
		for (const { sessionId } of trees) await new Messages(db).path(sessionId);
		await vi.waitFor(async () => expect((await db.quarantine.toArray()).filter(({ table }) => table === 'trees').map(({ key }) => key).sort()).toEqual([third, fourth].sort()));
		expect(await fenceOf(fourth)).toBeGreaterThan(1_000_000);
		for (const { sessionId } of trees) {
			expect(faultsOf((await db.trees.get(sessionId))!, await new Messages(db).all(sessionId), (await db.positions.get(sessionId))!.headId)).toEqual([]);
		}
	});
});

it('a copy leaves out what is made from other tables', async () => {
	const root = await newRoot();
	const { db } = database(newName(), root);
	await append(db, { session: newSession({ id: 's' }), messages: [newMessage('user', 'Hi')] });
	await db.segments.put({ segment: 'a', kind: 'head', number: 0, content: new Uint8Array(1000) });
	await db.searchState.put({ name: 'progress', done: 1, total: 1, whole: true, documents: 1, bytes: 1000 });
	await new Snapshots(root).take(db.backendDB(), 4);
	expect(await countRows(await new Snapshots(root).file('v4.jsonl.gz'))).toEqual({ messages: 1, positions: 1, sessions: 1, trees: 1 });
});

/** Chromium's Storage Buckets API, as far as it is needed here; TypeScript does not know it. */
interface StorageBuckets {
	open(name: string, options: { quota: number }): Promise<{ getDirectory(): Promise<FileSystemDirectoryHandle> }>;
	delete(name: string): Promise<void>;
}

it('[P8] keys of servers go into a table of their own, and out of the quarantine', async () => {
	const name = newName();
	const { rows } = version3;
	const provider = { id: 'p', name: 'P', baseUrl: 'http://p/v1', apiKey: 'sk-canary', createdAt: 1 };
	const row = { id: 'q', name: 7, apiKey: 'sk-canary', later: { apiKey: 'sk-canary' } };
	const quarantined = { id: 'x', table: 'providers', key: 'q', row, reason: 'Its field “name” is 7.', at: 1 };
	await writeDatabase({ ...version3, rows: { ...rows, providers: [provider] as never, quarantine: [quarantined] as never } }, name);
	const { db } = database(name, await newRoot());
	await db.open();
	expect(await db.secrets.toArray()).toEqual([{ id: 'p', apiKey: 'sk-canary' }]);
	const { tables } = (await rawContent(name)) as { tables: (readonly [table: string, ...rest: unknown[]])[] };
	expect(JSON.stringify(tables.filter(([table]) => table !== 'secrets'))).not.toContain('sk-canary');
});

describe('migration from version 10', () => {
	it('[A14] knows of each session, also of one in the trash, that it is not archived, and lists it as before', async () => {
		const name = newName();
		const root = await newRoot();
		const old = new Dexie(name);
		const indexesOf = (indexes: Readonly<Record<number, string>>) => Object.entries(indexes).findLast(([version]) => Number(version) <= 10)?.[1] ?? '';
		const stores = [...definitions].map(([table, { key, isNumbered, indexes }]) => {
			const primary = typeof key === 'string' ? `${isNumbered ? '++' : ''}${key}` : `[${key.join('+')}]`;
			return [table, [primary, indexesOf(indexes)].filter(Boolean).join(', ')] as const;
		});
		old.version(10).stores(Object.fromEntries(stores));
		const session = (id: string, updatedAt: number, pinned: 0 | 1 = 0) => {
			const { archived: _, ...row } = newSession({ id, pinned, workspace: 'work' });
			return { ...row, messageCount: 1, steps: 0, bytes: 1, usage: {}, updatedAt };
		};
		await old.table('sessions').bulkAdd([session('old', 1000), session('new', 2000), session('pinned', 500, 1)]);
		await old.table('trash').add({ id: 'gone', kind: 'session', sessionId: 'gone', at: 1, purgeAt: 9e12, session: session('gone', 3000) });
		old.close();

		const { db } = database(name, root);
		const sessions = new Sessions(db);
		for (const filter of [{}, { workspace: 'work' }, { workspace: 'work', surface: 'web' }]) {
			expect((await sessions.list(filter)).map(({ id, archived }) => [id, archived])).toEqual([['pinned', 0], ['new', 0], ['old', 0]]);
		}
		expect(await sessions.count({ archived: true })).toBe(0);
		await new Trash(db).restoreUnfenced(['gone']);
		expect((await sessions.list())[1]).toMatchObject({ id: 'gone', archived: 0 });
		await fitting(db);
		expect(await db.quarantine.count()).toBe(0);
		expect(await countRows(await new Snapshots(root).file('v10.jsonl.gz'))).toEqual({ sessions: 3, trash: 1 });
	});
});
