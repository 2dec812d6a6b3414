import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { Plan } from '../../context/plan';
import { grow, saysNothing, type AnswerEvent, type StepStart } from '../../conversation/growing-answer';
import type { FinishReason, Message } from '../../conversation/message';
import { openCallsOf, type ToolCall } from '../../conversation/open-calls';
import type { ModelParameters } from '../../conversation/model-parameters';
import { AppError } from '../../shared/app-error';
import type { Clock } from '../../shared/clock';
import { unlessAborted } from '../../shared/unless-aborted';
import type { ContextRows } from '../../storage/context-rows';
import type { TurnStore } from '../../storage/turn-store';
import type { Tool } from '../../tools/tool';
import { AnswerStopwatch } from './answer-stopwatch';
import { callInput, callOutput } from './kept-value';
import type { Journal } from './journal';
import { toCallSettings } from './call-settings';
import { readParts, toUsage } from './model-stream';
import { toPrompt } from './prompt';
import { TakenOver } from './taken-over';
import { offered } from './toolbox';

/** Ports that the steps of a turn need. */
export interface StepPorts {
	sessionId: string;
	store: Pick<TurnStore, 'files' | 'answer'>;
	/** Plans what of the session the model is sent; asked for once the model is open, which knows its window then. */
	plan: (rows: ContextRows, tools: readonly Tool[]) => Promise<Plan>;
	/** Reads the parameters that the model is given. */
	parameters: () => Promise<ModelParameters>;
	/** Tools that the model may call; a turn without tools has one step. */
	tools: readonly Tool[];
	signal: AbortSignal;
	clock: Clock;
}

/** The message that is answered. */
export interface Question {
	/** A message of the user's, the last result of what a step has called, or an answer that is to go on. */
	parentId: string;
	/** The head from which the session moves to the answer, with its first word. */
	leaves?: string | undefined;
}

interface Step extends Question {
	/** The id that the answer will have. */
	messageId: string;
	model: LanguageModelV4;
	/** The history up to the question. */
	rows: ContextRows;
	journal: Journal;
}

/** Event of a step: its answer as it grows, and then as it is stored. */
export type StepEvent = AnswerEvent | { type: 'step-end'; message: Message };

/** Outcome of a step: its answer, which is a message now, and what is called before the next one. The turn ends where that is nothing. */
export interface StepEnd {
	message: Message;
	calls: ToolCall[];
	stopped: boolean;
}

export const stoppedByUser = 'You stopped it.';

/**
 * Asks the model once. A whole answer, or the part of it that the user chose to stop at, becomes a message before this returns; what has
 * come of another one is journalled, and this throws.
 */
export async function* runStep(turn: StepPorts, { messageId, model, parentId, leaves, rows, journal }: Step): AsyncGenerator<StepEvent, StepEnd> {
	const { sessionId, store, tools, parameters, signal, clock } = turn;
	const begun: StepStart = {
		type: 'step-start',
		messageId,
		parentId,
		model: model.modelId,
		startedAt: clock(),
		...(leaves === undefined ? {} : { leaves })
	};
	let answer = grow(undefined, begun);
	const stopwatch = new AnswerStopwatch(clock);
	let end: Ending = { usage: {}, finishReason: 'other' };
	yield begun;
	try {
		const plan = await unlessAborted(turn.plan(rows, turn.tools), signal);
		if (!plan.fits) throw tooSmall(plan.window);
		const [prompt, settings] = await Promise.all([
			store.files(plan.items).then((files) => toPrompt(plan, files, { model, hasTools: tools.length > 0 })),
			parameters().then(toCallSettings)
		]);
		stopwatch.start();
		const { stream } = await unlessAborted(model.doStream({ prompt, ...settings, ...offered({ tools }), abortSignal: signal }), signal);
		for await (const part of readParts(stream, AbortSignal.any([signal, journal.failed]))) {
			if (part.type === 'finish') end = endingOf(part);
			const event = eventOf(part);
			if (!event) continue;
			stopwatch.note(event.type);
			answer = grow(answer, event);
			if (!saysNothing(answer.parts)) journal.note(answer);
			yield event;
		}
		journal.failed.throwIfAborted();
	} catch (error) {
		if (!signal.aborted) throw error;
	}

	await journal.close();
	if (signal.reason instanceof TakenOver) signal.throwIfAborted();
	const stopped = signal.aborted;
	const { messageId: id, parts } = answer;
	if (saysNothing(parts)) {
		signal.throwIfAborted();
		throw new AppError('empty-answer', 'The model ended without an answer. Try again, or choose another model.', { retryable: true });
	}
	const calls = stopped || tools.length === 0 ? [] : openCallsOf([{ role: 'assistant', parts }]);
	const message = await store.answer(
		sessionId,
		parentId,
		{ id, role: 'assistant', parts, createdAt: clock(), model: model.modelId, times: stopwatch.stop(), ...end, ...(stopped ? { finishReason: 'stopped' } : {}) },
		{ status: stopped ? 'interrupted' : calls.length > 0 ? 'running' : 'success', stopReason: stopped ? stoppedByUser : '', leaves }
	);
	yield { type: 'step-end', message };
	return { message, calls, stopped };
}

function tooSmall(window: number): AppError {
	return new AppError(
		'context-full',
		`The model takes ${window} tokens, which is too few for your message and an answer. Shorten the message, lower the maximum length of answers, or choose a model with a longer context.`
	);
}

/** Returns what a part of the provider's is to an answer; undefined where it is nothing, or has no words. */
function eventOf(part: LanguageModelV4StreamPart): AnswerEvent | undefined {
	switch (part.type) {
		case 'text-delta':
		case 'reasoning-delta':
			return part.delta === '' ? undefined : { type: part.type, text: part.delta };
		case 'text-end':
			return part.providerMetadata && { type: 'signature', of: 'text', signature: part.providerMetadata };
		case 'reasoning-end':
			return part.providerMetadata && { type: 'signature', of: 'reasoning', signature: part.providerMetadata };
		case 'tool-call': {
			const { type, toolCallId, toolName, input, providerMetadata: signature } = part;
			return { type, toolCallId, toolName, input: callInput(input), ...(signature && { signature }) };
		}
		case 'tool-result': {
			const { type, toolCallId, toolName, result: output, isError = false, preliminary } = part;
			return preliminary ? undefined : { type, toolCallId, toolName, output: callOutput(output), isError };
		}
		default:
			return undefined;
	}
}

type Ending = Required<Pick<Message, 'usage' | 'finishReason'>>;

function endingOf({ usage, finishReason }: Extract<LanguageModelV4StreamPart, { type: 'finish' }>): Ending {
	return { usage: toUsage(usage), finishReason: toFinishReason(finishReason.unified) };
}

function toFinishReason(unified: string): FinishReason {
	return unified === 'stop' || unified === 'length' || unified === 'content-filter' || unified === 'tool-calls' ? unified : 'other';
}
