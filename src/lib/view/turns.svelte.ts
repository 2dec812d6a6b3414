import { untrack } from 'svelte';
import { app } from '../app';
import type { ModelChoice } from '../app/choose-model';
import { grow, saysNothing, type UnfinishedAnswer } from '../conversation/growing-answer';
import type { TurnEvent } from '../engine/turns/turn';
import type { Destination, Outgoing } from '../engine/turns/outgoing-messages';
import type { Turns } from '../engine/turns/turns';
import type { AppError } from '../shared/app-error';

type TurnEnding = Extract<TurnEvent, { type: 'turn-end' }>['status'];

/**
 * The turn of one session in this tab: `waiting` for the model, `answering`, `done` until the stored answer is read
 * back, or `failed`, with what had streamed beside the reason.
 */
export class RunningTurn {
	phase = $state<'waiting' | 'answering' | 'done' | 'failed'>('waiting');
	/** Id of the message that it answers. */
	parentId = $state<string | undefined>();
	/** The answer, once the model has begun. */
	answer = $state.raw<UnfinishedAnswer | undefined>();
	failure = $state.raw<AppError | undefined>();
	stored = false;
	/** The model that it was asked of in the place of the chat's own. */
	choice: ModelChoice | undefined;
	/** The turn of a second model that answers the same, until one of the two answers is kept. */
	beside = $state.raw<RunningTurn | undefined>();
	private end!: (status: TurnEnding) => void;
	/** Resolves when it has ended, with how. */
	readonly over = new Promise<TurnEnding>((resolve) => (this.end = resolve));

	/** `name` is that of its model, where it is a second one. */
	constructor(readonly name?: string) {}

	/** The id that the answer will have, once the model has begun. */
	get messageId(): string | undefined {
		return this.answer?.messageId;
	}

	/** True if it has said anything. */
	get begun(): boolean {
		return this.answer !== undefined && !saysNothing(this.answer.parts);
	}

	get live(): boolean {
		return this.phase === 'waiting' || this.phase === 'answering';
	}

	/** True while this one runs, or the one beside it. */
	get busy(): boolean {
		return this.live || this.beside?.live === true;
	}

	take(event: TurnEvent): void {
		switch (event.type) {
			case 'step-end':
				this.stored = true;
				break;
			case 'result':
				this.parentId = event.message.id;
				this.answer = undefined;
				this.stored = false;
				this.phase = 'waiting';
				break;
			case 'turn-end':
				this.phase = event.status === 'failed' ? 'failed' : 'done';
				if (event.status === 'failed') this.failure = event.failure;
				this.end(event.status);
				break;
			default:
				this.answer = grow(this.answer, event);
				this.parentId = this.answer?.parentId ?? this.parentId;
				if (this.begun) this.phase = 'answering';
		}
	}
}

/** The few turns of this tab, by session. */
let turns = $state.raw<readonly (readonly [sessionId: string, turn: RunningTurn])[]>([]);

/** Resolves with what runs turns, once it is loaded. */
export async function openTurns(): Promise<Turns> {
	return (await app.openConversations()).openTurns();
}

/** The last answer in this tab, for screen readers: told once an answer, when it is whole [P10]. */
export const announcement = $state({ text: '' });

export function turnOf(sessionId: string | undefined): RunningTurn | undefined {
	return sessionId === undefined ? undefined : turns.find(([id]) => id === sessionId)?.[1];
}

/** Told of each message that was sent from here, when its turn runs; set where something follows it. */
export const sent: { on?: (sessionId: string, isFirst: boolean) => void } = {};

/** Sends a message and follows the answer. Resolves with the session's id as soon as the message is stored. */
export async function send(outgoing: Outgoing, to: Destination): Promise<string> {
	const turns = await openTurns();
	const isFirst = to.sessionId === undefined;
	const started = await (isFirst ? (await import('./beginning')).sendFirst(turns, outgoing, to) : turns.send(outgoing, to));
	void app.runTurn(started);
	sent.on?.(started.sessionId, isFirst);
	void app.stored.askPersistence();
	return started.sessionId;
}

export function stop(sessionId: string): void {
	void openTurns().then((turns) => turns.stop(sessionId));
}

/** Forgets a turn whose answer has been read back. An effect that does this does not follow the list for it. */
export function settle(sessionId: string): void {
	untrack(() => {
		if (turnOf(sessionId)) turns = turns.filter(([id]) => id !== sessionId);
	});
}

app.followTurns(({ sessionId, parentId }) => {
	const turn = new RunningTurn();
	turn.parentId = parentId;
	settle(sessionId);
	turns = [...turns, [sessionId, turn]];
	announcement.text = '';
	return (event) => {
		turn.take(event);
		if (event.type !== 'turn-end') return;
		void import('./turn-end.svelte').then(({ tellEnd }) => (announcement.text = tellEnd(sessionId, turn, event.status === 'waiting')));
	};
});
