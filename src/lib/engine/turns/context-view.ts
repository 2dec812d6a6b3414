import type { Plan } from '../../context/plan';
import type { TokenCounter } from '../../context/token-counter';
import type { Trigger } from '../../context/triggers';
import type { StrategyName } from '../../conversation/boundary';
import type { ContextRows } from '../../storage/context-rows';
import type { ModelProfile } from './model-profile';

/** The way in which tokens are counted, and the errors of the last counts against what the engine then reported: 0.05 is 5 % too many. */
export interface Counting {
	kind: TokenCounter['kind'];
	/** Newest first. */
	errors: number[];
}

/** The context of the next turn of a session, with the reasons; plain data. */
export interface ContextView {
	rows: ContextRows;
	plan: Plan;
	model: ModelProfile;
	counting: Counting;
	/** The reasons for compaction, with their progress. */
	triggers: Trigger[];
	/** Strategy by which the session would be compacted after the next turn, if nothing changes. */
	compactsBy: StrategyName | undefined;
}
