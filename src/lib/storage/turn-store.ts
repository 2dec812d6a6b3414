import { isBudgetSpent } from '../conversation/budget';
import type { UnfinishedAnswer } from '../conversation/growing-answer';
import { filesOf, textOf, type Message } from '../conversation/message';
import type { Status } from '../conversation/session';
import { titleFrom } from '../conversation/title';
import { AppError } from '../shared/app-error';
import { Answers, furthest, joinTail, type AnswerTail } from './answers';
import { append, messageOf, type NewMessage, type SessionChanges } from './append';
import { Attachments } from './attachments';
import { readContext, type ContextRows } from './context-rows';
import { forgetCall } from './checkpoints';
import type { Database } from './database';
import { requireFence, type Fence } from './fence';
import { leadOn, leadOnTables } from './lead-on';
import { Messages } from './messages';
import { withStorageErrors, toStorageError } from './storage-failure';
import type { Attachment } from './tables/attachments';

/**
 * The store of a turn, of a session whose fence the turn's tab knows. Failures that a user can meet are
 * AppErrors (`toStorageError`), and so is being behind the fence.
 */
export class TurnStore {
	constructor(
		protected readonly db: Database,
		protected readonly fence: Fence
	) {}

	/** The rows that decide what the model is sent, along the path to the head or to `at`; undefined where there is no such session. */
	context(sessionId: string, at?: string): Promise<ContextRows | undefined> {
		return withStorageErrors(readContext(this.db, sessionId, at));
	}

	/** The files of these messages, by attachment id; one that is not there any more is absent. */
	files(messages: Pick<Message, 'parts'>[]): Promise<Map<string, Attachment>> {
		const ids = messages.flatMap((message) => filesOf(message).map(({ attachmentId }) => attachmentId));
		return ids.length === 0 ? Promise.resolve(new Map()) : withStorageErrors(new Attachments(this.db).getMany([...new Set(ids)]));
	}

	/**
	 * Writes down how far an answer is. With its first words another unfinished answer becomes a message, and a head that is still at
	 * `leaves` moves to what is answered. Where that was deleted, the words are kept with it, and this throws an AppError.
	 */
	async journal(sessionId: string, answer: UnfinishedAnswer): Promise<void> {
		const { sessions, messages, trees, positions, answers, trash } = this.db;
		try {
			if (await new Answers(this.db).grow(sessionId, answer, this.fence)) return;
			await this.db.transaction('rw', [sessions, messages, trees, positions, answers, trash], async () => {
				await this.begin(sessionId, answer);
			});
		} catch (error) {
			const failure = toStorageError(error);
			const isDeleted = failure instanceof AppError && (failure.code === 'session-absent' || failure.code === 'message-absent');
			if (isDeleted) await withStorageErrors(new Answers(this.db).setDeletedUnfenced(sessionId, answer));
			throw failure;
		}
	}

	/**
	 * Settles what the last writer of a session left; called by the next one before it does anything. An answer that no tab
	 * writes any more is kept as far as it was journalled, `seen` or left as a `tail`, and the session says that it was
	 * interrupted. What belongs to something deleted is kept with that. Throws an AppError behind a fence.
	 */
	async settle(sessionId: string, { seen, tail, stopReason }: { seen?: UnfinishedAnswer; tail?: AnswerTail; stopReason: string }): Promise<void> {
		const { sessions, messages, trees, answers, trash } = this.db;
		if (!seen && !tail && (await withStorageErrors(sessions.get(sessionId)))?.status !== 'running') return;
		const work = this.db.transaction('rw', [...leadOnTables(this.db), messages, trash], async () => {
			const [tree, session, row] = await Promise.all([trees.get(sessionId), sessions.get(sessionId), answers.get(sessionId)]);
			if (!tree) return;
			await requireFence(this.db, sessionId, this.fence);
			const known = furthest(row, tail && tail.fence === this.fence ? joinTail(row, tail) : undefined, seen);
			if (known && known !== row) {
				const isThere = session && (await new Answers(this.db).canBePlaced(tree, known));
				const { leaves } = row ?? {};
				const whole = row?.messageId === known.messageId && leaves !== undefined ? { ...known, leaves } : known;
				await (isThere ? this.begin(sessionId, whole) : new Answers(this.db).setDeletedUnfenced(sessionId, known));
			}
			if (session?.status === 'running') await sessions.update(sessionId, { status: 'interrupted', stopReason });
			await leadOn(this.db, sessionId);
		});
		return withStorageErrors(work);
	}

	/**
	 * The answer becomes history, its journal row goes, the session says how the turn ended, and is given a title by its first
	 * answer [S2]: one transaction. A head that is still at `leaves` moves to the answer.
	 */
	async answer(
		sessionId: string,
		parentId: string,
		message: NewMessage,
		{ status, stopReason, leaves }: { status: Status; stopReason: string; leaves?: string | undefined }
	): Promise<Message> {
		const { messages, trash } = this.db;
		const rows = await withStorageErrors(
			this.db.transaction('rw', [...leadOnTables(this.db), messages, trash], async () => {
				await this.leave(sessionId, { messageId: message.id, parentId, leaves }, message.createdAt);
				const changes = {
					status,
					stopReason,
					...(message.model ? { model: message.model } : {}),
					...(await this.titleBy(sessionId, parentId))
				};
				const rows = await append(this.db, { session: sessionId, parentId, messages: [message], changes, settlesAnswer: true, fence: this.fence });
				await leadOn(this.db, sessionId);
				return rows;
			})
		);
		return rows[0]!;
	}

	/** The result of a call of an answer becomes history, with its files, while the turn goes on; what was decided of the call goes. */
	async result(sessionId: string, parentId: string, message: NewMessage, answerId: string, files: readonly Attachment[] = []): Promise<Message> {
		const { sessions, messages, trees, positions, checkpoints, attachments, attachmentUses, deletions } = this.db;
		const rows = await withStorageErrors(
			this.db.transaction('rw', [sessions, messages, trees, positions, checkpoints, ...(files.length > 0 ? [attachments, attachmentUses, deletions] : [])], async () => {
				for (const part of message.parts) if (part.type === 'tool-result') await forgetCall(this.db, sessionId, answerId, part.toolCallId);
				for (const file of files) await new Attachments(this.db).keep(file);
				const fileBytes = new Map(files.map(({ id, bytes }) => [id, bytes]));
				return append(this.db, { session: sessionId, parentId, messages: [message], fence: this.fence, fileBytes });
			})
		);
		return rows[0]!;
	}

	/**
	 * Makes the unfinished answer a message, as far as it was journalled or is `known`. Nothing happens where there is none;
	 * where the message that it answers was deleted, it is kept with that.
	 */
	keep(sessionId: string, known: UnfinishedAnswer | undefined, now: number): Promise<void> {
		const { sessions, messages, trees, positions, answers, trash } = this.db;
		return withStorageErrors(
			this.db.transaction('rw', [sessions, messages, trees, positions, answers, trash], async () => {
				if (known) await this.keepOther(sessionId, known, now);
				const part = furthest<UnfinishedAnswer>(await answers.get(sessionId), known);
				if (part) await this.keepPart(sessionId, part, { now, changes: { status: 'interrupted', stopReason: '', model: part.model } });
			})
		);
	}

	/** Returns the budget of a session and what its answers have cost, in US dollars, where that is as much, or more. */
	async spentBudget(sessionId: string): Promise<{ budgetUsd: number; costUsd: number } | undefined> {
		const session = await withStorageErrors(this.db.sessions.get(sessionId));
		return session?.budgetUsd !== undefined && isBudgetSpent(session) ? { budgetUsd: session.budgetUsd, costUsd: session.usage.costUsd ?? 0 } : undefined;
	}

	/** The turn ended without a message, or starts over. `stopCode` is that of its failure. Where another model has answered, that is shown. */
	end(sessionId: string, status: Status, stopReason: string, stopCode = ''): Promise<void> {
		const { sessions } = this.db;
		return withStorageErrors(
			this.db.transaction('rw', leadOnTables(this.db), async () => {
				await requireFence(this.db, sessionId, this.fence);
				await sessions.update(sessionId, { status, stopReason, stopCode });
				await leadOn(this.db, sessionId);
			})
		);
	}

	/**
	 * Forgets the unfinished answer, which is as far as it was journalled or is `known`, and returns it. A head that is still at what it
	 * answers goes back to where it was before.
	 */
	discard(sessionId: string, known: UnfinishedAnswer | undefined, stopReason: string, now: number): Promise<UnfinishedAnswer | undefined> {
		const { sessions, messages, trees, positions, answers, trash } = this.db;
		return withStorageErrors(
			this.db.transaction('rw', [sessions, messages, trees, positions, answers, trash], async () => {
				if (known) await this.keepOther(sessionId, known, now);
				const [tree, position] = await Promise.all([trees.get(sessionId), requireFence(this.db, sessionId, this.fence)]);
				const part = furthest<UnfinishedAnswer>(await answers.get(sessionId), known);
				await sessions.update(sessionId, { status: 'interrupted', stopReason });
				await answers.delete(sessionId);
				const { leaves } = part ?? {};
				const goesBack = tree && position && leaves !== undefined && position.headId === part?.parentId;
				if (goesBack && (await new Answers(this.db).canBePlaced(tree, { parentId: leaves }))) await positions.put({ ...position, headId: leaves });
				return part;
			})
		);
	}

	/**
	 * Brings a discarded answer back: to its question where the session is there, or went back from there, and else as a message. Throws an
	 * AppError (`answer-outdated`) where another answer is unfinished by now.
	 */
	undiscard(sessionId: string, answer: UnfinishedAnswer, now: number): Promise<void> {
		const { sessions, messages, trees, positions, answers, trash } = this.db;
		return withStorageErrors(
			this.db.transaction('rw', [sessions, messages, trees, positions, answers, trash], async () => {
				const [tree, position, other] = await Promise.all([trees.get(sessionId), positions.get(sessionId), answers.get(sessionId)]);
				if (other) throw new AppError('answer-outdated', 'Another answer is unfinished here now. Keep or discard that first.');
				if (tree && !(await new Answers(this.db).canBePlaced(tree, answer))) {
					throw new AppError('message-absent', 'The message that this answers is deleted. Restore that first.');
				}
				await this.leave(sessionId, answer, now);
				const isThere = position?.headId === answer.parentId || position?.headId === answer.leaves;
				if (isThere) await new Answers(this.db).set(sessionId, answer, this.fence);
				else await this.keepPart(sessionId, answer, { now });
			})
		);
	}

	/** Makes an unfinished answer a message where it is another than this one. Part of the running transaction. */
	async keepOther(sessionId: string, { messageId }: { messageId: string }, now: number): Promise<void> {
		const part = await this.db.answers.get(sessionId);
		if (part && part.messageId !== messageId) await this.keepPart(sessionId, part, { now });
	}

	/** Journals the first words of an answer. Part of the running transaction. */
	private async begin(sessionId: string, answer: UnfinishedAnswer): Promise<void> {
		const leaves = await this.leave(sessionId, answer, answer.startedAt);
		await new Answers(this.db).set(sessionId, { ...answer, ...(leaves === undefined ? {} : { leaves }) }, this.fence);
	}

	/** Makes a message of an unfinished answer; where what it answers was deleted, it goes there. Part of the running transaction. */
	private async keepPart(sessionId: string, part: UnfinishedAnswer, { now, changes = {} }: { now: number; changes?: SessionChanges }): Promise<void> {
		const answers = new Answers(this.db);
		const tree = await this.db.trees.get(sessionId);
		if (await answers.isMessage(part)) return answers.remove(sessionId);
		if (!tree || (await answers.canBePlaced(tree, part))) {
			const message = messageOf(part, now);
			const titled = { ...changes, ...(await this.titleBy(sessionId, part.parentId)) };
			await append(this.db, { session: sessionId, parentId: part.parentId, messages: [message], changes: titled, settlesAnswer: true, fence: this.fence });
		} else {
			await answers.setDeletedUnfenced(sessionId, part);
			await answers.remove(sessionId);
		}
	}

	/**
	 * Moves a head that is still at `leaves` to what is answered. Another unfinished answer becomes a message before; where that was shown
	 * at the head, it is what is left. Returns what is left. Part of the running transaction.
	 */
	private async leave(
		sessionId: string,
		answer: Pick<UnfinishedAnswer, 'messageId' | 'parentId'> & { leaves?: string | undefined },
		now: number
	): Promise<string | undefined> {
		const { positions } = this.db;
		const before = (await positions.get(sessionId))?.headId;
		await this.keepOther(sessionId, answer, now);
		const position = await requireFence(this.db, sessionId, this.fence);
		const isLeft = answer.leaves !== undefined && before === answer.leaves;
		if (!position || (!isLeft && before !== answer.parentId)) return answer.leaves;
		if (position.headId !== answer.parentId) await positions.put({ ...position, headId: answer.parentId });
		return isLeft || position.headId !== before ? position.headId : answer.leaves;
	}

	private async titleBy(sessionId: string, parentId: string): Promise<Pick<SessionChanges, 'title'>> {
		const session = await this.db.sessions.get(sessionId);
		if (!session || session.title !== '' || session.titledBy === 'user') return {};
		const question = await new Messages(this.db).get(parentId);
		return { title: titleFrom(question ? textOf(question) : '') };
	}
}
