import type { Writer } from '../engine/turns/writers';
import { AppError } from '../shared/app-error';
import { AnswerTails } from '../storage/answer-tails';
import type { Database } from '../storage/database';
import { SecondTurnStore } from '../storage/second-turn-store';
import { inBackground } from '../storage/storage-failure';
import { TurnStore } from '../storage/turn-store';
import { live } from './live';

/** The ends of answers that the database does not have. */
export const tails = new AnswerTails(() => localStorage);

/**
 * Settles what the last writer of a session left. Where the store refuses, the session can be opened all the same: what was
 * left stays for the next time.
 */
export async function settle(db: Database, { sessionId, fence }: Writer, preempted: boolean): Promise<void> {
	if (preempted) tails.inherit(sessionId, fence);
	const [seen, tail] = [live.seen(sessionId), tails.get(sessionId)];
	const stopReason = preempted ? 'Stopped: you continued in another tab.' : 'Interrupted: the tab was closed or reloaded.';
	try {
		await new TurnStore(db, fence).settle(sessionId, { ...(seen && { seen }), ...(tail && { tail }), stopReason });
		tails.remove(sessionId);
		// Nobody waits for it: it is beside what is shown.
		void inBackground(() => new SecondTurnStore(db, fence, Date.now).settleSecond(sessionId));
	} catch (error) {
		if (!(error instanceof AppError)) throw error;
	}
}
