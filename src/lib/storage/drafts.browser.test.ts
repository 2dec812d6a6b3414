import { describe, expect, it } from 'vitest';
import { newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { append } from './append';
import { Drafts, unsentOf } from './drafts';
import { fencingTokenOf, unfenced } from './fence';
import { Trees } from './trees';

const text = (text: string) => ({ text, attachments: [] });

describe('Drafts', () => {
	it('removes a row with nothing in it', async () => {
		const db = openDatabase();
		const drafts = new Drafts(db);
		await drafts.set('s', text('unsent'), unfenced);
		expect(await drafts.get('s')).toEqual({ sessionId: 's', composer: 'unsent' });
		await drafts.set('s', text(''), unfenced);
		await drafts.set('never', text(''), unfenced);
		expect(await db.drafts.count()).toBe(0);
	});

	it('[S11] keeps what is attached, also without words', async () => {
		const db = openDatabase();
		const drafts = new Drafts(db);
		const attachments = [{ type: 'file' as const, attachmentId: 'abc', mediaType: 'image/png', name: 'a.png' }];
		await drafts.set('s', { text: '', attachments }, unfenced);
		expect(await drafts.get('s')).toEqual({ sessionId: 's', composer: '', attachments });
		await drafts.set('s', text(''), unfenced);
		expect(await db.drafts.count()).toBe(0);
	});

	it('[P8] takes a file that a row has several times as one', () => {
		const file = (attachmentId: string) => ({ type: 'file' as const, attachmentId, mediaType: 'image/png', name: `${attachmentId}.png` });
		expect(unsentOf({ sessionId: 's', composer: '', attachments: [file('a'), file('b'), file('a')] }).attachments).toEqual([file('a'), file('b')]);
	});

	it('[A5] writes nothing behind a fence', async () => {
		const db = openDatabase();
		const drafts = new Drafts(db);
		await append(db, { session: newSession({ id: 's' }), messages: [newMessage('user', 'Hi')] });
		await drafts.set('s', text('kept'), fencingTokenOf({ fence: 0 }));
		await new Trees(db).raiseFence('s');
		await expect(drafts.set('s', text('late'), fencingTokenOf({ fence: 0 }))).rejects.toMatchObject({ code: 'taken-over' });
		expect(await drafts.get('s')).toEqual({ sessionId: 's', composer: 'kept' });
	});

	it('[E11] keeps edits beside the composer, as they are when their turn has come to be written', async () => {
		const db = openDatabase();
		const drafts = new Drafts(db);
		await append(db, { session: newSession({ id: 's' }), messages: [newMessage('user', 'Hi')] });
		let edits: Record<string, string> = { m: 'first' };
		const written = drafts.set('s', () => ({ ...text(''), edits }), fencingTokenOf({ fence: 0 }));
		edits = { m: 'second' };
		await written;
		expect(await drafts.get('s')).toEqual({ sessionId: 's', composer: '', edits: { m: 'second' } });
		await drafts.set('s', { ...text(''), edits: {} }, unfenced);
		expect(await db.drafts.count()).toBe(0);
	});

	it('[E11] tells what is stored by then, also what another has stored meanwhile', async () => {
		const drafts = new Drafts(openDatabase());
		const first = drafts.set('s', text('restored'), unfenced);
		await drafts.set('s', (stored) => ({ ...stored, text: `${stored.text}, and more` }), unfenced);
		await first;
		expect(await drafts.get('s')).toEqual({ sessionId: 's', composer: 'restored, and more' });
	});

	it('[P2] keeps nothing of a session that is gone for good', async () => {
		const db = openDatabase();
		await new Drafts(db).set('gone', text('late'), fencingTokenOf({ fence: 0 }));
		expect(await db.drafts.count()).toBe(0);
	});
});
