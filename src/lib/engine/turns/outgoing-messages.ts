import type { UnfinishedAnswer } from '../../conversation/growing-answer';
import { filesOf, textOf, type FilePart } from '../../conversation/message';
import { openCallsOf } from '../../conversation/open-calls';
import { homeWorkspace, threadKey } from '../../conversation/session';
import { previewOf } from '../../conversation/session-preview';
import { AppError } from '../../shared/app-error';
import { Answers, furthest } from '../../storage/answers';
import { append, messageOf, type Append, type NewMessage, type NewSession } from '../../storage/append';
import { Attachments } from '../../storage/attachments';
import { headOf } from '../../storage/branch-of';
import { forgetCall } from '../../storage/checkpoints';
import { DefaultPrompt } from '../../storage/default-prompt';
import { Messages } from '../../storage/messages';
import { takeNextPrompt } from '../../storage/prompts';
import { putSessionSettings } from '../../storage/session-settings';
import { Sessions } from '../../storage/sessions';
import { TurnStore } from '../../storage/turn-store';
import type { AnswerSource } from '../providers/answer-source';
import { sourceOf } from '../providers/source-row';
import { passedResult, resultPart, saidResult } from './calls';
import type { ChatBeginning } from './chat-beginning';
import type { Question } from './step';
import type { TurnPorts } from './turn-ports';
import type { UnwrittenAnswers } from './unwritten-answers';
import type { Writer } from './writers';

/** A message to be sent. */
export interface Outgoing {
	/** The message's id: by it, one who does not learn how this ended can tell whether it was stored. Made here if absent. */
	id?: string;
	text: string;
	attachments?: FilePart[];
	/** As in `Append`: what is left in its composer when it is stored. */
	unsent?: Append['unsent'];
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
	/** Choices for a new session: its system prompt in the place of the default, parameters, and more. Those of its workspace's persona count where these name none. */
	begins?: ChatBeginning;
	/** Sends it although it was sent a moment ago [E2]. */
	again?: boolean;
}

/** Within how many milliseconds the same message once more is taken for an accident [E2]. */
const doubleSend = 30_000;

/** Throws an AppError (`nothing-to-send`) for a message without words and files. */
export function refuseEmpty({ text, attachments = [] }: Outgoing): void {
	if (text.trim() === '' && attachments.length === 0) throw new AppError('nothing-to-send', 'There is nothing to send.');
}

/** Stores the messages that are sent, each in one transaction with all that goes with it. */
export class OutgoingMessages {
	constructor(
		private readonly ports: Pick<TurnPorts, 'db' | 'newId' | 'clock' | 'surface'>,
		private readonly unwritten: UnwrittenAnswers
	) {}

	/** Stores the first message of a new session, and that session. */
	async storeFirst(id: string, outgoing: Outgoing, to: Destination, source: AnswerSource): Promise<Question> {
		const { db, surface } = this.ports;
		const { message, draft } = this.messageOf(outgoing);
		// Nothing in it is newer than its message, of which the session says how it went.
		const now = message.createdAt;
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
			createdAt: now,
			...(to.begins?.persona && { persona: to.begins.persona })
		};
		const [prompt, sizes] = await Promise.all([to.begins?.systemPrompt ?? new DefaultPrompt(db).text(), this.sizesOf(message)]);
		// It is there also when it is empty, so that every tree has one root [Z2].
		const system = this.systemMessage({ text: prompt, ...(session.persona && { persona: session.persona }) }, now);
		const own = sourceOf(source);
		const { sessions, messages, trees, positions, attachmentUses, drafts, attachments, sessionSettings } = db;
		await db.transaction('rw', [sessions, messages, trees, positions, attachmentUses, drafts, attachments, sessionSettings], async () => {
			const isTaken = !apart && (await new Sessions(db).byKey(thread)) !== undefined;
			await append(db, { session: isTaken ? { ...session, key: ownKey } : session, messages: [system, message], ...draft, ...sizes });
			// The chat keeps its model, whichever is chosen for new ones later.
			const { systemPrompt: _, persona: _persona, ...choices } = to.begins ?? {};
			await putSessionSettings(db, { sessionId: id, ...choices, ...(own && { source: own }) });
		});
		return { parentId: message.id };
	}

	/** Stores a message of a session that is there. */
	async storeNext(writer: Writer, outgoing: Outgoing, to: Destination, source: AnswerSource): Promise<Question> {
		const { db, clock } = this.ports;
		const { message, draft } = this.messageOf(outgoing);
		const { sessionId, fence } = writer;
		const { sessions, messages, trees, positions, answers, attachmentUses, trash, drafts, attachments, sessionSettings, checkpoints } = db;
		const changes = { status: 'running' as const, stopReason: '', provider: source.provider, model: source.model };
		const common = { session: sessionId, changes, settlesAnswer: true, fence, ...draft, ...(await this.sizesOf(message)) };
		await db.transaction('rw', [sessions, messages, trees, positions, answers, attachmentUses, trash, drafts, attachments, sessionSettings, checkpoints], async () => {
			if (!to.again && to.parentId === undefined) await this.refuseDouble(sessionId, message);
			// Who writes on below a part of an answer has read it: it becomes history, so that no word is lost.
			const unwritten = await this.unwritten.get(writer);
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
			const said = parentId === undefined ? [] : await this.resultsAbove(sessionId, parentId);
			const [first, ...others] = [...(part && isBelowPart ? [messageOf(part, clock())] : []), ...said, ...prompts, message];
			if (part && !isBelowPart) await new TurnStore(db, fence).keep(sessionId, part, clock());
			await append(db, {
				...common,
				messages: [first, ...others],
				...(parentId === undefined ? {} : { parentId })
			});
		});
		this.unwritten.forget(sessionId);
		return { parentId: message.id };
	}

	/**
	 * Makes results of the calls of the answer above. What the user has said about one counts, also where others wait; who writes on while a turn
	 * waits for them has gone past the rest, of which none was run.
	 */
	private async resultsAbove(sessionId: string, parentId: string): Promise<NewMessage[]> {
		const { db, newId, clock } = this.ports;
		const [session, checkpoint] = await Promise.all([db.sessions.get(sessionId), db.checkpoints.get(sessionId)]);
		// Most messages follow an answer that called nothing: nothing more is read for them.
		if (session?.status !== 'waiting' && !checkpoint) return [];
		const messages = new Messages(db);
		const parent = await messages.get(parentId);
		if (!session || !parent) return [];
		// It is the last message written, where the turn that waits is its own.
		const waits = session.status === 'waiting' && parent.createdAt >= session.updatedAt;
		const path = await messages.fromCaller(parent);
		const results: NewMessage[] = [];
		for (const call of openCallsOf(path)) {
			const state = checkpoint?.calls.find((one) => one.answerId === path[0]!.id && one.toolCallId === call.toolCallId);
			const result = (state && saidResult(state)) ?? (waits ? passedResult(state) : undefined);
			if (!result) continue;
			await forgetCall(db, sessionId, path[0]!.id, call.toolCallId);
			results.push({ id: newId(), role: 'tool', parts: [resultPart(call, result)], createdAt: clock() });
		}
		return results;
	}

	private messageOf({ id, text, attachments = [], unsent }: Outgoing): { message: NewMessage; draft: Pick<Append, 'unsent'> } {
		const { newId, clock } = this.ports;
		const message: NewMessage = {
			id: id ?? newId(),
			role: 'user',
			parts: [...(text ? [{ type: 'text' as const, text }] : []), ...attachments],
			createdAt: clock()
		};
		return { message, draft: unsent ? { unsent } : {} };
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

	/** A system prompt as a part of history [Z2]. */
	private systemMessage({ text: typed, persona }: { text: string; persona?: string }, createdAt: number): NewMessage {
		const text = typed.trim();
		return { id: this.ports.newId(), role: 'system', parts: text ? [{ type: 'text', text }] : [], createdAt, ...(persona !== undefined && { persona }) };
	}
}
