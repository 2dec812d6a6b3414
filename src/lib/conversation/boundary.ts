import type { Usage } from './message';

/** How older messages become a summary [Z6, A10, S6]: the first three by rules alone, `summary` by the model. */
export type StrategyName = 'simple' | 'code-aware' | 'role-budget' | 'summary';

export const strategyNames: readonly StrategyName[] = ['simple', 'code-aware', 'role-budget', 'summary'];

/** What a compaction did to the context: messages with the system prompt and the summary counted, and their tokens. */
export interface CompactionFigures {
	messagesBefore: number;
	messagesAfter: number;
	tokensBefore: number;
	tokensAfter: number;
}

/**
 * A compaction [A10]: what the model is sent in the place of older messages. It changes no message, and removing it undoes
 * it. It applies to a path that runs through `upToId`, and to no other: there everything that it covers is on the path.
 * Times are epoch milliseconds.
 */
export interface Boundary {
	id: string;
	sessionId: string;
	/** The last message that it covers, and its depth. */
	upToId: string;
	depth: number;
	/** Every message that it stands for, oldest first: the path to `upToId` without the system prompt. */
	coveredIds: string[];
	strategy: StrategyName;
	/** Without its tag. */
	summary: string;
	figures: CompactionFigures;
	/** How deep the path was when it was made: what has come since is counted from there. */
	madeAtDepth: number;
	/** Whether it was made between turns, and not by the person. */
	automatic: boolean;
	/** Paths, addresses, ids and numbers that the summary names and what it covers does not [S6]. */
	doubtful: string[];
	/** Why it is not by the strategy that was asked for, as a sentence. */
	note?: string;
	/** What the model took to write it. */
	usage?: Usage;
	createdAt: number;
}

/** Stands before every summary, for the model and for whoever reads what was sent [Z6]. */
export const summaryTag = '[COMPACTION SUMMARY]';
