import { AppError } from '../shared/app-error';
import { FileChanges } from '../storage/file-changes';
import { addFiles, entriesBelow, readableFile, type FolderEntry } from '../storage/folder-files';
import { Folders, accessTo } from '../storage/folders';
import type { FileEntry, Files } from '../tools/ports';
import { toolsOfFolder } from '../tools/registry';
import { clock, db } from './environment';
import { openFolder } from './open-folder';
import { tools } from './tools';

const stored = new Folders(db);
const changes = new FileChanges(db);

/** Does what reads or changes files of a chat's folder for more than a moment, one after the other, in all tabs. */
function alone<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
	return navigator.locks.request(`folder:${sessionId}`, work) as Promise<T>;
}

const port: Files = {
	async list(path, most, { sessionId, signal }) {
		const { folder, directory } = await stored.directoryOf(sessionId);
		const { entries, isWhole } = await entriesBelow(directory, path, { most, signal });
		return { folder: folder.name, entries: entries.map(toFileEntry), isWhole };
	},
	async read(path, { sessionId }) {
		const { directory } = await stored.directoryOf(sessionId);
		return readableFile(directory, path);
	},
	openedId: async ({ sessionId }) => (await stored.directoryOf(sessionId)).folder.id,
	change: (path, next, { sessionId, signal, call, shown }) =>
		alone(sessionId, async () => {
			const opened = await stored.directoryOf(sessionId);
			if (shown && shown.folderId !== opened.folder.id) throw new AppError('folder-changed', 'Another folder was opened meanwhile. Nothing was done.');
			return changes.make(opened, { sessionId, path, next, ...(call && { call }), at: clock(), signal });
		})
};

function toFileEntry({ path, handle }: FolderEntry): FileEntry {
	return handle.kind === 'file' ? { path, content: () => (handle as FileSystemFileHandle).getFile() } : { path };
}

/** The folders of chats, and what was changed in them. Any tab may open and close one; changes are made one at a time. */
export const folders = {
	...port,
	accessTo,
	/** Opens a folder in a chat, its own where none is given, and switches the tools for files on there: before, since none is offered without a folder. What was allowed in another one is allowed no more. */
	async open(sessionId: string, handle?: FileSystemDirectoryHandle): Promise<void> {
		if (await stored.replaces(sessionId, handle)) await tools.allow(toolsOfFolder, false, sessionId);
		await tools.switch(toolsOfFolder, true, sessionId);
		await stored.open(sessionId, handle);
	},
	close: (sessionId: string) => stored.close(sessionId),
	/** Lists the changes of a chat that are made, the oldest first. */
	changes: (sessionId: string) => changes.list(sessionId),
	/** Finds out what became of changes that a page left when it went; nothing where the folder can't be read now. */
	async settle(sessionId: string): Promise<void> {
		const folder = await openFolder(sessionId);
		if (folder && (await accessTo(folder)) === 'granted') await alone(sessionId, async () => changes.settle(sessionId, await stored.directoryOf(sessionId)));
	},
	undo: (sessionId: string, id: string) => alone(sessionId, async () => changes.undo(sessionId, id, await stored.directoryOf(sessionId))),
	/** As `addFiles`. */
	add: (sessionId: string, files: readonly File[]) => alone(sessionId, async () => addFiles((await stored.directoryOf(sessionId)).directory, files)),
	/** Packs all files of a folder into a ZIP archive. */
	async download(sessionId: string): Promise<Blob> {
		const [{ packFiles }, { directory }] = await Promise.all([import('../transfer/pack-files'), stored.directoryOf(sessionId)]);
		const { entries, isWhole } = await entriesBelow(directory, '', { all: true, signal: AbortSignal.timeout(longestPacking) });
		if (!isWhole) throw new AppError('folder-large', 'The folder has too many files to be downloaded at once.');
		return packFiles(entries.flatMap(({ path, handle }) => (handle.kind === 'file' ? [{ path, content: () => (handle as FileSystemFileHandle).getFile() }] : [])));
	}
};

/** Milliseconds that listing a folder may take before it is packed. */
const longestPacking = 60_000;
