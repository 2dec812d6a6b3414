import type { Usage } from './message';

/** How the last turn of a session ended, or that it has not [R2]. */
export type Status = 'running' | 'success' | 'partial' | 'failed' | 'interrupted';

/** Where a session was held: in a browser tab, or in the installed app [E8]. */
export type Surface = 'web' | 'pwa';

/**
 * One row a session. `key` is `<surface>:<workspace>:<createdAt>` [E2]; `preview` is the start of the first message
 * [A12]; `messageCount` counts every message of every branch; `usage` sums what the engines reported [E9].
 * `deletedAt` marks a session that is gone for the person but can still be brought back. Times are epoch milliseconds.
 */
export interface Session {
	id: string;
	key: string;
	workspace: string;
	surface: Surface;
	preview: string;
	provider: string;
	model: string;
	status: Status;
	stopReason: string;
	messageCount: number;
	usage: Usage;
	createdAt: number;
	updatedAt: number;
	deletedAt?: number;
}
