import type { UnfinishedAnswer } from '../conversation/growing-answer';
import type { Message } from '../conversation/message';
import type { Tree } from '../conversation/tree';
import { AppError } from '../shared/app-error';
import type { Clock } from '../shared/clock';
import { Answers } from './answers';
import { append, messageOf, type NewMessage } from './append';
import type { Database } from './database';
import { requireFence, type Fence } from './fence';
import { isPlaced, leadOn, leadOnTables } from './lead-on';
import { withStorageErrors } from './storage-failure';
import type { AnswerRow } from './tables/answers';
import { TurnStore } from './turn-store';

/**
 * The store of the turn of a second model [Z9]: its answer is a version beside that of the first. What the session's row says of its last turn
 * is not touched, and its head only where the first turn has ended without an answer.
 */
export class SecondTurnStore extends TurnStore {
	constructor(
		db: Database,
		fence: Fence,
		private readonly clock: Clock
	) {
		super(db, fence);
	}

	/**
	 * Writes down how far the answer is; what is left of another becomes a message before. Throws an AppError behind the fence, and where the
	 * session (`session-absent`) or what it answers (`message-absent`) was deleted.
	 */
	override journal(sessionId: string, { messageId, parentId, parts, model, startedAt }: UnfinishedAnswer): Promise<void> {
		const { secondAnswers, sessions, trees, messages } = this.db;
		return withStorageErrors(
			this.db.transaction('rw', [...leadOnTables(this.db), messages], async () => {
				const [row, tree, found] = await Promise.all([
					secondAnswers.get(sessionId),
					trees.get(sessionId),
					sessions.where('id').equals(sessionId).count(),
					requireFence(this.db, sessionId, this.fence)
				]);
				if (!tree || found === 0) throw new AppError('session-absent', 'This chat was deleted, so the answer ends here.');
				await new Answers(this.db).requirePlace(tree, { parentId });
				if (row && row.messageId !== messageId) await this.placeLeft(row, tree);
				await secondAnswers.put({ sessionId, messageId, parentId, parts, model, startedAt });
			})
		);
	}

	/** The answer becomes history, in one transaction; without parts its row says where the session may go on from. */
	override async answer(sessionId: string, parentId: string, message: NewMessage): Promise<Message> {
		const rows = await withStorageErrors(this.place(sessionId, parentId, message));
		return rows[0]!;
	}

	/** The turn ended without a whole answer: what is written down of it becomes history. */
	override end(sessionId: string): Promise<void> {
		return this.settleSecond(sessionId);
	}

	/**
	 * Makes a message of what is written down of an answer that no tab writes any more, as if it had been stopped there. Where what it answers
	 * was deleted it waits, and comes back with that or goes with it. Throws an AppError behind the fence.
	 */
	async settleSecond(sessionId: string): Promise<void> {
		const { secondAnswers, sessions, messages, trees } = this.db;
		// Read alone first: hardly any session has one.
		const left = await withStorageErrors(secondAnswers.get(sessionId));
		if (!left) return;
		const work = this.db.transaction('rw', [...leadOnTables(this.db), messages], async () => {
			const [row, tree, found] = await Promise.all([secondAnswers.get(sessionId), trees.get(sessionId), sessions.where('id').equals(sessionId).count()]);
			if (tree && found > 0 && row?.messageId === left.messageId) await this.placeLeft(row, tree);
		});
		return withStorageErrors(work);
	}

	/** Part of the running transaction. */
	private async placeLeft(row: AnswerRow, tree: Tree): Promise<void> {
		const answers = new Answers(this.db);
		if (isPlaced(row)) await leadOn(this.db, row.sessionId);
		else if (await answers.isMessage(row)) await this.db.secondAnswers.delete(row.sessionId);
		else if (await answers.canBePlaced(tree, row)) await this.place(row.sessionId, row.parentId, messageOf(row, this.clock()));
	}

	private place(sessionId: string, parentId: string, message: NewMessage): Promise<Message[]> {
		const { secondAnswers, messages } = this.db;
		return this.db.transaction('rw', [...leadOnTables(this.db), messages], async () => {
			const { id: messageId, model = '', createdAt: startedAt } = message;
			await secondAnswers.put({ sessionId, messageId, parentId, parts: [], model, startedAt });
			const rows = await append(this.db, { session: sessionId, parentId, messages: [message], staysAtHead: true, fence: this.fence });
			await leadOn(this.db, sessionId);
			return rows;
		});
	}
}
