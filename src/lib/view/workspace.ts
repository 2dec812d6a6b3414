import { app } from '../app';
import { threadKey, type Session } from '../conversation/session';
import { Live } from './live.svelte';

/** The thread of a workspace, once it has one [E1]. */
export function threadOf(workspace: string): Live<Session | undefined> {
	return new Live(() => app.sessions.byKey(threadKey(workspace)));
}

/** The session that was last written to [A4]. */
export function newestSession(): Promise<Session | undefined> {
	return app.sessions.newest();
}

/** The sessions that `text` can mean [E4]. */
export async function findSessions(text: string): Promise<Session[]> {
	return (await import('../app/find-sessions')).findSessions(text);
}
