import type { Session } from '../conversation/session';
import type { Writers } from '../engine/turns/writers';
import { archiveSessionsUnfenced, moveSessionsBackUnfenced, moveSessionsUnfenced, pinSessionsUnfenced, type MovedSession } from '../storage/arrange-sessions';
import { Messages } from '../storage/messages';
import { changeNextPromptUnfenced, changeNextUnfenced, chatPrompts, type NextChoices } from '../storage/prompts';
import { renameSessionUnfenced } from '../storage/rename-session';
import { setBudgetUnfenced } from '../storage/set-budget';
import { Scratchpad } from '../storage/scratchpad';
import type { SessionSettings } from '../storage/session-settings';
import { transcriptRows, unfinishedRows, type Excerpt } from '../storage/transcript-rows';
import { Trash, type DueItem } from '../storage/trash';
import type { ExportId } from '../transfer/exports/registry';
import { branches } from './branches';
import { compaction } from './compaction';
import { context } from './context';
import { drafts } from './drafts';
import { clock, db } from './environment';
import { live } from './live';
import { parameters } from './parameters';
import { emptying, purge } from './purge';
import { sessionSettings } from './session-settings';
import { openTurns } from './turns';
import { writers } from './writers';

const trash = new Trash(db);

/**
 * All that is done with what is in a session. Nothing of it is needed to open the page: `app.openConversations` loads it, and
 * what is drawn for a session only imports it.
 */
export const conversations = {
	/** The leases of this tab; what is written under one is written by the commands below. */
	writers: writers as Pick<Writers, 'open' | 'openWhenFree' | 'takeOver'>,
	drafts,
	messages: new Messages(db),
	...branches,
	trash: {
		list: () => trash.list(),
		restore: (ids: string[]) => trash.restoreUnfenced(ids),
		/** As `hastenUnfenced`, when everything is deleted. */
		hasten: (purgeAt: number) => {
			emptying.begin(clock(), purgeAt);
			return trash.hastenUnfenced(purgeAt);
		},
		/** As `postponeUnfenced`, of what is still offered back. */
		prolong: (items: readonly DueItem[]) => trash.postponeUnfenced(items),
		/** As `postponeUnfenced`, when it was everything. */
		postpone: (items: readonly DueItem[]) => {
			emptying.end();
			return trash.postponeUnfenced(items);
		}
	},
	scratchpad: new Scratchpad(db),
	sessionSettings: sessionSettings as Pick<SessionSettings, 'get'>,
	parameters,
	/** The system prompts of a chat: to be read, and the one that its next message brings. */
	prompts: {
		/** Reads rows only. */
		read: (sessionId: string, at?: string) => chatPrompts(db, sessionId, at),
		change: (sessionId: string, change: (typed: string) => string) => changeNextPromptUnfenced(db, sessionId, change)
	},
	/** As `changeNextUnfenced`. */
	changeNext: (sessionId: string, change: (now: NextChoices) => NextChoices) => changeNextUnfenced(db, sessionId, change),
	live,
	openTurns,
	/** As `transcriptRows`; reads rows only. */
	read: (id: string, excerpt: Excerpt) => transcriptRows(db, id, excerpt),
	/** As `unfinishedRows`; reads rows only. */
	unfinishedAnswer: (id: string) => unfinishedRows(db, id),
	/** As `exportSession` of transfer/, which is loaded when it is needed. */
	exportSession: async (id: string, format?: ExportId) => (await import('../transfer/exports/export-session')).exportSession(db, id, format),

	/** Takes sessions out of every list; `trash.restore` brings them back for a while [A14]. */
	deleteSessions: (ids: string[], keepFor?: number) => trash.deleteSessionsUnfenced(ids, clock(), keepFor),
	/** As `renameSessionUnfenced`. */
	renameSession: (id: string, name: string, titledBy?: Session['titledBy']) => renameSessionUnfenced(db, id, name, titledBy),
	/** As `setBudgetUnfenced`. */
	setBudget: (id: string, budgetUsd: number | undefined) => setBudgetUnfenced(db, id, budgetUsd),
	/** As the functions of storage/arrange-sessions. */
	pinSessions: (ids: readonly string[], pinned: boolean) => pinSessionsUnfenced(db, ids, pinned),
	archiveSessions: (ids: readonly string[], archived: boolean) => archiveSessionsUnfenced(db, ids, archived),
	moveSessions: (ids: readonly string[], workspace: string) => moveSessionsUnfenced(db, ids, workspace),
	moveSessionsBack: (moved: readonly MovedSession[]) => moveSessionsBackUnfenced(db, moved),
	context,
	compaction,
	purge
};
