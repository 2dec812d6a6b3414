import { describe, expect, it } from 'vitest';
import { newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { append } from './append';
import { Drafts } from './drafts';
import { Trees } from './trees';

const answer = { messageId: 'answer', parentId: 'question', text: 'Half an', reasoning: '', model: 'tiny', startedAt: 1 };

const text = (text: string) => ({ text, attachments: [] });

describe('Drafts', () => {
	it('[E11] keeps composer text and unfinished answer apart', async () => {
		const drafts = new Drafts(openDatabase());
		await drafts.setComposer('s', text('unsent'));
		await drafts.setAnswer('s', answer);
		expect(await drafts.get('s')).toEqual({ sessionId: 's', composer: 'unsent', answer });
		await drafts.setComposer('s', text(''));
		expect(await drafts.get('s')).toEqual({ sessionId: 's', composer: '', answer });
		await drafts.setComposer('s', text('again'));
		expect(await drafts.takeAnswer('s')).toEqual(answer);
		expect(await drafts.get('s')).toEqual({ sessionId: 's', composer: 'again' });
	});

	it('keeps both where they are written at once', async () => {
		const drafts = new Drafts(openDatabase());
		await Promise.all([drafts.setComposer('s', text('unsent')), drafts.setAnswer('s', answer)]);
		expect(await drafts.get('s')).toEqual({ sessionId: 's', composer: 'unsent', answer });
	});

	it('removes a row with nothing in it', async () => {
		const db = openDatabase();
		const drafts = new Drafts(db);
		await drafts.setComposer('s', text('unsent'));
		await drafts.setComposer('s', text(''));
		await drafts.setAnswer('t', answer);
		await drafts.takeAnswer('t');
		await drafts.setComposer('never', text(''));
		expect(await drafts.takeAnswer('never')).toBeUndefined();
		expect(await db.drafts.count()).toBe(0);
	});

	it('[S11] keeps what is attached, also without words', async () => {
		const db = openDatabase();
		const drafts = new Drafts(db);
		const attachments = [{ type: 'file' as const, attachmentId: 'abc', mediaType: 'image/png', name: 'a.png' }];
		await drafts.setComposer('s', { text: '', attachments });
		expect(await drafts.get('s')).toEqual({ sessionId: 's', composer: '', attachments });
		await drafts.setComposer('s', text(''));
		expect(await db.drafts.count()).toBe(0);
	});

	it('[R2] journals no answer that has become a message', async () => {
		const db = openDatabase();
		const drafts = new Drafts(db);
		const session = newSession({ id: 's' });
		await append(db, { session, messages: [newMessage('user', 'Hi'), newMessage('assistant', 'Whole', { id: answer.messageId })] });
		await drafts.setAnswer('s', answer);
		expect(await drafts.get('s')).toBeUndefined();
	});

	it('[A5] writes nothing behind a fence', async () => {
		const db = openDatabase();
		const drafts = new Drafts(db);
		await append(db, { session: newSession({ id: 's' }), messages: [newMessage('user', 'Hi')] });
		await drafts.setComposer('s', text('kept'), 0);
		await new Trees(db).raiseFence('s');
		await expect(drafts.setComposer('s', text('late'), 0)).rejects.toMatchObject({ code: 'taken-over' });
		await expect(drafts.setAnswer('s', answer, 0)).rejects.toMatchObject({ code: 'taken-over' });
		expect(await drafts.get('s')).toEqual({ sessionId: 's', composer: 'kept' });
		await drafts.setAnswer('s', answer, 1);
		expect(await drafts.get('s')).toEqual({ sessionId: 's', composer: 'kept', answer });
	});
});
