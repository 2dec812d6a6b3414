// The folder of a chat. The browser's own picker can't be driven: a folder of its storage stands for the one that is picked.
import { expect, type Locator, type Page } from '@playwright/test';
import { inSessionMenu } from './chat';

/** What files say, by their paths. */
export type Contents = Record<string, string>;

export const folderDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Folder of this chat' });

/** Has the picker give the folder “picked” of the browser's storage, in each page that is opened from now on. */
export async function standInFor(page: Page): Promise<void> {
	await page.addInitScript(() => {
		Object.assign(window, { showDirectoryPicker: async () => (await navigator.storage.getDirectory()).getDirectoryHandle('picked', { create: true }) });
	});
}

/** Opens that folder in the chat that is shown. */
export async function openFolder(page: Page): Promise<void> {
	await inSessionMenu(page, 'Folder…');
	await folderDialog(page).getByRole('button', { name: 'Open a folder…' }).click();
	await expect(folderDialog(page)).toContainText('picked is open');
	await expect(folderDialog(page).getByRole('button', { name: 'Open another folder…' })).toBeFocused();
	await page.keyboard.press('Escape');
}

/** Writes files into a folder of the browser's storage. */
export async function writeFolder(page: Page, files: Contents, folder = 'picked'): Promise<void> {
	await page.evaluate(
		async ([folder, files]) => {
			const root = await (await navigator.storage.getDirectory()).getDirectoryHandle(folder, { create: true });
			for (const [path, text] of Object.entries(files)) {
				const names = path.split('/');
				let directory = root;
				for (const name of names.slice(0, -1)) directory = await directory.getDirectoryHandle(name, { create: true });
				const writable = await (await directory.getFileHandle(names.at(-1)!, { create: true })).createWritable();
				await writable.write(text);
				await writable.close();
			}
		},
		[folder, files] as const
	);
}

/** Reads all files of a folder of the browser's storage; folders that are empty stand there with a slash. */
export function readFolder(page: Page, folder = 'picked'): Promise<Contents> {
	return page.evaluate(async (folder) => {
		const contents: Record<string, string> = {};
		async function visit(directory: FileSystemDirectoryHandle, prefix: string): Promise<void> {
			let isEmpty = true;
			for await (const handle of directory.values()) {
				isEmpty = false;
				if (handle.kind === 'directory') await visit(handle as FileSystemDirectoryHandle, `${prefix}${handle.name}/`);
				else contents[prefix + handle.name] = await (await (handle as FileSystemFileHandle).getFile()).text();
			}
			if (isEmpty && prefix !== '') contents[prefix] = '';
		}
		await visit(await (await navigator.storage.getDirectory()).getDirectoryHandle(folder, { create: true }), '');
		return contents;
	}, folder);
}
