import type { LanguageModelV4 } from '@ai-sdk/provider';
import { filesOf, textOf, type FilePart, type Usage } from '../conversation/message';
import { homeWorkspace, threadKey, type Surface } from '../conversation/session';
import { holdAnswering } from '../locks/answering';
import { AppError } from '../shared/app-error';
import type { Clock } from '../shared/clock';
import { Answers, type UnfinishedAnswer } from '../storage/answers';
import { append, type Append, type NewMessage, type NewSession } from '../storage/append';
import { Attachments } from '../storage/attachments';
import type { Database } from '../storage/database';
import { Messages } from '../storage/messages';
import { Sessions } from '../storage/sessions';
import { Settings } from '../storage/settings';
import { explainStorageFailure } from '../storage/storage-failure';
import { TurnStore } from '../storage/turn-store';
import type { AnswerSource } from './answer-source';
import { ContextFull } from './context-full';
import type { ContextPlanner } from './context-planner';
import type { ContextView } from './context-view';
import { modelName } from './model-profile';
import { runTurn, TakenOver, type TurnEvent } from './turn';
import type { Borrowed, Writer, Writers } from './writers';

/** What the turns of this tab need from around. */
export interface TurnPorts {
	db: Database;
	locks: LockManager;
	writers: Writers;
	newId: () => string;
	clock: Clock;
	surface: Surface;
	/** Where answers come from now. */
	source: () => Promise<AnswerSource>;
	/** Throws AppErrors; may take as long as a model takes to load. */
	openModel: (source: AnswerSource, signal: AbortSignal) => Promise<LanguageModelV4>;
	/** Plans what each turn sends. */
	planner: Pick<ContextPlanner, 'view' | 'learnWindow'>;
	/** Called before a turn begins, and after one whose answer is whole, with what it sent and what that took. */
	beforeTurn: () => Promise<void>;
	afterTurn: (sessionId: string, sent: ContextView, usage: Usage) => void;
	/** Told of every event, so that other tabs can follow it. */
	publish: (sessionId: string, event: TurnEvent) => void;
}

/** A turn that has begun. Its events must be read to their end: reading them is what runs it. */
export interface StartedTurn {
	sessionId: string;
	events: AsyncGenerator<TurnEvent, void>;
}

/** What a person sends. */
export interface Outgoing {
	text: string;
	attachments?: FilePart[];
}

/** Where it goes. */
export interface Destination {
	/** A new session if absent. */
	sessionId?: string;
	/** The message that it follows; the head if absent. Where something follows that already, another branch begins [Z9]. */
	parentId?: string;
	/** Where a new session is made: as that workspace's thread, if it has none yet and `apart` is not set [E1, E2]. */
	workspace?: string;
	apart?: boolean;
	/** Sends it although it was sent a moment ago [E2]. */
	again?: boolean;
}

const previewLength = 200;

/** Within how many milliseconds the same message once more is taken for an accident [E2]. */
const doubleSend = 30_000;

/** Starts, stops and settles turns: a person's message is stored first, then answered, by the tab that may write the session. */
export class Turns {
	private readonly running = new Map<string, AbortController>();

	constructor(private readonly ports: TurnPorts) {}

	/**
	 * Stores the message, with its session if that is new [A1], and begins the answer. Throws an AppError, with nothing
	 * stored, if no source is chosen, another tab has the session open, an answer is being written, the same was sent a
	 * moment ago (`double-send`), or the store refuses.
	 */
	async send({ text, attachments = [] }: Outgoing, to: Destination = {}): Promise<StartedTurn> {
		const source = await this.requireSource();
		const { newId, clock } = this.ports;
		const message = (): NewMessage => ({
			id: newId(),
			role: 'user',
			parts: [...(text ? [{ type: 'text' as const, text }] : []), ...attachments],
			createdAt: clock()
		});
		if (to.sessionId === undefined) {
			return this.begin(newId(), source, (writer) => this.sendFirst(writer.sessionId, message(), source, to));
		}
		return this.begin(to.sessionId, source, (writer) => this.sendOn(writer, message(), source, to));
	}

	/** Answers the last message again, from a clean start: an unfinished answer is dropped [E11]. Throws as `send` does. */
	async retry(sessionId: string): Promise<StartedTurn> {
		return this.begin(sessionId, await this.requireSource(), ({ fence }) =>
			new TurnStore(this.ports.db, fence).end(sessionId, 'running', '', { dropsAnswer: true })
		);
	}

	/** Answers once more what this answer answers: both stay, as branches [Z9]. Throws as `send` does. */
	async regenerate(sessionId: string, answerId: string): Promise<StartedTurn> {
		const { db } = this.ports;
		return this.begin(sessionId, await this.requireSource(), async (writer) => {
			const answer = await new Messages(db).get(answerId);
			if (!answer?.parentId) throw new AppError('message-absent', 'This answer is no longer there.');
			await this.keepPart(writer);
			await new TurnStore(db, writer.fence).end(sessionId, 'running', '', { headId: answer.parentId });
		});
	}

	/**
	 * Makes the unfinished answer a message, as if the person had stopped there [E11]. Throws an AppError if the session is
	 * being answered, since the draft is then that answer's, or if another tab has it open.
	 */
	keep(sessionId: string): Promise<void> {
		return this.whileIdle(sessionId, (writer) => this.keepPart(writer));
	}

	/**
	 * Forgets the unfinished answer; its question stays, to be answered again or followed by another [E11]. Throws as
	 * `keep` does.
	 */
	discard(sessionId: string): Promise<void> {
		return this.whileIdle(sessionId, ({ fence }) =>
			new TurnStore(this.ports.db, fence).end(sessionId, 'interrupted', 'You discarded the answer.', { dropsAnswer: true })
		);
	}

	/**
	 * Opens the session for writing although another tab has it open [A5]. What that was answering is kept as a draft: what
	 * it journalled, or what was `seen` of it here, whichever is more. An answer that had become a message stays one.
	 */
	async takeOver(sessionId: string, seen: UnfinishedAnswer | undefined): Promise<Borrowed> {
		const { db, writers } = this.ports;
		const borrowed = await writers.takeOver(sessionId);
		const { fence } = borrowed.writer;
		const answers = new Answers(db);
		const length = (answer: UnfinishedAnswer | undefined) => (answer ? answer.text.length + answer.reasoning.length : 0);
		if (seen && length(seen) > length(await answers.get(sessionId))) await answers.set(sessionId, seen, fence);
		if ((await new Sessions(db).get(sessionId))?.status === 'running') {
			await new TurnStore(db, fence).end(sessionId, 'interrupted', 'This chat was taken over while an answer was being written.');
		}
		return borrowed;
	}

	/** Ends this tab's turn of the session, keeping what has streamed. */
	stop(sessionId: string): void {
		this.running.get(sessionId)?.abort();
	}

	private async sendFirst(id: string, message: NewMessage, source: AnswerSource, to: Destination): Promise<void> {
		const { db, clock, surface } = this.ports;
		const now = clock();
		const { workspace = homeWorkspace } = to;
		const thread = threadKey(workspace);
		const apart = to.apart || workspace === homeWorkspace;
		const session: NewSession = {
			id,
			key: apart || (await new Sessions(db).byKey(thread)) ? `${thread}:${now}` : thread,
			title: '',
			titledBy: 'snug',
			workspace,
			surface,
			preview: previewOf(message),
			provider: providerOf(source),
			model: modelName(source),
			status: 'running',
			stopReason: '',
			filesTouched: [],
			pinned: 0,
			createdAt: now
		};
		await append(db, { session, messages: [await this.systemMessage(now), message], ...(await this.sizesOf(message)) });
	}

	private async sendOn({ sessionId, fence }: Writer, message: NewMessage, source: AnswerSource, to: Destination): Promise<void> {
		const { db } = this.ports;
		if (!to.again && to.parentId === undefined) await this.refuseDouble(sessionId, message);
		const changes = { status: 'running' as const, stopReason: '', provider: providerOf(source), model: modelName(source) };
		const common = { session: sessionId, changes, settlesAnswer: true, fence, ...(await this.sizesOf(message)) };
		// Who writes on below a part of an answer has read it: it becomes history, so that no word is lost.
		const part = await this.unfinished(sessionId);
		if (part && part.parentId === (to.parentId ?? (await new Messages(db).headOf(sessionId))?.id)) {
			await append(db, { ...common, messages: [part.message, message], parentId: part.parentId });
			return;
		}
		if (part) await this.keepPart({ sessionId, fence });
		await append(db, { ...common, messages: [message], ...(to.parentId === undefined ? {} : { parentId: to.parentId }) });
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

	/** What was journalled of an answer, as a message of its own, and what it answers. */
	private async unfinished(sessionId: string): Promise<{ parentId: string; message: NewMessage } | undefined> {
		const { db, clock } = this.ports;
		const answer = await new Answers(db).get(sessionId);
		if (!answer) return undefined;
		const { messageId, parentId, text, reasoning, model } = answer;
		const parts: NewMessage['parts'] = [
			...(reasoning ? [{ type: 'reasoning' as const, text: reasoning }] : []),
			...(text ? [{ type: 'text' as const, text }] : [])
		];
		return { parentId, message: { id: messageId, role: 'assistant', parts, createdAt: clock(), model, finishReason: 'stopped' } };
	}

	private async keepPart({ sessionId, fence }: Pick<Writer, 'sessionId' | 'fence'>): Promise<void> {
		const part = await this.unfinished(sessionId);
		if (part) await new TurnStore(this.ports.db, fence).answer(sessionId, part.parentId, part.message, 'interrupted', '');
	}

	private async requireSource(): Promise<AnswerSource> {
		const source = await this.ports.source();
		if (source.kind !== 'none') return source;
		throw new AppError('no-source', 'No model is chosen yet. Choose one, then send again.');
	}

	private async whileIdle(sessionId: string, work: (writer: Writer) => Promise<void>): Promise<void> {
		this.refuseSecond(sessionId);
		this.running.set(sessionId, new AbortController());
		let borrowed: Borrowed | undefined;
		try {
			borrowed = await this.ports.writers.require(sessionId);
			await work(borrowed.writer);
		} finally {
			this.running.delete(sessionId);
			borrowed?.release();
		}
	}

	private refuseSecond(sessionId: string): void {
		if (!this.running.has(sessionId)) return;
		throw new AppError('answering', 'An answer is being written in this chat. Wait until it is done, or stop it.', { retryable: true });
	}

	/** Does `prepare` and then runs the turn, all as the session's writer. From here on it can be stopped. */
	private async begin(sessionId: string, source: AnswerSource, prepare: (writer: Writer) => Promise<void>): Promise<StartedTurn> {
		this.refuseSecond(sessionId);
		const abort = new AbortController();
		this.running.set(sessionId, abort);
		let borrowed: Borrowed | undefined;
		let free: (() => void) | undefined;
		const release = () => {
			this.running.delete(sessionId);
			free?.();
			borrowed?.release();
		};
		try {
			borrowed = await this.ports.writers.require(sessionId);
			const { lost } = borrowed.writer;
			lost.addEventListener('abort', () => abort.abort(new TakenOver()));
			await this.ports.beforeTurn();
			free = await holdAnswering(this.ports.locks, sessionId);
			await prepare(borrowed.writer);
			return { sessionId, events: this.run(borrowed.writer, source, abort.signal, release) };
		} catch (error) {
			release();
			throw explainStorageFailure(error);
		}
	}

	private async *run(
		{ sessionId, fence }: Writer,
		source: AnswerSource,
		signal: AbortSignal,
		release: () => void
	): AsyncGenerator<TurnEvent, void> {
		const { db, newId, clock, openModel, planner, publish, afterTurn } = this.ports;
		let sent: ContextView | undefined;
		let usage: Usage | undefined;
		let whole = false;
		try {
			for await (const event of runTurn({
				sessionId,
				store: new TurnStore(db, fence),
				plan: async (rows) => (sent = await planner.view(rows, source)).plan,
				openModel: (signal) => openModel(source, signal),
				signal,
				newId,
				clock
			})) {
				if (event.type === 'step-end') usage = event.message.usage;
				if (event.type === 'turn-end' && event.status === 'failed') await this.learnFrom(event.failure, source);
				whole = event.type === 'turn-end' && event.status === 'success';
				publish(sessionId, event);
				yield event;
			}
		} finally {
			release();
			if (whole && sent) afterTurn(sessionId, sent, usage ?? {});
		}
	}

	/** A server that refused a prompt may have said how long one may be: the next is planned by that. */
	private async learnFrom(failure: AppError, source: AnswerSource): Promise<void> {
		if (failure instanceof ContextFull && failure.window !== undefined) await this.ports.planner.learnWindow(source, failure.window);
	}

	/** The tree's root: the system prompt in force [Z2]. It is there also when it is empty, so that every tree has one root. */
	private async systemMessage(now: number): Promise<NewMessage> {
		const text = await new Settings(this.ports.db).systemPrompt();
		return { id: this.ports.newId(), role: 'system', parts: text ? [{ type: 'text', text }] : [], createdAt: now };
	}
}

function previewOf(message: NewMessage): string {
	const text = textOf(message).trim().replace(/\s+/g, ' ').slice(0, previewLength);
	return text || filesOf(message).map(({ name }) => name).join(', ');
}

function providerOf(source: AnswerSource): string {
	return source.kind === 'server' ? source.provider.name : 'on-device';
}
