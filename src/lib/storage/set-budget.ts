import type { Database } from './database';

/** Sets what a session may cost, in US dollars, or that it may cost anything [R8]. Any tab may do it. */
export async function setBudgetUnfenced({ sessions }: Database, id: string, budgetUsd: number | undefined): Promise<void> {
	await sessions
		.where('id')
		.equals(id)
		.modify((session) => {
			if (budgetUsd === undefined) delete session.budgetUsd;
			else session.budgetUsd = budgetUsd;
		});
}
