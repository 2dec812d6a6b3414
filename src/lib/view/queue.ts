import { app } from '../app';
import { without, type Unsent } from '../conversation/unsent';
import { AppError } from '../shared/app-error';
import { undoMilliseconds } from '../storage/undo';
import { failureOf } from './attempt';
import { holdWhileOffered } from './hold-files';
import { notify } from './notices.svelte';
import { textOfSession, type SessionText } from './session-text.svelte';
import { send, turnOf, type RunningTurn } from './turns.svelte';

/** The turns after which something is sent. */
const awaited = new WeakSet<RunningTurn>();

/**
 * Queues what was entered in a session's composer while `turn` ran: it is sent to the end of the chat when that ends well, also where it has by now, and returns when it ends in another
 * way; where a second model answers too, once that has ended. What was written on since stays in the composer, and all of it where that was changed, which is said. Throws an AppError
 * (`answer-unfinished`) where it would go below the message `at`: it stays in the composer.
 */
export function enqueue(sessionId: string, at: string | undefined, turn: RunningTurn, entered: Unsent): void {
	if (at !== undefined) throw new AppError('answer-unfinished', 'A branch can be started here when the answer is done. Your message is still in the composer.');
	const composer = textOfSession(sessionId);
	const running = turnOf(sessionId) ?? turn;
	const isThere = composer.text.startsWith(entered.text) && without(entered.attachments, composer.attachments).length === 0;
	// Where the turn has ended it may have been entered once more, and sent: what is there then is something else.
	if ((running !== turn || !turn.busy) && !(isThere && composer.text === entered.text)) return;
	// Where it is queued already it was entered twice.
	if (!isThere && composer.queued?.text.endsWith(entered.text)) return;
	if (!isThere) return void notify({ text: 'Not sent: you wrote on, or left.', milliseconds: 8000 });
	composer.enqueue(entered);
	if (awaited.has(running)) return;
	awaited.add(running);
	void settleAfter(running, sessionId, composer);
}

/** Takes a message out of the queue, and offers it back for a while. */
export function removeQueued(composer: SessionText): void {
	holdWhileOffered(composer.queued?.attachments ?? []);
	notify({ text: 'Queued message removed.', action: { label: 'Undo', run: composer.takeOutQueued() }, milliseconds: undoMilliseconds });
}

async function settleAfter(turn: RunningTurn, sessionId: string, composer: SessionText): Promise<void> {
	const [status, besides] = [await turn.over, await turn.beside?.over];
	// In the next task the turn has let go of the session.
	await new Promise((resolve) => setTimeout(resolve));
	// A second answer that has failed may be asked for again beside it.
	awaited.delete(turn);
	if (!composer.queued) return;
	if (status !== 'success' || besides === 'interrupted' || composer.sending) {
		composer.takeOutQueued()();
		// What was deleted with its chat comes back with that.
		if (!(await app.sessions.get(sessionId))) return;
		notify({ text: 'Your queued message is back in the composer.', milliseconds: 6000 });
		return;
	}
	try {
		await composer.sendQueued((outgoing) => send(outgoing, { sessionId }));
	} catch (error) {
		notify({ text: `Your queued message is back in its composer. ${failureOf(error).message}` });
	}
}
