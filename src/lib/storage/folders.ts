import { AppError } from '../shared/app-error';
import { newId } from '../shared/id';
import type { Database } from './database';
import { openFolderOf } from './open-folder';
import { rowsOfSession } from './session-rows';
import type { Folder } from './tables/folders';

/** Permission for a folder: `prompt` where the browser wants the user to say so again. */
export type FolderPermission = 'granted' | 'prompt' | 'denied';

/** As browsers that can open folders have it. */
type Permitted = FileSystemDirectoryHandle & Partial<Record<'queryPermission' | 'requestPermission', (wish: { mode: 'readwrite' }) => Promise<FolderPermission>>>;

/** The folders of chats. Those of their own are in OPFS: `folders/<session id>`. */
export class Folders {
	constructor(
		private readonly db: Database,
		private readonly root = () => navigator.storage.getDirectory()
	) {}

	/** Opens a folder in a chat: one that was picked, or its own. What was changed in another one can't be undone any more. */
	async open(sessionId: string, handle?: FileSystemDirectoryHandle): Promise<Folder> {
		const { db } = this;
		const before = await db.folders.get(sessionId);
		const isSame = before && (await isOf(before, handle));
		const row: Folder = {
			sessionId,
			id: isSame ? before.id : newId(),
			...(handle ? { kind: 'picked', name: handle.name, handle } : { kind: 'own', name: 'Snug’s folder' })
		};
		await db.transaction('rw', db.folders, db.fileChanges, db.sessions, async () => {
			if (!(await db.sessions.get(sessionId))) throw new AppError('session-absent', 'This chat was deleted, so no folder was opened.');
			if (!isSame) await rowsOfSession(db, 'fileChanges', sessionId).delete();
			await db.folders.put(row);
		});
		return row;
	}

	/** Tells whether a chat has had another folder than this one, which takes its place. */
	async replaces(sessionId: string, handle?: FileSystemDirectoryHandle): Promise<boolean> {
		const before = await this.db.folders.get(sessionId);
		return before !== undefined && !(await isOf(before, handle));
	}

	/** Closes the folder of a chat. Its files stay, also those of its own. */
	async close(sessionId: string): Promise<void> {
		await this.db.folders.where('sessionId').equals(sessionId).modify({ closed: true });
	}

	/** Returns the way to the files of a chat's folder. Throws an AppError, which a model reads, where none is open, or the user has to allow it again. */
	async directoryOf(sessionId: string): Promise<{ folder: Folder; directory: FileSystemDirectoryHandle }> {
		const folder = await openFolderOf(this.db, sessionId);
		if (!folder) throw new AppError('folder-absent', 'No folder is open in this chat. It can be opened from the chat’s menu.');
		if ((await accessTo(folder)) !== 'granted') {
			throw new AppError('folder-locked', `The folder “${folder.name}” has to be allowed again, by the button above the message field. Nothing was done.`);
		}
		return { folder, directory: folder.handle ?? (await (await this.own({ create: true })).getDirectoryHandle(sessionId, { create: true })) };
	}

	/**
	 * Removes the own folders of chats that are gone for good. One whose chat is not known stays: where the browser has emptied the database, a
	 * backup brings the chat back, and these files are in none.
	 */
	async sweep(): Promise<void> {
		const own = await this.ownIfThere();
		if (!own) return;
		const names: string[] = [];
		for await (const name of own.keys()) names.push(name);
		const deletions = await this.db.deletions.bulkGet(names);
		for (const [index, name] of names.entries()) if (deletions[index]?.kind === 'session') await own.removeEntry(name, { recursive: true });
	}

	/** Returns the ids of the chats whose own folder has anything in it. */
	async sessionsWithFiles(): Promise<string[]> {
		const ids: string[] = [];
		for await (const folder of (await this.ownIfThere())?.values() ?? []) {
			if (folder.kind === 'directory' && (await hasFiles(folder as FileSystemDirectoryHandle))) ids.push(folder.name);
		}
		return ids;
	}

	/** Returns what has the own folders; undefined where no chat ever had one, or the browser lets nothing be kept. */
	private ownIfThere(): Promise<FileSystemDirectoryHandle | undefined> {
		return this.own().catch((error: unknown) => {
			if (error instanceof DOMException && (error.name === 'NotFoundError' || error.name === 'SecurityError')) return undefined;
			throw error;
		});
	}

	private async own(options?: FileSystemGetDirectoryOptions): Promise<FileSystemDirectoryHandle> {
		return (await this.root()).getDirectoryHandle('folders', options);
	}
}

/** Tells whether a folder may be used now; `ask` has the browser ask the user, which it does only at a press of theirs. */
export async function accessTo({ handle }: Pick<Folder, 'handle'>, { ask = false } = {}): Promise<FolderPermission> {
	const permitted = handle as Permitted | undefined;
	const wish = { mode: 'readwrite' } as const;
	// The browser's own storage asks nobody.
	return (await (ask ? permitted?.requestPermission?.(wish) : permitted?.queryPermission?.(wish))) ?? 'granted';
}

/** Tells whether a row is of this folder, a chat's own where none is given. */
async function isOf({ kind, handle: before }: Folder, handle: FileSystemDirectoryHandle | undefined): Promise<boolean> {
	return before && handle ? handle.isSameEntry(before) : kind === 'own' && !handle;
}

/** Tells whether anything is in a folder, which another tab may just have removed. */
async function hasFiles(folder: FileSystemDirectoryHandle): Promise<boolean> {
	try {
		return !(await folder.keys().next()).done;
	} catch (error) {
		if (error instanceof DOMException && error.name === 'NotFoundError') return false;
		throw error;
	}
}
