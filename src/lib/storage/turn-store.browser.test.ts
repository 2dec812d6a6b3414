import { describe, expect, it } from 'vitest';
import { spoken } from '../../../tests/fixtures/answers';
import { contentOf, newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { textOf } from '../conversation/message';
import { newId } from '../shared/id';
import { Answers, type AnswerTail } from './answers';
import { append, type NewMessage } from './append';
import { fencingTokenOf, unfenced } from './fence';
import { Messages } from './messages';
import { Sessions } from './sessions';
import type { UnfinishedAnswer } from '../conversation/growing-answer';
import { Trash } from './trash';
import { Trees } from './trees';
import { TurnStore } from './turn-store';

async function asked() {
	const db = openDatabase();
	const session = newSession();
	const path = await append(db, { session, messages: [newMessage('system', 'Be brief.'), newMessage('user', 'Hi')] });
	return { db, store: new TurnStore(db, unfenced), id: session.id, path };
}

describe('TurnStore', () => {
	it('reads what decides what the model is sent', async () => {
		const { store, id, path } = await asked();
		expect(await store.context(id)).toMatchObject({ system: 'Be brief.', path: path.slice(1), endId: path[1]!.id });
	});

	it('[E11] stores an answer below its question, settles the draft and says how the turn ended', async () => {
		const { db, store, id, path } = await asked();
		const parentId = path[1]!.id;
		const message = newMessage('assistant', 'Hello', { model: 'other', finishReason: 'stop' });
		await store.journal(id, { messageId: message.id, parentId, parts: spoken('Hel'), model: 'tiny', startedAt: 1 });
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
		await Promise.all([answering, sessions.updateUnfenced(id, { title: 'Mine', titledBy: 'user' })]);
		expect(await sessions.get(id)).toMatchObject({ title: 'Mine', titledBy: 'user', status: 'success' });
	});

	it('keeps draft and status where the answer can not be stored', async () => {
		const { db, store, id, path } = await asked();
		const parentId = path[1]!.id;
		await store.journal(id, { messageId: newId(), parentId, parts: spoken('Hel'), model: 'tiny', startedAt: 1 });
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
		const draft = { messageId: newId(), parentId: path[1]!.id, parts: spoken('Hel'), model: 'tiny', startedAt: 1 };
		await expect(store.context(id)).rejects.toMatchObject(refused);
		await expect(store.journal(id, draft)).rejects.toMatchObject(refused);
		await expect(store.answer(id, draft.parentId, newMessage('assistant', 'x'), { status: 'success', stopReason: '' })).rejects.toMatchObject(refused);
		await expect(store.end(id, 'failed', '')).rejects.toMatchObject(refused);
	});
});

describe('settle', () => {
	const answer: UnfinishedAnswer = { messageId: 'answer', parentId: 'question', parts: spoken('Half an', 'Hm'), model: 'tiny', startedAt: 1 };
	const longer = { ...answer, parts: spoken('Half an answer', 'Hm') };
	const tail: AnswerTail = { answer: { ...answer, parts: spoken('n answer') }, partsFrom: 1, textFrom: 6, fence: 0 };
	const stopReason = 'Interrupted.';

	/** A session that waits for its answer. */
	async function awaited() {
		const db = openDatabase();
		const messages: [NewMessage, NewMessage] = [newMessage('system', ''), newMessage('user', 'Hi', { id: answer.parentId })];
		await append(db, { session: newSession({ id: 's' }), messages });
		const [answers, trees] = [new Answers(db), new Trees(db)];
		return { db, answers, trees, store: new TurnStore(db, fencingTokenOf({ fence: 0 })), row: () => new Sessions(db).get('s') };
	}

	it.each<[string, { journalled?: UnfinishedAnswer; seen?: UnfinishedAnswer; tail?: AnswerTail }, string | undefined]>([
		['what was journalled', { journalled: answer }, 'Half an'],
		['what was seen where that is more', { journalled: answer, seen: longer }, 'Half an answer'],
		['what was seen where nothing was journalled', { seen: longer }, 'Half an answer'],
		['what was journalled where less was seen', { journalled: longer, seen: answer }, 'Half an answer'],
		['what was seen of a later turn', { journalled: longer, seen: { ...answer, messageId: 'later', startedAt: 2, parts: spoken('Ha') } }, 'Ha'],
		['what was journalled where nothing of a later turn was seen', { journalled: answer, seen: { ...answer, messageId: 'later', startedAt: 2, parts: spoken('') } }, 'Half an'],
		['what a page left when it went', { journalled: answer, tail }, 'Half an answer'],
		['what a page left that had written nothing down', { tail: { ...tail, answer, partsFrom: 0, textFrom: 0 } }, 'Half an'],
		['no end of an answer whose middle is not there', { tail }, undefined],
		['nothing that a page left which was taken over from', { journalled: answer, tail: { ...tail, fence: 1 } }, 'Half an']
	])('[E11] [A5] keeps %s, and says that the answer was interrupted', async (_, { journalled, ...left }, text) => {
		const { answers, store, row } = await awaited();
		if (journalled) await answers.set('s', journalled, unfenced);
		await store.settle('s', { ...left, stopReason });
		const kept = await answers.get('s');
		expect(kept && textOf(kept)).toBe(text);
		expect(await row()).toMatchObject({ status: 'interrupted', stopReason });
	});

	it('[R2] keeps nothing of an answer that has become a message, or whose question is gone', async () => {
		const { db, store, trees, row } = await awaited();
		await append(db, {
			session: 's', fence: unfenced,
			messages: [newMessage('assistant', 'Whole', { id: answer.messageId })],
			changes: { status: 'success' }
		});
		await store.settle('s', { seen: longer, stopReason });
		expect(await row()).toMatchObject({ status: 'success' });
		await trees.removeBranch('s', answer.parentId, 0, unfenced);
		await store.settle('s', { seen: { ...longer, messageId: 'another' }, stopReason });
		await store.settle('nowhere', { seen: longer, stopReason });
		expect(await db.answers.count()).toBe(0);
	});

	it.each(['session', 'question'])('[E11] [A14] keeps what a page left of an answer with the deleted %s, which brings it back', async (what) => {
		const { db, answers, store, trees } = await awaited();
		const trash = new Trash(db);
		const item = what === 'session' ? (await trash.deleteSessionsUnfenced(['s'], 0))[0]! : await trees.removeBranch('s', answer.parentId, 0, unfenced);
		await store.settle('s', { tail: { ...tail, answer: longer, partsFrom: 0, textFrom: 0 }, stopReason });
		await trash.restoreUnfenced([item]);
		expect(await answers.get('s')).toMatchObject(longer);
	});

	it('[R2] [A14] keeps nothing with a deleted session of an answer that has become a message', async () => {
		const { db, store } = await awaited();
		await append(db, { session: 's', fence: unfenced, messages: [newMessage('assistant', 'Whole', { id: answer.messageId })] });
		const trash = new Trash(db);
		const taken = await trash.deleteSessionsUnfenced(['s'], 0);
		await store.settle('s', { seen: longer, stopReason });
		await trash.restoreUnfenced(taken);
		expect(await db.answers.count()).toBe(0);
	});

	it('[E11] makes a message of a part that was journalled for another question', async () => {
		const { db, answers, store } = await awaited();
		const [further] = await append(db, { session: 's', fence: unfenced, messages: [newMessage('user', 'And?')] });
		const journalled = { ...answer, messageId: 'earlier', parentId: further!.id, startedAt: 0 };
		await answers.set('s', journalled, unfenced);
		await store.settle('s', { seen: answer, stopReason });
		expect(await answers.get('s')).toMatchObject(answer);
		expect(await new Messages(db).get('earlier')).toMatchObject({ parentId: further!.id, parts: journalled.parts });
	});

	it('[A1] writes nothing where nothing was left', async () => {
		const { db, store } = await awaited();
		await db.sessions.update('s', { status: 'success' });
		const before = await contentOf(db);
		await store.settle('s', { stopReason });
		expect(await contentOf(db)).toEqual(before);
	});

	it('[A5] writes nothing behind a fence', async () => {
		const { db, store, trees } = await awaited();
		await trees.raiseFence('s');
		await expect(store.settle('s', { seen: answer, stopReason })).rejects.toMatchObject({ code: 'taken-over' });
		expect(await db.answers.count()).toBe(0);
	});
});
