import { expect, it } from 'vitest';
import { spoken } from '../../../tests/fixtures/answers';
import { newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { newId } from '../shared/id';
import { append } from './append';
import { fencingTokenOf, unfenced } from './fence';
import { Messages } from './messages';
import { SecondTurnStore } from './second-turn-store';
import { Sessions } from './sessions';
import { Trash } from './trash';
import { Trees } from './trees';
import { TurnStore } from './turn-store';

async function asked() {
	const db = openDatabase();
	const session = newSession({ status: 'running' });
	const [question] = await append(db, { session, messages: [newMessage('user', 'Hi')] });
	if (!question) throw new Error('Nothing was written.');
	const { id } = session;
	const unfinished = { messageId: newId(), parentId: question.id, parts: spoken('Hel'), model: 'other', startedAt: 1 };
	return { db, id, question, unfinished, store: new SecondTurnStore(db, unfenced, () => 5) };
}

it('[Z9] a second answer that is whole first leaves the head and the state of the session to the first', async () => {
	const { db, id, question, unfinished, store } = await asked();
	await new Sessions(db).updateUnfenced(id, { title: 'Mine' });
	await store.journal(id, unfinished);
	const second = await store.answer(id, question.id, newMessage('assistant', 'Hello', { id: unfinished.messageId }));
	expect((await new Messages(db).headOf(id))!.id).toBe(question.id);
	const first = await new TurnStore(db, unfenced).answer(id, question.id, newMessage('assistant', 'Hey'), { status: 'success', stopReason: '' });
	expect((await new Messages(db).headOf(id))!.id).toBe(first.id);
	expect((await new Trees(db).get(id))!.tips.map((tip) => tip.id).sort()).toEqual([first.id, second.id].sort());
	expect(await new Sessions(db).get(id)).toMatchObject({ status: 'success', messageCount: 3 });
	expect(await db.secondAnswers.count()).toBe(0);
});

it('[Z9] where the first has no answer the session goes on from that of the second, whichever ends last, and not from a part that waits', async () => {
	for (const isFirstLast of [true, false]) {
		const { db, id, question, unfinished, store } = await asked();
		const head = async () => (await new Messages(db).headOf(id))!.id;
		const first = () => new TurnStore(db, unfenced).end(id, 'failed', 'No.');
		await store.journal(id, unfinished);
		if (!isFirstLast) await first();
		expect(await head()).toBe(question.id);
		await store.answer(id, question.id, newMessage('assistant', 'Hello', { id: unfinished.messageId }));
		if (isFirstLast) await first();
		expect(await head()).toBe(unfinished.messageId);
	}
	const { db, id, question, unfinished, store } = await asked();
	const first = new TurnStore(db, unfenced);
	const part = { ...unfinished, messageId: newId(), parts: spoken('Fir') };
	await first.journal(id, part);
	await store.journal(id, unfinished);
	await first.settle(id, { stopReason: 'Gone.' });
	await store.settleSecond(id);
	expect((await new Messages(db).headOf(id))!.id).toBe(question.id);
	const discarded = await first.discard(id, undefined, 'Discarded.', 9);
	expect((await new Messages(db).headOf(id))!.id).toBe(unfinished.messageId);
	await first.undiscard(id, discarded!, 9);
	expect((await new Messages(db).headOf(id))!.id).toBe(question.id);
	expect(await db.answers.toArray()).toMatchObject([{ messageId: part.messageId, parts: part.parts }]);
});

it('[Z9] who has gone back to a question stays there, whatever becomes of its next turn', async () => {
	const { db, id, question, unfinished, store } = await asked();
	await store.answer(id, question.id, newMessage('assistant', 'Hello', { id: unfinished.messageId }));
	await new Trees(db).moveHead(id, question.id, unfenced);
	await new TurnStore(db, unfenced).end(id, 'failed', 'No.');
	expect((await new Messages(db).headOf(id))!.id).toBe(question.id);
	expect(await db.secondAnswers.count()).toBe(0);
});

it('[E11] what is left of a second answer becomes a message, once', async () => {
	const { db, id, question, unfinished, store } = await asked();
	await store.journal(id, unfinished);
	await store.end(id);
	await store.end(id);
	const message = await new Messages(db).get(unfinished.messageId);
	expect(message).toMatchObject({ parentId: question.id, parts: unfinished.parts, model: 'other', finishReason: 'stopped', createdAt: 5 });
	expect((await new Messages(db).headOf(id))!.id).toBe(question.id);
	expect(await db.messages.count()).toBe(2);
	expect(await db.secondAnswers.toArray()).toMatchObject([{ messageId: unfinished.messageId, parts: [] }]);
});

it('[A14] where what it answers was deleted it goes with that, and comes back with it', async () => {
	const { db, id, question, unfinished, store } = await asked();
	const [next] = await append(db, { session: id, messages: [newMessage('user', 'And?')], fence: unfenced });
	const second = { ...unfinished, parentId: next!.id };
	await store.journal(id, second);
	const removal = await new Trees(db).removeBranch(id, next!.id, 10, unfenced);
	await expect(store.journal(id, { ...second, parts: spoken('Hello') })).rejects.toMatchObject({ code: 'message-absent' });
	await store.end(id);
	expect(await db.secondAnswers.count()).toBe(0);
	await new Trash(db).restoreUnfenced([removal]);
	expect(await db.secondAnswers.toArray()).toEqual([{ ...second, sessionId: id }]);
	await store.end(id);
	expect(await new Messages(db).get(second.messageId)).toMatchObject({ parentId: next!.id });

	await store.journal(id, { ...second, messageId: newId() });
	await new Trees(db).removeBranch(id, next!.id, 20, unfenced);
	await new Trash(db).purgeUnfenced(Number.MAX_SAFE_INTEGER);
	await expect(store.journal(id, second)).rejects.toMatchObject({ code: 'message-absent' });
	expect(await db.secondAnswers.count()).toBe(0);
	expect(await db.messages.toCollection().primaryKeys()).toEqual([[id, question.depth, question.id]]);
});

it('[A14] what is left of one in the trash is not lost to another that begins, and Undo brings back both', async () => {
	const { db, id, question, unfinished, store } = await asked();
	const [next] = await append(db, { session: id, messages: [newMessage('user', 'And?')], fence: unfenced });
	const second = { ...unfinished, parentId: next!.id, parts: spoken('The second') };
	await store.journal(id, second);
	const removal = await new Trees(db).removeBranch(id, next!.id, 10, unfenced);
	const other = { ...unfinished, messageId: newId(), parentId: question.id, parts: spoken('Another') };
	await store.journal(id, other);
	const head = (await new Messages(db).headOf(id))!.id;
	await new Trash(db).restoreUnfenced([removal]);
	expect(await new Messages(db).get(second.messageId)).toMatchObject({ parentId: next!.id, parts: second.parts });
	expect(await db.secondAnswers.toArray()).toEqual([{ ...other, sessionId: id }]);
	expect((await new Messages(db).headOf(id))!.id).not.toBe(second.messageId);
	expect(head).toBe(question.id);
});

it('[E11] another that begins makes a message of what is left, and is not taken for it', async () => {
	const { db, id, unfinished, store } = await asked();
	await store.journal(id, unfinished);
	const next = { ...unfinished, messageId: newId(), parts: spoken('Hey') };
	await Promise.all([store.settleSecond(id), store.journal(id, next)]);
	expect((await new Messages(db).get(unfinished.messageId))!.parts).toEqual(unfinished.parts);
	expect(await db.secondAnswers.toArray()).toMatchObject([{ messageId: next.messageId }]);
	expect(await db.messages.count()).toBe(2);
});

it('[A5] refuses a tab that was taken over', async () => {
	const { db, id, question, unfinished } = await asked();
	const late = new SecondTurnStore(db, fencingTokenOf({ fence: 7 }), () => 5);
	const refused = { name: 'AppError', code: 'taken-over' };
	await expect(late.journal(id, unfinished)).rejects.toMatchObject(refused);
	await expect(late.answer(id, question.id, newMessage('assistant', 'Hello'))).rejects.toMatchObject(refused);
	expect(await db.messages.count()).toBe(1);
});
