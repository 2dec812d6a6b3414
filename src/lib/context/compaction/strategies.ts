import type { StrategyName } from '../../conversation/boundary';
import { codeAware } from './code-aware';
import { roleBudget } from './role-budget';
import { simple } from './simple';
import type { CompactionStrategy } from './strategy';

const strategies: Record<Exclude<StrategyName, 'summary'>, () => CompactionStrategy> = {
	simple,
	'code-aware': codeAware,
	'role-budget': roleBudget
};

/** A strategy that was given nothing yet. */
export function strategyOf(name: Exclude<StrategyName, 'summary'>): CompactionStrategy {
	return strategies[name]();
}
