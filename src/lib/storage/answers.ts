import type { Database } from './database';
import { requireFence } from './fence';

/** An answer that is not whole yet: the id that its message will have, under which message, what has streamed so far, by whom. */
export interface UnfinishedAnswer {
	messageId: string;
	parentId: string;
	text: string;
	reasoning: string;
	model: string;
	startedAt: number;
}

/** The unfinished answer of a session, of which it has one at most [E11]. */
export interface AnswerRow extends UnfinishedAnswer {
	sessionId: string;
}

/** Answers that were not whole when they were last written down. A row goes when its answer becomes a message, or is given up. */
export class Answers {
	constructor(private readonly db: Database) {}

	get(sessionId: string): Promise<AnswerRow | undefined> {
		return this.db.answers.get(sessionId);
	}

	/** Journals an answer, unless it has become a message already. Throws an AppError behind a fence. */
	set(sessionId: string, answer: UnfinishedAnswer, fence?: number): Promise<void> {
		const { answers, trees, messages } = this.db;
		return this.db.transaction('rw', answers, trees, messages, async () => {
			if (fence !== undefined) requireFence(await trees.get(sessionId), fence);
			if ((await messages.where('id').equals(answer.messageId).count()) === 0) await answers.put({ ...answer, sessionId });
		});
	}

	/** Forgets the unfinished answer of a session. Inside a running transaction it is part of that one. */
	async remove(sessionId: string): Promise<void> {
		await this.db.answers.delete(sessionId);
	}
}
