import type { roles } from './source';

/** What is found: a message, or words about a session that the person gave it. */
export type DocumentKind = 'message' | 'title' | 'label' | 'note';

/** Who a message is from. */
export type DocumentRole = Exclude<(typeof roles)[number], DocumentKind>;

/** Something that can be found. `key` names it: see `keys.ts`. */
export interface Document {
	key: string;
	sessionId: string;
	kind: DocumentKind;
	/** A message's; absent for anything else. */
	role?: DocumentRole;
	model?: string;
	/** Where a message is in its tree; 0 for anything else. */
	depth: number;
	/** Epoch milliseconds. */
	createdAt: number;
	hasCode: boolean;
	text: string;
}
