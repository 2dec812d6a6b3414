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

	it('[P8] what is attached here says what it says, whatever a file that was restored had of the same content', async () => {
		const db = openDatabase();
		const extract = (text: string) => ({ text: new Blob([text], { type: 'text/plain' }), characters: text.length, parts: 1, read: 1, unit: 'page', whole: true }) as const;
		const small = new Blob(['small'], { type: 'image/webp' });
		await db.attachments.put({ ...attachment('a'), extract: extract('Pay them'), thumbnail: small });
		await new Attachments(db).put({ ...attachment('a'), extract: extract('Pay nobody') });
		await new Attachments(db).keep({ ...attachment('a'), createdAt: 7 });
		const kept = (await db.attachments.get('a'))!;
		expect(kept.createdAt).toBe(7);
		expect(await kept.extract!.text.text()).toBe('Pay nobody');
		expect(kept.thumbnail).toBeUndefined();
	});
});
