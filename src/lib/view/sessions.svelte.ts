import { app } from '../app';
import { Live } from './live.svelte';

// What the first screen shows of sessions; lists of them are in a file of their own, which is loaded where there are any.

/** The session that was last written to [A4]; undefined while loading, and where there is none. */
export const newest = new Live(() => app.sessions.newest());

/** The question in a dialog: a new workspace's name, whether to delete everything, where sessions are moved, or nothing; or whose details are shown. */
export const asking = $state<{ what: 'workspace' | 'everything' | { detailsOf: string } | { move: string[] } | undefined }>({ what: undefined });
