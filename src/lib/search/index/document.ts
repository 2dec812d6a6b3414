import type { roles } from './source';

/** The kind of a result: a message, or words about a session that the user gave it. */
export type DocumentKind = 'message' | 'title' | 'label' | 'note';

/** The author of a message. */
export type DocumentRole = Exclude<(typeof roles)[number], DocumentKind>;

/** Something that can be found. `key` names it: see `keys.ts`. */
export interface Document {
	key: string;
	sessionId: string;
	kind: DocumentKind;
	/** A message's; absent for anything else. */
	role?: DocumentRole;
	model?: string;
	/** The depth of a message in its tree; 0 for anything else. */
	depth: number;
	/** Epoch milliseconds. */
	createdAt: number;
	hasCode: boolean;
	text: string;
}
