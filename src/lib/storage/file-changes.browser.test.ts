import fc from 'fast-check';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { newId } from '../shared/id';
import { append } from './append';
import type { Database } from './database';
import { FileChanges, maxKept, type OpenedFolder } from './file-changes';
import { entriesBelow, fileAt, writeFile } from './folder-files';
import { Folders, accessTo } from './folders';
import { openFolderOf } from './open-folder';
import type { FileChange } from './tables/file-changes';
import { Trash } from './trash';

let db: Database;
let sessionId: string;
let changes: FileChanges;
let opened: OpenedFolder;
const signal = new AbortController().signal;

/** A folder of this test's own in the browser's storage. */
async function newDirectory(): Promise<FileSystemDirectoryHandle> {
	const root = await navigator.storage.getDirectory();
	const name = `test ${newId()}`;
	onTestFinished(() => root.removeEntry(name, { recursive: true }));
	return root.getDirectoryHandle(name, { create: true });
}

beforeEach(async () => {
	db = openDatabase();
	const session = newSession();
	await append(db, { session, messages: [newMessage('user', 'Hi')] });
	sessionId = session.id;
	changes = new FileChanges(db);
	opened = { folder: { id: 'a' }, directory: await newDirectory() };
});

const put = (path: string, content: BlobPart) => writeFile(opened.directory, path, new Blob([content]), () => Promise.resolve(true));
const make = (path: string, text: string) => changes.make(opened, { sessionId, path, next: () => Promise.resolve(text), at: 1, signal });
const lastOf = async (path: string) => (await changes.list(sessionId)).filter((change) => change.path === path && change.state === 'done').at(-1)!;

/** Reads all that is in the folder, in hexadecimal where it is a file. */
async function contents(): Promise<Record<string, string>> {
	const { entries } = await entriesBelow(opened.directory, '', { all: true, signal });
	const read = entries.map(async ({ path, handle }) => {
		const bytes = handle.kind === 'file' ? new Uint8Array(await (await (handle as FileSystemFileHandle).getFile()).arrayBuffer()) : undefined;
		return [path, bytes ? [...bytes].map((byte) => byte.toString(16)).join(' ') : 'folder'] as const;
	});
	return Object.fromEntries(await Promise.all(read));
}

const filesOf = (contents: Record<string, string>) => Object.fromEntries(Object.entries(contents).filter(([, content]) => content !== 'folder'));

describe('[R3] FileChanges', () => {
	it('keep what a file was, name the file in its chat, and take the change back', async () => {
		await put('fruit.md', 'Pears');
		const before = await contents();
		expect(await make('fruit.md', 'Plüms')).toBe(6);
		expect(await changes.list(sessionId)).toMatchObject([{ path: 'fruit.md', state: 'done' }]);
		expect((await db.sessions.get(sessionId))!.filesTouched).toEqual(['fruit.md']);
		await changes.undo(sessionId, (await lastOf('fruit.md')).id, opened);
		expect(await contents()).toEqual(before);
		expect(await changes.list(sessionId)).toMatchObject([{ state: 'undone' }]);
	});

	it('remove a file that was new, with the folders that were made for it and are empty', async () => {
		await put('a/there.md', 'x');
		const before = await contents();
		await make('a/b/c/new.md', 'x');
		await changes.undo(sessionId, (await lastOf('a/b/c/new.md')).id, opened);
		expect(await contents()).toEqual(before);
		await make('a/b/c/new.md', 'x');
		await put('a/b/mine.md', 'x');
		await changes.undo(sessionId, (await lastOf('a/b/c/new.md')).id, opened);
		expect(await contents()).toEqual({ ...before, 'a/b': 'folder', 'a/b/mine.md': '78' });
	});

	it('restore every byte, whatever was changed in whatever order', { timeout: 120_000 }, async () => {
		const path = fc.constantFrom('a', 'b/c', 'b/d/e');
		const text = fc.string({ unit: 'grapheme', maxLength: 8 });
		await fc.assert(
			fc.asyncProperty(fc.dictionary(path, fc.uint8Array({ maxLength: 8 }), { noNullPrototype: true }), fc.array(fc.tuple(path, text), { maxLength: 8 }), fc.boolean(), fc.infiniteStream(fc.nat()), async (files, wanted, isNewestFirst, picks) => {
				opened = { folder: { id: newId() }, directory: await newDirectory() };
				for (const [path, bytes] of Object.entries(files)) await put(path, new Uint8Array(bytes));
				const before = await contents();
				for (const [path, text] of wanted) await make(path, text);
				const made = (await changes.list(sessionId)).filter(({ folderId, state }) => folderId === opened.folder.id && state === 'done');
				expect(made).toHaveLength(wanted.length);
				// In any order: what can't be undone yet is refused, and left for later.
				for (let left = made; left.length > 0; ) {
					const { id, path } = isNewestFirst ? left.at(-1)! : left[picks.next().value! % left.length]!;
					const isLast = left.findLast((other) => other.path === path)!.id === id;
					const undone = changes.undo(sessionId, id, opened);
					await (isLast ? undone : expect(undone).rejects.toMatchObject({ code: 'undo-changed' }));
					if (isLast) left = left.filter((other) => other.id !== id);
				}
				const now = await contents();
				// In another order a folder that was made for one of them stays where another's file was in it by then.
				if (isNewestFirst) expect(now).toEqual(before);
				else expect(filesOf(now)).toEqual(filesOf(before));
			}),
			{ numRuns: 30 }
		);
	});

	it('are taken back in the order in which they can be, also where a later one put back what had been there', async () => {
		await put('fruit.md', 'Pears');
		const before = await contents();
		await make('fruit.md', 'Plums');
		const first = (await lastOf('fruit.md')).id;
		await make('fruit.md', 'Pears');
		const second = (await lastOf('fruit.md')).id;
		await expect(changes.undo(sessionId, first, opened)).rejects.toMatchObject({ code: 'undo-changed' });
		expect(await changes.list(sessionId)).toMatchObject([{ state: 'done' }, { state: 'done' }]);
		await changes.undo(sessionId, second, opened);
		await changes.undo(sessionId, first, opened);
		expect(await contents()).toEqual(before);
	});

	it('are of one file where some disks take two spellings of its path for the same', async () => {
		await put('Café.md', 'Pears');
		await make('Café.md', 'Plums');
		const { id } = await lastOf('Café.md');
		await make('CAFE\u0301.md', 'Pears');
		await expect(changes.undo(sessionId, id, opened)).rejects.toMatchObject({ code: 'undo-changed' });
	});

	it('leave alone what is no longer as the change left it', async () => {
		await put('fruit.md', 'Pears');
		await make('fruit.md', 'Plums');
		const { id } = await lastOf('fruit.md');
		for (const mine of ['Mine', '']) {
			await put('fruit.md', mine);
			await expect(changes.undo(sessionId, id, opened)).rejects.toMatchObject({ code: 'undo-changed' });
			expect(await (await (await fileAt(opened.directory, 'fruit.md'))!.getFile()).text()).toBe(mine);
		}
		await opened.directory.removeEntry('fruit.md');
		await expect(changes.undo(sessionId, id, opened)).rejects.toMatchObject({ code: 'undo-changed' });
		await expect(changes.undo(sessionId, id, { ...opened, folder: { id: 'another' } })).rejects.toMatchObject({ code: 'undo-late' });
		expect(await contents()).toEqual({});
	});

	it('say nothing wrong after a crash: what had begun counts unless the file is as it was', async () => {
		await put('fruit.md', 'Pears');
		await make('fruit.md', 'Plums');
		await make('new.md', 'Figs');
		await put('fruit.md', 'Pears');
		await opened.directory.removeEntry('new.md');
		const begin = async () => db.fileChanges.bulkPut((await changes.list(sessionId)).map((change) => ({ ...change, state: 'begun' })));
		await begin();
		expect(await changes.list(sessionId)).toEqual([]);
		await changes.settle(sessionId, opened);
		expect(await db.fileChanges.count()).toBe(0);

		await make('fruit.md', 'Plums');
		const [second] = await changes.list(sessionId);
		await begin();
		await changes.settle(sessionId, opened);
		expect(await changes.list(sessionId)).toMatchObject([{ id: second!.id, state: 'done' }]);
		// Nor is what it was forgotten where it was changed since.
		await begin();
		await put('fruit.md', 'Mine');
		await changes.settle(sessionId, opened);
		const [kept] = await changes.list(sessionId);
		expect([kept!.state, await kept!.before!.text()]).toEqual(['done', 'Pears']);
		// It was undone, which was not written down.
		await put('fruit.md', 'Plums');
		await changes.undo(sessionId, second!.id, opened);
		expect(await changes.list(sessionId)).toMatchObject([{ id: second!.id, state: 'undone' }]);
	});

	it('change nothing where that is stopped, refused, or something else changes the file meanwhile', async () => {
		await put('fruit.md', 'Pears');
		const before = await contents();
		const stop = new AbortController();
		const next = () => (stop.abort(), Promise.resolve('x'));
		await expect(changes.make(opened, { sessionId, path: 'fruit.md', next, at: 1, signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' });
		await expect(changes.make(opened, { sessionId: 'gone', path: 'fruit.md', next: () => Promise.resolve('x'), at: 1, signal })).rejects.toMatchObject({ code: 'session-absent' });
		await expect(make('fruit.md/x', 'x')).rejects.toMatchObject({ code: 'folder-entry-kind' });
		expect(await writeFile(opened.directory, 'fruit.md', new Blob(['x']), () => Promise.resolve(false))).toBe(false);
		expect(await writeFile(opened.directory, 'new/x.md', new Blob(['x']), () => Promise.resolve(false))).toBe(false);
		expect(await contents()).toEqual({ ...before, new: 'folder' });
		const meanwhile = () => put('fruit.md', 'Mine').then(() => 'x');
		await expect(changes.make(opened, { sessionId, path: 'fruit.md', next: meanwhile, at: 1, signal })).rejects.toMatchObject({ code: 'file-changed' });
		expect(await (await (await fileAt(opened.directory, 'fruit.md'))!.getFile()).text()).toBe('Mine');
		expect(await db.fileChanges.count()).toBe(0);
	});

	it('tell that a file was changed also where there is no room left to write that down, which is done later', async () => {
		await put('fruit.md', 'Pears');
		const full = vi.spyOn(db.sessions, 'put').mockRejectedValueOnce(new DOMException('Full.', 'QuotaExceededError'));
		onTestFinished(() => full.mockRestore());
		expect(await make('fruit.md', 'Plums')).toBe(5);
		expect(full).toHaveBeenCalledOnce();
		expect(await db.fileChanges.toArray()).toMatchObject([{ state: 'begun' }]);
		await changes.settle(sessionId, opened);
		await changes.undo(sessionId, (await lastOf('fruit.md')).id, opened);
		expect(await (await (await fileAt(opened.directory, 'fruit.md'))!.getFile()).text()).toBe('Pears');
	});

	it('keep no more than so many of a chat, the newest', async () => {
		const row: FileChange = { id: '', sessionId, folderId: 'a', path: 'x', after: '', at: 0, state: 'done' };
		await db.fileChanges.bulkPut(Array.from({ length: maxKept }, (_, at) => ({ ...row, id: `r${at}`, at })));
		await changes.make(opened, { sessionId, path: 'x', next: () => Promise.resolve('x'), at: maxKept, signal });
		expect(await db.fileChanges.count()).toBe(maxKept);
		expect(await db.fileChanges.get('r0')).toBeUndefined();
	});
});

describe('[R3] entriesBelow', () => {
	it('goes through a folder, the nearest first, and leaves out what tools do not see', async () => {
		for (const path of ['b/x', 'a', 'b/c/y', 'node_modules/z/index.js', 'B']) await put(path, '');
		const git = await opened.directory.getDirectoryHandle('.git', { create: true });
		await git.getFileHandle('config', { create: true });
		const paths = async (path = '', more = {}) => (await entriesBelow(opened.directory, path, { signal, ...more })).entries.map(({ path }) => path);
		expect(await paths()).toEqual(['B', 'a', 'b', 'node_modules', 'b/c', 'b/x', 'b/c/y']);
		expect(await paths('node_modules')).toEqual(['node_modules/z', 'node_modules/z/index.js']);
		expect(await paths('', { all: true })).toContain('node_modules/z/index.js');
		expect(await entriesBelow(opened.directory, '', { most: 2, signal })).toMatchObject({ entries: { length: 2 }, isWhole: false });
		for (const path of ['..', '.git', '/', 'none', 'a']) await expect(paths(path)).rejects.toMatchObject({ name: 'AppError' });
		await expect(paths('', { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
	});
});

describe('[R3] Folders', () => {
	it('belong to a chat, are closed and opened, and have the way to their files', async () => {
		const root = await newDirectory();
		const folders = new Folders(db, () => Promise.resolve(root));
		await expect(folders.directoryOf(sessionId)).rejects.toMatchObject({ code: 'folder-absent' });
		const { id } = await folders.open(sessionId, opened.directory);
		expect(await (await folders.directoryOf(sessionId)).directory.isSameEntry(opened.directory)).toBe(true);
		await make('fruit.md', 'Pears');
		await folders.close(sessionId);
		expect(await openFolderOf(db, sessionId)).toBeUndefined();
		await expect(folders.directoryOf(sessionId)).rejects.toMatchObject({ code: 'folder-absent' });
		// The same one again, and its changes are still there; not with another.
		expect((await folders.open(sessionId, opened.directory)).id).toBe(id);
		expect(await db.fileChanges.count()).toBe(1);
		expect((await folders.open(sessionId)).id).not.toBe(id);
		expect(await db.fileChanges.count()).toBe(0);
		await expect(folders.open('gone')).rejects.toMatchObject({ code: 'session-absent' });
	});

	it('go with their chat, and so do the files of its own', async () => {
		const root = await newDirectory();
		const folders = new Folders(db, () => Promise.resolve(root));
		await folders.sweep();
		await folders.open(sessionId);
		opened = await folders.directoryOf(sessionId);
		await put('fruit.md', 'Pears');
		await make('fruit.md', 'Plums');
		await folders.close(sessionId);
		await folders.sweep();
		expect(await contents()).toHaveProperty('fruit.md');
		const trash = new Trash(db);
		await trash.deleteSessionsUnfenced([sessionId], 1, 1);
		await trash.purgeUnfenced(10);
		expect([await db.folders.count(), await db.fileChanges.count()]).toEqual([0, 0]);
		await folders.sweep();
		const own = await root.getDirectoryHandle('folders');
		for await (const name of own.keys()) expect.unreachable(name);
	});

	it('[P2] stay where the browser has emptied the database: no backup has these files', async () => {
		const root = await newDirectory();
		const folders = new Folders(db, () => Promise.resolve(root));
		await folders.open(sessionId);
		opened = await folders.directoryOf(sessionId);
		await put('fruit.md', 'Pears');
		await Promise.all([db.sessions.clear(), db.folders.clear()]);
		await folders.sweep();
		expect(await contents()).toHaveProperty('fruit.md');
	});

	it('keep the files of one that is opened while those of chats that are gone are removed', async () => {
		const root = await newDirectory();
		const folders = new Folders(db, () => Promise.resolve(root));
		const own = await root.getDirectoryHandle('folders', { create: true });
		const keys = async function* () {
			await folders.open(sessionId);
			opened = await folders.directoryOf(sessionId);
			await put('fruit.md', 'Pears');
			yield* own.keys();
		};
		const slow = { keys, removeEntry: (name: string, options: FileSystemRemoveOptions) => own.removeEntry(name, options) };
		await new Folders(db, () => Promise.resolve({ getDirectoryHandle: () => Promise.resolve(slow) } as unknown as FileSystemDirectoryHandle)).sweep();
		expect(await contents()).toHaveProperty('fruit.md');
	});

	it('ask the browser for leave where it wants the user to say so again', async () => {
		const handle = { queryPermission: () => Promise.resolve('prompt'), requestPermission: () => Promise.resolve('granted') } as unknown as FileSystemDirectoryHandle;
		expect(await accessTo({ handle })).toBe('prompt');
		expect(await accessTo({ handle }, { ask: true })).toBe('granted');
		expect(await accessTo({})).toBe('granted');
	});
});
