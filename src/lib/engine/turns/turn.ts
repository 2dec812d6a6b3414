import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Message } from '../../conversation/message';
import { AppError } from '../../shared/app-error';
import { toAppError } from '../../shared/to-app-error';
import type { TurnStore } from '../../storage/turn-store';
import { errorResult, type ToolResult } from '../../tools/tool';
import type { Journal } from './journal';
import { unlessAborted } from './model-stream';
import { runStep, stoppedByUser, type Question, type StepEvent, type StepPorts, type ToolCall } from './step';
import { TakenOver } from './taken-over';

/**
 * Event of a turn. Each step has a `step-start` with the id that its answer will have and what it answers, deltas and calls, and a
 * `step-end` with the stored answer; then comes a `result` for each call, with the message that it is stored as. The last event is always a
 * `turn-end`.
 */
export type TurnEvent =
	| StepEvent
	| { type: 'result'; message: Message }
	| { type: 'turn-end'; status: 'success' | 'partial' | 'interrupted' }
	| { type: 'turn-end'; status: 'failed'; failure: AppError };

export interface Turn extends StepPorts, Question {
	store: StepPorts['store'] & Pick<TurnStore, 'context' | 'result' | 'end'>;
	/** Opens the journal of a step's answer. */
	openJournal: () => Journal;
	/** Called once the history is read. It may take long (weights are loaded); it throws an AppError if it can't be had. */
	openModel: (signal: AbortSignal) => Promise<LanguageModelV4>;
}

/** Number of steps that a turn has at most: a model may call tools for ever. */
export const maxSteps = 25;

/**
 * Answers a message of the session [E11] in steps [R1]: the model is asked, what it calls is run, and so on until it calls nothing. Each
 * answer and each result is stored before the next begins, so that a turn that ends early can go on from there. Failures and `signal` are
 * ends, not exceptions.
 */
export async function* runTurn(turn: Turn): AsyncGenerator<TurnEvent, void> {
	const { sessionId, store, signal, newId, clock } = turn;
	let { parentId, leaves } = turn;
	let model: LanguageModelV4 | undefined;
	let journal: Journal | undefined;
	try {
		for (let step = 1; step <= maxSteps; step++) {
			const rows = await store.context(sessionId, parentId);
			if (rows?.endId !== parentId) throw new AppError('message-absent', 'The message to answer was deleted.');
			model ??= await unlessAborted(turn.openModel(signal), signal);
			journal = turn.openJournal();
			const { message, calls, stopped } = yield* runStep(turn, { model, parentId, leaves, rows, journal });
			journal = undefined;
			if (calls.length === 0) {
				yield { type: 'turn-end', status: stopped ? 'interrupted' : 'success' };
				return;
			}
			[parentId, leaves] = [message.id, undefined];
			for (const call of calls) {
				const { toolCallId, toolName } = call;
				const result = { type: 'tool-result' as const, toolCallId, toolName, ...(await runCall(turn, call)) };
				const stored = await store.result(sessionId, parentId, { id: newId(), role: 'tool', parts: [result], createdAt: clock() });
				yield { type: 'result', message: stored };
				parentId = stored.id;
			}
			signal.throwIfAborted();
		}
		await store.end(sessionId, 'partial', `It stopped after ${maxSteps} steps, the limit for one answer. Retry continues from here.`);
		yield { type: 'turn-end', status: 'partial' };
	} catch (error) {
		yield await fail(turn, journal, error);
	}
}

/** Runs what a model calls, or tells it what there is to be called. Throws the signal's reason where the turn is stopped. */
function runCall({ sessionId, tools, signal }: Turn, { toolName, input }: ToolCall): Promise<ToolResult> {
	signal.throwIfAborted();
	const tool = tools.find(({ name }) => name === toolName);
	if (tool) return unlessAborted(tool.run(input, { sessionId, signal }), signal);
	return Promise.resolve(errorResult(`There is no such tool. There are: ${tools.map(({ name }) => name).join(', ')}.`));
}

/**
 * The turn's end for an error, which is the signal's reason where nothing was there yet to be kept of a stopped step: the
 * words and the reason are kept, if the store still can. A failure is told as one even after a stop.
 */
async function fail({ sessionId, store, signal }: Turn, journal: Journal | undefined, error: unknown): Promise<TurnEvent> {
	const stopped = signal.aborted && error === signal.reason;
	const end: TurnEvent = stopped
		? { type: 'turn-end', status: 'interrupted' }
		: { type: 'turn-end', status: 'failed', failure: error instanceof AppError ? error : unexpected(error) };
	await journal?.close();
	if (signal.reason instanceof TakenOver) return { type: 'turn-end', status: 'interrupted' };
	try {
		await journal?.save();
		const [reason, code] = end.status === 'failed' ? [end.failure.message, end.failure.code] : [stoppedByUser];
		await store.end(sessionId, end.status, reason, code);
	} catch (second) {
		// The store is what fails: the sentence is shown, and the session's row still says that the turn was running.
		if (second !== error && !(second instanceof AppError)) reportError(second);
	}
	return end;
}

function unexpected(error: unknown): AppError {
	return new AppError('unexpected', `${toAppError(error).message} Your message is kept.`, { retryable: true, cause: error });
}
