import { excerptOf } from './excerpt';
import type { Usage } from './message';

/** Status of the last turn of a session [R2]; `waiting` for the user to decide about a call. */
export type Status = 'running' | 'success' | 'partial' | 'waiting' | 'failed' | 'interrupted';

/** Surface that a session is held on here [E8]: in a tab, or in the installed app. An import has a surface of its own. */
export type Surface = 'web' | 'pwa';

/** The length of the longest title that a user gives, in UTF-16 units. */
export const maxTitle = 200;

/** One row a session. Times are epoch milliseconds. */
export interface Session {
	id: string;
	/** `web:<workspace>` for a workspace's thread [E1], `web:<workspace>:<createdAt>` for any other session in it [E2]. */
	key: string;
	/** '' until the first exchange gives one [S2]. */
	title: string;
	/** Author of the title: an automatic one may be replaced, a user's is not. */
	titledBy: 'snug' | 'user';
	workspace: string;
	/** A `Surface`, or what an import says [E10]. */
	surface: string;
	/** Name of the persona that was last put into it, or made of what it has set; what is set may differ by now. */
	persona?: string;
	/** The start of the first message [A12]. */
	preview: string;
	provider: string;
	model: string;
	status: Status;
	stopReason: string;
	/** The code of the AppError that the last turn failed with; counts only where `status` says that it did. */
	stopCode?: string;
	/** Number of answers of models in it [R2]. */
	steps: number;
	/** Every message of every branch. */
	messageCount: number;
	/** Size of its messages, by `sizeOf`, files included. */
	bytes: number;
	/** Sum of the usage that the engines reported [E9]. */
	usage: Usage;
	/** Paths that tools have written [R3]. */
	filesTouched: string[];
	/** US dollars: once its answers have cost as much, its model is asked nothing more [R8]. */
	budgetUsd?: number;
	/** A number, since a database can't index a boolean. A pinned session is listed first, and never cleaned up [A8]. */
	pinned: 0 | 1;
	/** Put away: in the list of archived sessions only. It is searched like others, stays pinned if it was, and comes back when one writes in it. */
	archived: 0 | 1;
	createdAt: number;
	updatedAt: number;
	/** Further values of an import: the id that it had there [R7], and whether that program had cut it [R5]. */
	extra?: { alias?: string; truncated?: boolean };
}

/** The workspace of sessions that belong to none. */
export const homeWorkspace = 'home';

/** The key of a workspace's thread [E1]. */
export function threadKey(workspace: string): string {
	return `web:${workspace}`;
}

/** A name of which all can be seen. */
const plainName = /^[^\p{C}]+$/u;

/** Returns what a session is called wherever it is listed, its title or else how it begins, in at most `max` characters as people count them. */
export function nameOf(session: Pick<Session, 'title' | 'preview'>, max = 200): string {
	const name = session.title || session.preview;
	return name.length <= max && plainName.test(name) ? name : excerptOf(name, max) || 'Untitled';
}

const workspaceName = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u;

/** Tells whether `name` can be a workspace: a letter or digit first, then also spaces, dots, hyphens, underscores; 64 at most. */
export function isWorkspaceName(name: string): boolean {
	return workspaceName.test(name);
}
