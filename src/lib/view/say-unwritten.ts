import type { AppError } from '../shared/app-error';
import { notices, notify } from './notices.svelte';

/** Notices that show, each with the number of fields that it is about. */
const complaints = new Map<string, { times: number; dismiss: () => void }>();

/** Says that the store refuses what is typed, which is tried again, until the returned function is called: once for all fields that it is so with. */
export function sayUnwritten({ code, message }: AppError, what = 'what you type'): () => void {
	const full = `There is no space left for Snug in this browser, so ${what} is not stored yet. Free some disk space, or delete a model or old chats, and keep this tab open: Snug stores it as soon as there is room.`;
	const unknown = `Something in Snug went wrong, so ${what} is not stored yet. Keep this tab open: Snug tries again.`;
	const text = code === 'disk-full' ? full : code === 'bug' ? unknown : message;
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
