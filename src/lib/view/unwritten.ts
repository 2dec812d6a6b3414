import type { AppError } from '../shared/app-error';
import { notices, notify } from './notices.svelte';

/** Notices that show, each with the number of fields that it is about. */
const complaints = new Map<string, { times: number; dismiss: () => void }>();

const writings = new Set<() => Promise<boolean>>();

/** Has `write` called whenever the page may go away, until the returned function is called. It resolves with whether everything is written. */
export function writesBeforeLeaving(write: () => Promise<boolean>): () => void {
	writings.add(write);
	return () => void writings.delete(write);
}

/** Writes what was typed and is not written yet. Resolves with whether all of it is. */
export async function writeUnwritten(): Promise<boolean> {
	return (await Promise.all([...writings].map((write) => write()))).every(Boolean);
}

/** Says that the store refuses what is typed, which is tried again, until the returned function is called: once for all fields that it is so with. */
export function sayUnwritten({ code, message }: AppError, what = 'what you type'): () => void {
	const full = `There is no space left for Snug in this browser, so ${what} is not stored yet. Free some disk space, or delete a model or old chats, and keep this tab open: Snug stores it as soon as there is room.`;
	const text = code === 'disk-full' ? full : message;
	const said = complaints.get(text) ?? { times: 0, dismiss: notify({ text }) };
	said.times++;
	// Dismissed: what is said of another field is said again.
	if (!notices.some((notice) => notice.text === text)) said.dismiss = notify({ text });
	complaints.set(text, said);
	return () => {
		if (--said.times > 0) return;
		said.dismiss();
		complaints.delete(text);
	};
}

// The last moment that a page is sure to be told of: a phone ends one that is hidden without a word.
document.addEventListener('visibilitychange', () => {
	if (document.visibilityState === 'hidden') void writeUnwritten();
});
addEventListener('pagehide', () => void writeUnwritten());
