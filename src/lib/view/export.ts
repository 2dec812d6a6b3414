import { conversations } from '../app/conversations';
import { exportFormats, type ExportId } from '../transfer/exports/registry';
import { notify, reportFailure } from './notices.svelte';
import { saveFile } from './save-file';

/** Saves a session as `session-<uuid>.<extension>` among the downloads [A13]. */
export function downloadExport(sessionId: string, format: ExportId): Promise<void> {
	return reportFailure(async () => {
		const file = await conversations.exportSession(sessionId, format);
		saveFile(file, file.name);
	});
}

/** Puts a session on the clipboard, as the same text [A13]. */
export function copyExport(sessionId: string, format: ExportId): Promise<void> {
	return reportFailure(async () => {
		const file = await conversations.exportSession(sessionId, format);
		await copy(await file.text(), `Copied as ${exportFormats.find(({ id }) => id === format)!.label}.`);
	});
}

/** Puts the address of a session on the clipboard [A2]. `path` is the one that a page links to, from the root on. */
export async function copyLink(path: string): Promise<void> {
	await copy(location.origin + path, 'Link copied. It opens in this browser, where the chat is.');
}

/** Puts `text` on the clipboard and says `done`, or what to do where the browser refuses. */
export async function copy(text: string, done: string): Promise<void> {
	try {
		await navigator.clipboard.writeText(text);
		notify({ text: done, milliseconds: 4000 });
	} catch {
		notify({ text: 'The browser did not allow copying. Allow clipboard access for this page, then try again.', milliseconds: 8000 });
	}
}
