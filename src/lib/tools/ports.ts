import type { Message, Role } from '../conversation/message';
import type { Clock } from '../shared/clock';

/** Things that tools need from around. */
export interface ToolPorts {
	search: Search;
	readSession: ReadSession;
	readResult: ReadResult;
	runScript: RunScript;
	readPage: ReadPage;
	notes: Notes;
	files: Files;
	clock: Clock;
}

/** Searches everything that is stored here. */
export type Search = (query: string, options: { limit: number; sessionId?: string; role?: Role }, signal: AbortSignal) => Promise<Found>;

/** Results of a search; the fields are those of the app's search. */
export interface Found {
	hits: {
		id: string;
		kind: 'message' | 'title' | 'label' | 'note';
		sessionId: string;
		session: string;
		role?: Role;
		createdAt: number;
		score: number;
		snippet: { text: string };
	}[];
	total: number;
	/** Returns the corrections of words that no document has, by the words of these hits alone. */
	correctionsIn: (hits: Found['hits']) => { word: string; to: string[] }[];
	refused?: string;
	progress?: { done: number; total: number };
}

/** Reads the newest `limit` messages of a session, oldest first, up to `until` where that is given; undefined where it has no such message. */
export type ReadSession = (sessionId: string, range: { limit: number; until?: string }) => Promise<{ title: string; messages: Message[] } | undefined>;

/** Returns the text of a result of a tool that is kept whole, by the name that a model knows it by (`keptName`); undefined where the chat has none above the call. */
export type ReadResult = (name: string, context: { sessionId: string; call?: { answerId: string } }) => Promise<Blob | undefined>;

/** The notes of a session, by name; the to-do list is one of them. */
export interface Notes {
	list(sessionId: string): Promise<{ name: string; characters: number }[]>;
	/** Undefined where there is no such note. */
	read(sessionId: string, name: string): Promise<string | undefined>;
	/** Stores what `next` makes of a note as it is by then, and returns that. */
	change(sessionId: string, name: string, next: (content: string | undefined) => string): Promise<string>;
}

/** Files of the folder that is open in a session. All throw AppErrors, which a model reads. */
export interface Files {
	/** Lists at most `most` things below a path, '' for all of the folder, the nearest first; `isWhole` is false where there is more. */
	list(path: string, most: number, context: FileContext): Promise<{ folder: string; entries: FileEntry[]; isWhole: boolean }>;
	/** Undefined where there is no such file. */
	read(path: string, context: FileContext): Promise<Blob | undefined>;
	/** Returns the id of the folder. */
	openedId(context: FileContext): Promise<string>;
	/** Makes of a file what `next` makes of it as it is by then, undefined where there is none; returns the number of its bytes. It can be undone. Throws where another folder is open by then than was shown. */
	change(path: string, next: (before: Blob | undefined) => Promise<string>, context: FileContext): Promise<number>;
}

/** The session whose folder it is, the signal that ends it, the call that changes a file, and the folder that the user allowed that for. */
export interface FileContext {
	sessionId: string;
	signal: AbortSignal;
	call?: { answerId: string; toolCallId: string };
	shown?: { folderId?: string };
}

/** A file, or a folder, which has no content. */
export interface FileEntry {
	path: string;
	content?: () => Promise<Blob>;
}

/** The end of a script: the value that it returned as text, or the error that it ended with, and the lines that it logged until then. */
export interface ScriptEnd {
	value?: string;
	error?: string;
	logs: string[];
}

/** Runs a script where it reaches nothing of the app, and no network. Rejects with the signal's reason. */
export type RunScript = (code: string, signal: AbortSignal) => Promise<ScriptEnd>;

/** Fetches a page of the web and gives its text. Throws an AppError with a sentence for the model where there is none, or the signal's reason. */
export type ReadPage = (address: URL, signal: AbortSignal) => Promise<string>;
