import { goto } from '$app/navigation';
import { base } from '$app/paths';
import { tick } from 'svelte';
import { app } from '../app';
import { conversations } from '../app/conversations';
import { keepSession } from '../app/keep-session';
import { AppError } from '../shared/app-error';
import { unlessAborted } from '../shared/unless-aborted';
import { newChat } from './composer.svelte';
import { giveToTab } from './enter-temporary';
import { keeping } from './keeping.svelte';
import { notify } from './notices.svelte';
import { purge } from './purge';
import { textOfSession } from './session-text.svelte';
import { keepInTab, nameInSession } from './tab-text';
import { temporaryPath } from './temporary';
import { turnOf } from './turns.svelte';
import { whenQuiet } from './under-way';
import { writeUnwritten } from './unwritten';

/** Makes an ordinary chat of a temporary one, and goes to it; where there is more in this page than the chat, that stays, without it. */
export async function keepTemporary(id: string): Promise<void> {
	const signal = keeping.begin();
	try {
		// Dictation ends with the words that show.
		await tick();
		// Files that are still being read belong to it.
		await unlessAborted(whenQuiet(() => Promise.resolve()), signal);
		if (!(await unlessAborted(writeUnwritten(), signal))) throw new AppError('not-kept', 'What you typed could not be read, so nothing was kept. Try again.', { retryable: true });
		if (textOfSession(id).sending || turnOf(id)?.busy) throw new AppError('not-kept', 'Keep this chat once its answer is there.', { retryable: true });
		await keepSession(id, signal);
	} catch (error) {
		keeping.end();
		if (signal.aborted) return;
		if (error instanceof AppError && error.code === 'newer-database') throw new AppError('not-kept', newer, { cause: error });
		throw error;
	}
	// It is stored: from here on nothing more is said in this one.
	keepInTab(nameInSession(id, 'kept'), true);
	giveToTab(id);
	try {
		if (newChat.empty && !newChat.sending && (await app.sessions.count({})) === 1) await leaveFor(`${base}/s/${id}`, signal);
		await goto(temporaryPath);
		await conversations.deleteSessions([id], 0);
		await purge();
	} finally {
		keeping.end();
	}
	notify({ text: 'The chat was kept: it is among your chats in other tabs. What else is here is still temporary.', milliseconds: 8000 });
}

const newer = 'This chat could not be kept: a newer version of Snug is open in this browser. Copy or download it before you reload.';

/** Has the page go elsewhere, with no question of the browser's. Resolves only if the user does not wait for that. */
async function leaveFor(address: string, signal: AbortSignal): Promise<void> {
	const page = document.documentElement;
	const before = page.dataset.temporary!;
	page.dataset.temporary = 'kept';
	location.replace(address);
	await unlessAborted(new Promise<never>(() => undefined), signal).catch(() => undefined);
	stop();
	page.dataset.temporary = before;
}
