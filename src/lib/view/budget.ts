import { app } from '../app';
import type { Changing } from '../commands/command';
import type { Budgeted } from '../conversation/budget';
import { outdate } from './notices.svelte';

/** Returns a budget, in US dollars, that a session has not spent yet: its own, doubled as often as that takes. */
export function largerBudget({ budgetUsd = 1, usage: { costUsd = 0 } }: Budgeted): number {
	let larger = 2 * (budgetUsd > 0 ? budgetUsd : 1);
	while (larger <= costUsd) larger *= 2;
	return larger;
}

/** Sets what a session may cost, in US dollars, or that it may cost anything [R8]: what was said of its budget before goes. */
export async function setBudget(id: string, budgetUsd: number | undefined): Promise<void> {
	await (await app.openConversations()).setBudget(id, budgetUsd);
	outdate(`budget of ${id}` satisfies Changing);
}
