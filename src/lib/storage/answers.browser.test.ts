import { describe, expect, it } from 'vitest';
import { newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { Answers } from './answers';
import { append } from './append';
import { Drafts } from './drafts';
import { Trees } from './trees';

const answer = { messageId: 'answer', parentId: 'question', text: 'Half an', reasoning: '', model: 'tiny', startedAt: 1 };

describe('Answers', () => {
	it('[E11] keeps an unfinished answer apart from what is typed', async () => {
		const db = openDatabase();
		const answers = new Answers(db);
		await Promise.all([new Drafts(db).setComposer('s', { text: 'unsent', attachments: [] }), answers.set('s', answer)]);
		expect(await answers.get('s')).toEqual({ ...answer, sessionId: 's' });
		await new Drafts(db).setComposer('s', { text: '', attachments: [] });
		expect(await answers.get('s')).toEqual({ ...answer, sessionId: 's' });
		await answers.remove('s');
		expect(await answers.get('s')).toBeUndefined();
	});

	it('[R2] journals no answer that has become a message', async () => {
		const db = openDatabase();
		const session = newSession({ id: 's' });
		await append(db, { session, messages: [newMessage('user', 'Hi'), newMessage('assistant', 'Whole', { id: answer.messageId })] });
		await new Answers(db).set('s', answer);
		expect(await db.answers.count()).toBe(0);
	});

	it('[A5] writes nothing behind a fence', async () => {
		const db = openDatabase();
		const answers = new Answers(db);
		await append(db, { session: newSession({ id: 's' }), messages: [newMessage('user', 'Hi')] });
		await new Trees(db).raiseFence('s');
		await expect(answers.set('s', answer, 0)).rejects.toMatchObject({ code: 'taken-over' });
		expect(await db.answers.count()).toBe(0);
		await answers.set('s', answer, 1);
		expect(await db.answers.count()).toBe(1);
	});
});
