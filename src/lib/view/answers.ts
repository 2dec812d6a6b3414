import { app } from '../app';
import type { ModelChoice } from '../app/choose-model';
import type { AnswerSource } from '../engine/providers/answer-source';
import type { StartedTurn } from '../engine/turns/turn-ports';
import { offerBack } from './notices.svelte';
import { openTurns, settle, turnOf } from './turns.svelte';

/** Answers once more what this answer answers; both stay [Z9]. With a `choice` that model does, this once. */
export async function regenerate(sessionId: string, answerId: string, choice?: ModelChoice): Promise<void> {
	const [turns, source] = await Promise.all([openTurns(), sourceOf(choice)]);
	run(await turns.regenerate(sessionId, answerId, source), choice);
}

/** Answers the last message again, as `regenerate` does; an unfinished answer becomes a message beside the new one [E11]. */
export async function retry(sessionId: string, choice?: ModelChoice): Promise<void> {
	const [turns, source] = await Promise.all([openTurns(), sourceOf(choice)]);
	run(await turns.retry(sessionId, source), choice);
}

async function sourceOf(choice: ModelChoice | undefined): Promise<AnswerSource | undefined> {
	return choice && (await import('../app/choose-model')).sourceOfChoice(choice);
}

/** Runs a turn, which remembers the model that it was asked of. */
function run(started: StartedTurn, choice: ModelChoice | undefined): void {
	void app.runTurn(started);
	turnOf(started.sessionId)!.choice = choice;
}

/** Goes on with an answer that ended before it was whole; an unfinished one becomes a message. */
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
