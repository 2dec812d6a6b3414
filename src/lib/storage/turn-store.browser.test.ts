import { describe, expect, it } from 'vitest';
import { contentOf, newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { newId } from '../shared/id';
import { append } from './append';
import { Answers } from './answers';
import { Messages } from './messages';
import { Sessions } from './sessions';
import { TurnStore } from './turn-store';

async function asked() {
	const db = openDatabase();
	const session = newSession();
	const path = await append(db, { session, messages: [newMessage('system', 'Be brief.'), newMessage('user', 'Hi')] });
	return { db, store: new TurnStore(db), id: session.id, path };
}

describe('TurnStore', () => {
	it('reads what decides what the model is sent', async () => {
		const { store, id, path } = await asked();
		expect(await store.context(id)).toMatchObject({ system: 'Be brief.', path: path.slice(1), endId: path[1]!.id });
	});

	it('[E11] stores an answer below its question, settles the draft and says how the turn ended', async () => {
		const { db, store, id, path } = await asked();
		const parentId = path[1]!.id;
		await store.journal(id, { messageId: newId(), parentId, text: 'Hel', reasoning: '', model: 'tiny', startedAt: 1 });
		const message = newMessage('assistant', 'Hello', { model: 'other', finishReason: 'stop' });
		const stored = await store.answer(id, parentId, message, { status: 'success', stopReason: '' });
		expect(stored).toEqual({ ...message, sessionId: id, parentId, depth: 2 });
		expect(await new Messages(db).path(id)).toEqual([...path, stored]);
		expect(await new Answers(db).get(id)).toBeUndefined();
		expect(await new Sessions(db).get(id)).toMatchObject({ status: 'success', model: 'other', messageCount: 3 });
	});

	it('[S2] gives no title to a session that is renamed at that moment', async () => {
		const { db, store, id, path } = await asked();
		const sessions = new Sessions(db);
		const answering = store.answer(id, path[1]!.id, newMessage('assistant', 'Hello'), { status: 'success', stopReason: '' });
		await Promise.all([answering, sessions.update(id, { title: 'Mine', titledBy: 'person' })]);
		expect(await sessions.get(id)).toMatchObject({ title: 'Mine', titledBy: 'person', status: 'success' });
	});

	it('keeps draft and status where the answer can not be stored', async () => {
		const { db, store, id, path } = await asked();
		const parentId = path[1]!.id;
		await store.journal(id, { messageId: newId(), parentId, text: 'Hel', reasoning: '', model: 'tiny', startedAt: 1 });
		const before = await contentOf(db);
		await expect(store.answer(id, parentId, newMessage('assistant', 'x', { id: parentId }), { status: 'success', stopReason: '' })).rejects.toThrow();
		expect(await contentOf(db)).toEqual(before);
	});

	it('[R2] says how a turn without an answer ended', async () => {
		const { db, store, id } = await asked();
		await store.end(id, 'failed', 'The server is down.');
		expect(await new Sessions(db).get(id)).toMatchObject({ status: 'failed', stopReason: 'The server is down.', messageCount: 2 });
	});

	it('explains each failure of the store', async () => {
		const { db, store, id, path } = await asked();
		db.close();
		const refused = { name: 'AppError', code: 'storage-refused' };
		const draft = { messageId: newId(), parentId: path[1]!.id, text: 'Hel', reasoning: '', model: 'tiny', startedAt: 1 };
		await expect(store.context(id)).rejects.toMatchObject(refused);
		await expect(store.journal(id, draft)).rejects.toMatchObject(refused);
		await expect(store.answer(id, draft.parentId, newMessage('assistant', 'x'), { status: 'success', stopReason: '' })).rejects.toMatchObject(refused);
		await expect(store.end(id, 'failed', '')).rejects.toMatchObject(refused);
	});
});
