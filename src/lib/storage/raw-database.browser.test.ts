import { beforeEach, expect, it } from 'vitest';
import { openAsItIs, openEarly, takeEarlyOrOpen } from './raw-database';

/** Asks the browser for the app's own database, which no other test here opens. */
function ask(open: () => IDBOpenDBRequest): Promise<IDBDatabase | undefined> {
	return new Promise((resolve, reject) => {
		const request = open();
		request.onsuccess = () => resolve(request.result as IDBDatabase | undefined);
		request.onerror = () => reject(request.error!);
		request.onblocked = () => reject(new Error('something keeps it open'));
	});
}

const remove = () => ask(() => indexedDB.deleteDatabase('snug'));
const make = async (version: number) => (await ask(() => indexedDB.open('snug', version)))!.close();

beforeEach(async () => {
	await remove();
	return remove;
});

it('is opened before the app runs, and taken over once', async () => {
	await make(70);
	openEarly();
	const early = await globalThis.earlyDatabase;
	const taken = await takeEarlyOrOpen(indexedDB, 'snug');
	expect(taken).toBe(early);
	expect(taken!.version).toBe(70);
	const other = await takeEarlyOrOpen(indexedDB, 'snug');
	expect(other).not.toBe(taken);
	taken!.close();
	other!.close();
});

it('gives way to an upgrade, after which the app looks again', async () => {
	await make(70);
	openEarly();
	await globalThis.earlyDatabase;
	await make(80);
	const taken = await takeEarlyOrOpen(indexedDB, 'snug');
	expect(taken!.version).toBe(80);
	taken!.close();
});

it('makes nothing where there is nothing', async () => {
	openEarly();
	expect(await takeEarlyOrOpen(indexedDB, 'snug')).toBeUndefined();
	expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain('snug');
});

it('is no other database, which is opened as it is', async () => {
	await make(70);
	openEarly();
	expect(await takeEarlyOrOpen(indexedDB, 'another')).toBeUndefined();
	const db = (await takeEarlyOrOpen(indexedDB, 'snug'))!;
	expect(await openAsItIs(indexedDB, 'another')).toBeUndefined();
	db.close();
});
