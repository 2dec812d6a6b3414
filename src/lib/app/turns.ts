import type { Usage } from '../conversation/message';
import type { ContextView } from '../engine/turns/context-view';
import { newId } from '../shared/id';
import { lazy } from '../shared/lazy';
import { inBackground } from '../storage/storage-failure';
import { openCompactor } from './compaction';
import { answerSource } from './answer-source';
import { clock, db } from './environment';
import { live, surface } from './live';
import { openModel, openPlanner } from './planner';
import { tails } from './settle';
import { writers } from './writers';

/** Number of turns that were begun in this tab, in any session. */
let begun = 0;

/** The turns of this tab. Loaded when first needed: there is much to read before anything is asked. */
export const openTurns = lazy(async () => {
	const [{ Turns }, planner] = await Promise.all([import('../engine/turns/turns'), openPlanner()]);
	const turns = new Turns({
		db,
		locks: navigator.locks,
		writers,
		newId,
		clock,
		surface,
		source: answerSource,
		beginningIn: async (workspace) => (await import('./personas')).personas.beginningIn(workspace),
		openModel,
		planner,
		// Not for one that is still being loaded: that may take for ever.
		beforeTurn: async () => {
			begun++;
			await openCompactor.made?.giveWay();
		},
		afterTurn: (sessionId, sent, usage) => void inBackground(() => afterTurn(sessionId, sent, usage)),
		publish: (sessionId, event) => live.publish(sessionId, event),
		tails
	});
	addEventListener('pagehide', () => turns.leave());
	document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && turns.leave());
	return turns;
});

/**
 * After a turn: what its prompt took is learnt from, and the conversation is compacted if it is due [A11]. Where the store
 * refuses, or a part of the app can't be loaded, that is tried again after the next turn; nothing that a user wrote is in it.
 */
async function afterTurn(sessionId: string, sent: ContextView, usage: Usage): Promise<void> {
	const before = begun;
	const [planner, compactor] = await Promise.all([openPlanner(), openCompactor()]);
	await inBackground(() => planner.learn(sent, usage));
	// One that has begun meanwhile is not to wait for it.
	if (begun === before) await compactor.afterTurn(sessionId);
}
