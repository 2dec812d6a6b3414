import type { StrategyName } from '../conversation/boundary';
import type { Message, Usage } from '../conversation/message';
import type { Outline } from '../conversation/outline';
import type { Session } from '../conversation/session';
import type { AppError } from '../shared/app-error';

/** The user's place: in a session, in a new chat (no `sessionId`), and in which workspace, if any. */
export interface Place {
	sessionId: string | undefined;
	workspace: string | undefined;
}

/** The app as commands need it. A call that changes something throws an AppError where it can't be done. */
export interface CommandContext {
	place: Place;
	/** True where nothing is stored, so that there is no list of chats. */
	isTemporary: boolean;
	now: () => number;
	session: (id: string) => Promise<Session | undefined>;
	/** By id, title or words, in that order; newest first [E4]. */
	findSessions: (text: string) => Promise<Session[]>;
	/** Pinned ones first, then the newest first. */
	listSessions: (limit: number) => Promise<Session[]>;
	/** The newest messages of the session's path, oldest first. */
	newestMessages: (sessionId: string, limit: number) => Promise<Message[]>;
	/** On one line; '' returns to the automatic title. `titledBy` is set by an undo. */
	renameSession: (id: string, title: string, titledBy?: Session['titledBy']) => Promise<void>;
	pinSession: (id: string, pinned: boolean) => Promise<void>;
	/** In US dollars; undefined for none. */
	setBudget: (id: string, budgetUsd: number | undefined) => Promise<void>;
	/** Deletes them, says so, and offers them back. */
	deleteSessions: (ids: string[]) => Promise<void>;
	restoreSessions: (ids: string[]) => Promise<void>;
	outline: (sessionId: string) => Promise<Outline | undefined>;
	/** The message that a node, a label or a message id names, to go on from. */
	findNode: (sessionId: string, text: string) => Promise<{ id: string; depth: number } | undefined>;
	/** Returns the last message of the active path. */
	head: (sessionId: string) => Promise<string | undefined>;
	moveHead: (sessionId: string, messageId: string) => Promise<void>;
	/** '' takes the label away. */
	label: (sessionId: string, messageId: string, label: string) => Promise<void>;
	/** By name, each with how its system prompt begins. */
	personas: () => Promise<{ name: string; about: string }[]>;
	/** Puts one into the chat, or into a new one, says so, and offers back what was set. */
	usePersona: (name: string) => Promise<void>;
	/** Has the chat go on without a persona, as `usePersona`. */
	stopPersona: () => Promise<void>;
	/** After how many days sessions are cleaned up, if the user has said so. */
	retentionDays: () => Promise<number | undefined>;
	/** Lists what a clean-up would remove: pinned and open sessions are never among it. */
	previewCleanup: (rule: { olderThanDays: number }) => Promise<CleanupCandidate[]>;
	/** They can be brought back for a week. Resolves with those that went: what was opened, pinned or changed meanwhile stays. */
	cleanUp: (ids: string[], rule: { olderThanDays: number }) => Promise<string[]>;
	/** Counts the compactions that a session has. */
	compactions: (sessionId: string) => Promise<number>;
	totalUsage: () => Promise<UsageTotals & { sessions: number }>;
	/** Tells whether answers show their tokens. */
	showsTokens: () => Promise<boolean>;
	showTokens: (shown: boolean) => Promise<void>;
	/** Asks the tool servers for their prompts. */
	prompts: () => Promise<ServersOffer>;
	wordsOf: (prompt: OfServer, values: Record<string, string>) => Promise<string>;
	/** Asks the tool servers for what can be read of them. */
	resources: () => Promise<ServersOffer>;
	fileOf: (resource: OfServer, values: Record<string, string>) => Promise<File>;
	/** Asks a tool server what it proposes for an argument, once the user pauses; nothing where they do not. */
	proposals: (argument: { kind: 'prompt' | 'resource'; key: string; name: string; value: string; given: Record<string, string> }) => Promise<string[]>;
}

/** Something that a tool server has: its name as users type it, and on screen, with the server and its host; and what it is told. */
export interface OfServer {
	serverId: string;
	from: string;
	key: string;
	id: string;
	label: string;
	detail: string;
	takes: { name: string; required: boolean }[];
}

/** Things that tool servers have, and why some servers could not be asked. */
export interface ServersOffer {
	found: OfServer[];
	failures: AppError[];
}

/** Usage of one session or several; a step is an answer of a model. */
export interface UsageTotals {
	steps: number;
	usage: Usage;
	compactions: number;
}

export type CleanupCandidate = Pick<Session, 'id' | 'title' | 'preview' | 'updatedAt' | 'messageCount'>;

/** One of several things that the user may have meant. */
export interface Choice {
	label: string;
	detail: string;
	run: () => Promise<Outcome>;
}

/**
 * Outcome of a command: something to read (`listing` keeps its columns), an address to go to (a path in the app), a
 * choice (`stays` where the command has what is written nowhere else, and is in the composer until one is chosen), a question, something for the message that is being written, a panel to open, the dialog that compacts a session (by the strategy of the settings if it names
 * none), a sentence that says why not, or that it is done: in a sentence unless the app has said so already, with its
 * undoing, and where to go then.
 */
export type Outcome =
	| { kind: 'text'; text?: string; listing?: string; entries?: { term: string; detail: string }[] }
	| { kind: 'go'; path: string }
	| { kind: 'choose'; text: string; choices: Choice[]; stays?: boolean }
	| { kind: 'confirm'; text: string; listing?: string; label: string; run: () => Promise<Outcome> }
	| { kind: 'compose'; text?: string; file?: File }
	| { kind: 'open'; what: 'context' }
	| { kind: 'compact'; sessionId: string; strategy?: StrategyName }
	| { kind: 'refused'; text: string }
	| { kind: 'done'; text?: string; undo?: () => Promise<void>; about?: Changing; path?: string };

/** Name of what a text tells the state of: once that is another, the text is out of date. */
export type Changing = `budget of ${string}`;

/** A way to go on with an argument: `value` is what it becomes. */
export interface Candidate {
	value: string;
	label: string;
	detail: string;
}

/** A slash command. */
export interface Command {
	name: string;
	/** As the user writes it, with what may or must follow. */
	usage: string;
	/** One line, as a verb in the imperative and what it is done to. */
	summary: string;
	/** Its summary in the dialog “Commands”, where it is run without an argument, if that has to be another or a shorter one. */
	alone?: string;
	/** The place that must be open for it, without an argument: a chat, or one that can be changed from here now. */
	needs?: 'chat' | 'changeable-chat';
	/** Set where it is about the list of chats: of others, or of what this one is in it. */
	listed?: true;
	/** Tells whether it would change anything in the chat that is open; `alone`: without an argument. */
	fits?: (chat: { session: Session; labelled: boolean }, alone: boolean) => boolean;
	run: (argument: string, context: CommandContext) => Promise<Outcome>;
	/** Lists the completions of the argument, best first. `typed` is it with the space at its end. */
	complete?: (argument: string, context: CommandContext, typed: string) => Promise<Candidate[]>;
}

/** Tells whether anything may follow a command, by its usage. */
export function takesArgument({ name, usage }: Command): boolean {
	return usage !== `/${name}`;
}

/** Tells whether something must follow a command, by its usage. */
export function needsArgument({ usage }: Command): boolean {
	return usage.includes('<');
}
