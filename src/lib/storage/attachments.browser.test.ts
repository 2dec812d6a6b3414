import { describe, expect, it } from 'vitest';
import { newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { append } from './append';
import { Attachments, fileBytesOf } from './attachments';
import { Drafts } from './drafts';
import { unfenced } from './fence';
import { redact } from './redact';
import type { Attachment } from './tables/attachments';
import { Trash } from './trash';

const day = 86_400_000;
const attachment = (id: string, text = id, createdAt = 0): Attachment => ({
	id,
	mediaType: 'text/plain',
	bytes: text.length,
	content: new Blob([text], { type: 'text/plain' }),
	createdAt
});
const part = (attachmentId: string) => ({ type: 'file' as const, attachmentId, mediaType: 'text/plain', name: `${attachmentId}.txt` });

describe('Attachments', () => {
	it('[S11] keeps a content once, however often it is attached', async () => {
		const db = openDatabase();
		const attachments = new Attachments(db);
		await attachments.put(attachment('a', 'Hello', 1));
		await attachments.put(attachment('a', 'Hello', 2));
		expect(await db.attachments.count()).toBe(1);
		const kept = (await attachments.get('a'))!;
		expect(kept).toMatchObject({ bytes: 5, createdAt: 2 });
		expect(await kept.content.text()).toBe('Hello');
		expect([...(await attachments.getMany(['a', 'nowhere'])).keys()]).toEqual(['a']);
		expect(await fileBytesOf(db, [{ parts: [part('a'), part('a')] }, { parts: [part('nowhere')] }])).toBe(10);
	});

	it('[S11] sweeps what nothing uses after a day, and nothing else', async () => {
		const db = openDatabase();
		const attachments = new Attachments(db);
		for (const id of ['said', 'unsent', 'redacted', 'deleted', 'left']) await attachments.put(attachment(id));
		await attachments.put(attachment('fresh', 'fresh', day));
		const message = (id: string) => newMessage('user', '', { id, parts: [part(id)] });
		await append(db, { session: newSession({ id: 's' }), messages: [message('said'), message('redacted')] });
		await append(db, { session: newSession({ id: 't' }), messages: [message('deleted')] });
		await new Drafts(db).set('s', { text: '', attachments: [part('unsent')] }, unfenced);
		const trash = new Trash(db);
		await redact(db, 'redacted', 0, unfenced);
		await trash.deleteSessionsUnfenced(['t'], 0);
		const here = async () => (await db.attachments.toCollection().primaryKeys()).sort();

		expect(await attachments.sweep(day)).toBe(0);
		expect(await attachments.sweep(day + 1)).toBe(1);
		expect(await here()).toEqual(['deleted', 'fresh', 'redacted', 'said', 'unsent']);
		await trash.purgeUnfenced(day);
		expect(await attachments.sweep(day + 1)).toBe(2);
		expect(await here()).toEqual(['fresh', 'said', 'unsent']);
	});
});
