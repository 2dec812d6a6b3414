import { SvelteMap } from 'svelte/reactivity';
import { app } from '../app';
import type { TurnEvent } from '../engine/turns/turn';
import type { Destination, Outgoing, Turns } from '../engine/turns/turns';
import type { AppError } from '../shared/app-error';
import type { UnfinishedAnswer } from '../storage/tables/answers';
import { offerBack } from './notices.svelte';

/**
 * The turn of one session in this tab: `waiting` for the model, `answering`, `done` until the stored answer is read
 * back, or `failed`, with what had streamed beside the reason.
 */
export class RunningTurn {
	phase = $state<'waiting' | 'answering' | 'done' | 'failed'>('waiting');
	/** The id that the answer will have, once the model has begun. */
	messageId = $state<string | undefined>();
	/** What it answers. */
	parentId = $state<string | undefined>();
	text = $state('');
	reasoning = $state('');
	failure = $state.raw<AppError | undefined>();
	stored = false;

	/** A turn that has begun elsewhere, as far as it is. */
	static from({ messageId, parentId, text, reasoning }: UnfinishedAnswer): RunningTurn {
		const turn = new RunningTurn();
		Object.assign(turn, { messageId, parentId, text, reasoning, phase: text || reasoning ? 'answering' : 'waiting' });
		return turn;
	}

	/** Whether it has said anything. */
	get begun(): boolean {
		return this.text !== '' || this.reasoning !== '';
	}

	get live(): boolean {
		return this.phase === 'waiting' || this.phase === 'answering';
	}

	take(event: TurnEvent): void {
		switch (event.type) {
			case 'step-start':
				this.messageId = event.messageId;
				this.parentId = event.parentId;
				break;
			case 'text-delta':
				this.phase = 'answering';
				this.text += event.text;
				break;
			case 'reasoning-delta':
				this.phase = 'answering';
				this.reasoning += event.text;
				break;
			case 'step-end':
				this.stored = true;
				break;
			case 'turn-end':
				this.phase = event.status === 'failed' ? 'failed' : 'done';
				if (event.status === 'failed') this.failure = event.failure;
		}
	}
}

const turns = new SvelteMap<string, RunningTurn>();

async function openTurns(): Promise<Turns> {
	return (await app.openConversations()).openTurns();
}

/** The most of an answer that is announced, in UTF-16 units: the rest is read in the conversation. */
const longestAnnouncement = 2000;

/** What was last answered in this tab, for screen readers: told once an answer, when it is whole [P10]. */
export const announcement = $state({ text: '' });

export function turnOf(sessionId: string | undefined): RunningTurn | undefined {
	return sessionId === undefined ? undefined : turns.get(sessionId);
}

/** Sends a message and follows the answer. Resolves with the session's id as soon as the message is stored. */
export async function send(outgoing: Outgoing, to: Destination): Promise<string> {
	const turns = await openTurns();
	const sent = await turns.send(outgoing, to);
	void app.runTurn(sent);
	void app.stored.askPersistence();
	return sent.sessionId;
}

/** Answers once more what this answer answers; both stay [Z9]. */
export async function regenerate(sessionId: string, answerId: string): Promise<void> {
	void app.runTurn(await (await openTurns()).regenerate(sessionId, answerId));
}

/** Answers the last message again; an unfinished answer becomes a message beside the new one [E11]. */
export async function retry(sessionId: string): Promise<void> {
	void app.runTurn(await (await openTurns()).retry(sessionId));
}

/** Makes the unfinished answer a message [E11]. */
export async function keepUnfinished(sessionId: string): Promise<void> {
	await (await openTurns()).keep(sessionId);
	turns.delete(sessionId);
}

/** Forgets the unfinished answer, and offers it back for a while [E11]. */
export async function discardUnfinished(sessionId: string): Promise<void> {
	const engine = await openTurns();
	const discarded = await engine.discard(sessionId);
	turns.delete(sessionId);
	if (!discarded) return;
	offerBack('Partial answer discarded.', () => engine.undiscard(sessionId, discarded));
}

export function stop(sessionId: string): void {
	void openTurns().then((turns) => turns.stop(sessionId));
}

/** Forgets a turn whose answer has been read back. */
export function settle(sessionId: string): void {
	turns.delete(sessionId);
}

app.followTurns(({ sessionId, parentId }) => {
	const turn = new RunningTurn();
	turn.parentId = parentId;
	turns.set(sessionId, turn);
	announcement.text = '';
	return (event) => {
		turn.take(event);
		if (event.type !== 'turn-end') return;
		if (turn.phase === 'done' && !turn.stored) turns.delete(sessionId);
		announcement.text = turn.failure?.message ?? (turn.text && `Assistant: ${turn.text.slice(0, longestAnnouncement)}`);
	};
});
