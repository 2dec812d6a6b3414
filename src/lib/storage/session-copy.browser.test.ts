import { expect, it } from 'vitest';
import { newBoundary, newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { threadKey } from '../conversation/session';
import { append } from './append';
import { Boundaries } from './boundaries';
import { Contexts } from './contexts';
import type { Database } from './database';
import { definitions } from './definitions';
import { Drafts } from './drafts';
import { unfenced } from './fence';
import { redact } from './redact';
import { Scratchpad } from './scratchpad';
import { copyOfSession, putCopy } from './session-copy';
import { Sessions } from './sessions';
import { Trash } from './trash';
import { Trees } from './trees';

const workspace = 'Garden';

const fileOf = (letter: string) => ({ type: 'file' as const, attachmentId: letter.repeat(64), name: `${letter}.txt`, mediaType: 'text/plain' });

/** A thread of a workspace, with a file in a message, in one that was erased and in its draft, a branch, notes, labels and a summary. */
async function fill(db: Database): Promise<string> {
	for (const letter of 'abc') await db.attachments.put({ id: letter.repeat(64), mediaType: 'text/plain', bytes: 1, content: new Blob([letter]), createdAt: 1 });
	const session = newSession({ workspace, key: threadKey(workspace) });
	const { id } = session;
	const messages = [newMessage('user', 'First', { parts: [{ type: 'text', text: 'First' }, fileOf('a')] }), newMessage('assistant', 'Yes')] as const;
	const [root, reply] = await append(db, { session, messages: [...messages] });
	await append(db, { session: id, fence: unfenced, parentId: root!.id, messages: [newMessage('assistant', 'No')] });
	const [erased] = await append(db, { session: id, fence: unfenced, parentId: reply!.id, messages: [newMessage('user', 'Oops', { parts: [{ type: 'text', text: 'Oops' }, fileOf('b')] })] });
	await redact(db, erased!.id, 5, unfenced);
	await new Drafts(db).set(id, { text: 'unsent', attachments: [fileOf('c')] }, unfenced);
	await new Boundaries(db).add(newBoundary([root!]), unfenced);
	await new Contexts(db).pin(id, root!.id, true, unfenced);
	await new Trees(db).label(id, root!.id, 'here', unfenced);
	await new Scratchpad(db).set(id, 'note', 'Words', 5);
	return id;
}

/** All rows but those that are made of others, by table. */
async function contentOf(db: Database): Promise<[string, unknown[]][]> {
	const stored = db.tables.filter(({ name }) => definitions.get(name)?.scope !== 'derived' && name !== 'changes');
	return Promise.all(stored.map(async (table): Promise<[string, unknown[]]> => [table.name, await table.toArray()]));
}

it('[E11] the copy of a session is all that belongs to it, and its files: in messages, erased ones and the draft', async () => {
	const [from, to] = [openDatabase(), openDatabase()];
	const id = await fill(from);
	await append(from, { session: newSession(), messages: [newMessage('user', 'Another chat')] });
	await putCopy(to, await copyOfSession(from, id));
	expect(await to.sessions.toCollection().primaryKeys()).toEqual([id]);
	expect((await to.attachments.toArray()).map((file) => file.id[0])).toEqual(['a', 'b', 'c']);
	const isOfChat = (row: unknown) => [(row as { id?: string }).id, (row as { sessionId?: string }).sessionId].includes(id);
	for (const [table, rows] of await contentOf(from)) {
		expect(await to.table(table).toArray(), table).toEqual(table === 'attachments' ? rows : rows.filter(isOfChat));
	}
});

it('[E1] the copy of a thread is beside another that is there by now', async () => {
	const [from, to] = [openDatabase(), openDatabase()];
	const id = await fill(from);
	await append(to, { session: newSession({ workspace, key: threadKey(workspace) }), messages: [newMessage('user', 'There')] });
	await putCopy(to, await copyOfSession(from, id));
	expect((await new Sessions(to).get(id))!.key).toMatch(`${threadKey(workspace)}:`);
});

it('[E11] what was removed before is there again, with no tombstone', async () => {
	const [from, to] = [openDatabase(), openDatabase()];
	const copy = await copyOfSession(from, await fill(from));
	await putCopy(to, copy);
	const trash = new Trash(to);
	await trash.deleteSessionsUnfenced([copy.id], 5, 1);
	await trash.purgeUnfenced(Date.now() + 1e9);
	expect(await to.deletions.count()).toBeGreaterThan(0);
	await putCopy(to, copy);
	expect(await to.deletions.count()).toBe(0);
	expect(await to.attachments.count()).toBe(3);
});

it('[E11] nothing of a copy is stored where a row of it can not be, nor over one that is there', async () => {
	const [from, to] = [openDatabase(), openDatabase()];
	const copy = await copyOfSession(from, await fill(from));
	const before = await contentOf(to);
	// One without the key of its table, in the last one.
	copy.rows.push([copy.rows.at(-1)![0], [{}]]);
	await expect(putCopy(to, copy)).rejects.toThrow();
	expect(await contentOf(to)).toEqual(before);
});

it('[P8] a file of the copy is as it was read here, also where one that was restored has the same content; a result of a tool is not', async () => {
	const [from, to] = [openDatabase(), openDatabase()];
	const id = await fill(from);
	const extract = (words: string) => ({ text: new Blob([words]), characters: words.length, parts: 1, read: 1, unit: 'page', whole: true }) as const;
	const [read, result] = ['a'.repeat(64), 'b'.repeat(64)];
	await from.attachments.update(read, { extract: extract('Pay nobody') });
	for (const file of [read, result]) await to.attachments.put({ id: file, mediaType: 'text/plain', bytes: 1, content: new Blob(['a']), extract: extract('Pay them'), createdAt: 1 });
	await putCopy(to, await copyOfSession(from, id));
	const words = async (file: string) => (await to.attachments.get(file))!.extract!.text.text();
	expect([await words(read), await words(result)]).toEqual(['Pay nobody', 'Pay them']);
});
