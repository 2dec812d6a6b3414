import { describe, expect, it } from 'vitest';
import { newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { MemoryStorage } from '../shared/memory-storage';
import { append } from './append';
import { Attachments } from './attachments';
import type { Database } from './database';
import { Drafts } from './drafts';
import { Emptying } from './emptying';
import { unfenced } from './fence';
import { redact } from './redact';
import type { Attachment } from './tables/attachments';
import { Trash } from './trash';
import { Trees } from './trees';
import { undoMilliseconds } from './undo';
import { sweepFiles } from './unused-files';

const day = 86_400_000;
const attachment = (id: string, createdAt = 0): Attachment => ({
	id,
	mediaType: 'text/plain',
	bytes: id.length,
	content: new Blob([id], { type: 'text/plain' }),
	createdAt
});
const part = (attachmentId: string) => ({ type: 'file' as const, attachmentId, mediaType: 'text/plain', name: `${attachmentId}.txt` });
const message = (...ids: string[]) => newMessage('user', '', { id: `message of ${ids[0]}`, parts: ids.map(part) });
const attach = async (db: Database, ...ids: string[]) => {
	for (const id of ids) await new Attachments(db).put(attachment(id));
};
const here = async (db: Database) => (await db.attachments.toCollection().primaryKeys()).sort();
const tombstones = async (db: Database) => (await db.deletions.filter(({ kind }) => kind === 'attachment').primaryKeys()).sort();

it('[S11] sweeps what nothing uses after a day, and nothing else', async () => {
	const db = openDatabase();
	await attach(db, 'said', 'unsent', 'redacted', 'left');
	await append(db, { session: newSession({ id: 's' }), messages: [message('said'), message('redacted')] });
	await new Drafts(db).set('s', { text: '', attachments: [part('unsent')] }, unfenced);
	await redact(db, 'message of redacted', 0, unfenced);
	expect(await sweepFiles(db, day - 1)).toBe(0);
	await new Attachments(db).put(attachment('fresh', day));
	expect(await sweepFiles(db, day, ['left'])).toBe(0);
	expect(await sweepFiles(db, day)).toBe(1);
	expect(await here(db)).toEqual(['fresh', 'redacted', 'said', 'unsent']);
});

describe('[A14] [S11] a file goes in the transaction that removes what used it last', () => {
	it('with its chat, its draft and what was erased in it, unless something else has it', async () => {
		const db = openDatabase();
		await attach(db, 'a', 'erased', 'unsent', 'drafted', 'of another', 'erased there', 'held', 'again', 'left');
		await append(db, { session: newSession({ id: 's' }), messages: [message('a', 'drafted', 'of another', 'erased there', 'held', 'again'), message('erased')] });
		await append(db, { session: newSession({ id: 't' }), messages: [message('of another'), message('erased there')] });
		await new Drafts(db).set('s', { text: '', attachments: [part('unsent')] }, unfenced);
		await new Drafts(db).set('t', { text: '', attachments: [part('drafted')] }, unfenced);
		await redact(db, 'message of erased', 900, unfenced);
		await redact(db, 'message of erased there', day, unfenced);
		const before = await here(db);
		const trash = new Trash(db);
		await trash.deleteSessionsUnfenced(['s'], 1000);
		// In a composer of a tab that is closed by now.
		await new Attachments(db).put(attachment('again', 1001));
		expect(await here(db)).toEqual(before);
		await trash.purgeUnfenced(1000 + undoMilliseconds, ['held']);
		expect(await here(db)).toEqual(['again', 'drafted', 'erased there', 'held', 'left', 'of another']);
		expect(await tombstones(db)).toEqual(['a', 'erased', 'unsent']);
		await sweepFiles(db, day + 1001);
		expect(await here(db)).toEqual(['drafted', 'erased there', 'of another']);
	});

	it('with its branch, and with its text', async () => {
		const db = openDatabase();
		await attach(db, 'root', 'branch', 'below', 'both', 'text');
		const [root] = await append(db, { session: newSession({ id: 's' }), messages: [message('root', 'both')] });
		await append(db, { session: 's', fence: unfenced, parentId: root!.id, messages: [message('branch', 'both'), message('below')] });
		await append(db, { session: 's', fence: unfenced, parentId: root!.id, messages: [message('text')] });
		await new Trees(db).removeBranch('s', 'message of branch', 1000, unfenced);
		await redact(db, 'message of text', 1000, unfenced);
		const trash = new Trash(db);
		await trash.purgeUnfenced(999 + undoMilliseconds);
		expect(await here(db)).toHaveLength(5);
		await trash.purgeUnfenced(1000 + undoMilliseconds);
		expect(await here(db)).toEqual(['both', 'root']);
		expect(await tombstones(db)).toEqual(['below', 'branch', 'text']);
		expect((await db.sessions.get('s'))!.bytes).toBeGreaterThanOrEqual('root'.length + 'both'.length);
	});

	it('also where a file says that it was attached in a time to come', async () => {
		const db = openDatabase();
		await new Attachments(db).put(attachment('a', 1e12));
		await append(db, { session: newSession({ id: 's' }), messages: [message('a')] });
		const trash = new Trash(db);
		await trash.deleteSessionsUnfenced(['s'], 1000);
		await trash.purgeUnfenced(1000 + undoMilliseconds);
		expect(await here(db)).toEqual([]);
	});
});

describe('[A14] when everything was deleted', () => {
	it('files that were left in composers go as soon as it can’t be undone, also after a reload', async () => {
		const db = openDatabase();
		const local = new MemoryStorage();
		await attach(db, 'left', 'held');
		new Emptying(db, () => local).begin(1000, 11_000);
		await new Attachments(db).put(attachment('new', 2000));
		const reloaded = new Emptying(db, () => local);
		await reloaded.finish(10_999, ['held']);
		expect(await here(db)).toEqual(['held', 'left', 'new']);
		await reloaded.finish(11_000, ['held']);
		expect(await here(db)).toEqual(['held', 'new']);
		await reloaded.finish(12_000, []);
		expect(await here(db)).toEqual(['held', 'new']);
	});

	it('and that was undone, they stay', async () => {
		const db = openDatabase();
		const local = new MemoryStorage();
		await attach(db, 'left');
		const emptying = new Emptying(db, () => local);
		emptying.begin(1000, 11_000);
		emptying.end();
		await emptying.finish(11_000, []);
		expect(await here(db)).toEqual(['left']);
	});
});
