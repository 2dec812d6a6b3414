import { app } from '../app';
import type { Session } from '../conversation/session';
import { tryOrReport } from './notices.svelte';

/** Returns a budget, in US dollars, that a session has not spent yet: its own, doubled as often as that takes. */
export function largerBudget({ budgetUsd = 1, usage: { costUsd = 0 } }: Pick<Session, 'budgetUsd' | 'usage'>): number {
	let larger = 2 * (budgetUsd > 0 ? budgetUsd : 1);
	while (larger <= costUsd) larger *= 2;
	return larger;
}

/** Sets what a session may cost, in US dollars [R8]. Where the store refuses, that is said, and the result is false. */
export function setBudget(id: string, budgetUsd: number): Promise<boolean> {
	return tryOrReport(async () => (await app.openConversations()).setBudget(id, budgetUsd));
}
