import { goto } from '$app/navigation';
import { base, resolve } from '$app/paths';
import { tick } from 'svelte';
import { app } from '../app';
import { attachmentLimits, filesPerMessage, isLongPaste } from '../conversation/attachment-limits';
import { asMessageText } from '../conversation/as-message-text';
import { AppError } from '../shared/app-error';
import { formatBytes } from '../shared/bytes';
import { fitInFields } from '../shared/fit-in-fields';
import { isInstalled } from '../shared/installed';
import { plainFileName } from '../shared/file-name';
import { headBytes, isText } from '../shared/media-type';
import { shorten } from '../shared/shorten';
import { startOf } from '../shared/start-of';
import { attachingFor, type Attaching } from './attachments.svelte';
import { newChat } from './composer.svelte';
import { focusComposer, isComposerField } from './focus-composer';
import { hasOwnKeyboard } from './has-keyboard';
import { isTaken } from './is-taken.svelte';
import { notify, reportFailure, type Notice } from './notices.svelte';
import { outlineOf, type Outline } from './share-outline';
import { sharedText } from './shared-text';
import { isTemporary } from '../shared/is-temporary';

const unreadable = 'What you shared can’t be read.';

/** Sentences for what the service worker did not keep, by the name that it says. */
const refusals: ReadonlyMap<string, string> = new Map([
	['too-large', 'What you shared is too large. Snug takes up to 64 MB at once.'],
	['too-many', `What you shared has too many parts. Snug opens up to ${filesPerMessage} files at once.`],
	['unreadable', unreadable]
]);

/**
 * Puts what another app shared, which the service worker keeps under this name, into the new chat's composer, and forgets it then; before and after that what
 * else is kept is offered, the newest first. It may come from any page: it is limited, and nothing is sent or imported by it.
 */
export function takeShared(name: string): Promise<void> {
	return reportFailure(async () => {
		const refused = refusals.get(name);
		if (refused) notify({ text: refused, milliseconds: 8000 });
		const cache = await caches.open('shared');
		const address = `${base}/share/${encodeURIComponent(name)}`;
		for (const { url } of (await cache.keys()).toReversed()) {
			// The system shares with the installed app only: in a tab it is a page that does.
			const isAskedFor = isInstalled && new URL(url).pathname === address;
			await reportFailure(() => takeOne(cache, url, isAskedFor));
		}
	});
}

/** Offers what is kept under an address until it is used, which it is at once if it `isAskedFor`, or dismissed. */
async function takeOne(cache: Cache, address: string, isAskedFor: boolean): Promise<void> {
	const kept = await cache.match(address);
	if (!kept) return;
	let offer = isAskedFor ? '' : offerOf(await outlineOf(kept));
	/** The rest that is not taken yet, once it is read. */
	let left: { text: string; files: File[] } | undefined;
	while (offer !== '' || isAskedFor) {
		if (offer !== '' && !(await isTaken(offer, 'Use it'))) break;
		const form = await cache.match(address);
		if (!form) return void notify({ text: 'It was used or dismissed in another tab.', milliseconds: 8000 });
		left ??= await form.formData().then(readShared, () => undefined);
		if (!left) {
			notify({ text: unreadable, milliseconds: 8000 });
			break;
		}
		if (await takeText(left.text)) left.text = '';
		await showNewChat();
		left.files = await openFiles(left.files);
		await newChat.sync();
		if (left.text === '' && left.files.length === 0) break;
		offer = 'Some of what you shared could not be stored yet.';
	}
	await cache.delete(address);
}

/** Returns what is said of something that can be used; '' for nothing. */
function offerOf({ text, more, files }: Outline): string {
	const words = text === '' ? 'text' : 'more text';
	const what = [...(text === '' ? [] : [`“${text}”`]), ...(more ? [words] : []), ...(files === 0 ? [] : [files === 1 ? '1 file' : `${files} files`])];
	return what.length === 0 ? '' : `${isInstalled ? 'Shared with Snug' : 'Another page shared'}: ${new Intl.ListFormat('en').format(what)}.`;
}

/** Shows where it is written on, and leads there, behind what is there. */
async function showNewChat(): Promise<void> {
	if (!isTemporary() && location.pathname !== resolve('/')) await goto(resolve('/'));
	await tick();
	if (!hasOwnKeyboard()) return;
	focusComposer();
	const field = document.activeElement;
	if (isComposerField(field)) field.setSelectionRange(field.value.length, field.value.length);
}

function readShared(form: FormData): { text: string; files: File[] } {
	// A field where none was chosen gives a file without a name.
	return { text: sharedText(form), files: form.getAll('files').filter((value) => value instanceof File && value.name !== '') as File[] };
}

/**
 * Puts a text into the new chat: a long one as a file, or where it fits in none, as a text, which is a message also where it would be a command. What fits in neither is cut, which is said. Returns
 * false where it may be put there later only.
 */
async function takeText(text: string): Promise<boolean> {
	if (!isLongPaste(text)) {
		if (text) newChat.putBack(asMessageText(text));
		return true;
	}
	const { read } = new TextEncoder().encodeInto(text, new Uint8Array(attachmentLimits.textBytes));
	const taken = read === text.length || fitInFields([newChat.text, text])[1] ? text : startOf(text, read);
	const { offerAsText } = await import('./pasted-text.svelte');
	const attaching = attachingFor(newChat);
	await offerAsText(asMessageText(taken), attaching.add([new File([taken], 'Shared text.txt')]), attaching, () => undefined);
	if (mayPass(attaching)) return false;
	if (taken !== text) notify({ text: `The text that you shared is longer than a file can be here. All after the first ${attachmentLimits.textBytes / 1_000_000} MB was left out.` });
	return true;
}

/** Tells whether anything could not be attached that may be later, as on a full disk. */
function mayPass({ problems }: Attaching): boolean {
	return problems.some(({ retryable }) => retryable);
}

/**
 * Does with files what their kind is for, after asking where it is more than to attach them to a new chat. What is not used is said. Resolves
 * with those that may be attached later only.
 */
export async function openFiles(files: File[]): Promise<File[]> {
	// Its page would have to be left for it, and the file would go with the page.
	if (isTemporary()) {
		sayUnopened(files, 'a temporary chat is open here. Leave it, then open the file again');
		return [];
	}
	const opened: Record<Kind, File[]> = { model: [], backup: [], other: [], unknown: [] };
	for (const file of files.slice(0, filesPerMessage)) opened[await kindOf(file)].push(file);
	const [[model, ...models], [backup, ...backups]] = [opened.model, opened.backup];
	if (opened.other.length > 0) await goto(resolve('/'));
	const attaching = attachingFor(newChat);
	const attached = opened.other.length > 0 ? attaching.add(opened.other) : [];
	if (model) {
		const { importModel } = await import('./choices');
		const text = `Import “${shownName(model)}” (${formatBytes(model.size)}) as a model on this device?`;
		notify({ text, action: { label: 'Import', run: () => reportFailure(() => importModel(model)) } });
	}
	sayUnopened(models, 'Snug imports one model at a time');
	sayUnopened(backups, 'Snug restores one backup at a time');
	sayUnopened(opened.unknown, opened.unknown.length === 1 ? 'it is neither a Snug backup nor text' : 'they are neither Snug backups nor text');
	sayUnopened(files.slice(filesPerMessage), `Snug opens up to ${filesPerMessage} files at once`);
	if (backup) await openBackup(backup);
	const parts = await attached;
	return mayPass(attaching) ? opened.other.filter((_, at) => !parts[at]) : [];
}

type Kind = 'model' | 'backup' | 'other' | 'unknown';

/** Finds what a file is for. What is named as a backup may be data of anything. */
async function kindOf(file: File): Promise<Kind> {
	if (/\.gguf$/i.test(file.name)) return 'model';
	if (!/\.(jsonl|gz)$/i.test(file.name)) return 'other';
	try {
		if (await (await app.openImports()).isKnown(file)) return 'backup';
		const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
		return isText(head, { whole: file.size <= headBytes }) ? 'other' : 'unknown';
	} catch (error) {
		// Attaching says why it can't be read.
		if (error instanceof DOMException || (error instanceof AppError && error.code === 'file-unreadable')) return 'other';
		throw error;
	}
}

/** Number of files that a sentence names. */
const maxNamed = 3;

/** Says that files were not opened, and why: the end of a sentence. */
function sayUnopened(files: File[], why: string, action?: Notice['action']): void {
	if (files.length === 0) return;
	const left = files.length - maxNamed;
	const names = files.slice(0, maxNamed).map((file) => `“${shownName(file)}”`);
	const list = new Intl.ListFormat('en').format(left > 0 ? [...names, left === 1 ? 'one other' : `${left.toLocaleString()} others`] : names);
	notify({ text: `${list} ${files.length === 1 ? 'was' : 'were'} not opened: ${why}.`, ...(action && { action }) });
}

/** Shows what is in a backup: its preview asks. While that would break in on something, it waits until it `isAskedFor`. */
async function openBackup(file: File, { isAskedFor = false } = {}): Promise<void> {
	const { hasOffers, occupation, openImport } = await import('./backup.svelte');
	const why = occupation() ?? (hasOffers() && !isAskedFor ? 'the last file has servers or settings that you can add' : undefined);
	if (why !== undefined) {
		const run = () => reportFailure(() => openBackup(file, { isAskedFor: true }));
		return sayUnopened([file], why, { label: 'Open it', run });
	}
	await Promise.all([openImport(file), goto(resolve('/(app)/settings/storage'))]);
}

function shownName({ name }: File): string {
	return shorten(plainFileName(name), 80);
}
