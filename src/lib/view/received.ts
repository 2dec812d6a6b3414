import { goto } from '$app/navigation';
import { base, resolve } from '$app/paths';
import { isLongPaste } from '../conversation/attachment-limits';
import { formatBytes } from '../shared/bytes';
import { isInstalled } from '../shared/installed';
import { plainFileName } from '../shared/file-name';
import { shorten } from '../shared/shorten';
import { startOf } from '../shared/start-of';
import { attachingFor } from './attachments.svelte';
import { newChat } from './composer.svelte';
import { notify, reportFailure } from './notices.svelte';

/** The longest text that is taken of what is shared, and the longest title or address, in UTF-16 units. */
const maxText = 1_000_000;
const maxLine = 2000;

/**
 * Puts what another app shared, which the service worker keeps under this name, into the new chat's composer, and forgets it. It may come from any
 * page: it is limited, and nothing is sent or imported by it.
 */
export function takeShared(name: string): Promise<void> {
	return reportFailure(async () => {
		if (name === 'too-large') return void notify({ text: 'What you shared is too large. Snug takes up to 64 MB at once.', milliseconds: 8000 });
		const address = `${base}/share/${encodeURIComponent(name)}`;
		const cache = await caches.open('shared');
		const kept = await cache.match(address);
		if (!kept) return;
		await cache.delete(address);
		const form = await kept.formData().catch(() => undefined);
		if (!form) return void notify({ text: 'What you shared can’t be read.', milliseconds: 8000 });
		const said = (field: string, max: number) => {
			const value = form.get(field);
			return typeof value === 'string' ? startOf(value, max).trim() : '';
		};
		const [title, text, url] = [said('title', maxLine), said('text', maxText), said('url', maxLine)];
		const all = [text.includes(title) ? '' : title, text, text.includes(url) ? '' : url].filter(Boolean).join('\n');
		const files = form.getAll('files').filter((value) => value instanceof File);
		const use = () => {
			if (isLongPaste(all)) files.unshift(new File([all], 'Shared text.txt', { type: 'text/plain' }));
			else if (all) newChat.putBack(all);
			return openFiles(files);
		};
		// The system shares with the installed app only: in a tab it is a page that does.
		if (isInstalled) return use();
		notify({ text: 'Another page shared something with Snug.', action: { label: 'Use it', run: () => reportFailure(use) } });
	});
}

/** Does with files what their kind is for, after asking where it is more than to attach them to a new chat. */
export async function openFiles(files: File[]): Promise<void> {
	const [models, backups, others] = [[] as File[], [] as File[], [] as File[]];
	for (const file of files) (/\.gguf$/i.test(file.name) ? models : /\.(jsonl|gz)$/i.test(file.name) ? backups : others).push(file);
	if (others.length > 0) {
		await goto(resolve('/'));
		void attachingFor(newChat).add(others);
	}
	const [model] = models;
	if (model) {
		const { importModel } = await import('./choices');
		const text = `Import “${shownName(model)}” (${formatBytes(model.size)}) as a model on this device?`;
		notify({ text, action: { label: 'Import', run: () => reportFailure(() => importModel(model)) } });
	}
	const [backup] = backups;
	if (backup) await openBackup(backup);
}

/** Shows what is in a backup: its preview asks. While that would break in on something, it waits until it `isAskedFor`. */
async function openBackup(file: File, { isAskedFor = false } = {}): Promise<void> {
	const { hasOffers, occupation, openImport } = await import('./backup.svelte');
	const why = occupation() ?? (hasOffers() && !isAskedFor ? 'the last file has servers or settings that you can add' : undefined);
	if (why !== undefined) {
		const run = () => reportFailure(() => openBackup(file, { isAskedFor: true }));
		return void notify({ text: `“${shownName(file)}” was not opened: ${why}.`, action: { label: 'Open it', run } });
	}
	await Promise.all([openImport(file), goto(resolve('/(app)/settings/storage'))]);
}

function shownName({ name }: File): string {
	return shorten(plainFileName(name), 80);
}
