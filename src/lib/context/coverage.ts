import type { StrategyName } from '../conversation/boundary';
import type { ContextSettings } from '../conversation/context-settings';
import type { Message } from '../conversation/message';
import { unitsOf } from './units';

/** Number of the newest messages that `simple` keeps [Z6]. */
const simpleKeeps = 10;

/** Returns the least number of the newest messages that a compaction leaves as they are. */
export function keepOf(strategy: StrategyName, settings: Pick<ContextSettings, 'minRecent'>): number {
	return strategy === 'simple' ? simpleKeeps : settings.minRecent;
}

/**
 * Counts the oldest messages of a path that a compaction covers, so that at least `keep` stay and no call is parted from
 * its result. What stays begins with a message of the user, if need be an older one; only where they said nothing so far
 * back does it begin with another. 0 where there are not two messages to cover.
 */
export function coverageOf(path: readonly Message[], keep: number): number {
	const starts = unitsOf(path)
		.map(({ start }) => start)
		.filter((start) => start >= 2 && start <= path.length - keep);
	return starts.findLast((start) => path[start]?.role === 'user') ?? starts.at(-1) ?? 0;
}
