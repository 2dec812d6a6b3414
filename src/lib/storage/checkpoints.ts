import { AppError } from '../shared/app-error';
import type { Database } from './database';
import { requireFence, type Fence } from './fence';
import { withStorageErrors } from './storage-failure';
import type { CallState } from './tables/checkpoints';

/** The calls of a session that were decided, or have begun, and have no result yet [Z8]. */
export class Checkpoints {
	constructor(
		private readonly db: Database,
		private readonly fence: Fence
	) {}

	/** As `callStates`. */
	of(sessionId: string, answerId: string): Promise<CallState[]> {
		return withStorageErrors(callStates(this.db, sessionId, answerId));
	}

	/** Writes down a decision about a call. Throws an AppError behind a fence, and where the session is gone. */
	decide(sessionId: string, decision: Omit<CallState, 'begun'>): Promise<void> {
		return this.put(sessionId, decision.answerId, decision.toolCallId, (before) => ({ ...decision, ...(before?.begun && { begun: true }) }));
	}

	/** Writes down that a call begins, before it does. Throws as `decide` does. */
	begin(sessionId: string, answerId: string, toolCallId: string): Promise<void> {
		return this.put(sessionId, answerId, toolCallId, () => ({ answerId, toolCallId, begun: true }));
	}

	private put(sessionId: string, answerId: string, toolCallId: string, next: (before: CallState | undefined) => CallState): Promise<void> {
		const { checkpoints, positions, sessions, trees } = this.db;
		return withStorageErrors(
			this.db.transaction('rw', checkpoints, positions, sessions, trees, async () => {
				await requireFence(this.db, sessionId, this.fence);
				if (!(await sessions.get(sessionId))) throw new AppError('session-absent', 'This chat was deleted, so nothing was run. Restore it, then try again.');
				const calls = (await checkpoints.get(sessionId))?.calls ?? [];
				const isThis = (call: CallState) => call.answerId === answerId && call.toolCallId === toolCallId;
				await checkpoints.put({ sessionId, calls: [...calls.filter((call) => !isThis(call)), next(calls.find(isThis))] });
			})
		);
	}
}

/** Returns the states of an answer's calls; a call of which nothing is known has none. */
export async function callStates({ checkpoints }: Database, sessionId: string, answerId: string): Promise<CallState[]> {
	const row = await checkpoints.get(sessionId);
	return row?.calls.filter((call) => call.answerId === answerId) ?? [];
}

/** Forgets a call, which has its result. Part of the running transaction. */
export async function forgetCall({ checkpoints }: Database, sessionId: string, answerId: string, toolCallId: string): Promise<void> {
	const row = await checkpoints.get(sessionId);
	if (!row) return;
	const calls = row.calls.filter((call) => call.answerId !== answerId || call.toolCallId !== toolCallId);
	await (calls.length > 0 ? checkpoints.put({ sessionId, calls }) : checkpoints.delete(sessionId));
}
