import { budgetSpent } from '../../conversation/budget';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { callerOf, openCallsOf } from '../../conversation/open-calls';
import { AppError } from '../../shared/app-error';
import { formatCost } from '../../shared/cost';
import { toAppError } from '../../shared/to-app-error';
import { unlessAborted } from '../../shared/unless-aborted';
import type { ContextRows } from '../../storage/context-rows';
import type { TurnStore } from '../../storage/turn-store';
import { roomOfTurn, runCalls, type CallPorts, type ResultEvent } from './calls';
import type { Journal } from './journal';
import { runStep, stoppedByUser, type Question, type StepEvent, type StepPorts } from './step';
import { TakenOver } from './taken-over';
import type { Toolbox } from './toolbox';

/**
 * Event of a turn. Each step has a `step-start` with the id that its answer will have and what it answers, deltas and calls, and a
 * `step-end` with the stored answer; then comes a `result` for each call, with the message that it is stored as. The last event is always a
 * `turn-end`.
 */
export type TurnEvent =
	| StepEvent
	| ResultEvent
	| { type: 'turn-end'; status: 'success' | 'partial' | 'waiting' | 'interrupted' }
	| { type: 'turn-end'; status: 'failed'; failure: AppError };

export interface Turn extends Omit<StepPorts, 'tools'>, Question {
	store: StepPorts['store'] & Pick<TurnStore, 'context' | 'result' | 'spentBudget' | 'end'>;
	checkpoints: CallPorts['checkpoints'];
	/** Opens what the model may call. */
	openToolbox: () => Promise<Toolbox>;
	newId: () => string;
	/** The id of its first answer, where it is known already. */
	firstAnswerId?: string;
	/** Opens the journal of a step's answer. */
	openJournal: () => Journal;
	/** Called once the history is read. It may take long (weights are loaded); it throws an AppError if it can't be had. */
	openModel: (signal: AbortSignal) => Promise<LanguageModelV4>;
}

/**
 * Answers a message of the session [E11] in steps [R1]: the model is asked, what it calls is run, and so on until it calls nothing. Each
 * answer and each result is stored before the next begins, so that a turn that ends early can go on from there: one that begins where calls
 * have no result yet runs these first. It ends `waiting` where the user is to be asked about one. Failures and `signal` are ends, not exceptions.
 */
export async function* runTurn(turn: Turn): AsyncGenerator<TurnEvent, void> {
	const { sessionId, store, signal } = turn;
	let { parentId, leaves } = turn;
	let journal: Journal | undefined;
	const openToolbox = () => unlessAborted(turn.openToolbox(), signal);
	const openTools = async () => {
		const { chosen, allowed } = await openToolbox();
		return { tools: chosen, allowed };
	};
	try {
		let rows = await rowsTo(turn, parentId);
		let [answerId, calls] = [callerOf(rows.path)?.id ?? parentId, openCallsOf(rows.path)];
		let model: LanguageModelV4 | undefined;
		const room = { characters: roomOfTurn };
		let messageId = turn.firstAnswerId ?? turn.newId();
		for (let step = 1; ; step++) {
			if (calls.length > 0 && (step > 1 || (await openTools()).tools.length > 0)) {
				const { waits, ...after } = yield* runCalls({ ...turn, openTools, room }, { parentId, answerId, calls });
				signal.throwIfAborted();
				if (waits) {
					await store.end(sessionId, 'waiting', 'The model waits for you.');
					yield { type: 'turn-end', status: 'waiting' };
					return;
				}
				parentId = after.parentId;
				rows = await rowsTo(turn, parentId);
			}
			// The user may switch tools off meanwhile, and a result may bring the tool to read it by.
			const [{ maxSteps, tools }, spent] = await Promise.all([openToolbox(), store.spentBudget(sessionId)]);
			const limit =
				step > maxSteps
					? { reason: `It stopped after ${maxSteps === 1 ? 'one step' : `${maxSteps} steps`}, the limit for one answer. Resume goes on from here.` }
					: spent && { reason: `The budget of this chat is spent: its answers have cost ${formatCost(spent.costUsd)} of ${formatCost(spent.budgetUsd)}.`, code: budgetSpent };
			if (limit) {
				const { reason, code } = limit;
				// Nothing was asked yet, so there is nothing to go on from.
				if (code !== undefined && step === 1) throw new AppError(code, reason);
				await store.end(sessionId, 'partial', reason, code);
				yield { type: 'turn-end', status: 'partial' };
				return;
			}
			model ??= await unlessAborted(turn.openModel(signal), signal);
			journal = turn.openJournal();
			const end = yield* runStep({ ...turn, tools }, { messageId, model, parentId, leaves, rows, journal });
			journal = undefined;
			if (end.calls.length === 0) {
				yield { type: 'turn-end', status: end.stopped ? 'interrupted' : 'success' };
				return;
			}
			[messageId, parentId, leaves, answerId, calls] = [turn.newId(), end.message.id, undefined, end.message.id, end.calls];
		}
	} catch (error) {
		yield await fail(turn, journal, error);
	}
}

/** Throws an AppError where the message was deleted. */
async function rowsTo({ store, sessionId }: Pick<Turn, 'store' | 'sessionId'>, parentId: string): Promise<ContextRows> {
	const rows = await store.context(sessionId, parentId);
	if (rows?.endId === parentId) return rows;
	throw new AppError('message-absent', 'The message to answer was deleted.');
}

/**
 * The turn's end for an error, which is the signal's reason where nothing was there yet to be kept of a stopped step: the
 * words and the reason are kept, if the store still can. A failure is told as one even after a stop.
 */
async function fail({ sessionId, store, signal }: Pick<Turn, 'sessionId' | 'store' | 'signal'>, journal: Journal | undefined, error: unknown): Promise<TurnEvent> {
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
