import type { Message, Role } from '../conversation/message';
import type { Clock } from '../shared/clock';

/** Things that tools need from around. */
export interface ToolPorts {
	search: Search;
	readSession: ReadSession;
	clock: Clock;
}

/** Searches everything that is stored here. */
export type Search = (query: string, options: { limit: number; sessionId?: string; role?: Role }) => Promise<Found>;

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
	corrections: { word: string; to: string[] }[];
	refused?: string;
	progress?: { done: number; total: number };
}

/** Reads the newest `limit` messages of a session, oldest first, up to `until` where that is given; undefined where it has no such message. */
export type ReadSession = (sessionId: string, range: { limit: number; until?: string }) => Promise<{ title: string; messages: Message[] } | undefined>;
