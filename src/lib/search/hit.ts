import type { Role } from '../conversation/message';
import type { DocumentKind } from './index/document';
import type { SearchFilter } from './index/filter';
import type { SearchOrder } from './index/rank';

export interface SearchOptions extends SearchFilter {
	/** Number of hits: 20 unless told, 200 at most. */
	limit?: number;
	offset?: number;
	order?: SearchOrder;
	/** Waits until everything is in the index, instead of answering from what is in it so far. */
	whole?: boolean;
}

/** Something that was found. */
export interface Hit {
	/** The message's id; of a title the session's, of a label or a note its key in the index. */
	id: string;
	kind: DocumentKind;
	sessionId: string;
	/** The session's name. */
	session: string;
	workspace: string;
	/** Time of the session’s last change. */
	sessionUpdatedAt: number;
	/** Id of the message to go to: the message itself, or the one that a label names; absent for titles and notes. */
	messageId?: string;
	/** A note's name. */
	note?: string;
	role?: Role;
	model?: string;
	createdAt: number;
	/** Higher is better [E7]. */
	score: number;
	snippet: Snippet;
}

/** A line or two around the densest window of matches. `marks` are the matches in it, in order, in UTF-16 units. */
export interface Snippet {
	text: string;
	marks: [from: number, to: number][];
}

export interface SearchResult {
	hits: Hit[];
	/** Number of all hits. */
	total: number;
	/** Words that no document has, and their corrections [typos]. */
	corrections: { word: string; to: string[] }[];
	/** The same words with all terms that were looked for in their place, wherever these stand. */
	typos: { word: string; terms: string[] }[];
	/** The models that wrote what is in the index, in alphabetical order: what there is to filter by. */
	models: string[];
	/** Reason why there is no answer, as a sentence that says what to do. */
	refused?: string;
	/** While messages are still being read for the first time: hits are from the ones that were. */
	progress?: { done: number; total: number };
}
