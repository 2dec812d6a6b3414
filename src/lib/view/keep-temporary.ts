import { goto } from '$app/navigation';
import { base } from '$app/paths';
import { app } from '../app';
import { conversations } from '../app/conversations';
import { keepSession } from '../app/keep-session';
import { AppError } from '../shared/app-error';
import { newChat } from './composer.svelte';
import { giveToTab } from './enter-temporary';
import { notify } from './notices.svelte';
import { purge } from './purge';
import { keepInTab, nameInSession } from './tab-text';
import { temporaryPath } from './temporary';
import { writeUnwritten } from './unwritten';

/** Makes an ordinary chat of a temporary one, and goes to it; where there is more in this page than the chat, that stays, without it. */
export async function keepTemporary(id: string): Promise<void> {
	const page = document.documentElement;
	// What is typed or sent from here on would be in no copy.
	document.body.inert = true;
	try {
		if (!(await writeUnwritten())) throw new AppError('not-kept', 'What you typed could not be read, so nothing was kept. Try again.', { retryable: true });
		await keepSession(id);
		if (newChat.empty && !newChat.sending && (await app.sessions.count({})) === 1) {
			page.dataset.temporary = 'kept';
			keepInTab(nameInSession(id, 'kept'), true);
			giveToTab(id);
			return location.replace(`${base}/s/${id}`);
		}
		giveToTab(id);
		await goto(temporaryPath);
		await conversations.deleteSessions([id], 0);
		await purge();
		notify({ text: 'The chat was kept: it is among your chats in other tabs. What else is here is still temporary.', milliseconds: 8000 });
	} finally {
		document.body.inert = page.dataset.temporary === 'kept';
	}
}
