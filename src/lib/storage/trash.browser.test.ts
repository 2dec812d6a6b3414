import { Dexie } from 'dexie';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { contentOf, newBoundary, newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import type { Boundary } from '../conversation/boundary';
import { sizeOf, textOf, type Message } from '../conversation/message';
import { pathTo } from '../conversation/paths';
import { faultsOf } from '../conversation/tree-faults';
import { createIdMaker } from '../shared/id';
import { append, type NewMessage } from './append';
import { Boundaries } from './boundaries';
import { Contexts } from './contexts';
import type { Database } from './database';
import { idsHere, idsWithin } from './deletions';
import { Drafts } from './drafts';
import { unfenced } from './fence';
import { Messages } from './messages';
import { redact } from './redact';
import { Scratchpad } from './scratchpad';
import { Sessions } from './sessions';
import { Trash } from './trash';
import { Trees } from './trees';
import { undoMilliseconds } from './undo';

/** A session with two branches and a draft, last changed at that time. */
async function fill(db: Database, id: string, at: number): Promise<void> {
	const question = newMessage('user', id, { createdAt: at });
	const [root] = await append(db, {
		session: newSession({ id, createdAt: at }),
		messages: [question, newMessage('assistant', 'A', { createdAt: at })]
	});
	await append(db, { session: id, fence: unfenced, parentId: root!.id, messages: [newMessage('assistant', 'B', { createdAt: at })] });
	await new Drafts(db).set(id, { text: 'unsent', attachments: [] }, unfenced);
	await new Boundaries(db).add(newBoundary([root!]), unfenced);
	await new Contexts(db).pin(id, root!.id, true, unfenced);
}

/** The rows of these sessions, in all tables but that of tombstones. */
async function rowsOf(db: Database, ids: string[]): Promise<unknown[]> {
	const { deletions: _, ...tables } = await contentOf(db);
	const rows = Object.values(tables).flat() as { id?: string; sessionId?: string }[];
	return rows.filter(({ id, sessionId }) => ids.includes(sessionId ?? id!));
}

/** Sessions with long branches, quickly: as many messages, each the child of the one before. */
async function line(db: Database, sessionId: string, count: number, parentId?: string): Promise<Message[]> {
	const messages = Array.from({ length: count }, (_, index) => newMessage('user', `m${index}`)) as [NewMessage, ...NewMessage[]];
	const known = await db.sessions.get(sessionId);
	return append(db, { session: known ? sessionId : newSession({ id: sessionId }), fence: unfenced, messages, ...(parentId ? { parentId } : {}) });
}

async function expectValid(db: Database, sessionId: string): Promise<void> {
	const rows = await db.messages.toArray();
	const tree = (await db.trees.get(sessionId))!;
	expect(faultsOf(tree, rows, (await db.positions.get(sessionId))!.headId)).toEqual([]);
	const session = (await db.sessions.get(sessionId))!;
	expect(session.messageCount).toBe((await new Messages(db).all(sessionId)).length);
	expect(session.bytes).toBe(rows.reduce((sum, row) => sum + sizeOf(row), 0));
}

describe('Trash', () => {
	it('[A14] deletes several sessions at once and brings them back as they were', async () => {
		const db = openDatabase();
		const trash = new Trash(db);
		for (const [index, id] of ['a', 'b', 'c'].entries()) await fill(db, id, 1000 + index);
		const before = await contentOf(db);
		expect(await trash.deleteSessionsUnfenced(['a', 'nowhere', 'c'], 5000)).toEqual(['a', 'c']);
		expect((await new Sessions(db).list()).map(({ id }) => id)).toEqual(['b']);
		expect((await trash.list()).map(({ id }) => id).sort()).toEqual(['a', 'c']);
		await trash.restoreUnfenced(['a', 'c']);
		expect(await contentOf(db)).toEqual(before);
		expect(await trash.deleteSessionsUnfenced(['nowhere'], 5000)).toEqual([]);
	});

	it('[E2] [A14] brings the thread of a workspace back beside another that was begun meanwhile', async () => {
		const db = openDatabase();
		const thread = (id: string) => ({ session: newSession({ id, workspace: 'Garden', key: 'web:Garden', createdAt: 5 }), messages: [newMessage('user', id)] as [NewMessage] });
		await append(db, thread('first'));
		const trash = new Trash(db);
		await trash.deleteSessionsUnfenced(['first'], 0);
		await append(db, thread('second'));
		await trash.restoreUnfenced(['first']);
		expect((await new Sessions(db).byKey('web:Garden'))?.id).toBe('second');
		expect((await db.sessions.get('first'))?.key).toBe('web:Garden:5');
		// Where none was begun it is the thread again.
		await trash.deleteSessionsUnfenced(['first', 'second'], 0);
		await trash.restoreUnfenced(['second']);
		expect((await new Sessions(db).byKey('web:Garden'))?.id).toBe('second');
	});

	it('[A14] [A8] purges only what is due, with all of its rows', async () => {
		const db = openDatabase();
		const trash = new Trash(db);
		// Ids that begin alike: a range too wide would take more than it should.
		for (const id of ['a', 'aa', 'ab', 'b']) await fill(db, id, 1000);
		const others = await rowsOf(db, ['aa', 'b']);
		const broken = (id: string, table: string, key: unknown) => ({ id, table, key, row: { text: 'words' }, reason: '', at: 0 });
		await db.quarantine.bulkAdd([broken('1', 'messages', ['a', 0, 'x']), broken('2', 'trees', 'a'), broken('3', 'messages', ['aa', 0, 'x']), broken('4', 'settings', 'theme')]);
		await trash.deleteSessionsUnfenced(['a'], 5000);
		await trash.deleteSessionsUnfenced(['ab'], 5000, 60_000);
		expect(await trash.purgeUnfenced(5000 + undoMilliseconds - 1)).toEqual([]);
		expect(await trash.purgeUnfenced(5000 + undoMilliseconds)).toEqual(['a']);
		expect(await rowsOf(db, ['a'])).toEqual([]);
		expect(await db.quarantine.toCollection().primaryKeys()).toEqual(['3', '4']);
		await trash.restoreUnfenced(['ab']);
		expect((await new Messages(db).all('ab')).map(textOf)).toEqual(['ab', 'A', 'B']);
		await trash.deleteSessionsUnfenced(['ab'], 5000, 60_000);
		expect(await trash.purgeUnfenced(65_000)).toEqual(['ab']);
		expect(await rowsOf(db, ['aa', 'b'])).toEqual(others);
		await expect(trash.restoreUnfenced(['a'])).rejects.toMatchObject({ code: 'restore-late' });
	});

	it('[A14] leaves what was brought back and deleted again while something else was purged', async () => {
		const db = openDatabase();
		const trash = new Trash(db);
		for (const id of ['a', 'b']) await fill(db, id, 1000);
		await trash.deleteSessionsUnfenced(['a'], 0);
		await trash.deleteSessionsUnfenced(['b'], 1);
		let again: Promise<unknown> | undefined;
		db.messages.hook('deleting', () => {
			again ??= Dexie.ignoreTransaction(() => trash.restoreUnfenced(['b']).then(() => trash.deleteSessionsUnfenced(['b'], 2)));
		});
		expect(await trash.purgeUnfenced(undoMilliseconds + 1)).toEqual(['a']);
		expect(await again).toEqual(['b']);
		await trash.restoreUnfenced(['b']);
		expect((await new Messages(db).all('b')).map(textOf)).toEqual(['b', 'A', 'B']);
	});

	it('[A14] purges safely twice, also at once, and takes nothing that comes back in between', async () => {
		const db = openDatabase();
		const trash = new Trash(db);
		for (const id of ['a', 'b']) await fill(db, id, 1000);
		await trash.deleteSessionsUnfenced(['a'], 0);
		await Promise.all([trash.purgeUnfenced(undoMilliseconds), trash.purgeUnfenced(undoMilliseconds)]);
		expect(await trash.purgeUnfenced(undoMilliseconds)).toEqual([]);
		expect((await new Sessions(db).list()).map(({ id }) => id)).toEqual(['b']);

		const kept = await rowsOf(db, ['b']);
		await trash.deleteSessionsUnfenced(['b'], 0);
		const purging = trash.purgeUnfenced(undoMilliseconds);
		const outcome = await trash.restoreUnfenced(['b']).then(
			() => 'restored',
			() => 'late'
		);
		await purging;
		expect(await rowsOf(db, ['b'])).toEqual(outcome === 'restored' ? kept : []);
	});

	it('purges a long session in chunks, and goes on where it was interrupted', async () => {
		const db = openDatabase();
		const trash = new Trash(db);
		await line(db, 's', 10_050);
		await fill(db, 'other', 1000);
		await trash.deleteSessionsUnfenced(['s'], 0);
		// The page dies after the first chunk: what it had begun is marked, and what is left is a tree still.
		const dies = () => {
			throw new Error('the page died');
		};
		db.trash.hook('deleting', dies);
		await expect(trash.purgeUnfenced(undoMilliseconds)).rejects.toThrow('the page died');
		expect(await db.messages.where(':id').between(['s'], ['s', []]).count()).toBe(50);
		db.trash.hook('deleting').unsubscribe(dies);
		await expect(trash.restoreUnfenced(['s'])).rejects.toMatchObject({ code: 'restore-late' });
		expect(await trash.purgeUnfenced(undoMilliseconds)).toEqual(['s']);
		expect(await rowsOf(db, ['s'])).toEqual([]);
		expect(await rowsOf(db, ['other'])).toHaveLength(9);
	});

	it('[A14] brings a branch back, and purges one so that a valid tree is left', async () => {
		const db = openDatabase();
		const [trash, trees, messages] = [new Trash(db), new Trees(db), new Messages(db)];
		const trunk = await line(db, 's', 5);
		const fork = await line(db, 's', 4, trunk[1]!.id);
		await line(db, 's', 3, fork[1]!.id);
		await trees.label('s', fork[1]!.id, 'in it', unfenced);
		await trees.label('s', trunk[0]!.id, 'outside', unfenced);
		const before = await contentOf(db);

		const item = await trees.removeBranch('s', fork[0]!.id, 0, unfenced);
		await expectValid(db, 's');
		await trash.restoreUnfenced([item]);
		expect(await contentOf(db)).toEqual(before);

		await trees.removeBranch('s', fork[0]!.id, 0, unfenced);
		expect(await trash.purgeUnfenced(undoMilliseconds)).toEqual([item]);
		expect(await messages.all('s')).toEqual(trunk);
		expect(await db.messages.count()).toBe(5);
		expect(await db.trees.get('s')).toMatchObject({ labels: { [trunk[0]!.id]: 'outside' }, removed: [] });
		expect(await db.positions.get('s')).toMatchObject({ headId: trunk[1]!.id });
		await expectValid(db, 's');
		await expect(trash.restoreUnfenced([item])).rejects.toMatchObject({ code: 'restore-late' });
	});

	it('[E11] [A14] purges the edits of the messages of a branch, and nothing else of the draft', async () => {
		const db = openDatabase();
		const [trash, trees, drafts] = [new Trash(db), new Trees(db), new Drafts(db)];
		const trunk = await line(db, 's', 3);
		const fork = await line(db, 's', 2, trunk[0]!.id);
		const [stays, goes] = [trunk[2]!.id, fork[1]!.id];
		await drafts.set('s', { text: 'unsent', attachments: [], edits: { [stays]: 'kept', [goes]: 'deleted' } }, unfenced);
		const item = await trees.removeBranch('s', fork[0]!.id, 0, unfenced);
		await trash.restoreUnfenced([item]);
		expect((await drafts.get('s'))?.edits).toEqual({ [stays]: 'kept', [goes]: 'deleted' });
		await trees.removeBranch('s', fork[0]!.id, 0, unfenced);
		await trash.purgeUnfenced(undoMilliseconds);
		expect(await drafts.get('s')).toEqual({ sessionId: 's', composer: 'unsent', edits: { [stays]: 'kept' } });
	});

	it('[A10] a compaction goes with the branch that it ends in, once that is purged, and no other does', async () => {
		const db = openDatabase();
		const [trash, trees, boundaries] = [new Trash(db), new Trees(db), new Boundaries(db)];
		const trunk = await line(db, 's', 4);
		const fork = await line(db, 's', 4, trunk[1]!.id);
		const kept = [newBoundary(trunk.slice(0, 2)), newBoundary(trunk.slice(0, 4))];
		const gone = newBoundary([...trunk.slice(0, 2), ...fork.slice(0, 2)]);
		for (const boundary of [...kept, gone]) await boundaries.add(boundary, unfenced);
		await trees.removeBranch('s', fork[0]!.id, 0, unfenced);
		expect(await boundaries.count('s')).toBe(3);
		await trash.purgeUnfenced(undoMilliseconds);
		expect(await boundaries.ofSession('s')).toEqual(kept);
	});

	it('purges a long branch in chunks', async () => {
		const db = openDatabase();
		const [trash, trees] = [new Trash(db), new Trees(db)];
		const trunk = await line(db, 's', 3);
		const long = await line(db, 's', 10_020, trunk[0]!.id);
		await trees.removeBranch('s', long[0]!.id, 0, unfenced);
		await trash.purgeUnfenced(undoMilliseconds);
		expect(await db.messages.count()).toBe(3);
		await expectValid(db, 's');
	});

	it('[P2] purges nothing above a removed branch or in its place, whatever its row says', async () => {
		const db = openDatabase();
		const [trash, trees] = [new Trash(db), new Trees(db)];
		const trunk = await line(db, 's', 4);
		const fork = await line(db, 's', 2, trunk[1]!.id);
		await line(db, 's', 2, fork[0]!.id);
		const id = await trees.removeBranch('s', fork[0]!.id, 0, unfenced);
		const item = (await trash.list())[0]!;
		if (item.kind !== 'branch') throw new Error(`no branch: ${id}`);
		const [first, second] = item.removal.tips;
		const toTheRoot = { forkId: null, forkDepth: 0, fromId: null };
		const kept = { ...toTheRoot, id: trunk[3]!.id, depth: 3 };
		await db.trash.put({ ...item, removal: { ...item.removal, tips: [first, { ...second!, ...toTheRoot }, kept] } });
		await trash.purgeUnfenced(undoMilliseconds);
		expect((await db.messages.toArray()).map((message) => message.id)).toEqual(trunk.map((message) => message.id));
	});

	it.each([{}, { begun: true as const }])('[P2] purges nothing of a session that is live, and drops what would: %o', async (more) => {
		const db = openDatabase();
		const trash = new Trash(db);
		await fill(db, 's', 1000);
		const before = await contentOf(db);
		const session = (await db.sessions.get('s'))!;
		const item = { id: 's', kind: 'session', sessionId: 's', at: 0, purgeAt: 1, session: { ...session, title: 'of before' } } as const;
		await db.trash.put({ ...item, ...more });
		await trash.purgeUnfenced(1);
		expect(await contentOf(db)).toEqual(before);
		await db.trash.put(item);
		await trash.restoreUnfenced(['s']);
		expect(await contentOf(db)).toEqual(before);
	});

	it('[P2] purges what belongs to a session of which nothing is there, and nothing else', async () => {
		const db = openDatabase();
		const trash = new Trash(db);
		for (const id of ['a', 'deleted', 'without row', 'broken', 'gone']) {
			await fill(db, id, 1000);
			for (const name of ['todo', 'more']) await new Scratchpad(db).set(id, name, id, 1000);
		}
		await trash.deleteSessionsUnfenced(['deleted'], 0, 1e9);
		await db.sessions.bulkDelete(['without row', 'broken', 'gone']);
		await db.trees.bulkDelete(['broken', 'gone']);
		await db.messages.where(':id').between(['gone'], ['gone', []]).delete();
		await db.quarantine.add({ id: 'q', table: 'sessions', key: 'gone', row: {}, reason: '', at: 0 });
		const before = await contentOf(db);
		await trash.purgeUnfenced(1);
		expect(await contentOf(db)).toEqual(before);
		await db.quarantine.clear();
		const kept = await rowsOf(db, ['a', 'deleted', 'without row', 'broken']);
		expect(await rowsOf(db, ['gone'])).toHaveLength(6);
		await trash.purgeUnfenced(1);
		expect(await rowsOf(db, ['gone'])).toEqual([]);
		expect(await rowsOf(db, ['a', 'deleted', 'without row', 'broken'])).toEqual(kept);
	});

	it('[P3] looks for what belongs to nothing by keys alone', async () => {
		const db = openDatabase();
		await fill(db, 'a', 1000);
		await new Scratchpad(db).set('a', 'todo', 'x', 1000);
		const methods = ['getAll', 'get', 'openCursor'] as const;
		const ofStores = methods.map((name) => vi.spyOn(IDBObjectStore.prototype, name));
		const ofIndexes = methods.map((name) => vi.spyOn(IDBIndex.prototype, name));
		onTestFinished(() => [...ofStores, ...ofIndexes].forEach((method) => method.mockRestore()));
		await new Trash(db).purgeUnfenced(1);
		const stores = ofStores.flatMap(({ mock }) => (mock.contexts as IDBObjectStore[]).map(({ name }) => name));
		const indexes = ofIndexes.flatMap(({ mock }) => (mock.contexts as IDBIndex[]).map(({ objectStore }) => objectStore.name));
		expect([...stores, ...indexes].filter((name) => name !== 'trash')).toEqual([]);
	});

	it('brings no branch back below one that is deleted, and goes on in order', async () => {
		const db = openDatabase();
		const [trash, trees] = [new Trash(db), new Trees(db)];
		const trunk = await line(db, 's', 6);
		const before = await contentOf(db);
		const lower = await trees.removeBranch('s', trunk[4]!.id, 1, unfenced);
		const upper = await trees.removeBranch('s', trunk[2]!.id, 2, unfenced);
		// What grows there meanwhile is no parent of what was deleted.
		const grown = await line(db, 's', 4);
		await expect(trash.restoreUnfenced([lower])).rejects.toMatchObject({ code: 'restore-parent' });
		await trash.restoreUnfenced([upper, lower]);
		await expectValid(db, 's');
		expect(await new Messages(db).path('s', trunk[5]!.id)).toEqual(trunk);
		await trees.removeBranch('s', grown[0]!.id, 3, unfenced);
		await trash.purgeUnfenced(undoMilliseconds + 3);
		await expectValid(db, 's');
		expect((await contentOf(db)).messages).toEqual(before.messages);

		await trash.deleteSessionsUnfenced(['s'], 4);
		await expect(trash.restoreUnfenced([lower])).rejects.toMatchObject({ code: 'restore-late' });
	});

	it('brings no branch back into a deleted session, and counts what goes from that', async () => {
		const db = openDatabase();
		const [trash, trees] = [new Trash(db), new Trees(db)];
		const trunk = await line(db, 's', 4);
		const item = await trees.removeBranch('s', trunk[2]!.id, 1, unfenced);
		await trash.deleteSessionsUnfenced(['s'], 2, 1e9);
		await expect(trash.restoreUnfenced([item])).rejects.toMatchObject({ code: 'restore-parent' });
		await trash.restoreUnfenced([item, 's']);
		await expectValid(db, 's');
		expect(await new Messages(db).path('s')).toEqual(trunk);

		await trees.removeBranch('s', trunk[2]!.id, 1, unfenced);
		await trash.deleteSessionsUnfenced(['s'], 2, 1e9);
		await trash.purgeUnfenced(undoMilliseconds + 1);
		await trash.restoreUnfenced(['s']);
		await expectValid(db, 's');
		expect(await db.messages.count()).toBe(2);
	});
});

type Step = { kind: 'append'; count: number } | { kind: 'edit' | 'compact' | 'redact' | 'remove' | 'restore'; pick: number } | { kind: 'purge'; later: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
	fc.oneof(
		fc.record({ kind: fc.constant('append' as const), count: fc.integer({ min: 1, max: 3 }) }),
		fc.record({
			kind: fc.constantFrom('edit' as const, 'compact' as const, 'redact' as const, 'remove' as const, 'restore' as const),
			pick: fc.nat({ max: 40 })
		}),
		fc.record({ kind: fc.constant('purge' as const), later: fc.constantFrom(0, undoMilliseconds) })
	),
	{ minLength: 4, maxLength: 22 }
);

/** The same by the simplest means: every message with its parent, and what was deleted when. */
class Model {
	messages: { id: string; parentId: string | null; createdAt: number }[] = [];
	head = '';
	removed: { id: string; head: string | null; at: number }[] = [];

	path(id: string): string[] {
		const { parentId } = this.messages.find((message) => message.id === id)!;
		return parentId === null ? [id] : [...this.path(parentId), id];
	}

	isBelow(id: string, ancestor: string): boolean {
		return this.path(id).includes(ancestor);
	}

	living(): string[] {
		return this.messages.map(({ id }) => id).filter((id) => !this.removed.some((removal) => this.isBelow(id, removal.id)));
	}

	remove(id: string, at: number): void {
		const isBelow = this.isBelow(this.head, id);
		this.removed.push({ id, at, head: isBelow ? this.head : null });
		if (isBelow) this.head = this.messages.find((message) => message.id === id)!.parentId!;
	}

	restore(id: string): boolean {
		const removal = this.removed.find((removal) => removal.id === id)!;
		const { parentId } = this.messages.find((message) => message.id === id)!;
		if (!this.living().includes(parentId!)) return false;
		this.removed = this.removed.filter((other) => other !== removal);
		const head = this.messages.find((message) => message.id === this.head)!;
		// To have gone to another version, which was there already, is no going elsewhere.
		const isOther = head.parentId === parentId && head.createdAt <= removal.at;
		if (removal.head !== null && (head.id === parentId || isOther)) this.head = removal.head;
		return true;
	}

	purge(now: number): void {
		for (const { id } of this.removed.filter(({ at }) => at + undoMilliseconds <= now)) {
			this.messages = this.messages.filter((message) => !this.isBelow(message.id, id));
			this.removed = this.removed.filter((removal) => removal.id !== id);
		}
	}
}

/** Checks that what was there and is no more has a tombstone, or was part of something that has; and a tombstone names nothing that is there. */
async function expectTombstones(db: Database, sessionId: string, everSaid: { id: string; parentId: string | null }[], everMade: Boundary[]): Promise<void> {
	const deletions = await db.deletions.where('sessionId').equals(sessionId).toArray();
	const [stored, boundaries, trash] = await Promise.all([new Messages(db).range(sessionId, 0, 1000), db.boundaries.toArray(), new Trash(db).list()]);
	const [here, gone] = [new Set(stored.map(({ id }) => id)), new Set(deletions.map(({ id }) => id))];
	const isCovered = (id: string | null): boolean => id !== null && (gone.has(id) || isCovered(everSaid.find((one) => one.id === id)!.parentId));
	for (const { id } of everSaid) expect(isCovered(id)).toBe(!here.has(id));
	const kept = new Set([...boundaries, ...trash.flatMap((item) => (item.kind === 'redaction' ? (item.boundaries ?? []) : []))].map(({ id }) => id));
	for (const { id, upToId } of everMade) expect(gone.has(id) || !here.has(upToId)).toBe(!kept.has(id));
	expect([...(await idsHere(db, deletions, await idsWithin(db)))]).toEqual([]);
}

describe('a session', () => {
	it('[Z9] [E6] [A14] stays one valid tree through any appends, branches, redactions, deletions, restores and purges', async () => {
		const db = openDatabase();
		const [trash, trees, messages] = [new Trash(db), new Trees(db), new Messages(db)];
		await fc.assert(
			fc.asyncProperty(steps, async (steps) => {
				const newId = createIdMaker(() => 1000);
				const boundaries = new Boundaries(db);
				const model = new Model();
				const session = newSession();
				let now = 1000;
				const everSaid: { id: string; parentId: string | null }[] = [];
				const everMade: Boundary[] = [];
				const write = async (count: number, parentId?: string) => {
					const rows = Array.from({ length: count }, (_, index) => newMessage('user', 'x'.repeat(index), { id: newId() }));
					const stored = await append(db, {
						session: model.head ? session.id : session,
						fence: unfenced,
						messages: rows as [NewMessage, ...NewMessage[]],
						...(parentId ? { parentId } : {})
					});
					for (const { id, parentId, createdAt } of stored) model.messages.push({ id, parentId, createdAt });
					everSaid.push(...stored);
					model.head = stored.at(-1)!.id;
				};
				await write(3);
				for (const step of steps) {
					now++;
					const living = model.living();
					if (step.kind === 'append') await write(step.count);
					else if (step.kind === 'edit') await write(1, living[step.pick % living.length]);
					else if (step.kind === 'compact') {
						const path = await messages.path(session.id, living[step.pick % living.length]);
						everMade.push(newBoundary(path, { createdAt: now }));
						await boundaries.add(everMade.at(-1)!, unfenced);
					} else if (step.kind === 'redact') {
						const id = living[step.pick % living.length]!;
						await redact(db, id, now, unfenced).catch((error: unknown) => expect(error).toMatchObject({ code: 'redacted' }));
					} else if (step.kind === 'remove') {
						const id = living.slice(1)[step.pick % (living.length - 1)];
						if (!id) continue;
						await trees.removeBranch(session.id, id, now, unfenced);
						model.remove(id, now);
					} else if (step.kind === 'restore') {
						const items = (await trash.list()).filter(({ sessionId }) => sessionId === session.id);
						const item = items[step.pick % items.length];
						if (!item) continue;
						const back = item.kind !== 'branch' || model.restore(item.id);
						const outcome = await trash.restoreUnfenced([item.id]).then(
							() => 'back',
							(error: { code: string }) => error.code
						);
						expect(outcome).toBe(back ? 'back' : 'restore-parent');
					} else if (step.kind === 'purge') {
						now += step.later;
						model.purge(now);
						await trash.purgeUnfenced(now);
					}

					const rows = await messages.range(session.id, 0, 1000);
					expect(faultsOf((await db.trees.get(session.id))!, rows, (await db.positions.get(session.id))!.headId)).toEqual([]);
					const { messageCount, bytes } = (await db.sessions.get(session.id))!;
					expect({ messageCount, bytes }).toEqual({
						messageCount: model.living().length,
						bytes: rows.reduce((sum, row) => sum + sizeOf(row), 0)
					});
					for (const { upToId, createdAt } of await boundaries.ofSession(session.id)) {
						expect(rows.some(({ id }) => id === upToId)).toBe(true);
						const late = rows.filter(({ parts }) => parts.some((part) => part.type === 'redacted' && part.at > createdAt));
						const covered = pathTo(upToId, rows);
						expect(late.filter((message) => covered.includes(message))).toEqual([]);
					}
					await expectTombstones(db, session.id, everSaid, everMade);
					const path = model.path(model.head);
					for (const [limit, offset] of [[2, 0], [3, 2], [Infinity, 0]] as const) {
						const newest = path.slice(Math.max(0, path.length - offset - limit), Math.max(0, path.length - offset));
						expect((await messages.newest(session.id, { limit, offset })).map(({ id }) => id)).toEqual(newest);
						const oldest = await messages.oldestStretch(session.id, { limit, offset });
						expect(oldest.path.map(({ id }) => id)).toEqual(path.slice(offset, offset + limit));
					}
					expect((await messages.all(session.id)).map(({ id }) => id).sort()).toEqual(model.living().sort());
				}
			}),
			{ numRuns: 20 }
		);
	}, 120_000);
});
