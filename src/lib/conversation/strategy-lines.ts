import type { StrategyName } from './boundary';

/** What each strategy makes of older messages, in a line for people. */
export const strategyLines: Record<StrategyName, string> = {
	simple: 'The first words of each message, without a model',
	'code-aware': 'The first words, with all fenced code word for word, without a model',
	'role-budget': 'Least of what tools said, more of you, most of the answers, without a model',
	summary: 'The model writes down what was done, decided and left open'
};
