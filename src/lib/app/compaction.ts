import type { Boundary, StrategyName } from '../conversation/boundary';
import type { Compacted, Proposal, ProposeOptions } from '../engine/compaction/compactor';
import { newId } from '../shared/id';
import { lazy } from '../shared/lazy';
import { Boundaries } from '../storage/boundaries';
import { compactionMarks, type MarkedRange } from '../storage/compaction-marks';
import { answerSource } from './answer-source';
import { clock, db } from './environment';
import { openModel, openPlanner } from './planner';
import { writers } from './writers';

const boundaries = new Boundaries(db);
const compactedListeners = new Set<(compacted: Compacted) => void>();

export const openCompactor = lazy(async () => {
	const [{ Compactor }, planner] = await Promise.all([import('../engine/compaction/compactor'), openPlanner()]);
	return new Compactor({
		db,
		clock,
		newId,
		writers,
		planner,
		source: answerSource,
		openModel,
		// No one keeps a memory yet that would have to take something down first [S10].
		beforeBoundary: () => Promise.resolve(),
		onCompacted: (compacted) => {
			for (const listener of compactedListeners) listener(compacted);
		}
	});
});

/** As in `Compactor`, which is loaded when it is needed. */
export const compaction = {
	propose: async (sessionId: string, strategy?: StrategyName, options?: ProposeOptions) =>
		(await openCompactor()).propose(sessionId, strategy, options),
	figures: async (proposal: Proposal, summary: string) => (await openCompactor()).figures(proposal, summary),
	accept: async (proposal: Proposal, summary: string) => (await openCompactor()).accept(proposal, summary),
	undo: async (boundaryId: string) => (await openCompactor()).undo(boundaryId),
	redo: async (boundary: Boundary) => (await openCompactor()).redo(boundary),
	/** Reads rows only, so that a live query can follow it. */
	ofSession: (sessionId: string) => boundaries.ofSession(sessionId),
	/** As `compactionMarks`; reads rows only. */
	marks: (sessionId: string, range: MarkedRange) => compactionMarks(db, sessionId, range),
	/** Calls `listener` after each compaction that was made by itself, until the returned function is called. */
	onCompacted: (listener: (compacted: Compacted) => void): (() => void) => {
		compactedListeners.add(listener);
		return () => compactedListeners.delete(listener);
	}
};
