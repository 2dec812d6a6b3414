import { Dexie } from 'dexie';
import { describe, expect, it, onTestFinished } from 'vitest';
import { contentOf, newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { newId } from '../shared/id';
import { append } from './append';
import type { Database } from './database';
import { Drafts } from './drafts';
import { unfenced } from './fence';
import { toStorageError, inBackground } from './storage-failure';

/** Returns what `work` rejects with, explained. */
async function failureOf(work: PromiseLike<unknown>): Promise<unknown> {
	return Promise.resolve(work).then(
		() => 'no failure',
		(error: unknown) => toStorageError(error)
	);
}

/** A database that may take that many bytes: in a storage bucket of its own, whose quota the browser keeps to. */
async function openSmallDatabase(quota: number): Promise<Database> {
	const { storageBuckets } = navigator as unknown as { storageBuckets: StorageBuckets };
	const name = newId();
	const bucket = await storageBuckets.open(name, { quota });
	onTestFinished(() => storageBuckets.delete(name));
	const usual = Dexie.dependencies.indexedDB;
	Dexie.dependencies.indexedDB = bucket.indexedDB;
	const db = openDatabase();
	Dexie.dependencies.indexedDB = usual;
	return db;
}

/** Chromium's Storage Buckets API, as far as it is needed here; TypeScript does not know it. */
interface StorageBuckets {
	open(name: string, options: { quota: number }): Promise<{ indexedDB: IDBFactory }>;
	delete(name: string): Promise<void>;
}

describe('toStorageError', () => {
	it('tells a full disk, where nothing of the write is left', async () => {
		const db = await openSmallDatabase(2_000_000);
		const session = newSession();
		await append(db, { session, messages: [newMessage('user', 'Hello')] });
		const before = await contentOf(db);
		const long = 'x'.repeat(5_000_000);
		const full = { name: 'AppError', code: 'disk-full', retryable: true };
		expect(await failureOf(append(db, { session: session.id, fence: unfenced, messages: [newMessage('assistant', long)] }))).toMatchObject(full);
		expect(await failureOf(new Drafts(db).set(session.id, { text: long, attachments: [] }, unfenced))).toMatchObject(full);
		expect(await contentOf(db)).toEqual(before);
	});

	it('tells a full disk also by what Firefox says of the next write', () => {
		const next = new DOMException('A mutation operation was attempted on a database that did not allow mutations.', 'InvalidStateError');
		expect(toStorageError(next)).toMatchObject({ code: 'disk-full' });
		// It says so too where it refuses to open a database.
		const refused = Object.assign(new Error('OpenFailedError InvalidStateError'), { name: 'OpenFailedError', inner: next });
		expect(toStorageError(refused)).toMatchObject({ code: 'storage-refused' });
	});

	it('tells a database that is closed under the app', async () => {
		const db = openDatabase();
		await db.open();
		db.close();
		expect(await failureOf(db.sessions.toArray())).toMatchObject({ name: 'AppError', code: 'storage-refused', retryable: true });
	});

	it('tells a browser without a database', async () => {
		const db = new Dexie('none', { indexedDB: undefined as never });
		db.version(1).stores({ rows: 'id' });
		expect(await failureOf(db.table('rows').toArray())).toMatchObject({ code: 'storage-refused' });
	});

	const quota = new DOMException('', 'QuotaExceededError');
	it.each([
		['a refused open', new Dexie.OpenFailedError('refused', new DOMException('', 'UnknownError')), 'storage-refused'],
		['a forbidden database', new DOMException('', 'SecurityError'), 'storage-refused'],
		['a full disk inside an aborted transaction', new Dexie.AbortError('aborted', quota), 'disk-full'],
		['a full disk while opening', new Dexie.OpenFailedError('refused', quota), 'disk-full']
	])('tells %s', (_, error, code) => {
		expect(toStorageError(error)).toMatchObject({ name: 'AppError', code, cause: error });
	});

	it('gives bugs back as they are', async () => {
		const db = openDatabase();
		const message = newMessage('user', 'Hello');
		const constraint = await failureOf(append(db, { session: newSession(), messages: [message, message] }));
		expect(constraint).toMatchObject({ name: 'BulkError' });
		for (const bug of [new TypeError('x is undefined'), 'a string', undefined, null]) expect(toStorageError(bug)).toBe(bug);
	});
});

it('what nobody waits for may be refused by the store, or not arrive; a bug is thrown', async () => {
	await inBackground(() => Promise.reject(new DOMException('No room.', 'QuotaExceededError')));
	await inBackground(() => import(/* @vite-ignore */ new URL('/no-such-part.js', location.href).href));
	const bug = new TypeError('x is undefined');
	await expect(inBackground(() => Promise.reject(bug))).rejects.toBe(bug);
});
