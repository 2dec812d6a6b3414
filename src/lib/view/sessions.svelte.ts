import { app } from '../app';
import type { Session } from '../conversation/session';
import { undoMilliseconds } from '../storage/sessions';
import { Live } from './live.svelte';
import { notify } from './notices.svelte';
import { stop } from './turns.svelte';

/** All sessions, newest first [A12]. */
export const sessions = new Live(() => app.sessions.list());

/** Deletes the session, and offers it back for as long as it can be had [A14]. */
export async function deleteSession(session: Pick<Session, 'id' | 'preview'>): Promise<void> {
	stop(session.id);
	await app.deleteSession(session.id);
	notify({
		text: 'Session deleted.',
		action: { label: 'Undo', run: () => app.sessions.restore(session.id) },
		milliseconds: undoMilliseconds
	});
	setTimeout(() => void app.purge(), undoMilliseconds);
}
