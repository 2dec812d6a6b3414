import { describe, expect, it } from 'vitest';
import { newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { append } from './append';
import { Drafts } from './drafts';
import { Trees } from './trees';

const text = (text: string) => ({ text, attachments: [] });

describe('Drafts', () => {
	it('removes a row with nothing in it', async () => {
		const db = openDatabase();
		const drafts = new Drafts(db);
		await drafts.setComposer('s', text('unsent'));
		expect(await drafts.get('s')).toEqual({ sessionId: 's', composer: 'unsent' });
		await drafts.setComposer('s', text(''));
		await drafts.setComposer('never', text(''));
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

	it('[A5] writes nothing behind a fence', async () => {
		const db = openDatabase();
		const drafts = new Drafts(db);
		await append(db, { session: newSession({ id: 's' }), messages: [newMessage('user', 'Hi')] });
		await drafts.setComposer('s', text('kept'), 0);
		await new Trees(db).raiseFence('s');
		await expect(drafts.setComposer('s', text('late'), 0)).rejects.toMatchObject({ code: 'taken-over' });
		expect(await drafts.get('s')).toEqual({ sessionId: 's', composer: 'kept' });
	});
});
