import { expect, it } from 'vitest';
import { newId } from '../shared/id';
import { addFiles } from './folder-files';

async function folder() {
	return (await navigator.storage.getDirectory()).getDirectoryHandle(newId(), { create: true });
}

async function textsIn(root: FileSystemDirectoryHandle): Promise<Record<string, string>> {
	const texts: Record<string, string> = {};
	for await (const [name, handle] of root.entries()) texts[name] = handle.kind === 'file' ? await (await (handle as FileSystemFileHandle).getFile()).text() : 'a folder';
	return texts;
}

const named = (name: string, text = `text of ${name}`) => new File([text], name);

it('adds files, also where an empty one of that name was left', async () => {
	const root = await folder();
	await root.getFileHandle('b.txt', { create: true });
	await addFiles(root, [named('a.txt'), named('b.txt')]);
	expect(await textsIn(root)).toEqual({ 'a.txt': 'text of a.txt', 'b.txt': 'text of b.txt' });
});

it.each([
	['is taken', 'taken.txt', 'file-exists'],
	['comes twice', 'first.txt', 'file-exists'],
	['is that of a folder', 'folder', 'folder-entry-kind'],
	['is unfit', '.git', 'path-unfit']
])('adds none of several files where the name of one %s', async (_, name, code) => {
	const root = await folder();
	await addFiles(root, [named('taken.txt', 'old')]);
	await root.getDirectoryHandle('folder', { create: true });
	await expect(addFiles(root, [named('first.txt'), named(name)])).rejects.toMatchObject({ code, message: expect.stringMatching(/Nothing was done\.$/) as string });
	expect(await textsIn(root)).toEqual({ 'taken.txt': 'old', folder: 'a folder' });
});
