import { describe, expect, it } from 'vitest';
import { spoken } from '../../../tests/fixtures/answers';
import { newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { Answers, furthest } from './answers';
import { append } from './append';
import { Drafts } from './drafts';
import type { UnfinishedAnswer } from '../conversation/growing-answer';
import { fencingTokenOf, unfenced } from './fence';
import { Trash } from './trash';
import { Trees } from './trees';

const answer: UnfinishedAnswer = { messageId: 'answer', parentId: 'question', parts: spoken('Half an', 'Hm'), model: 'tiny', startedAt: 1 };

/** A session that waits for its answer. */
async function asked() {
	const db = openDatabase();
	const session = newSession({ id: 's' });
	await append(db, { session, messages: [newMessage('system', ''), newMessage('user', 'Hi', { id: answer.parentId })] });
	return { db, answers: new Answers(db), trees: new Trees(db), trash: new Trash(db) };
}

describe('Answers', () => {
	it('[E11] keeps an unfinished answer apart from what is typed', async () => {
		const { db, answers } = await asked();
		await Promise.all([new Drafts(db).set('s', { text: 'unsent', attachments: [] }, unfenced), answers.set('s', answer, unfenced)]);
		expect(await answers.get('s')).toEqual({ ...answer, sessionId: 's' });
		await new Drafts(db).set('s', { text: '', attachments: [] }, unfenced);
		expect(await answers.get('s')).toEqual({ ...answer, sessionId: 's' });
		await answers.remove('s');
		expect(await answers.get('s')).toBeUndefined();
	});

	it('[R2] journals no answer that has become a message', async () => {
		const { db, answers } = await asked();
		await append(db, { session: 's', fence: unfenced, messages: [newMessage('assistant', 'Whole', { id: answer.messageId })] });
		await answers.set('s', answer, unfenced);
		expect(await db.answers.count()).toBe(0);
	});

	it('[A5] writes nothing behind a fence', async () => {
		const { db, answers, trees } = await asked();
		await trees.raiseFence('s');
		await expect(answers.set('s', answer, fencingTokenOf({ fence: 0 }))).rejects.toMatchObject({ code: 'taken-over' });
		expect(await db.answers.count()).toBe(0);
		await answers.set('s', answer, fencingTokenOf({ fence: 1 }));
		expect(await db.answers.count()).toBe(1);
	});

	it('[A14] writes nothing for a session or a question that was deleted', async () => {
		const { db, answers, trees, trash } = await asked();
		await expect(answers.set('nowhere', answer, unfenced)).rejects.toMatchObject({ code: 'session-absent' });
		const item = await trees.removeBranch('s', answer.parentId, 0, unfenced);
		await expect(answers.set('s', answer, unfenced)).rejects.toMatchObject({ code: 'message-absent' });
		await trash.restoreUnfenced([item]);
		await trash.deleteSessionsUnfenced(['s'], 0);
		await expect(answers.set('s', answer, unfenced)).rejects.toMatchObject({ code: 'session-absent' });
		expect(await db.answers.count()).toBe(0);
	});
});

it('furthest takes the longest of the latest turn', () => {
	const later = { ...answer, messageId: 'later', startedAt: 2, parts: spoken('x') };
	expect(furthest(undefined, undefined)).toBeUndefined();
	expect(furthest(undefined, { ...answer, parts: spoken('') })).toBeUndefined();
	expect(furthest(answer, later, { ...later, parts: spoken('xy') })).toMatchObject({ parts: spoken('xy') });
	expect(furthest(later, answer)).toBe(later);
});
