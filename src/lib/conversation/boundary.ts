import type { Usage } from './message';

/** Strategy that makes a summary of older messages [Z6, A10, S6]: the first three by rules alone, `summary` by the model. */
export type StrategyName = 'simple' | 'code-aware' | 'role-budget' | 'summary';

export const strategyNames: readonly StrategyName[] = ['simple', 'code-aware', 'role-budget', 'summary'];

/** Figures of a compaction: messages with the system prompt and the summary counted, and their tokens. */
export interface CompactionFigures {
	messagesBefore: number;
	messagesAfter: number;
	tokensBefore: number;
	tokensAfter: number;
}

/**
 * A compaction [A10]: what the model is sent in the place of older messages. It changes no message, and removing it undoes
 * it. It covers the path to `upToId`, and applies to a path that runs through that message, and to no other: there it covers
 * all messages down to its depth. Times are epoch milliseconds.
 */
export interface Boundary {
	id: string;
	sessionId: string;
	/** The last message that it covers, and its depth. */
	upToId: string;
	depth: number;
	/** Messages that it covers and does not tell, since they were excluded when it was made. */
	excluded: string[];
	strategy: StrategyName;
	/** Without its tag. */
	summary: string;
	figures: CompactionFigures;
	/** Depth of the path when it was made: what has come since is counted from there. */
	madeAtDepth: number;
	/** True if it was made between turns, and not by the user. */
	automatic: boolean;
	/** Paths, addresses, ids and numbers that the summary names and what it covers does not [S6]. */
	unverified: string[];
	/** Reason why it is not by the strategy that was asked for, as a sentence. */
	note?: string;
	/** Usage of the model that wrote it. */
	usage?: Usage;
	createdAt: number;
}

/** Counts the messages that a compaction stands for. The root, a system message, is not one of them. */
export function countCovered({ depth, excluded }: Pick<Boundary, 'depth' | 'excluded'>): number {
	return depth - excluded.length;
}

/** The length of the longest summary, made here or brought by a file, in UTF-16 units. */
export const maxSummary = 100_000;

/** Stands before every summary, for the model and for whoever reads what was sent [Z6]. */
export const summaryTag = '[COMPACTION SUMMARY]';
