import { joinEnd, lengthOf, type AnswerEnd } from '../conversation/answer-end';
import type { UnfinishedAnswer } from '../conversation/growing-answer';
import type { Place, Tree } from '../conversation/tree';
import { AppError } from '../shared/app-error';
import { isRemoved, removedAbove } from './branch-of';
import type { Database } from './database';
import { requireFence, type Fence } from './fence';
import type { AnswerRow } from './tables/answers';

/** The end of an answer that a page knew beyond its journal when it went: `answer` has the end of its parts only. */
export interface AnswerTail extends Omit<AnswerEnd, 'parts'> {
	answer: UnfinishedAnswer;
	/** The session's fence as the page knew it. */
	fence: number;
}

/** Answers that were not whole when they were last written down. A row goes when its answer becomes a message, or is given up. */
export class Answers {
	constructor(private readonly db: Database) {}

	get(sessionId: string): Promise<AnswerRow | undefined> {
		return this.db.answers.get(sessionId);
	}

	/**
	 * Journals an answer, unless it has become a message already. Throws an AppError behind a fence, and where the session
	 * (`session-absent`) or what it answers (`message-absent`) was deleted.
	 */
	set(sessionId: string, answer: UnfinishedAnswer, fence: Fence): Promise<void> {
		const { answers, trees, positions, messages, sessions } = this.db;
		return this.db.transaction('rw', answers, trees, positions, messages, sessions, async () => {
			const [tree] = await Promise.all([trees.get(sessionId), requireFence(this.db, sessionId, fence)]);
			if (!tree || (await sessions.where('id').equals(sessionId).count()) === 0) {
				throw new AppError('session-absent', 'This chat was deleted, so the answer ends here.');
			}
			await this.requirePlace(tree, answer);
			if (!(await this.isMessage(answer))) await answers.put(rowOf(sessionId, answer));
		});
	}

	/**
	 * Journals more of an answer that is journalled, by the fewest reads: there may be dozens a second. False where it is not
	 * there to go on with, or not any more. Throws an AppError behind a fence.
	 */
	grow(sessionId: string, answer: UnfinishedAnswer, fence: Fence): Promise<boolean> {
		const { answers, trees, positions, sessions } = this.db;
		return this.db.transaction('rw', answers, trees, positions, sessions, async () => {
			const [row, found] = await Promise.all([
				answers.get(sessionId),
				sessions.where('id').equals(sessionId).count(),
				requireFence(this.db, sessionId, fence)
			]);
			if (row?.messageId !== answer.messageId || found === 0) return false;
			await answers.put(rowOf(sessionId, { ...answer, ...(row.leaves === undefined ? {} : { leaves: row.leaves }) }));
			return true;
		});
	}

	/**
	 * Keeps an answer with the deleted session or branch that it belongs to, unless it has become a message already, or another one is
	 * kept there: it comes back with that, or goes with it. What was deleted has no writer who could be preempted.
	 */
	setDeletedUnfenced(sessionId: string, answer: UnfinishedAnswer): Promise<void> {
		const { answers, trees, messages, trash } = this.db;
		return this.db.transaction('rw', answers, trees, messages, trash, async () => {
			if (await this.isMessage(answer)) return;
			const [tree, whole] = await Promise.all([trees.get(sessionId), trash.get(sessionId)]);
			const place = tree && (await this.placeOf(answer.parentId));
			const branch = place && (await trash.get((await removedAbove(this.db, tree, place)) ?? ''));
			const isFree = (kept: UnfinishedAnswer | undefined) => !kept || kept.messageId === answer.messageId;
			if (branch?.kind === 'branch' && !branch.begun) {
				if (isFree(branch.answer)) await trash.put({ ...branch, answer: withoutSession(answer) });
			} else if (place && !branch && whole && !whole.begun && isFree(await answers.get(sessionId))) {
				await answers.put(rowOf(sessionId, answer));
			}
		});
	}

	/** Tells whether an answer has become a message. Part of the running transaction. */
	async isMessage({ messageId }: Pick<UnfinishedAnswer, 'messageId'>): Promise<boolean> {
		return (await this.db.messages.where('id').equals(messageId).count()) > 0;
	}

	/** Tells whether what an answer answers is there. Part of the running transaction. */
	async canBePlaced(tree: Tree, { parentId }: Pick<UnfinishedAnswer, 'parentId'>): Promise<boolean> {
		const place = await this.placeOf(parentId);
		return place?.sessionId === tree.sessionId && !(await isRemoved(this.db, tree, place));
	}

	/** Throws an AppError (`message-absent`) where what an answer answers was deleted. Part of the running transaction. */
	async requirePlace(tree: Tree, answer: Pick<UnfinishedAnswer, 'parentId'>): Promise<void> {
		if (await this.canBePlaced(tree, answer)) return;
		throw new AppError('message-absent', 'The message that this answers was deleted, so the answer ends here.');
	}

	/** Forgets the unfinished answer of a session. Inside a running transaction it is part of that one. */
	async remove(sessionId: string): Promise<void> {
		await this.db.answers.delete(sessionId);
	}

	/** Without reading the message itself, which may be large. */
	private async placeOf(messageId: string): Promise<(Place & { sessionId: string }) | undefined> {
		const [key] = (await this.db.messages.where('id').equals(messageId).primaryKeys()) as unknown as [string, number, string][];
		return key && { sessionId: key[0], depth: key[1], id: key[2] };
	}
}

/**
 * Of several states of a session's unfinished answer the one that is furthest: that of the latest turn that has said
 * anything, and the longest of that.
 */
export function furthest<A extends UnfinishedAnswer>(...states: (A | undefined)[]): A | undefined {
	const length = ({ parts }: A) => lengthOf(parts);
	return states
		.filter((state) => state !== undefined)
		.filter((state) => length(state) > 0)
		.reduce<A | undefined>((best, state) => {
			if (!best) return state;
			const isFurther = state.messageId === best.messageId ? length(state) > length(best) : state.startedAt > best.startedAt;
			return isFurther ? state : best;
		}, undefined);
}

/** Joins what was journalled and what was left of the same answer; undefined where something between them is missing. */
export function joinTail(row: UnfinishedAnswer | undefined, { answer, partsFrom, textFrom }: AnswerTail): UnfinishedAnswer | undefined {
	const before = row?.messageId === answer.messageId ? row.parts : [];
	const parts = joinEnd(before, { parts: answer.parts, partsFrom, textFrom });
	return parts && { ...answer, parts };
}

function rowOf(sessionId: string, answer: UnfinishedAnswer): AnswerRow {
	return { ...withoutSession(answer), sessionId };
}

function withoutSession({ messageId, parentId, parts, model, startedAt, leaves }: UnfinishedAnswer): UnfinishedAnswer {
	const known = { messageId, parentId, parts, model, startedAt };
	return { ...known, ...(leaves === undefined ? {} : { leaves }) };
}
