import { IDBFactory } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { copyDatabase, tablesOfDevice } from './copy-database';
import { settled } from './raw-rows';
import { tablesWhere } from './definitions';

/** A database with two stores, one with indexes, and a row in each. */
async function made(): Promise<IDBDatabase> {
	const request = new IDBFactory().open('snug', 110);
	request.onupgradeneeded = () => {
		const settings = request.result.createObjectStore('settings', { keyPath: 'name' });
		settings.put({ name: 'theme', value: new Date(0) });
		const messages = request.result.createObjectStore('messages', { keyPath: ['sessionId', 'id'] });
		messages.createIndex('parentId', 'parentId');
		messages.createIndex('words', 'words', { multiEntry: true, unique: true });
		messages.put({ sessionId: 's', id: 'm', parentId: null, words: ['secret'] });
		request.result.createObjectStore('changes', { keyPath: 'seq', autoIncrement: true });
	};
	return settled(request);
}

test('a copy has the version, the stores and the indexes of a database, and the rows of the stores that are named', async () => {
	const copies = new IDBFactory();
	await copyDatabase(await made(), copies, ['settings']);
	const copy = await settled(copies.open('snug'));
	expect(copy.version).toBe(110);
	expect([...copy.objectStoreNames]).toEqual(['changes', 'messages', 'settings']);
	const looked = copy.transaction([...copy.objectStoreNames]);
	const messages = looked.objectStore('messages');
	expect([messages.keyPath, [...messages.indexNames]]).toEqual([['sessionId', 'id'], ['parentId', 'words']]);
	expect([messages.index('words').multiEntry, messages.index('words').unique, messages.index('parentId').unique]).toEqual([true, true, false]);
	expect(looked.objectStore('changes').autoIncrement).toBe(true);
	expect(await settled(messages.count())).toBe(0);
	expect(await settled(looked.objectStore('settings').getAll())).toEqual([{ name: 'theme', value: new Date(0) }]);
});

test('the tables of the device are all that no chat has a part in', () => {
	// Files, rows that were broken and what was deleted are of chats, whoever owns them.
	const ofChats = ['attachments', 'quarantine', 'deletions'];
	const expected = tablesWhere(({ scope, purge }) => (scope === 'shared' || scope === 'device') && !purge).filter((name) => !ofChats.includes(name));
	expect([...tablesOfDevice].sort()).toEqual(expected.sort());
});
