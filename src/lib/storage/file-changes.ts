import { AppError } from '../shared/app-error';
import { newId } from '../shared/id';
import { sha256Of } from '../shared/sha256';
import type { Database } from './database';
import { contentAt, missingFolder, removeFile, writeFile } from './folder-files';
import { rowsOfSession } from './session-rows';
import { inBackground } from './storage-failure';
import type { FileChange } from './tables/file-changes';

/** A folder's way to its files, and its id. */
export interface OpenedFolder {
	folder: { id: string };
	directory: FileSystemDirectoryHandle;
}

/** A change that is to be made: `next` makes the file's text of what is there, undefined where nothing is, or throws an AppError. */
export interface WantedChange {
	sessionId: string;
	path: string;
	next: (before: Blob | undefined) => Promise<string>;
	call?: { answerId: string; toolCallId: string };
	at: number;
	signal: AbortSignal;
}

/** Returns the name that a change gives to the call which made it. */
export function nameOfCall({ answerId, toolCallId }: NonNullable<WantedChange['call']>): string {
	return `${answerId}/${toolCallId}`;
}

/** The most changes of a chat that can be undone, and the most files that its row names. */
export const [maxKept, maxTouched] = [1000, 1000];

/** The largest file that is changed, in bytes. */
const maxBytes = 10_000_000;

/**
 * Changes of files in the folders of chats. What a file was is kept before it is changed, and the change counts as made once the file has it; a
 * crash in between leaves either. Whoever calls sees to it that one change of a chat is made at a time.
 */
export class FileChanges {
	constructor(private readonly db: Database) {}

	/** Lists what was changed in a chat, the oldest first; what had only begun is left out. */
	async list(sessionId: string): Promise<FileChange[]> {
		const rows = (await rowsOfSession(this.db, 'fileChanges', sessionId).toArray()) as FileChange[];
		return rows.filter(({ state }) => state !== 'begun');
	}

	/** Makes a change and returns the number of its bytes. Throws an AppError where it can't be made, and the signal's reason; then the file is as it was. */
	async make(opened: OpenedFolder, { sessionId, path, next, call, at, signal }: WantedChange): Promise<number> {
		await this.settle(sessionId, opened);
		const before = await contentOf(opened.directory, path);
		if (before && before.size > maxBytes) throw new AppError('file-too-large', `“${path}” is too large to be changed. Nothing was done.`);
		const after = new Blob([await next(before)]);
		const made = await missingFolder(opened.directory, path);
		const was = before && (await digestOf(before));
		const change: FileChange = {
			id: newId(),
			sessionId,
			folderId: opened.folder.id,
			path,
			...(before && { before }),
			after: await digestOf(after),
			...(made !== undefined && { made }),
			...(call && { call: nameOfCall(call) }),
			at,
			state: 'begun'
		};
		signal.throwIfAborted();
		await this.keep(change);
		const isStill = async () => !signal.aborted && (await isAt(opened.directory, path, was));
		if (!(await writeFile(opened.directory, path, after, isStill))) {
			await this.db.fileChanges.delete(change.id);
			signal.throwIfAborted();
			throw fileChanged(path);
		}
		// The file has it. Where the store refuses to write that down, as when it is full by now, `settle` does.
		await inBackground(() => this.done(change));
		return after.size;
	}

	/** Takes a change back. Throws an AppError (`undo-…`) where the file is not what the change left, or was changed in the chat since, and leaves it then. */
	async undo(sessionId: string, id: string, opened: OpenedFolder): Promise<void> {
		await this.settle(sessionId, opened);
		const change = await this.db.fileChanges.get(id);
		if (change?.sessionId !== sessionId || change.folderId !== opened.folder.id) throw new AppError('undo-late', 'This change can no longer be undone.');
		if (change.state === 'undone') return;
		const { directory } = opened;
		const { path, before, after, made } = change;
		// What came later may have put back what was there before, or what this one had left: the order of the two would be lost.
		if (await this.isChangedSince(change)) throw changedSince(path);
		const now = await contentOf(directory, path);
		const [is, was] = [now && (await digestOf(now)), before && (await digestOf(before))];
		// It was undone before a crash, or by hand.
		if (is !== was) {
			if (is !== after) throw changedSince(path);
			if (!before) await removeFile(directory, path, made);
			else if (!(await writeFile(directory, path, before, () => isAt(directory, path, after)))) throw new AppError('undo-changed', `“${path}” was changed just now, so this was not undone.`);
		}
		await this.db.fileChanges.put({ ...change, state: 'undone' });
	}

	/** Finds out what became of changes that had begun when the page went. Only one that was never made is forgotten: what the file was is in no other place. */
	async settle(sessionId: string, { folder, directory }: OpenedFolder): Promise<void> {
		const rows = (await rowsOfSession(this.db, 'fileChanges', sessionId).toArray()) as FileChange[];
		for (const change of rows.filter(({ state, folderId }) => state === 'begun' && folderId === folder.id)) {
			const was = change.before && (await digestOf(change.before));
			if (await isAt(directory, change.path, was)) await this.db.fileChanges.delete(change.id);
			else await this.done(change);
		}
	}

	/** Tells whether a later change of the same file stands, or of one that some disks take for the same. */
	private async isChangedSince({ id, sessionId, folderId, path }: FileChange): Promise<boolean> {
		const rows = (await rowsOfSession(this.db, 'fileChanges', sessionId).toArray()) as FileChange[];
		return rows.some((other) => other.id > id && other.folderId === folderId && spelling(other.path) === spelling(path) && other.state === 'done');
	}

	/** Keeps what a file was, and lets go of the oldest. */
	private async keep(change: FileChange): Promise<void> {
		const { fileChanges, sessions } = this.db;
		await this.db.transaction('rw', fileChanges, sessions, async () => {
			if (!(await sessions.get(change.sessionId))) throw new AppError('session-absent', 'This chat was deleted, so nothing was changed.');
			const keys = await rowsOfSession(this.db, 'fileChanges', change.sessionId).primaryKeys();
			await fileChanges.bulkDelete(keys.slice(0, Math.max(0, keys.length + 1 - maxKept)) as string[]);
			await fileChanges.put(change);
		});
	}

	/** Writes down that a change is made. */
	private async done(change: FileChange): Promise<void> {
		const { fileChanges, sessions } = this.db;
		await this.db.transaction('rw', fileChanges, sessions, async () => {
			await fileChanges.put({ ...change, state: 'done' });
			const session = await sessions.get(change.sessionId);
			if (!session || session.filesTouched.includes(change.path) || session.filesTouched.length >= maxTouched) return;
			await sessions.put({ ...session, filesTouched: [...session.filesTouched, change.path] });
		});
	}
}

const spelling = (path: string) => path.normalize('NFC').toLowerCase();

function changedSince(path: string): AppError {
	return new AppError('undo-changed', `“${path}” was changed since, so this was not undone. Undo what came later first.`);
}

const contentOf = (directory: FileSystemDirectoryHandle, path: string) => contentAt(directory, path, maxBytes);

/** Returns the digest of a file's content; '' of one that is too large to have been changed here. */
async function digestOf(content: Blob): Promise<string> {
	return content.size > maxBytes ? '' : sha256Of(await content.arrayBuffer());
}

/** Tells whether a file has the content with this digest; of one that was not there, whether it is still not there, or about to be written. */
async function isAt(directory: FileSystemDirectoryHandle, path: string, was: string | undefined): Promise<boolean> {
	const now = await contentOf(directory, path);
	return was === undefined ? !now || now.size === 0 : now !== undefined && (await digestOf(now)) === was;
}

/** The refusal to change a file that is another by now. */
export function fileChanged(path: string): AppError {
	return new AppError('file-changed', `“${path}” was changed by something else meanwhile. Read it again. Nothing was changed.`);
}
