import { goto } from '$app/navigation';
import { base } from '$app/paths';
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
	const page = document.documentElement;
	const before = page.dataset.temporary!;
	const signal = keeping.begin();
	let stored = false;
	try {
		// Files that are still being read belong to it.
		await unlessAborted(whenQuiet(() => Promise.resolve()), signal);
		if (!(await unlessAborted(writeUnwritten(), signal))) throw new AppError('not-kept', 'What you typed could not be read, so nothing was kept. Try again.', { retryable: true });
		if (textOfSession(id).sending || turnOf(id)?.busy) throw new AppError('not-kept', 'Keep this chat once its answer is there.', { retryable: true });
		await keepSession(id, signal);
		stored = true;
		if (newChat.empty && !newChat.sending && (await app.sessions.count({})) === 1) {
			page.dataset.temporary = 'kept';
			keepInTab(nameInSession(id, 'kept'), true);
			giveToTab(id);
			location.replace(`${base}/s/${id}`);
			// Whoever stays, where the browser asks after all, cancels the way there.
			return await unlessAborted(new Promise<never>(() => undefined), signal);
		}
		giveToTab(id);
		await goto(temporaryPath);
		await conversations.deleteSessions([id], 0);
		await purge();
		notify({ text: 'The chat was kept: it is among your chats in other tabs. What else is here is still temporary.', milliseconds: 8000 });
	} catch (error) {
		if (!signal.aborted) throw error;
		if (stored) notify({ text: 'The chat was kept: it is among your chats in other tabs. What is here is still temporary.', milliseconds: 8000 });
	} finally {
		page.dataset.temporary = before;
		keeping.end();
	}
}
