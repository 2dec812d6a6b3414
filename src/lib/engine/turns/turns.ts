import type { UnfinishedAnswer } from '../../conversation/growing-answer';
import type { Usage } from '../../conversation/message';
import type { Session } from '../../conversation/session';
import { AppError } from '../../shared/app-error';
import { Answers } from '../../storage/answers';
import { Checkpoints } from '../../storage/checkpoints';
import { Messages } from '../../storage/messages';
import { readParameters } from '../../storage/parameters';
import { SessionSettings } from '../../storage/session-settings';
import { Sessions } from '../../storage/sessions';
import { inBackground, toStorageError } from '../../storage/storage-failure';
import { TurnStore } from '../../storage/turn-store';
import type { CallState } from '../../storage/tables/checkpoints';
import type { Source } from '../../storage/tables/source';
import type { AnswerSource } from '../providers/answer-source';
import { sourceOf } from '../providers/source-row';
import type { ChatBeginning } from './chat-beginning';
import { ContextFull } from '../providers/context-full';
import type { ContextView } from './context-view';
import { askedAfter } from './going-on';
import { Journal } from './journal';
import { OutgoingMessages, refuseEmpty, type Destination, type Outgoing } from './outgoing-messages';
import { SecondTurns } from './second-turns';
import { SessionHold } from './session-hold';
import type { Question } from './step';
import { TakenOver } from './taken-over';
import { runTurn, type TurnEvent } from './turn';
import type { StartedTurn, TurnPorts } from './turn-ports';
import { UnwrittenAnswers } from './unwritten-answers';
import type { Borrowed, Writer } from './writers';

/** An answer that was discarded, and how its turn had ended. */
export interface DiscardedAnswer extends Pick<Session, 'status' | 'stopReason' | 'stopCode'> {
	answer: UnfinishedAnswer;
}

/** The reason of a turn whose answer was discarded. */
const discardedReason = 'Answer discarded.';

/** Starts, stops and settles turns: a user's message is stored first, then answered, by the tab that may write the session. */
export class Turns {
	private readonly running = new Map<string, AbortController>();
	private readonly unwritten: UnwrittenAnswers;
	private readonly outgoing: OutgoingMessages;
	private readonly seconds: SecondTurns;

	constructor(private readonly ports: TurnPorts) {
		this.unwritten = new UnwrittenAnswers(ports, (sessionId) => this.running.has(sessionId));
		this.outgoing = new OutgoingMessages(ports, this.unwritten);
		this.seconds = new SecondTurns(ports);
	}

	/**
	 * Stores the message, with its session if that is new [A1], and begins the answer. Throws an AppError, with nothing
	 * stored, if there is nothing to send, no source is chosen, another tab has the session open, an answer is being written, the same was sent a
	 * moment ago (`double-send`), or the store refuses.
	 */
	async send(outgoing: Outgoing, to: Destination = {}): Promise<StartedTurn> {
		refuseEmpty(outgoing);
		if (to.sessionId === undefined) {
			const begins = await this.beginningOf(to);
			const source = await this.requireSource(undefined, begins.source);
			return this.begin(this.ports.newId(), source, ({ sessionId }) => this.outgoing.storeFirst(sessionId, outgoing, { ...to, begins }, source));
		}
		const source = await this.requireSource(to.sessionId);
		return this.begin(to.sessionId, source, (writer) => this.outgoing.storeNext(writer, outgoing, to, source));
	}

	/**
	 * Answers the last message again, from a clean start: an unfinished answer becomes a message with the first word of the new one,
	 * beside it [E11]. It comes from `source` where that is given, and the chat keeps its own. Throws as `send` does.
	 */
	async retry(sessionId: string, source?: AnswerSource): Promise<StartedTurn> {
		const { db } = this.ports;
		return this.begin(sessionId, source ?? (await this.requireSource(sessionId)), async (writer) => {
			await this.unwritten.save(writer);
			const head = await new Messages(db).headOf(sessionId);
			if (!head) throw new AppError('message-absent', 'There is nothing to answer in this chat.');
			await new TurnStore(db, writer.fence).end(sessionId, 'running', '');
			return { parentId: head.id };
		});
	}

	/**
	 * Answers once more what this answer answers: both stay, as branches, and the first one is shown until the new one has
	 * its first word [Z9]. It comes from `source` where that is given, and the chat keeps its own. Throws as `send` does.
	 */
	async regenerate(sessionId: string, answerId: string, source?: AnswerSource): Promise<StartedTurn> {
		const { db } = this.ports;
		return this.begin(sessionId, source ?? (await this.requireSource(sessionId)), async (writer) => {
			await this.unwritten.save(writer);
			const [answer, head] = await Promise.all([new Messages(db).get(answerId), new Messages(db).headOf(sessionId)]);
			if (!answer?.parentId || answer.sessionId !== sessionId) throw new AppError('message-absent', 'This answer is no longer there.');
			await new TurnStore(db, writer.fence).end(sessionId, 'running', '');
			return { parentId: answer.parentId, leaves: head?.id };
		});
	}

	/**
	 * Goes on with an answer that ended before it was whole: what comes is a message below it, and no question is between them. An unfinished
	 * one is kept before. Throws as `send` does.
	 */
	async continue(sessionId: string, answerId: string): Promise<StartedTurn> {
		const { db, clock } = this.ports;
		return this.begin(sessionId, await this.requireSource(sessionId), async (writer) => {
			await this.unwritten.save(writer);
			const store = new TurnStore(db, writer.fence);
			const isUnfinished = (await new Answers(db).get(sessionId))?.messageId === answerId;
			if (isUnfinished) await store.keep(sessionId, undefined, clock());
			const [answer, head] = await Promise.all([new Messages(db).get(answerId), new Messages(db).headOf(sessionId)]);
			if (answer?.role !== 'assistant' || answer.sessionId !== sessionId) throw new AppError('message-absent', 'This answer is no longer there.');
			await store.end(sessionId, 'running', '');
			return { parentId: answerId, leaves: head?.id === answerId ? undefined : head?.id };
		});
	}

	/**
	 * Has `source` answer a message too, which a turn of this tab answers or has answered: a version beside that answer, at which the chat stays
	 * [Z9]. Until it ends nothing else begins in the chat. Throws an AppError as `send` does.
	 */
	answerBeside(sessionId: string, parentId: string, source: AnswerSource): Promise<StartedTurn> {
		return this.seconds.begin(sessionId, parentId, source, this.running.has(sessionId));
	}

	/**
	 * Makes the unfinished answer a message, as if the user had stopped there [E11]. Throws an AppError if the session is
	 * being answered, since what is unfinished is then that answer, or if another tab has it open.
	 */
	keep(sessionId: string): Promise<void> {
		return this.whileIdle(sessionId, async (writer) =>
			new TurnStore(this.ports.db, writer.fence).keep(sessionId, await this.unwritten.get(writer), this.ports.clock())
		);
	}

	/** Writes down what the user decided about a call; `retry` acts on it. Throws as `keep` does. */
	decide(sessionId: string, decision: Omit<CallState, 'begun'>): Promise<void> {
		return this.whileIdle(sessionId, async (writer) => {
			await this.unwritten.save(writer);
			await new Checkpoints(this.ports.db, writer.fence).decide(sessionId, decision);
		});
	}

	/**
	 * Forgets the unfinished answer and returns it; its question stays, to be answered again or followed by another, and an answer that
	 * was shown before it is shown again [E11]. Throws as `keep` does.
	 */
	discard(sessionId: string): Promise<DiscardedAnswer | undefined> {
		const { db, clock } = this.ports;
		return this.whileIdle(sessionId, async (writer) => {
			const session = await new Sessions(db).get(sessionId);
			const answer = await new TurnStore(db, writer.fence).discard(sessionId, await this.unwritten.get(writer), discardedReason, clock());
			const status = session?.status === 'running' ? 'interrupted' : session?.status;
			const { stopReason = '', stopCode = '' } = session ?? {};
			return answer && status && { answer, status, stopReason, stopCode };
		});
	}

	/**
	 * Brings a discarded answer back, as a message where the chat has gone on. Throws an AppError where another answer is unfinished by
	 * now (`answer-outdated`), and as `keep` does.
	 */
	undiscard(sessionId: string, { answer, status, stopReason, stopCode }: DiscardedAnswer): Promise<void> {
		const { db, clock } = this.ports;
		return this.whileIdle(sessionId, async (writer) => {
			await this.unwritten.save(writer);
			const store = new TurnStore(db, writer.fence);
			await store.undiscard(sessionId, answer, clock());
			const session = await new Sessions(db).get(sessionId);
			if (session?.stopReason === discardedReason) await store.end(sessionId, status, stopReason, stopCode);
		});
	}

	/** Leaves what is not written down where the next page finds it: this one may go, or sleep, before another write ends. */
	leave(): void {
		this.unwritten.leaveAll();
	}

	/** Ends this tab's turns of the session, keeping what has streamed. */
	stop(sessionId: string): void {
		this.running.get(sessionId)?.abort();
		this.seconds.stop(sessionId);
	}

	/** Returns the choices for a new chat: its own, and those of its workspace's persona where it names none. */
	private async beginningOf({ workspace, begins = {} }: Destination): Promise<ChatBeginning> {
		if (workspace === undefined || begins.persona !== undefined) return begins;
		return { ...(await this.ports.beginningIn?.(workspace)), ...begins };
	}

	private async requireSource(sessionId: string | undefined, own?: Source): Promise<AnswerSource> {
		const source = await this.ports.source(sessionId, own);
		if (source) return source;
		throw new AppError('no-source', 'No model is chosen yet. Choose one, then send again.');
	}

	private async whileIdle<T>(sessionId: string, work: (writer: Writer) => Promise<T>): Promise<T> {
		this.refuseSecond(sessionId);
		this.running.set(sessionId, new AbortController());
		let borrowed: Borrowed | undefined;
		try {
			borrowed = await this.ports.writers.require(sessionId);
			const { writer } = borrowed;
			const result = await this.ports.writers.write(writer, () => work(writer));
			this.unwritten.forget(sessionId);
			return result;
		} finally {
			this.running.delete(sessionId);
			borrowed?.release();
		}
	}

	private refuseSecond(sessionId: string): void {
		if (!this.running.has(sessionId) && !this.seconds.over(sessionId)) return;
		throw new AppError('answering', 'An answer is being written in this chat. Wait until it is done, or stop it.', { retryable: true });
	}

	/** Does `prepare` and then runs the turn, all as the session's writer. From here on it can be stopped. */
	private async begin(sessionId: string, source: AnswerSource, prepare: (writer: Writer) => Promise<Question>): Promise<StartedTurn> {
		this.refuseSecond(sessionId);
		const abort = new AbortController();
		this.running.set(sessionId, abort);
		const hold = new SessionHold(this.ports, sessionId, () => {
			this.unwritten.leave(sessionId);
			abort.abort(new TakenOver());
		});
		const release = () => {
			this.running.delete(sessionId);
			hold.release(this.seconds.over(sessionId));
		};
		try {
			const writer = await hold.takeWriter();
			await this.ports.beforeTurn();
			await hold.tellOthers();
			const question = await this.ports.writers.write(writer, () => prepare(writer));
			// Versions are counted in the order of their ids: this one comes before that of an answer beside it, whichever model is ready first.
			const firstAnswerId = this.ports.newId();
			return { sessionId, parentId: question.parentId, events: this.run(writer, question, source, firstAnswerId, abort.signal, release) };
		} catch (error) {
			release();
			throw toStorageError(error);
		}
	}

	private async *run(
		{ sessionId, fence, lost }: Writer,
		question: Question,
		source: AnswerSource,
		firstAnswerId: string,
		signal: AbortSignal,
		release: () => void
	): AsyncGenerator<TurnEvent, void> {
		const { db, newId, clock, openModel, planner, publish, afterTurn } = this.ports;
		let sent: ContextView | undefined;
		let usage: Usage | undefined;
		let whole = false;
		let failure: AppError | undefined;
		const store = new TurnStore(db, fence);
		const opened: { journal?: Journal } = {};
		try {
			for await (const event of runTurn({
				sessionId,
				...question,
				store,
				checkpoints: new Checkpoints(db, fence),
				openJournal: () => (opened.journal = new Journal((answer) => store.journal(sessionId, answer))),
				plan: async (rows, tools) => (sent = await planner.view(rows, source, askedAfter(rows), tools)).plan,
				openModel: async (signal) => {
					const model = await openModel(source, signal);
					await this.keepFetched(sessionId, source);
					return model;
				},
				parameters: () => readParameters(db, sessionId),
				openToolbox: () => planner.toolbox(sessionId, source),
				signal,
				newId,
				firstAnswerId,
				clock
			})) {
				if (opened.journal && grows(event)) this.unwritten.note(sessionId, opened.journal, fence);
				if (event.type === 'step-end') {
					usage = event.message.usage;
					if (!lost.aborted) this.unwritten.forget(sessionId);
				}
				if (event.type === 'turn-end' && event.status === 'failed') await this.learnFrom((failure = event.failure), source, sent);
				whole = event.type === 'turn-end' && event.status === 'success';
				publish(sessionId, event);
				yield event;
			}
		} finally {
			release();
			// The tail belongs to the tab that took over.
			if (lost.aborted || failure?.code === 'taken-over') this.unwritten.handOver(sessionId);
			else if (failure && this.unwritten.journalOf(sessionId)?.unwritten) this.unwritten.writeLater(sessionId, failure);
			// A turn that said nothing leaves what an earlier one could not write down.
			else if (whole || (opened.journal && this.unwritten.journalOf(sessionId) === opened.journal)) this.unwritten.forget(sessionId);
			if (whole && sent) afterTurn(sessionId, sent, usage ?? {});
		}
	}

	/** The next prompt is planned by what a server said of one that was too long; where that can't be stored, the server says it again. */
	private async learnFrom(failure: AppError, source: AnswerSource, sent: ContextView | undefined): Promise<void> {
		const { window } = failure instanceof ContextFull ? failure : {};
		if (window !== undefined && sent) await inBackground(() => this.ports.planner.learnWindow(source, window, sent));
	}

	/** A chat that is answered by a model which was fetched just now keeps it, as another keeps its own from its first message on. */
	private async keepFetched(sessionId: string, asked: AnswerSource): Promise<void> {
		if (sourceOf(asked)) return;
		const fetched = await this.ports.source(sessionId);
		const own = fetched && sourceOf(fetched);
		if (own && !fetched.leavesDevice) await new SessionSettings(this.ports.db).setSourceUnfenced(sessionId, own);
	}
}

/** Tells whether an event adds something to an answer that is to be journalled. */
function grows({ type }: TurnEvent): boolean {
	return type === 'text-delta' || type === 'reasoning-delta' || type === 'signature' || type === 'tool-call' || type === 'tool-result';
}
