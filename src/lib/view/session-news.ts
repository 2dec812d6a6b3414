import type { Session } from '../conversation/session';
import { turnOf, type RunningTurn } from './turns.svelte';

/** The turns whose end was on the screen. */
const seen = new WeakSet<RunningTurn>();

/** Notes that a chat is on the screen: what its turn has come to is no news any more. */
export function seeNews(sessionId: string): void {
	const turn = turnOf(sessionId);
	if (turn && !turn.busy) seen.add(turn);
}

/** Returns what goes on in a chat that is not on the screen, or has come of it since it was, in a word or two; undefined for nothing. */
export function newsOf({ id, status }: Session): 'answering' | 'waiting for you' | 'failed' | 'new answer' | undefined {
	const turn = turnOf(id);
	if (turn?.busy) return 'answering';
	if (status === 'waiting') return 'waiting for you';
	if (!turn || seen.has(turn)) return undefined;
	if (turn.phase === 'failed') return 'failed';
	if (turn.stored) return 'new answer';
	// It stopped at a limit; another one was stopped by the user.
	return status === 'partial' ? 'waiting for you' : undefined;
}
