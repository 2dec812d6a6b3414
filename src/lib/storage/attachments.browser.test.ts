import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../tests/fixtures/database';
import { Attachments, fileBytesOf } from './attachments';
import type { Attachment } from './tables/attachments';

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
});
