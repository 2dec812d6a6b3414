import type { Plan } from '../../context/plan';
import type { TokenCounter } from '../../context/token-counter';
import type { Trigger } from '../../context/triggers';
import type { StrategyName } from '../../conversation/boundary';
import type { ContextRows } from '../../storage/context-rows';
import type { ModelProfile } from './model-profile';

/** How tokens are counted, and how far the last counts were from what the engine then reported: 0.05 is 5 % too many. */
export interface Counting {
	kind: TokenCounter['kind'];
	/** Newest first. */
	errors: number[];
}

/** What the next turn of a session would send, and why; plain data. */
export interface ContextView {
	rows: ContextRows;
	plan: Plan;
	model: ModelProfile;
	counting: Counting;
	/** How near each reason for compaction is. */
	triggers: Trigger[];
	/** What happens after the next turn if nothing changes: the strategy by which it would be compacted. */
	compactsBy: StrategyName | undefined;
}
