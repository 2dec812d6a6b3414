import { expect, it } from 'vitest';
import { newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { append } from './append';
import { measureUsage } from './usage';

it('[P5] says what the search index takes up, once there is one', async () => {
	const db = openDatabase();
	await append(db, { session: newSession({ id: 's' }), messages: [newMessage('user', 'Hello')] });
	expect(await measureUsage(db)).toMatchObject({ searchIndex: 0, sessionCount: 1 });
	await db.searchState.put({ name: 'progress', done: 1, total: 1, whole: true, documents: 1, bytes: 4711 });
	expect(await measureUsage(db)).toMatchObject({ searchIndex: 4711, sessionCount: 1 });
});
