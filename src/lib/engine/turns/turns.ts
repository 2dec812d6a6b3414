import type { UnfinishedAnswer } from '../../conversation/growing-answer';
import { filesOf, textOf, type FilePart, type Usage } from '../../conversation/message';
import type { ModelParameters } from '../../conversation/model-parameters';
import { homeWorkspace, threadKey, type Session } from '../../conversation/session';
import { previewOf } from '../../conversation/session-preview';
import { AppError } from '../../shared/app-error';
import { toAppError } from '../../shared/to-app-error';
import { retryMs } from '../../shared/retry';
import { Answers, furthest, joinTail } from '../../storage/answers';
import { append, messageOf, type Append, type NewMessage, type NewSession } from '../../storage/append';
import { Attachments } from '../../storage/attachments';
import { headOf } from '../../storage/branch-of';
import { DefaultPrompt } from '../../storage/default-prompt';
import type { FencingToken } from '../../storage/fence';
import { Messages } from '../../storage/messages';
import { takeNextPrompt } from '../../storage/prompts';
import { readParameters } from '../../storage/parameters';
import { putSessionSettings, SessionSettings } from '../../storage/session-settings';
import { Sessions } from '../../storage/sessions';
import { inBackground, toStorageError } from '../../storage/storage-failure';
import { TurnStore } from '../../storage/turn-store';
import type { AnswerSource } from '../providers/answer-source';
import { sourceOf } from '../providers/source-row';
import { ContextFull } from './context-full';
import type { ContextView } from './context-view';
import { askedAfter } from './going-on';
import { Journal } from './journal';
import { SecondTurns } from './second-turns';
import { SessionHold } from './session-hold';
import type { Question } from './step';
import { TakenOver } from './taken-over';
import { runTurn, type TurnEvent } from './turn';
import type { StartedTurn, TurnPorts } from './turn-ports';
import type { Borrowed, Writer } from './writers';

/** A message to be sent. */
export interface Outgoing {
	/** The message's id: by it, one who does not learn how this ended can tell whether it was stored. Made here if absent. */
	id?: string;
	text: string;
	attachments?: FilePart[];
	/** As in `Append`: what is left in its composer when it is stored. */
	unsent?: Append['unsent'];
}

/** Choices for a chat before its first message. */
export interface ChatBeginning {
	systemPrompt?: string;
	parameters?: ModelParameters;
	/** Name of the preset that these were put there by. */
	preset?: string;
	/** Names of the tools that its model may call. */
	tools?: string[];
}

/** The place of a message. */
export interface Destination {
	/** A new session if absent. */
	sessionId?: string;
	/** The message that it follows; the head if absent. Where something follows that already, another branch begins [Z9]. */
	parentId?: string;
	/** Workspace of a new session: it becomes that one's thread, if it has none yet and `apart` is not set [E1, E2]. */
	workspace?: string;
	apart?: boolean;
	/** Choices for a new session: its system prompt in the place of the default, and parameters. */
	begins?: ChatBeginning;
	/** Sends it although it was sent a moment ago [E2]. */
	again?: boolean;
}

/** Within how many milliseconds the same message once more is taken for an accident [E2]. */
const doubleSend = 30_000;

/** An answer that is being written down, or could not be. */
interface Journalled {
	journal: Journal;
	fence: FencingToken;
	/** Reason why it could not be; it is tried again. */
	failure?: AppError;
	/** Set where it was left where any tab finds it. */
	hasTail?: boolean;
}

/** An answer that was discarded, and how its turn had ended. */
export interface DiscardedAnswer extends Pick<Session, 'status' | 'stopReason' | 'stopCode'> {
	answer: UnfinishedAnswer;
}

/** The reason of a turn whose answer was discarded. */
const discardedReason = 'Answer discarded.';

/** Starts, stops and settles turns: a user's message is stored first, then answered, by the tab that may write the session. */
export class Turns {
	private readonly running = new Map<string, AbortController>();
	private readonly journals = new Map<string, Journalled>();
	private readonly seconds: SecondTurns;

	constructor(private readonly ports: TurnPorts) {
		this.seconds = new SecondTurns(ports);
	}

	/**
	 * Stores the message, with its session if that is new [A1], and begins the answer. Throws an AppError, with nothing
	 * stored, if no source is chosen, another tab has the session open, an answer is being written, the same was sent a
	 * moment ago (`double-send`), or the store refuses.
	 */
	async send({ id, text, attachments = [], unsent }: Outgoing, to: Destination = {}): Promise<StartedTurn> {
		const source = await this.requireSource(to.sessionId);
		const { newId, clock } = this.ports;
		const message = (): NewMessage => ({
			id: id ?? newId(),
			role: 'user',
			parts: [...(text ? [{ type: 'text' as const, text }] : []), ...attachments],
			createdAt: clock()
		});
		const draft = unsent ? { unsent } : {};
		if (to.sessionId === undefined) {
			return this.begin(newId(), source, (writer) => this.sendFirst(writer.sessionId, message(), source, to, draft));
		}
		return this.begin(to.sessionId, source, (writer) => this.sendOn(writer, message(), source, to, draft));
	}

	/**
	 * Answers the last message again, from a clean start: an unfinished answer becomes a message with the first word of the new one,
	 * beside it [E11]. It comes from `source` where that is given, and the chat keeps its own. Throws as `send` does.
	 */
	async retry(sessionId: string, source?: AnswerSource): Promise<StartedTurn> {
		const { db } = this.ports;
		return this.begin(sessionId, source ?? (await this.requireSource(sessionId)), async (writer) => {
			await this.saveUnwritten(writer);
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
			await this.saveUnwritten(writer);
			const [answer, head] = await Promise.all([new Messages(db).get(answerId), new Messages(db).headOf(sessionId)]);
			if (!answer?.parentId || answer.sessionId !== sessionId) throw new AppError('message-absent', 'This answer is no longer there.');
			await new TurnStore(db, writer.fence).end(sessionId, 'running', '');
			return { parentId: answer.parentId, leaves: head?.id };
		});
	}

	/**
	 * Goes on with an answer that ended before it was whole: what comes is a message below it, and no question is between them. Throws as
	 * `send` does.
	 */
	async continue(sessionId: string, answerId: string): Promise<StartedTurn> {
		const { db } = this.ports;
		return this.begin(sessionId, await this.requireSource(sessionId), async (writer) => {
			await this.saveUnwritten(writer);
			const [answer, head] = await Promise.all([new Messages(db).get(answerId), new Messages(db).headOf(sessionId)]);
			if (answer?.role !== 'assistant' || answer.sessionId !== sessionId) throw new AppError('message-absent', 'This answer is no longer there.');
			await new TurnStore(db, writer.fence).end(sessionId, 'running', '');
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
			new TurnStore(this.ports.db, writer.fence).keep(sessionId, await this.unwritten(writer), this.ports.clock())
		);
	}

	/**
	 * Forgets the unfinished answer and returns it; its question stays, to be answered again or followed by another, and an answer that
	 * was shown before it is shown again [E11]. Throws as `keep` does.
	 */
	discard(sessionId: string): Promise<DiscardedAnswer | undefined> {
		const { db, clock } = this.ports;
		return this.whileIdle(sessionId, async (writer) => {
			const session = await new Sessions(db).get(sessionId);
			const answer = await new TurnStore(db, writer.fence).discard(sessionId, await this.unwritten(writer), discardedReason, clock());
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
			await this.saveUnwritten(writer);
			const store = new TurnStore(db, writer.fence);
			await store.undiscard(sessionId, answer, clock());
			const session = await new Sessions(db).get(sessionId);
			if (session?.stopReason === discardedReason) await store.end(sessionId, status, stopReason, stopCode);
		});
	}

	/** Leaves what is not written down where the next page finds it: this one may go, or sleep, before another write ends. */
	leave(): void {
		for (const [sessionId, { journal }] of this.journals) {
			if (!this.leaveTail(sessionId)) continue;
			// Where more has come meanwhile, or the write failed, the tail is what is left of it.
			const removeIfWritten = () => journal.unwritten === undefined && this.ports.tails.remove(sessionId);
			void journal.save().then(removeIfWritten, () => undefined);
		}
	}

	/** Ends this tab's turns of the session, keeping what has streamed. */
	stop(sessionId: string): void {
		this.running.get(sessionId)?.abort();
		this.seconds.stop(sessionId);
	}

	private async sendFirst(id: string, message: NewMessage, source: AnswerSource, to: Destination, draft: Pick<Append, 'unsent'>): Promise<Question> {
		const { db, clock, surface } = this.ports;
		const now = clock();
		const { workspace = homeWorkspace } = to;
		const thread = threadKey(workspace);
		const apart = to.apart || workspace === homeWorkspace;
		const ownKey = `${thread}:${now}`;
		const session: NewSession = {
			id,
			key: apart ? ownKey : thread,
			title: '',
			titledBy: 'snug',
			workspace,
			surface,
			preview: previewOf(message),
			provider: source.provider,
			model: source.model,
			status: 'running',
			stopReason: '',
			filesTouched: [],
			pinned: 0,
			archived: 0,
			createdAt: now
		};
		const [prompt, sizes] = await Promise.all([to.begins?.systemPrompt ?? new DefaultPrompt(db).text(), this.sizesOf(message)]);
		// It is there also when it is empty, so that every tree has one root [Z2].
		const system = this.systemMessage(prompt, now);
		const own = sourceOf(source);
		const { sessions, messages, trees, positions, attachmentUses, drafts, attachments, sessionSettings } = db;
		await db.transaction('rw', [sessions, messages, trees, positions, attachmentUses, drafts, attachments, sessionSettings], async () => {
			const isTaken = !apart && (await new Sessions(db).byKey(thread)) !== undefined;
			await append(db, { session: isTaken ? { ...session, key: ownKey } : session, messages: [system, message], ...draft, ...sizes });
			// The chat keeps its model, whichever is chosen for new ones later.
			const { systemPrompt: _, ...choices } = to.begins ?? {};
			await putSessionSettings(db, { sessionId: id, ...(own && { source: own }), ...choices });
		});
		return { parentId: message.id };
	}

	private async sendOn(
		writer: Writer,
		message: NewMessage,
		source: AnswerSource,
		to: Destination,
		draft: Pick<Append, 'unsent'>
	): Promise<Question> {
		const { db, clock } = this.ports;
		const { sessionId, fence } = writer;
		const { sessions, messages, trees, positions, answers, attachmentUses, trash, drafts, attachments, sessionSettings } = db;
		const changes = { status: 'running' as const, stopReason: '', provider: source.provider, model: source.model };
		const common = { session: sessionId, changes, settlesAnswer: true, fence, ...draft, ...(await this.sizesOf(message)) };
		await db.transaction('rw', [sessions, messages, trees, positions, answers, attachmentUses, trash, drafts, attachments, sessionSettings], async () => {
			if (!to.again && to.parentId === undefined) await this.refuseDouble(sessionId, message);
			// Who writes on below a part of an answer has read it: it becomes history, so that no word is lost.
			const unwritten = await this.unwritten(writer);
			if (unwritten) await new TurnStore(db, fence).keepOther(sessionId, unwritten, clock());
			const part = furthest<UnfinishedAnswer>(await new Answers(db).get(sessionId), unwritten);
			const [tree, position] = await Promise.all([trees.get(sessionId), positions.get(sessionId)]);
			const parentId = to.parentId ?? (tree && (await headOf(db, tree, position)).id);
			const isBelowPart =
				tree &&
				part &&
				part.parentId === parentId &&
				!(await new Answers(db).isMessage(part)) &&
				(await new Answers(db).canBePlaced(tree, part));
			const prompt = await takeNextPrompt(db, sessionId, parentId);
			const prompts = prompt === undefined ? [] : [this.systemMessage(prompt, message.createdAt)];
			const [first, ...others] = [...(part && isBelowPart ? [messageOf(part, clock())] : []), ...prompts, message];
			if (part && !isBelowPart) await new TurnStore(db, fence).keep(sessionId, part, clock());
			await append(db, {
				...common,
				messages: [first, ...others],
				...(parentId === undefined ? {} : { parentId })
			});
		});
		this.forget(sessionId);
		return { parentId: message.id };
	}

	/** The same words and files as a moment ago, in the same session, are an accident more often than not [E2]. */
	private async refuseDouble(sessionId: string, message: NewMessage): Promise<void> {
		const last = (await new Messages(this.ports.db).newest(sessionId, { limit: 4 })).findLast(({ role }) => role === 'user');
		if (!last || message.createdAt - last.createdAt >= doubleSend) return;
		const said = (of: Pick<NewMessage, 'parts'>) => JSON.stringify([textOf(of), filesOf(of).map(({ attachmentId }) => attachmentId)]);
		if (said(last) !== said(message)) return;
		const seconds = Math.max(1, Math.round((message.createdAt - last.createdAt) / 1000));
		throw new AppError('double-send', `You sent the same message ${seconds === 1 ? 'a second' : `${seconds} seconds`} ago, so it was not sent again.`, {
			retryable: true
		});
	}

	private async sizesOf(message: NewMessage): Promise<Pick<Append, 'fileBytes'>> {
		const ids = filesOf(message).map(({ attachmentId }) => attachmentId);
		if (ids.length === 0) return {};
		const found = await new Attachments(this.ports.db).getMany(ids);
		return { fileBytes: new Map([...found.values()].map(({ id, bytes }) => [id, bytes])) };
	}

	/** Returns what is known of the unfinished answer beyond its row: by this tab, or left by one before it and not settled yet. */
	private async unwritten({ sessionId, fence }: Writer): Promise<UnfinishedAnswer | undefined> {
		const { db, tails } = this.ports;
		const known = this.journals.get(sessionId)?.journal.unwritten;
		const tail = tails.get(sessionId);
		return known || tail?.fence !== fence ? known : joinTail(await new Answers(db).get(sessionId), tail);
	}

	/** Throws an AppError where the store refuses it still. */
	private async saveUnwritten({ sessionId, fence }: Writer): Promise<void> {
		const { db, tails } = this.ports;
		const { journal } = this.journals.get(sessionId) ?? {};
		if (journal?.unwritten) return journal.save();
		const tail = tails.get(sessionId);
		if (tail) await new TurnStore(db, fence).settle(sessionId, { tail, stopReason: '' });
	}

	/** Returns whether there is one that was not left yet. */
	private leaveTail(sessionId: string): boolean {
		const left = this.journals.get(sessionId);
		const tail = left?.journal.tail;
		// That of an answer that could not be written down was left when that turned out, and is any tab's by now.
		if (!tail || left?.failure) return false;
		this.ports.tails.put(sessionId, { ...tail, fence: left!.fence });
		return true;
	}

	private forget(sessionId: string): void {
		this.journals.delete(sessionId);
		this.ports.tails.remove(sessionId);
	}

	private async requireSource(sessionId: string | undefined): Promise<AnswerSource> {
		const source = await this.ports.source(sessionId);
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
			this.forget(sessionId);
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
			this.leaveTail(sessionId);
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
			return { sessionId, parentId: question.parentId, events: this.run(writer, question, source, abort.signal, release) };
		} catch (error) {
			release();
			throw toStorageError(error);
		}
	}

	private async *run(
		{ sessionId, fence, lost }: Writer,
		question: Question,
		source: AnswerSource,
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
				openJournal: () => (opened.journal = new Journal((answer) => store.journal(sessionId, answer))),
				plan: async (rows) => (sent = await planner.view(rows, source, askedAfter(rows))).plan,
				openModel: async (signal) => {
					const model = await openModel(source, signal);
					await this.keepFetched(sessionId, source);
					return model;
				},
				parameters: () => readParameters(db, sessionId),
				openToolbox: () => planner.toolbox(sessionId, source),
				signal,
				newId,
				clock
			})) {
				if (opened.journal && grows(event)) this.journals.set(sessionId, { journal: opened.journal, fence });
				if (event.type === 'step-end') {
					usage = event.message.usage;
					if (!lost.aborted) this.forget(sessionId);
				}
				if (event.type === 'turn-end' && event.status === 'failed') await this.learnFrom((failure = event.failure), source, sent);
				whole = event.type === 'turn-end' && event.status === 'success';
				publish(sessionId, event);
				yield event;
			}
		} finally {
			release();
			// The tail belongs to the tab that took over.
			if (lost.aborted || failure?.code === 'taken-over') this.journals.delete(sessionId);
			else if (failure && this.journals.get(sessionId)?.journal.unwritten) this.writeLater(sessionId, failure);
			// A turn that said nothing leaves what an earlier one could not write down.
			else if (whole || (opened.journal && this.journals.get(sessionId)?.journal === opened.journal)) this.forget(sessionId);
			if (whole && sent) afterTurn(sessionId, sent, usage ?? {});
		}
	}

	/** Leaves what could not be written down where any tab finds it, and writes it as soon as there is room. */
	private writeLater(sessionId: string, failure: AppError): void {
		const left = this.journals.get(sessionId)!;
		const isTriedAgain = left.failure !== undefined;
		this.leaveTail(sessionId);
		left.hasTail = this.ports.tails.get(sessionId) !== undefined;
		left.failure = failure;
		if (!isTriedAgain) void this.tryAgain(sessionId, left);
	}

	/** For as long as this tab is the next to write the session. */
	private async tryAgain(sessionId: string, left: Journalled): Promise<void> {
		const isLeft = () => this.journals.get(sessionId) === left && left.journal.unwritten !== undefined;
		while (isLeft()) {
			await new Promise((resolve) => setTimeout(resolve, retryMs));
			if (!isLeft() || this.running.has(sessionId)) continue;
			try {
				await this.ports.writers.asWriter(sessionId, async (fence) => {
					// What was left may have been taken up by a tab that has replaced or discarded it since.
					const isTaken = left.hasTail && this.ports.tails.get(sessionId) === undefined;
					const row = isTaken ? await new Answers(this.ports.db).get(sessionId) : undefined;
					const isOver = isTaken && row?.messageId !== left.journal.unwritten?.messageId;
					if (fence !== left.fence || isOver) return void this.journals.delete(sessionId);
					await left.journal.save();
					await new TurnStore(this.ports.db, fence).end(sessionId, 'failed', left.failure!.message, left.failure!.code);
					if (this.journals.get(sessionId) === left) this.forget(sessionId);
				});
			} catch (error) {
				const known = toAppError(toStorageError(error));
				if (known.code === 'session-absent' || known.code === 'message-absent') this.forget(sessionId);
			}
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

	/** A system prompt as a part of history [Z2]. */
	private systemMessage(prompt: string, createdAt: number): NewMessage {
		const text = prompt.trim();
		return { id: this.ports.newId(), role: 'system', parts: text ? [{ type: 'text', text }] : [], createdAt };
	}
}

/** Tells whether an event adds something to an answer that is to be journalled. */
function grows({ type }: TurnEvent): boolean {
	return type === 'text-delta' || type === 'reasoning-delta' || type === 'tool-call' || type === 'tool-result';
}
