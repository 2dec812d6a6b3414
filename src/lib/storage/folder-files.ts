import { AppError } from '../shared/app-error';
import { isSeen, namesOf } from '../shared/folder-path';

/** Something in a folder, by its path there; a file where `handle` is one's. */
export interface FolderEntry {
	path: string;
	handle: FileSystemDirectoryHandle | FileSystemFileHandle;
}

/** The most things in a folder that are looked at. */
export const maxEntries = 20_000;

/** Folders of packages, which are named, and not gone through unless they are asked for: what others wrote, in its thousands. */
const passedOver = new Set(['node_modules']);

/**
 * Lists what is below a path, '' for all of the folder, the nearest first and each folder by name. `isWhole` is false where there is more than
 * `most`. What tools don't see is left out, and what is in folders of packages, unless `all`.
 */
export function entriesBelow(root: FileSystemDirectoryHandle, path: string, { most = maxEntries, all = false, signal }: { most?: number; all?: boolean; signal: AbortSignal }): Promise<{ entries: FolderEntry[]; isWhole: boolean }> {
	return explained(path, async () => {
		const names = path === '' ? [] : namesOf(path);
		let directory = root;
		for (const name of names) directory = await directory.getDirectoryHandle(name);
		const entries: FolderEntry[] = [];
		const queue = [{ path, directory }];
		for (const { path, directory } of queue) {
			const found: FolderEntry[] = [];
			for await (const handle of directory.values()) {
				signal.throwIfAborted();
				if (!isSeen(handle.name)) continue;
				if (found.length >= maxEntries) return { entries: [...entries, ...found].slice(0, most), isWhole: false };
				found.push({ path: path === '' ? handle.name : `${path}/${handle.name}`, handle: handle as FolderEntry['handle'] });
			}
			found.sort((a, b) => (a.path < b.path ? -1 : 1));
			entries.push(...found);
			if (entries.length > most) return { entries: entries.slice(0, most), isWhole: false };
			for (const { path, handle } of found) if (handle.kind === 'directory' && (all || !passedOver.has(handle.name))) queue.push({ path, directory: handle });
		}
		return { entries, isWhole: true };
	});
}

/** Returns a file of a folder; undefined where there is none. */
export function fileAt(root: FileSystemDirectoryHandle, path: string): Promise<FileSystemFileHandle | undefined> {
	return explained(path, async () => {
		const names = namesOf(path);
		try {
			let directory = root;
			for (const name of names.slice(0, -1)) directory = await directory.getDirectoryHandle(name);
			return await directory.getFileHandle(names.at(-1)!);
		} catch (error) {
			if (isNamed(error, 'NotFoundError')) return undefined;
			throw error;
		}
	});
}

/** Returns a file of a folder to be read; undefined where there is none. */
export function readableFile(root: FileSystemDirectoryHandle, path: string): Promise<File | undefined> {
	return explained(path, async () => (await fileAt(root, path))?.getFile());
}

/** Returns what a file says now, whatever becomes of it, unless it is larger than `most` bytes: then the file itself. Undefined where there is none. */
export function contentAt(root: FileSystemDirectoryHandle, path: string, most: number): Promise<Blob | undefined> {
	return explained(path, async () => {
		const file = await readableFile(root, path);
		return file && file.size <= most ? new Blob([await file.arrayBuffer()]) : file;
	});
}

/** Returns the topmost folder that is not there yet of those that a path leads through; undefined where all are. */
export function missingFolder(root: FileSystemDirectoryHandle, path: string): Promise<string | undefined> {
	return explained(path, async () => {
		const names = namesOf(path).slice(0, -1);
		let directory = root;
		for (const [at, name] of names.entries()) {
			try {
				directory = await directory.getDirectoryHandle(name);
			} catch (error) {
				if (isNamed(error, 'NotFoundError')) return names.slice(0, at + 1).join('/');
				throw error;
			}
		}
		return undefined;
	});
}

/**
 * Writes a file, with the folders that it is in. The file is as it was until all is written, and stays so where `isStill` says no in the end:
 * then it returns false.
 */
export function writeFile(root: FileSystemDirectoryHandle, path: string, content: Blob, isStill: () => Promise<boolean>): Promise<boolean> {
	return explained(path, async () => {
		const names = namesOf(path);
		let directory = root;
		for (const name of names.slice(0, -1)) directory = await directory.getDirectoryHandle(name, { create: true });
		const wasThere = (await fileAt(root, path)) !== undefined;
		const handle = await directory.getFileHandle(names.at(-1)!, { create: true });
		if (!('createWritable' in handle)) throw new AppError('folder-unwritable', 'This browser can’t write files here. Nothing was done.');
		let isDone = false;
		const writable = await handle.createWritable();
		try {
			await writable.write(content);
			if (await isStill()) {
				await writable.close();
				isDone = true;
			}
			return isDone;
		} finally {
			if (!isDone) {
				await writable.abort().catch(() => undefined);
				if (!wasThere && (await handle.getFile()).size === 0) await directory.removeEntry(handle.name);
			}
		}
	});
}

/**
 * Puts files into a folder, where none has their names but an empty one, as a page leaves that went meanwhile. All names are looked at before
 * anything is written: where one is unfit, or there already (AppError `file-exists`), none of the files comes.
 */
export async function addFiles(root: FileSystemDirectoryHandle, files: readonly File[]): Promise<void> {
	const isFree = async (name: string) => !(await readableFile(root, name))?.size;
	const names = new Set<string>();
	for (const { name } of files) {
		if (names.has(name)) throw new AppError('file-exists', `Two of the files are named “${name}”. Nothing was done.`);
		if (!(await isFree(name))) throw new AppError('file-exists', `There is a file “${name}” in the folder already. Nothing was done.`);
		names.add(name);
	}
	for (const file of files) {
		if (!(await writeFile(root, file.name, file, () => isFree(file.name)))) throw new AppError('file-exists', `There is a file “${file.name}” in the folder by now.`);
	}
}

/** Removes a file, and of the folders that it is in those from `made` on that are empty then. */
export function removeFile(root: FileSystemDirectoryHandle, path: string, made: string | undefined): Promise<void> {
	return explained(path, async () => {
		const names = namesOf(path);
		const above = [root];
		for (const name of names.slice(0, -1)) above.push(await above.at(-1)!.getDirectoryHandle(name));
		await above.at(-1)!.removeEntry(names.at(-1)!);
		const kept = made === undefined ? names.length - 1 : made.split('/').length - 1;
		try {
			for (let depth = names.length - 1; depth > kept; depth--) await above[depth - 1]!.removeEntry(names[depth - 1]!);
		} catch (error) {
			// Something else is in it.
			if (!isNamed(error, 'InvalidModificationError')) throw error;
		}
	});
}

/** Does something with files of a folder. What the browser refuses is an AppError, which a model reads. */
async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		const known = error instanceof DOMException || error instanceof TypeError ? reasons[error.name] : undefined;
		if (known === undefined) throw error;
		throw new AppError(known[0], known[1](path === '' ? 'The folder' : `“${path}”`), { cause: error });
	}
}

const reasons: Partial<Record<string, [code: string, sentence: (it: string) => string]>> = {
	NotFoundError: ['folder-entry-absent', (it) => `${it} is not there. List the files to see what is. Nothing was done.`],
	TypeMismatchError: ['folder-entry-kind', (it) => `${it} is not what was asked for: a folder stands where a file should, or a file where a folder should. Nothing was done.`],
	NotAllowedError: ['folder-refused', (it) => `${it} is kept from web pages by the browser. Nothing was done.`],
	SecurityError: ['folder-refused', (it) => `${it} is kept from web pages by the browser. Nothing was done.`],
	// A name that the platform can't have.
	TypeError: ['folder-name', (it) => `${it} has a name that this machine can’t have. Nothing was done.`],
	NoModificationAllowedError: ['file-busy', (it) => `${it} is in use by something else. Nothing was done.`],
	InvalidStateError: ['file-busy', (it) => `${it} changed while it was read. Try again.`],
	NotReadableError: ['file-unreadable', (it) => `${it} can’t be read. Nothing was done.`],
	QuotaExceededError: ['disk-full', (it) => `${it} was not written: there is no space left.`]
};

function isNamed(error: unknown, name: string): boolean {
	return error instanceof DOMException && error.name === name;
}
