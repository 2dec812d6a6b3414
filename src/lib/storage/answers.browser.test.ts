import { describe, expect, it } from 'vitest';
import { contentOf, newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { Answers, furthest, type AnswerTail, type UnfinishedAnswer } from './answers';
import { append } from './append';
import { Drafts } from './drafts';
import { Sessions } from './sessions';
import { Trash } from './trash';
import { Trees } from './trees';

const answer: UnfinishedAnswer = { messageId: 'answer', parentId: 'question', text: 'Half an', reasoning: 'Hm', model: 'tiny', startedAt: 1 };

/** A session that waits for its answer. */
async function asked() {
	const db = openDatabase();
	const session = newSession({ id: 's' });
	await append(db, { session, messages: [newMessage('system', ''), newMessage('user', 'Hi', { id: answer.parentId })] });
	return { db, answers: new Answers(db), trees: new Trees(db), trash: new Trash(db), row: () => new Sessions(db).get('s') };
}

describe('Answers', () => {
	it('[E11] keeps an unfinished answer apart from what is typed', async () => {
		const { db, answers } = await asked();
		await Promise.all([new Drafts(db).set('s', { text: 'unsent', attachments: [] }), answers.set('s', answer)]);
		expect(await answers.get('s')).toEqual({ ...answer, sessionId: 's' });
		await new Drafts(db).set('s', { text: '', attachments: [] });
		expect(await answers.get('s')).toEqual({ ...answer, sessionId: 's' });
		await answers.remove('s');
		expect(await answers.get('s')).toBeUndefined();
	});

	it('[R2] journals no answer that has become a message', async () => {
		const { db, answers } = await asked();
		await append(db, { session: 's', messages: [newMessage('assistant', 'Whole', { id: answer.messageId })] });
		await answers.set('s', answer);
		expect(await db.answers.count()).toBe(0);
	});

	it('[A5] writes nothing behind a fence', async () => {
		const { db, answers, trees } = await asked();
		await trees.raiseFence('s');
		await expect(answers.set('s', answer, 0)).rejects.toMatchObject({ code: 'taken-over' });
		await expect(answers.settle('s', { seen: answer, stopReason: '' }, 0)).rejects.toMatchObject({ code: 'taken-over' });
		expect(await db.answers.count()).toBe(0);
		await answers.set('s', answer, 1);
		expect(await db.answers.count()).toBe(1);
	});

	it('[A14] writes nothing for a session or a question that was deleted', async () => {
		const { db, answers, trees, trash } = await asked();
		await expect(answers.set('nowhere', answer)).rejects.toMatchObject({ code: 'session-absent' });
		const item = await trees.removeBranch('s', answer.parentId, 0);
		await expect(answers.set('s', answer)).rejects.toMatchObject({ code: 'message-absent' });
		await trash.restore([item]);
		await trash.deleteSessions(['s'], 0);
		await expect(answers.set('s', answer)).rejects.toMatchObject({ code: 'session-absent' });
		expect(await db.answers.count()).toBe(0);
	});
});

describe('settle', () => {
	const longer = { ...answer, text: 'Half an answer' };
	const tail: AnswerTail = { answer: { ...answer, text: 'n answer', reasoning: '' }, textFrom: 6, reasoningFrom: 2, fence: 0 };
	const stopReason = 'Interrupted.';

	it.each<[string, { journalled?: UnfinishedAnswer; seen?: UnfinishedAnswer; tail?: AnswerTail }, string | undefined]>([
		['what was journalled', { journalled: answer }, 'Half an'],
		['what was seen where that is more', { journalled: answer, seen: longer }, 'Half an answer'],
		['what was seen where nothing was journalled', { seen: longer }, 'Half an answer'],
		['what was journalled where less was seen', { journalled: longer, seen: answer }, 'Half an answer'],
		['what was seen of a later turn', { journalled: longer, seen: { ...answer, messageId: 'later', startedAt: 2, text: 'Ha' } }, 'Ha'],
		['what was journalled where nothing of a later turn was seen', { journalled: answer, seen: { ...answer, messageId: 'later', startedAt: 2, text: '', reasoning: '' } }, 'Half an'],
		['what a page left when it went', { journalled: answer, tail }, 'Half an answer'],
		['what a page left that had written nothing down', { tail: { ...tail, answer, textFrom: 0, reasoningFrom: 0 } }, 'Half an'],
		['no end of an answer whose middle is not there', { tail }, undefined],
		['nothing that a page left which was taken over from', { journalled: answer, tail: { ...tail, fence: 1 } }, 'Half an']
	])('[E11] [A5] keeps %s, and says that the answer was interrupted', async (_, { journalled, ...left }, text) => {
		const { answers, row } = await asked();
		if (journalled) await answers.set('s', journalled);
		await answers.settle('s', { ...left, stopReason }, 0);
		expect((await answers.get('s'))?.text).toBe(text);
		expect(await row()).toMatchObject({ status: 'interrupted', stopReason });
	});

	it('[R2] keeps nothing of an answer that has become a message, or whose question is gone', async () => {
		const { db, answers, trees, row } = await asked();
		await append(db, {
			session: 's',
			messages: [newMessage('assistant', 'Whole', { id: answer.messageId })],
			changes: { status: 'success' }
		});
		await answers.settle('s', { seen: longer, stopReason }, 0);
		expect(await row()).toMatchObject({ status: 'success' });
		await trees.removeBranch('s', answer.parentId, 0);
		await answers.settle('s', { seen: { ...longer, messageId: 'another' }, stopReason }, 0);
		await answers.settle('nowhere', { seen: longer, stopReason }, 0);
		expect(await db.answers.count()).toBe(0);
	});

	it('[A1] writes nothing where nothing was left', async () => {
		const { db, answers } = await asked();
		await db.sessions.update('s', { status: 'success' });
		const before = await contentOf(db);
		await answers.settle('s', { stopReason }, 0);
		expect(await contentOf(db)).toEqual(before);
	});
});

it('furthest takes the longest of the latest turn', () => {
	const later = { ...answer, messageId: 'later', startedAt: 2, text: 'x', reasoning: '' };
	expect(furthest(undefined, undefined)).toBeUndefined();
	expect(furthest(undefined, { ...answer, text: '', reasoning: '' })).toBeUndefined();
	expect(furthest(answer, later, { ...later, text: 'xy' })).toMatchObject({ text: 'xy' });
	expect(furthest(later, answer)).toBe(later);
});
