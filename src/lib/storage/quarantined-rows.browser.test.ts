import { describe, expect, it } from 'vitest';
import { newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { MemoryStorage } from '../shared/memory-storage';
import { append } from './append';
import type { Database } from './database';
import { Emptying } from './emptying';
import { unfenced } from './fence';
import { redact } from './redact';
import { Trash } from './trash';
import { Trees } from './trees';

/** Quarantines rows that say something, each under a name of its own. */
async function quarantine(db: Database, rows: Record<string, [table: string, key: unknown, row?: object]>): Promise<void> {
	await db.quarantine.bulkAdd(Object.entries(rows).map(([id, [table, key, row = {}]]) => ({ id, table, key, row: { text: 'words', ...row }, reason: '', at: 0 })));
}

const left = async (db: Database) => (await db.quarantine.toCollection().primaryKeys()).sort();

describe('[A14] [P8] what is quarantined of what is gone for good goes too', () => {
	it('of a chat, whatever its key is, and its files', async () => {
		const db = openDatabase();
		const file = { type: 'file' as const, attachmentId: 'file', mediaType: 'text/plain', name: 'a.txt' };
		await append(db, { session: newSession({ id: 's' }), messages: [newMessage('user', '', { parts: [file] })] });
		await append(db, { session: newSession({ id: 't' }), messages: [newMessage('user', 'here')] });
		await quarantine(db, {
			boundary: ['boundaries', 'b', { sessionId: 's' }],
			branch: ['trash', 'm', { sessionId: 's' }],
			redaction: ['trash', 'redacted:m', { sessionId: 's' }],
			file: ['attachments', 'file'],
			message: ['messages', ['s', 1, 'm']],
			'of another': ['boundaries', 'c', { sessionId: 't' }],
			'file of another': ['attachments', 'other'],
			strange: ['boundaries', undefined, { sessionId: 7 }],
			setting: ['settings', 'theme']
		});
		const trash = new Trash(db);
		await trash.deleteSessionsUnfenced(['s'], 0);
		expect(await left(db)).toHaveLength(9);
		await trash.purgeUnfenced(1e9);
		expect(await left(db)).toEqual(['file of another', 'of another', 'setting', 'strange']);
	});

	it('of a branch, and of a text that was erased', async () => {
		const db = openDatabase();
		const [root, next] = await append(db, { session: newSession({ id: 's' }), messages: [newMessage('user', 'root'), newMessage('assistant', 'next')] });
		const [branch] = await append(db, { session: 's', fence: unfenced, parentId: root!.id, messages: [newMessage('assistant', 'branch')] });
		await quarantine(db, {
			message: ['messages', ['s', 2, branch!.id]],
			boundary: ['boundaries', 'b', { sessionId: 's', upToId: branch!.id }],
			answer: ['answers', 's', { sessionId: 's', parentId: branch!.id }],
			redaction: ['trash', `redacted:${branch!.id}`, { sessionId: 's' }],
			erased: ['messages', ['s', 2, next!.id]],
			'below erased': ['messages', ['s', 3, 'x'], { parentId: next!.id }],
			root: ['messages', ['s', 1, root!.id]]
		});
		await new Trees(db).removeBranch('s', branch!.id, 0, unfenced);
		await redact(db, next!.id, 0, unfenced);
		await new Trash(db).purgeUnfenced(1e9);
		expect(await left(db)).toEqual(['below erased', 'root']);
	});

	it('of any chat, when everything was deleted and can’t be had back', async () => {
		const db = openDatabase();
		const storage = new MemoryStorage();
		await quarantine(db, {
			boundary: ['boundaries', 'b', { sessionId: 7 }],
			session: ['sessions', 7],
			draft: ['drafts', 's'],
			file: ['attachments', 'file'],
			'of a later version': ['thoughts', 1],
			setting: ['settings', 'theme'],
			server: ['providers', 'p']
		});
		const emptying = new Emptying(db, () => storage);
		emptying.begin(1000, 11_000);
		await emptying.finish(10_999, []);
		expect(await left(db)).toHaveLength(7);
		await emptying.finish(11_000, []);
		expect(await left(db)).toEqual(['server', 'setting']);
	});

	it('[P2] of none, while a chat is here that came meanwhile', async () => {
		const db = openDatabase();
		const storage = new MemoryStorage();
		await quarantine(db, { message: ['messages', ['s', 1, 'm']] });
		const emptying = new Emptying(db, () => storage);
		emptying.begin(1000, 11_000);
		await append(db, { session: newSession(), fence: unfenced, messages: [newMessage('user', 'Hello')] });
		await emptying.finish(11_000, []);
		expect(await left(db)).toEqual(['message']);
		await emptying.finish(11_000 + 3_600_001, []);
		await db.trees.clear();
		await emptying.finish(11_000 + 3_600_002, []);
		expect(await left(db)).toEqual(['message']);
	});
});
