import type { StrategyName } from './boundary';

/** Names of the strategies in a choice of them. */
export const strategyLabels: Record<StrategyName, string> = {
	simple: 'simple',
	'code-aware': 'Keep code, shorten the rest',
	'role-budget': 'role-budget',
	summary: 'summary'
};

/** Descriptions of the strategies for users, a line each. */
export const strategyLines: Record<StrategyName, string> = {
	simple: 'Keeps the opening words of each message. No model needed',
	'code-aware': 'Keeps the opening words and all code blocks. No model needed',
	'role-budget': 'Keeps little of the tool results, more of your messages, most of the answers. No model needed',
	summary: 'The model summarises what was done, decided and left open'
};
