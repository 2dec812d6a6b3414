import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Surface } from '../conversation/session';
import { holdAnswering } from '../locks/answering';
import { AppError } from '../shared/app-error';
import type { Clock } from '../shared/clock';
import { append, type Append, type NewMessage, type NewSession } from '../storage/append';
import type { Database } from '../storage/database';
import { Drafts } from '../storage/drafts';
import { Settings } from '../storage/settings';
import { explainStorageFailure } from '../storage/storage-failure';
import { TurnStore } from '../storage/turn-store';
import type { AnswerSource } from './answer-source';
import { runTurn, type TurnEvent } from './turn';

/** What the turns of this tab need from around. */
export interface TurnPorts {
	db: Database;
	locks: LockManager;
	newId: () => string;
	clock: Clock;
	surface: Surface;
	/** Where answers come from now. */
	source: () => Promise<AnswerSource>;
	/** Throws AppErrors; may take as long as a model takes to load. */
	openModel: (source: AnswerSource, signal: AbortSignal) => Promise<LanguageModelV4>;
}

/** A turn that has begun. Its events must be read to their end: reading them is what runs it. */
export interface StartedTurn {
	sessionId: string;
	events: AsyncGenerator<TurnEvent, void>;
}

const previewLength = 200;
const workspace = 'home';

/** Starts, stops and settles turns: a person's message is stored first, then answered under the session's lock. */
export class Turns {
	private readonly running = new Map<string, AbortController>();

	constructor(private readonly ports: TurnPorts) {}

	/**
	 * Stores the message, with its session if that is new [A1], and begins the answer. Throws an AppError, with nothing
	 * stored, if no source is chosen, the session is being answered in another tab, or the store refuses.
	 */
	async send(text: string, sessionId?: string): Promise<StartedTurn> {
		const { db, newId, clock } = this.ports;
		const source = await this.requireSource();
		const id = sessionId ?? newId();
		return this.begin(id, source, async () => {
			const now = clock();
			const message: NewMessage = { id: newId(), role: 'user', parts: [{ type: 'text', text }], createdAt: now };
			const used = { provider: providerOf(source), model: modelOf(source) };
			if (sessionId !== undefined) {
				const changes = { status: 'running' as const, stopReason: '', ...used };
				// Who writes on below a part of an answer has read it: it becomes history, so that no word is lost.
				const part = await this.unfinished(sessionId);
				const added: Pick<Append, 'messages' | 'parentId'> = part
					? { messages: [part.message, message], parentId: part.parentId }
					: { messages: [message] };
				await append(db, { session: sessionId, ...added, changes, settlesAnswer: true });
				return;
			}
			const session: NewSession = {
				id,
				key: `${this.ports.surface}:${workspace}:${now}`,
				workspace,
				surface: this.ports.surface,
				preview: text.trim().replace(/\s+/g, ' ').slice(0, previewLength),
				...used,
				status: 'running',
				stopReason: '',
				createdAt: now
			};
			await append(db, { session, messages: [await this.systemMessage(now), message] });
		});
	}

	/** Answers the last message again, from a clean start: an unfinished answer is dropped [E11]. Throws as `send` does. */
	async retry(sessionId: string): Promise<StartedTurn> {
		const source = await this.requireSource();
		return this.begin(sessionId, source, async () => {
			await new Drafts(this.ports.db).takeAnswer(sessionId);
			await new TurnStore(this.ports.db).end(sessionId, 'running', '');
		});
	}

	/**
	 * Makes the unfinished answer a message, as if the person had stopped there [E11]. Throws an AppError if the session is
	 * being answered, since the draft is then that answer's.
	 */
	async keep(sessionId: string): Promise<void> {
		const release = await this.hold(sessionId);
		try {
			const part = await this.unfinished(sessionId);
			if (part) await new TurnStore(this.ports.db).answer(sessionId, part.parentId, part.message, 'interrupted', '');
		} finally {
			release();
		}
	}

	/**
	 * Forgets the unfinished answer; its question stays, to be answered again or followed by another [E11]. Throws as
	 * `keep` does.
	 */
	async discard(sessionId: string): Promise<void> {
		const release = await this.hold(sessionId);
		try {
			await new Drafts(this.ports.db).takeAnswer(sessionId);
			await new TurnStore(this.ports.db).end(sessionId, 'interrupted', 'You discarded the answer.');
		} finally {
			release();
		}
	}

	/** Ends this tab's turn of the session, keeping what has streamed. */
	stop(sessionId: string): void {
		this.running.get(sessionId)?.abort();
	}

	/** What was journalled of an answer, as a message of its own, and what it answers. */
	private async unfinished(sessionId: string): Promise<{ parentId: string; message: NewMessage } | undefined> {
		const { db, newId, clock } = this.ports;
		const answer = (await new Drafts(db).get(sessionId))?.answer;
		if (!answer) return undefined;
		const { parentId, text, reasoning, model } = answer;
		const parts: NewMessage['parts'] = [
			...(reasoning ? [{ type: 'reasoning' as const, text: reasoning }] : []),
			...(text ? [{ type: 'text' as const, text }] : [])
		];
		return { parentId, message: { id: newId(), role: 'assistant', parts, createdAt: clock(), model, finishReason: 'stopped' } };
	}

	private async requireSource(): Promise<AnswerSource> {
		const source = await this.ports.source();
		if (source.kind !== 'none') return source;
		throw new AppError('no-source', 'Nothing answers yet. Choose where answers come from, then send again.');
	}

	/** Takes the session's lock and returns what frees it. */
	private async hold(sessionId: string): Promise<() => void> {
		const release = await holdAnswering(this.ports.locks, sessionId);
		if (release) return release;
		throw new AppError('answering-elsewhere', 'Another tab is answering in this session. Wait until it is done, then send again.', {
			retryable: true
		});
	}

	/** Does `prepare` and then runs the turn, all under the session's lock. From here on it can be stopped. */
	private async begin(sessionId: string, source: AnswerSource, prepare: () => Promise<void>): Promise<StartedTurn> {
		const free = await this.hold(sessionId);
		const abort = new AbortController();
		this.running.set(sessionId, abort);
		const release = () => {
			this.running.delete(sessionId);
			free();
		};
		try {
			await prepare();
		} catch (error) {
			release();
			throw explainStorageFailure(error);
		}
		return { sessionId, events: this.run(sessionId, source, abort.signal, release) };
	}

	private async *run(
		sessionId: string,
		source: AnswerSource,
		signal: AbortSignal,
		release: () => void
	): AsyncGenerator<TurnEvent, void> {
		const { db, newId, clock, openModel } = this.ports;
		try {
			yield* runTurn({
				sessionId,
				store: new TurnStore(db),
				openModel: (signal) => openModel(source, signal),
				signal,
				newId,
				clock
			});
		} finally {
			release();
		}
	}

	/** The tree's root: the system prompt in force [Z2]. It is there also when it is empty, so that every tree has one root. */
	private async systemMessage(now: number): Promise<NewMessage> {
		const text = await new Settings(this.ports.db).systemPrompt();
		return { id: this.ports.newId(), role: 'system', parts: text ? [{ type: 'text', text }] : [], createdAt: now };
	}
}

function providerOf(source: AnswerSource): string {
	return source.kind === 'server' ? source.provider.name : 'on-device';
}

function modelOf(source: AnswerSource): string {
	switch (source.kind) {
		case 'server':
			return source.model;
		case 'on-device':
			return source.model.name;
		case 'default-weights':
			return source.weights.name;
		case 'none':
			return '';
	}
}
