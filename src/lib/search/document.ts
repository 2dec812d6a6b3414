import type { Role } from '../conversation/message';

/** What is found: a message, or words about a session that the person gave it. */
export type DocumentKind = 'message' | 'title' | 'label' | 'note';

/** Something that can be found. `key` names it: see `keys.ts`. */
export interface Document {
	key: string;
	sessionId: string;
	kind: DocumentKind;
	/** A message's; absent for anything else. */
	role?: Role;
	model?: string;
	/** Where a message is in its tree; 0 for anything else. */
	depth: number;
	/** Epoch milliseconds. */
	createdAt: number;
	hasCode: boolean;
	text: string;
}
