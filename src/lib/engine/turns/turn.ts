import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { Plan } from '../../context/plan';
import { grow, type AnswerEvent } from '../../conversation/growing-answer';
import type { FinishReason, Message } from '../../conversation/message';
import { AppError } from '../../shared/app-error';
import type { Clock } from '../../shared/clock';
import { toAppError } from '../../shared/to-app-error';
import type { ContextRows } from '../../storage/context-rows';
import type { TurnStore } from '../../storage/turn-store';
import type { Journal } from './journal';
import { readParts, toUsage, unlessAborted } from './model-stream';
import { toPrompt } from './prompt';

/**
 * What happens in a turn, in order: `step-start` with the id that the answer will have and what it answers, deltas,
 * `step-end` with the stored answer, and always one `turn-end`.
 */
export type TurnEvent =
	| AnswerEvent
	| { type: 'step-end'; message: Message }
	| { type: 'turn-end'; status: 'success' | 'interrupted' }
	| { type: 'turn-end'; status: 'failed'; failure: AppError };

export interface Turn {
	sessionId: string;
	/** The message that is answered. */
	parentId: string;
	/** The head from which the session moves to the answer, with its first word. */
	leaves?: string | undefined;
	store: Pick<TurnStore, 'context' | 'files' | 'answer' | 'end'>;
	journal: Journal;
	/** What of the session the model is sent; asked for once the model is open, which knows its window then. */
	plan: (rows: ContextRows) => Promise<Plan>;
	/** Called once the history is read. It may take long (weights are loaded); it throws an AppError if it can't be had. */
	openModel: (signal: AbortSignal) => Promise<LanguageModelV4>;
	signal: AbortSignal;
	newId: () => string;
	clock: Clock;
}

const stoppedByPerson = 'You stopped it.';

/** Why a turn is aborted whose session another tab has taken over: nothing of it may be written any more [A5]. */
export class TakenOver extends Error {
	constructor() {
		super('another tab took the session over');
	}
}

/**
 * Answers a message of the session [E11]. Only a whole answer, or the part of it that the person chose to
 * stop at, becomes history; of a failed one what had come is kept. Failures and `signal` are ends, not exceptions.
 */
export async function* runTurn(turn: Turn): AsyncGenerator<TurnEvent, void> {
	const { sessionId, parentId, leaves, store, journal, signal } = turn;
	try {
		const rows = await store.context(sessionId, parentId);
		if (rows?.endId !== parentId) throw new AppError('message-absent', 'What was to be answered was deleted.');
		const model = await unlessAborted(turn.openModel(signal), signal);
		const begun = {
			type: 'step-start' as const,
			messageId: turn.newId(),
			parentId,
			model: model.modelId,
			startedAt: turn.clock(),
			...(leaves === undefined ? {} : { leaves })
		};
		let answer = grow(undefined, begun);
		let end: Ending = { usage: {}, finishReason: 'other' };
		yield begun;
		try {
			const plan = await turn.plan(rows);
			if (!plan.fits) throw tooSmall(plan.window);
			const prompt = await toPrompt(plan, await store.files(plan.items));
			const { stream } = await unlessAborted(model.doStream({ prompt, abortSignal: signal }), signal);
			for await (const part of readParts(stream, AbortSignal.any([signal, journal.failed]))) {
				if (part.type === 'finish') end = endingOf(part);
				const event = eventOf(part);
				if (!event) continue;
				answer = grow(answer, event);
				journal.note(answer);
				yield event;
			}
			journal.failed.throwIfAborted();
		} catch (error) {
			if (!signal.aborted) throw error;
		}

		await journal.close();
		if (signal.reason instanceof TakenOver) signal.throwIfAborted();
		const stopped = signal.aborted;
		const status = stopped ? 'interrupted' : 'success';
		const stopReason = stopped ? stoppedByPerson : '';
		if (answer.parts.length > 0) {
			const { messageId: id, parts } = answer;
			const message = await store.answer(
				sessionId,
				parentId,
				{ id, role: 'assistant', parts, createdAt: turn.clock(), model: model.modelId, ...end, ...(stopped ? { finishReason: 'stopped' } : {}) },
				{ status, stopReason, leaves }
			);
			yield { type: 'step-end', message };
		} else {
			signal.throwIfAborted();
			throw new AppError('empty-answer', 'The model ended without an answer. Try again, or choose another model.', {
				retryable: true
			});
		}
		yield { type: 'turn-end', status };
	} catch (error) {
		yield await fail(turn, error);
	}
}

/**
 * The turn's end for an error, which is the signal's reason where nothing was there yet to be kept of a stopped turn: the
 * words and the reason are kept, if the store still can. A failure is told as one even after a stop.
 */
async function fail({ sessionId, store, journal, signal }: Turn, error: unknown): Promise<TurnEvent> {
	const stopped = signal.aborted && error === signal.reason;
	const end: TurnEvent = stopped
		? { type: 'turn-end', status: 'interrupted' }
		: { type: 'turn-end', status: 'failed', failure: error instanceof AppError ? error : unexpected(error) };
	await journal.close();
	if (signal.reason instanceof TakenOver) return { type: 'turn-end', status: 'interrupted' };
	try {
		await journal.save();
		await store.end(sessionId, end.status, end.status === 'failed' ? end.failure.message : stoppedByPerson);
	} catch (second) {
		// The store is what fails: the sentence is shown, and the session's row still says that the turn was running.
		if (second !== error && !(second instanceof AppError)) reportError(second);
	}
	return end;
}

function tooSmall(window: number): AppError {
	return new AppError(
		'context-full',
		`The model takes ${window} tokens, which is too few for your message and an answer. Shorten the message, or choose a model with a longer context.`
	);
}

function unexpected(error: unknown): AppError {
	return new AppError('unexpected', `${toAppError(error).message} Your message is kept.`, { retryable: true, cause: error });
}

/** What a part of the provider's is to an answer; undefined where it is nothing, or has no words. */
function eventOf(part: LanguageModelV4StreamPart): AnswerEvent | undefined {
	if (part.type !== 'text-delta' && part.type !== 'reasoning-delta') return undefined;
	return part.delta === '' ? undefined : { type: part.type, text: part.delta };
}

type Ending = Required<Pick<Message, 'usage' | 'finishReason'>>;

function endingOf({ usage, finishReason }: Extract<LanguageModelV4StreamPart, { type: 'finish' }>): Ending {
	return { usage: toUsage(usage), finishReason: toFinishReason(finishReason.unified) };
}

function toFinishReason(unified: string): FinishReason {
	return unified === 'stop' || unified === 'length' || unified === 'content-filter' || unified === 'tool-calls' ? unified : 'other';
}
