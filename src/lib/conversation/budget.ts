import type { Session } from './session';

/** A session's budget, and what its answers have cost so far. */
export type Budgeted = Pick<Session, 'budgetUsd' | 'usage'>;

/** The code of a turn that ended because the budget is spent. */
export const budgetSpent = 'budget-spent';

/** Tells whether the answers of a session have cost as much as they may [R8]: then nothing is asked. */
export function isBudgetSpent({ budgetUsd, usage: { costUsd = 0 } }: Budgeted): boolean {
	return budgetUsd !== undefined && costUsd >= budgetUsd;
}
