import { goto } from '$app/navigation';
import { page } from '$app/state';
import { app } from '../app';
import { nameOf } from '../conversation/session';
import { announcementOf } from './announcement-of';
import { notify } from './notices.svelte';
import { chatPath } from './temporary';

/** Returns what screen readers are told of a turn that has ended. Where it `waits` for the user, who is elsewhere, a notice says so. */
export function tellEnd(sessionId: string, turn: Parameters<typeof announcementOf>[1], waits: boolean): string {
	if (waits && page.params.id !== sessionId) void tellWaiting(sessionId);
	return announcementOf('Assistant', turn);
}

/** Shows a notice that a chat waits, until it is dismissed or the chat is opened. */
async function tellWaiting(sessionId: string): Promise<void> {
	const session = await app.sessions.get(sessionId);
	if (!session) return;
	const run = () => goto(chatPath(sessionId));
	const dismiss = notify({ text: `“${nameOf(session, 60)}” waits for you.`, action: { label: 'Open', run } });
	const stop = $effect.root(() => {
		$effect(() => {
			if (page.params.id !== sessionId) return;
			dismiss();
			queueMicrotask(() => stop());
		});
	});
}
