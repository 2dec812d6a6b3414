import { AppError } from '../../shared/app-error';
import { Checkpoints } from '../../storage/checkpoints';
import { readParameters } from '../../storage/parameters';
import { SecondTurnStore } from '../../storage/second-turn-store';
import { toStorageError } from '../../storage/storage-failure';
import type { AnswerSource } from '../providers/answer-source';
import { askedAfter } from './going-on';
import { Journal } from './journal';
import { SessionHold } from './session-hold';
import { TakenOver } from './taken-over';
import { noTools } from './toolbox';
import { runTurn, type TurnEvent } from './turn';
import type { StartedTurn, TurnPorts } from './turn-ports';
import type { Writer } from './writers';

interface SecondTurn {
	abort: AbortController;
	/** Resolves when it has ended. */
	over: Promise<void>;
}

/** The turns of second models [Z9]: each beside the turn that answers the same message, or after it. */
export class SecondTurns {
	private readonly running = new Map<string, SecondTurn>();

	constructor(private readonly ports: TurnPorts) {}

	/** The end of the one of a session, if one runs here. */
	over(sessionId: string): Promise<void> | undefined {
		return this.running.get(sessionId)?.over;
	}

	stop(sessionId: string): void {
		this.running.get(sessionId)?.abort.abort();
	}

	/**
	 * Begins the answer of `source` to a message of the session. Where no turn of this tab `isBeside` it, this one tells the other tabs that
	 * the session is being answered. Throws an AppError if one runs already, or another tab has the session open.
	 */
	async begin(sessionId: string, parentId: string, source: AnswerSource, isBeside: boolean): Promise<StartedTurn> {
		if (this.running.has(sessionId)) throw new AppError('answering', 'Another model is still answering in this chat.', { retryable: true });
		const abort = new AbortController();
		let end = () => {};
		this.running.set(sessionId, { abort, over: new Promise((resolve) => (end = resolve)) });
		const hold = new SessionHold(this.ports, sessionId, () => abort.abort(new TakenOver()));
		const release = () => {
			this.running.delete(sessionId);
			hold.release();
			end();
		};
		try {
			const writer = await hold.takeWriter();
			await this.ports.beforeTurn();
			if (!isBeside) await hold.tellOthers();
			return { sessionId, parentId, events: this.run(writer, parentId, source, abort.signal, release) };
		} catch (error) {
			release();
			throw toStorageError(error);
		}
	}

	private async *run({ sessionId, fence }: Writer, parentId: string, source: AnswerSource, signal: AbortSignal, release: () => void): AsyncGenerator<TurnEvent, void> {
		const { db, newId, clock, openModel, planner } = this.ports;
		const store = new SecondTurnStore(db, fence, clock);
		try {
			yield* runTurn({
				sessionId,
				parentId,
				store,
				checkpoints: new Checkpoints(db, fence),
				openJournal: () => new Journal((answer) => store.journal(sessionId, answer)),
				plan: async (rows, tools) => (await planner.view(rows, source, askedAfter(rows), tools)).plan,
				openModel: (signal) => openModel(source, signal),
				parameters: () => readParameters(db, sessionId),
				// Two that work side by side would get in each other's way.
				openToolbox: () => Promise.resolve(noTools),
				signal,
				newId,
				clock
			});
		} finally {
			release();
		}
	}
}
