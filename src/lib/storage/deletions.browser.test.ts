import { describe, expect, it } from 'vitest';
import { newBoundary, newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { append } from './append';
import { Attachments } from './attachments';
import { Boundaries } from './boundaries';
import type { Database } from './database';
import { unfenced } from './fence';
import { Providers } from './providers';
import { redact } from './redact';
import { Scratchpad } from './scratchpad';
import type { Deletion } from './tables/deletions';
import { Trash } from './trash';
import { Trees } from './trees';
import { sweepFiles } from './unused-files';

/** A session of three messages. */
async function live(db: Database, id = 's') {
	return append(db, { session: newSession({ id }), messages: [newMessage('system', ''), newMessage('user', 'Hello'), newMessage('assistant', 'Hi')] });
}

async function tombstones(db: Database): Promise<Deletion[]> {
	return db.deletions.toArray();
}

describe('[A14] a tombstone', () => {
	it('is left of a session with its last rows, in the place of those of what was in it', async () => {
		const db = openDatabase();
		const [, question] = await live(db);
		await live(db, 'other');
		const notes = new Scratchpad(db);
		await notes.set('s', 'plan', 'text', 1);
		await notes.remove('s', 'plan', 2);
		await notes.set('other', 'plan', 'text', 1);
		await notes.remove('other', 'plan', 3);
		expect(await tombstones(db)).toEqual([{ kind: 'note', id: 'other:plan', sessionId: 'other', at: 3 }, { kind: 'note', id: 's:plan', sessionId: 's', at: 2 }]);
		const trash = new Trash(db);
		await new Trees(db).removeBranch('s', question!.id, 4, unfenced);
		await trash.deleteSessionsUnfenced(['s'], 5, 10);
		await trash.purgeUnfenced(14);
		expect((await tombstones(db)).some(({ kind }) => kind === 'session')).toBe(false);
		await trash.purgeUnfenced(15);
		expect(await tombstones(db)).toEqual([{ kind: 'note', id: 'other:plan', sessionId: 'other', at: 3 }, { kind: 'session', id: 's', at: 5 }]);
		expect(await db.trash.count()).toBe(0);
	});

	it('is there, or nothing is gone: the transaction is one', async () => {
		const db = openDatabase();
		const [, question] = await live(db);
		const boundary = newBoundary([question!]);
		await new Scratchpad(db).set('s', 'plan', 'text', 1);
		await new Providers(db).put({ id: 'p', name: 'P', baseUrl: 'http://p', createdAt: 1 });
		await new Attachments(db).put({ id: 'f', mediaType: 'text/plain', bytes: 1, content: new Blob(['x']), createdAt: 1 });
		await new Boundaries(db).add({ ...boundary, depth: 1 }, unfenced);
		await new Trees(db).removeBranch('s', question!.id, 1, unfenced);
		await new Trash(db).deleteSessionsUnfenced(['s'], 1, 10);
		const rows = () => Promise.all(['messages', 'trees', 'scratchpad', 'boundaries', 'attachments', 'providers'].map((table) => db.table(table).toArray()));
		const before = await rows();
		const refuse = () => {
			throw new Error('no room');
		};
		db.deletions.hook('creating', refuse);
		const purges = [
			() => new Trash(db).purgeUnfenced(1e9),
			() => new Scratchpad(db).remove('s', 'plan', 2),
			() => new Boundaries(db).remove(boundary.id, 2, unfenced),
			() => new Providers(db).remove('p', 2),
			() => sweepFiles(db, 1e9)
		];
		for (const purge of purges) await expect(purge()).rejects.toThrow('no room');
		expect(await rows()).toEqual(before);
		db.deletions.hook('creating').unsubscribe(refuse);
		for (const purge of purges.reverse()) await purge();
		expect((await tombstones(db)).map(({ kind }) => kind).sort()).toEqual(['attachment', 'server', 'session']);
	});

	it('goes where what it names is there again', async () => {
		const db = openDatabase();
		const [, question] = await live(db);
		const [notes, boundaries, providers, attachments] = [new Scratchpad(db), new Boundaries(db), new Providers(db), new Attachments(db)];
		const boundary = newBoundary([question!]);
		const server = { id: 'p', name: 'P', baseUrl: 'http://p', createdAt: 1 };
		const file = { id: 'f', mediaType: 'text/plain', bytes: 1, content: new Blob(['x']), createdAt: 1 };
		await boundaries.add(boundary, unfenced);
		await providers.put(server);
		await attachments.put(file);
		for (const name of ['a', 'b', 'c', 'd']) await notes.set('s', name, name, 1);
		const entries = [];
		for (const name of ['a', 'b', 'c', 'd']) entries.push((await notes.remove('s', name, 2))!);
		await boundaries.remove(boundary.id, 2, unfenced);
		await providers.remove('p', 2);
		await sweepFiles(db, 1e9);
		expect((await tombstones(db)).map(({ kind, id }) => [kind, id])).toEqual([
			[ 'boundary', boundary.id ],
			['attachment', 'f'],
			['server', 'p'],
			...['a', 'b', 'c', 'd'].map((name) => ['note', `s:${name}`])
		].sort(([, a], [, b]) => (a! < b! ? -1 : 1)));
		await notes.putBack(entries[0]!);
		await notes.set('s', 'b', 'again', 3);
		await notes.begin('s', 'c', 3);
		await notes.rename('s', 'a', 'd', 3);
		await boundaries.add(boundary, unfenced, { again: true });
		await providers.put(server);
		await attachments.put(file);
		expect(await tombstones(db)).toEqual([{ kind: 'note', id: 's:a', sessionId: 's', at: 3 }]);
	});

	it('is left of a branch by its first message, and of compactions that went with a redaction; a message says itself that it was erased', async () => {
		const db = openDatabase();
		const [root, question, answer] = await live(db);
		const boundary = newBoundary([root!, question!]);
		await new Boundaries(db).add(boundary, unfenced);
		const trash = new Trash(db);
		await redact(db, question!.id, 10, unfenced);
		await new Trees(db).removeBranch('s', answer!.id, 20, unfenced);
		await trash.purgeUnfenced(19);
		expect(await tombstones(db)).toEqual([]);
		await trash.purgeUnfenced(1e9);
		expect(await tombstones(db)).toEqual(
			[{ kind: 'boundary', id: boundary.id, sessionId: 's', at: 10 }, { kind: 'branch', id: answer!.id, sessionId: 's', at: 20 }].sort((a, b) => (a.id < b.id ? -1 : 1))
		);
	});
});
