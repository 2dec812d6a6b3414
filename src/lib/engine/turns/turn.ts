import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { Plan } from '../../context/plan';
import type { FinishReason, Message, Part, Usage } from '../../conversation/message';
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
	| { type: 'step-start'; messageId: string; parentId: string; model: string; startedAt: number; leaves?: string }
	| { type: 'text-delta'; text: string }
	| { type: 'reasoning-delta'; text: string }
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
	const answer = new Answer();
	try {
		const rows = await store.context(sessionId, parentId);
		if (rows?.endId !== parentId) throw new AppError('message-absent', 'What was to be answered was deleted.');
		const model = await unlessAborted(turn.openModel(signal), signal);
		const startedAt = turn.clock();
		const begun = {
			messageId: turn.newId(),
			parentId,
			model: model.modelId,
			startedAt,
			...(leaves === undefined ? {} : { leaves })
		};
		yield { type: 'step-start', ...begun };
		try {
			const plan = await turn.plan(rows);
			if (!plan.fits) throw tooSmall(plan.window);
			const prompt = await toPrompt(plan, await store.files(plan.items));
			const { stream } = await unlessAborted(model.doStream({ prompt, abortSignal: signal }), signal);
			for await (const part of readParts(stream, AbortSignal.any([signal, journal.failed]))) {
				const event = answer.take(part);
				if (!event) continue;
				const { text, reasoning } = answer;
				journal.note({ ...begun, text, reasoning });
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
		if (answer.text || answer.reasoning) {
			const message = await store.answer(
				sessionId,
				parentId,
				{ id: begun.messageId, role: 'assistant', createdAt: turn.clock(), model: model.modelId, ...answer.finish(stopped) },
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

/** An answer as it grows from the provider's parts. */
class Answer {
	text = '';
	reasoning = '';
	private usage: Usage = {};
	private finishReason: FinishReason = 'other';

	/** What there is to tell of this part. */
	take(part: LanguageModelV4StreamPart): TurnEvent | undefined {
		switch (part.type) {
			case 'text-delta':
				this.text += part.delta;
				return part.delta ? { type: 'text-delta', text: part.delta } : undefined;
			case 'reasoning-delta':
				this.reasoning += part.delta;
				return part.delta ? { type: 'reasoning-delta', text: part.delta } : undefined;
			case 'finish':
				this.usage = toUsage(part.usage);
				this.finishReason = toFinishReason(part.finishReason.unified);
		}
		return undefined;
	}

	finish(stopped: boolean): { parts: Part[]; usage: Usage; finishReason: FinishReason } {
		const parts: Part[] = [];
		if (this.reasoning) parts.push({ type: 'reasoning', text: this.reasoning });
		if (this.text) parts.push({ type: 'text', text: this.text });
		return { parts, usage: this.usage, finishReason: stopped ? 'stopped' : this.finishReason };
	}
}

function toFinishReason(unified: string): FinishReason {
	return unified === 'stop' || unified === 'length' || unified === 'content-filter' || unified === 'tool-calls' ? unified : 'other';
}
