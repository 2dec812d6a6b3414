import { app } from '../app';
import type { ModelChoice } from '../app/choose-model';
import { offerBack } from './notices.svelte';
import { openTurns, settle } from './turns.svelte';

/** Answers once more what this answer answers; both stay [Z9]. With a `choice` that model does, this once. */
export async function regenerate(sessionId: string, answerId: string, choice?: ModelChoice): Promise<void> {
	const [turns, source] = await Promise.all([openTurns(), choice && import('../app/choose-model').then(({ sourceOfChoice }) => sourceOfChoice(choice))]);
	void app.runTurn(await turns.regenerate(sessionId, answerId, source));
}

/** Answers the last message again; an unfinished answer becomes a message beside the new one [E11]. */
export async function retry(sessionId: string): Promise<void> {
	void app.runTurn(await (await openTurns()).retry(sessionId));
}

/** Goes on with an answer that ended before it was whole. */
export async function continueAnswer(sessionId: string, answerId: string): Promise<void> {
	void app.runTurn(await (await openTurns()).continue(sessionId, answerId));
}

/** Makes the unfinished answer a message [E11]. */
export async function keepUnfinished(sessionId: string): Promise<void> {
	await (await openTurns()).keep(sessionId);
	settle(sessionId);
}

/** Forgets the unfinished answer, and offers it back for a while [E11]. */
export async function discardUnfinished(sessionId: string): Promise<void> {
	const engine = await openTurns();
	const discarded = await engine.discard(sessionId);
	settle(sessionId);
	if (!discarded) return;
	offerBack('Partial answer discarded.', () => engine.undiscard(sessionId, discarded));
}
