import type { Boundary } from '../conversation/boundary';
import type { ContextSettings } from '../conversation/context-settings';
import type { Message, Part } from '../conversation/message';
import type { TokenCounter } from './token-counter';

/** The id of the message that stands for what was not sent yet, as the last of its plan. */
export const unsentId = 'unsent';

/**
 * Reason why a message is sent: the user pinned it, it is the question whose answer goes on, it is one of the newest that always are, or there is
 * room for it.
 */
export type InReason = 'pinned' | 'question' | 'recent' | 'fits';

/**
 * Reason why a message is not sent: the user excluded it; a compaction stands for it; it is older than the newest N; there is
 * no room; it waits outside so that the window's start stays where it is for some turns; its tool call or result is
 * missing; or it was dropped in an emergency.
 */
export type OutReason = 'excluded' | 'covered' | 'count' | 'budget' | 'stride' | 'orphan' | 'dropped';

/** Change to a message that made it fit: images became lines of text, a tool result or a text was cut. */
export type Cut = 'image' | 'result' | 'text';

/** One message of the path. */
export interface PlanItem {
	message: Message;
	/** The parts that are sent: its own, unless it was `cut`. Empty if it is not sent. */
	parts: Part[];
	/** Of what is sent; of the whole message if it is not sent. */
	tokens: number;
	state: { in: true; reason: InReason; cut?: Cut } | { in: false; reason: OutReason };
}

/** Tokens, part by part: what any prompt takes besides is counted with the system prompt. `total`, their sum, is what it takes in all. */
export interface PlanTotals {
	system: number;
	summary: number;
	environment: number;
	pinned: number;
	messages: number;
	total: number;
}

/** Counts of an emergency truncation [S8]: messages that lost images, had a result or a text cut, or were dropped. */
export interface Emergency {
	images: number;
	results: number;
	texts: number;
	dropped: number;
}

/** The messages that the model is to be sent, and why: a prompt is made of it, and the panel Context shows it. */
export interface Plan {
	/** The system prompt in force; '' for none. */
	system: string;
	/** The compaction that stands for older messages; `text` is what is sent, with its tag, cut where it was too long. */
	summary: { boundary: Boundary; text: string; cut: boolean } | undefined;
	/** Text that is restated after a summary: date, notes, to-do list; '' where there is no summary. */
	environment: string;
	/** Oldest first, ordered by depth: pinned messages and the question from before, then the path as far as it was read. */
	items: PlanItem[];
	/** Messages of the path that were not read, since nothing could bring them in, and why that is. */
	unread: { count: number; covered: number };
	/** In tokens: the model's window, what is kept free of it for the answer, what the definitions of tools take, and what is left for the prompt. */
	window: number;
	reserve: number;
	toolTokens: number;
	budget: number;
	totals: PlanTotals;
	/** Tokens of the prompt if nothing had to be left out for lack of room. */
	wanted: number;
	emergency: Emergency | undefined;
	/** False if even the shortest form of it is above the budget. */
	fits: boolean;
}

/** All that a plan depends on. */
export interface ContextInput {
	/** The system prompt in force; '' for none. */
	system: string;
	/** The newest messages of the path, without system messages, oldest first; more than can be needed does no harm. */
	path: Message[];
	/** The message that an unfinished answer is for, whose steps may have left it far behind. */
	questionId?: string | undefined;
	/** Pinned messages of the path, and the question, as far as they are older than those, oldest first. */
	olderKept: Message[];
	/** Number of further messages of the path, and of those among them that the boundary covers. */
	unread: { count: number; covered: number };
	/** The newest boundary whose last covered message is on the path. */
	boundary: Boundary | undefined;
	/** Message ids; one that is in both is pinned. */
	pins: ReadonlySet<string>;
	excludes: ReadonlySet<string>;
	settings: Pick<ContextSettings, 'contextMessages' | 'responseReserve' | 'minRecent'>;
	/** The most tokens that the answer may have, where that is set: a server counts them with the prompt. */
	maxAnswer?: number | undefined;
	/** The model's window and what the definitions of tools take of it, in tokens. */
	window: number;
	toolTokens: number;
	/** Tokens of a prompt besides its texts and messages: the frame of the system prompt, the start of the answer. */
	overhead: number;
	/** Sent after a summary, if there is one. */
	environment: string;
	count: TokenCounter;
	/** Share of what fits that may be left out so that the window's start stays; 0 makes it slide with every message. */
	slack?: number;
}
