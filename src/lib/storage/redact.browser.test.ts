import { describe, expect, it } from 'vitest';
import { contentOf, newBoundary, newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import type { Message } from '../conversation/message';
import type { Tree } from '../conversation/tree';
import { append } from './append';
import { Attachments } from './attachments';
import { Boundaries } from './boundaries';
import type { Database } from './database';
import { Drafts } from './drafts';
import { fencingTokenOf, unfenced } from './fence';
import { redact } from './redact';
import { Trash } from './trash';
import { Trees } from './trees';
import { undoMilliseconds } from './undo';
import { sweepFiles } from './unused-files';

async function said() {
	const db = openDatabase();
	const file = { type: 'file' as const, attachmentId: 'abc', mediaType: 'text/plain', name: 'secret.txt' };
	await new Attachments(db).put({ id: 'abc', mediaType: 'text/plain', bytes: 6, content: new Blob(['secret']), createdAt: 1 });
	const question = newMessage('user', 'My secret', { parts: [{ type: 'text', text: 'My secret' }, file] });
	const rows = await append(db, {
		session: newSession({ id: 's', preview: 'My secret', title: 'A secret' }),
		messages: [newMessage('system', 'Be brief.'), question, newMessage('assistant', 'I see'), newMessage('user', 'More')],
		fileBytes: new Map([['abc', 6]])
	});
	return { db, trash: new Trash(db), rows: rows as [Message, Message, Message, Message] };
}

/** All rows but for when something was last redacted, which an undo leaves. */
async function withoutTimes(db: Database) {
	const { trees = [], ...rest } = await contentOf(db);
	return { ...rest, trees: (trees as Tree[]).map(({ redactedAt: _, ...tree }) => tree) };
}

describe('redact', () => {
	it('leaves a marker, and nothing of the words in message, edit, session and uses', async () => {
		const { db, rows } = await said();
		await new Drafts(db).set('s', { text: '', attachments: [], edits: { [rows[1].id]: 'My secret, in other words' } }, unfenced);
		const before = (await db.sessions.get('s'))!;
		await redact(db, rows[1].id, 5000, unfenced);
		const { trash: _, attachments: __, ...rest } = await contentOf(db);
		expect(JSON.stringify(Object.values(rest))).not.toContain('secret');
		expect(await db.messages.where('id').equals(rows[1].id).first()).toEqual({ ...rows[1], parts: [{ type: 'redacted', at: 5000 }] });
		expect(await db.attachmentUses.count()).toBe(0);
		const after = (await db.sessions.get('s'))!;
		expect(after).toMatchObject({ preview: '', title: '', messageCount: 4 });
		const parts = (message: Pick<Message, 'parts'>) => JSON.stringify(message.parts).length;
		expect(after.bytes).toBe(before.bytes - parts(rows[1]) - 6 + parts({ parts: [{ type: 'redacted', at: 5000 }] }));
	});

	it('is undone whole', async () => {
		const { db, trash, rows } = await said();
		const before = await withoutTimes(db);
		const undo = await redact(db, rows[1].id, 5000, unfenced);
		await trash.restoreUnfenced([undo]);
		expect(await withoutTimes(db)).toEqual(before);
	});

	it('[E11] is undone with the unsent edit of the message, unless there is another by then', async () => {
		const { db, trash, rows } = await said();
		const edited = (text: string) => new Drafts(db).set('s', { text: 'unsent', attachments: [], edits: { [rows[1].id]: text } }, unfenced);
		await edited('My secret, in other words');
		const before = await withoutTimes(db);
		await trash.restoreUnfenced([await redact(db, rows[1].id, 5000, unfenced)]);
		expect(await withoutTimes(db)).toEqual(before);
		const undo = await redact(db, rows[1].id, 5000, unfenced);
		await edited('Another');
		await trash.restoreUnfenced([undo]);
		expect((await db.drafts.get('s'))?.edits).toEqual({ [rows[1].id]: 'Another' });
	});

	it('keeps a title that a user gave, and a preview of other words', async () => {
		const { db, rows } = await said();
		await db.sessions.update('s', { titledBy: 'user' });
		await redact(db, rows[2].id, 5000, unfenced);
		expect(await db.sessions.get('s')).toMatchObject({ preview: 'My secret', title: 'A secret' });
		await db.sessions.update('s', { titledBy: 'snug' });
		await redact(db, rows[3].id, 5000, unfenced);
		expect(await db.sessions.get('s')).toMatchObject({ preview: 'My secret', title: 'A secret' });
	});

	it('leaves no title that was made of a later question, where the first said too little', async () => {
		const { db, rows } = await said();
		await db.sessions.update('s', { title: 'More' });
		await redact(db, rows[3].id, 5000, unfenced);
		expect(await db.sessions.get('s')).toMatchObject({ preview: 'My secret', title: '' });
	});

	it('forgets the words when the time is over', async () => {
		const { db, trash, rows } = await said();
		const undo = await redact(db, rows[1].id, 5000, unfenced);
		expect(await trash.purgeUnfenced(5000 + undoMilliseconds - 1)).toEqual([]);
		expect(await trash.purgeUnfenced(5000 + undoMilliseconds)).toEqual([undo]);
		await sweepFiles(db, 2e9);
		expect(JSON.stringify(Object.values(await contentOf(db)))).not.toContain('secret');
		expect(await db.attachments.count()).toBe(0);
		await expect(trash.restoreUnfenced([undo])).rejects.toMatchObject({ code: 'restore-late' });
	});

	it('can be undone beside a deletion of the same message', async () => {
		const { db, trash, rows } = await said();
		const before = await withoutTimes(db);
		const words = await redact(db, rows[2].id, 5000, unfenced);
		const branch = await new Trees(db).removeBranch('s', rows[2].id, 5000, unfenced);
		await trash.restoreUnfenced([branch, words]);
		expect(await withoutTimes(db)).toEqual(before);
	});

	it('[A10] takes compactions that cover the message, and its undoing brings them back', async () => {
		const { db, trash, rows } = await said();
		const boundaries = new Boundaries(db);
		const secret = { summary: 'A secret was told', createdAt: 2000 };
		const [above, one, both] = [newBoundary(rows.slice(0, 2), secret), newBoundary(rows.slice(0, 3), secret), newBoundary(rows, secret)];
		for (const boundary of [above, one, both]) await boundaries.add(boundary, unfenced);
		const before = await withoutTimes(db);
		const undo = await redact(db, rows[2].id, 5000, unfenced);
		expect(await boundaries.ofSession('s')).toEqual([above]);
		await trash.restoreUnfenced([undo]);
		expect(await withoutTimes(db)).toEqual(before);

		// What covers two redacted messages comes back with the second of them, whichever that is.
		const [first, second] = [await redact(db, rows[1].id, 5000, unfenced), await redact(db, rows[2].id, 5001, unfenced)];
		expect(await boundaries.count('s')).toBe(0);
		await trash.restoreUnfenced([first]);
		expect(await boundaries.ofSession('s')).toEqual([above]);
		await trash.restoreUnfenced([second]);
		expect(await withoutTimes(db)).toEqual(before);

		await redact(db, rows[1].id, 5000, unfenced);
		await trash.purgeUnfenced(5000 + undoMilliseconds);
		await sweepFiles(db, 2e9);
		expect(JSON.stringify(Object.values(await contentOf(db)))).not.toContain('secret');
	});

	it('[A10] knows what covers a message by its path: on other branches nothing does, on deleted ones it is taken too', async () => {
		const { db, trash, rows } = await said();
		const [boundaries, trees] = [new Boundaries(db), new Trees(db)];
		const branch = (text: string) =>
			append(db, { session: 's', fence: unfenced, parentId: rows[1].id, messages: [newMessage('assistant', text), newMessage('user', 'Go on')] });
		const [other, deleted] = [await branch('Other'), await branch('Deleted')];
		const above = rows.slice(0, 2);
		const covering = newBoundary([...above, ...other], { createdAt: 2000 });
		const [trunk, gone] = [newBoundary(rows, { createdAt: 2000 }), newBoundary([...above, ...deleted], { createdAt: 2000 })];
		for (const boundary of [covering, trunk, gone]) await boundaries.add(boundary, unfenced);
		await trees.removeBranch('s', deleted[0]!.id, 3000, unfenced);

		const undo = await redact(db, other[0]!.id, 5000, unfenced);
		expect(await boundaries.ofSession('s')).toEqual([trunk, gone]);
		await redact(db, rows[2].id, 5001, unfenced);
		const last = await redact(db, rows[1].id, 5002, unfenced);
		expect(await boundaries.count('s')).toBe(0);
		await trash.restoreUnfenced([last]);
		expect(await boundaries.ofSession('s')).toEqual([gone]);
		await trash.restoreUnfenced([undo]);
		expect(await boundaries.ofSession('s')).toEqual([covering, gone].sort((a, b) => (a.id < b.id ? -1 : 1)));
	});

	it('refuses what is redacted, deleted, or behind a fence', async () => {
		const { db, trash, rows } = await said();
		await redact(db, rows[3].id, 5000, fencingTokenOf({ fence: 0 }));
		await expect(redact(db, rows[3].id, 5000, unfenced)).rejects.toMatchObject({ code: 'redacted' });
		await expect(redact(db, 'nowhere', 5000, unfenced)).rejects.toMatchObject({ code: 'message-absent' });
		await new Trees(db).raiseFence('s');
		await expect(redact(db, rows[2].id, 5000, fencingTokenOf({ fence: 0 }))).rejects.toMatchObject({ code: 'taken-over' });
		await new Trees(db).removeBranch('s', rows[2].id, 5000, unfenced);
		await expect(redact(db, rows[2].id, 5000, unfenced)).rejects.toMatchObject({ code: 'message-absent' });
		await trash.deleteSessionsUnfenced(['s'], 5000);
		await expect(redact(db, rows[1].id, 5000, unfenced)).rejects.toMatchObject({ code: 'message-absent' });
	});
});
