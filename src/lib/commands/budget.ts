import { AppError } from '../shared/app-error';
import { formatCost } from '../shared/cost';
import type { Command } from './command';
import { sessionHere } from './here';

/** The largest budget, in US dollars. */
const maxUsd = 100_000;

/** [R8] */
export const budgetCommand: Command = {
	name: 'budget',
	usage: '/budget [dollars]',
	summary: 'Set what the answers of this chat may cost, such as 1.50; 0 takes that away',
	alone: 'Show the budget',
	needs: 'chat',
	async run(argument, context) {
		const { id, budgetUsd, usage } = await sessionHere(context);
		const soFar = usage.costUsd === undefined ? 'None of its answers has reported a cost so far: only what a model reports is counted.' : `Its answers have cost ${formatCost(usage.costUsd)} so far.`;
		if (argument === '') return { kind: 'text', text: `${budgetUsd === undefined ? 'This chat has no budget.' : `The budget of this chat is ${formatCost(budgetUsd)}.`} ${soFar}` };
		const wanted = amountOf(argument);
		await context.setBudget(id, wanted);
		return {
			kind: 'done',
			about: `budget of ${id}`,
			text: wanted === undefined ? 'This chat has no budget any more.' : `This chat stops once its answers have cost ${formatCost(wanted)}. ${soFar}`,
			undo: async () => {
				if ((await context.session(id))?.budgetUsd !== wanted) throw new AppError('budget-changed', 'The budget of this chat has changed since, so it stays.');
				await context.setBudget(id, budgetUsd);
			}
		};
	}
};

/** Reads an amount such as `1.50`, `$2` or `0,5`; undefined where it is 0. Throws an AppError (`budget-unread`). */
function amountOf(text: string): number | undefined {
	const amount = /^\$? ?(\d{1,6}(?:[.,]\d{1,4})?|[.,]\d{1,4})$/.exec(text.trim())?.[1];
	const usd = Number(amount?.replace(',', '.'));
	if (amount === undefined || usd > maxUsd) throw new AppError('budget-unread', `A budget is an amount in US dollars up to ${maxUsd.toLocaleString('en')}, such as 1.50.`);
	return usd === 0 ? undefined : usd;
}
