import { expect, it } from 'vitest';
import { largerBudget } from './budget';

it('[R8] a larger budget is one that is not spent, whatever a row says that it was', () => {
	expect(largerBudget({ budgetUsd: 0.5, usage: { costUsd: 2 } })).toBe(4);
	expect(largerBudget({ usage: {} })).toBe(2);
	for (const budgetUsd of [0, -0, -3, 1e-320]) {
		for (const costUsd of [0, 0.2, 7]) expect(largerBudget({ budgetUsd, usage: { costUsd } })).toBeGreaterThan(costUsd);
	}
});
