import type { FilePart } from '../conversation/message';
import type { Database } from './database';
import { requireFence } from './fence';

/** An answer that is not whole yet: the id that it will have, under which message, what has streamed so far, by whom. */
export interface UnfinishedAnswer {
	messageId: string;
	parentId: string;
	text: string;
	reasoning: string;
	model: string;
	startedAt: number;
}

/** One row a session: what the composer holds, and the unfinished answer [E11]. */
export interface Draft {
	sessionId: string;
	composer: string;
	attachments?: FilePart[];
	answer?: UnfinishedAnswer;
}

/** What a person has not sent yet. */
export interface Unsent {
	text: string;
	attachments: FilePart[];
}

/** What has been written but is not history yet. A row with nothing in it is removed. */
export class Drafts {
	constructor(private readonly db: Database) {}

	get(sessionId: string): Promise<Draft | undefined> {
		return this.db.drafts.get(sessionId);
	}

	/** Throws an AppError behind a fence. */
	setComposer(sessionId: string, { text, attachments }: Unsent, fence?: number): Promise<void> {
		return this.change(sessionId, fence, ({ attachments: _, ...draft }) => ({
			...draft,
			composer: text,
			...(attachments.length > 0 ? { attachments } : {})
		}));
	}

	/**
	 * Journals an answer, unless it has become a message already. Throws an AppError behind a fence.
	 */
	setAnswer(sessionId: string, answer: UnfinishedAnswer, fence?: number): Promise<void> {
		return this.db.transaction('rw', this.db.drafts, this.db.trees, this.db.messages, async () => {
			const stored = await this.db.messages.where('id').equals(answer.messageId).count();
			if (stored === 0) await this.change(sessionId, fence, (draft) => ({ ...draft, answer }));
		});
	}

	/** Forgets the unfinished answer and returns it. Inside a running transaction it is part of that one. */
	async takeAnswer(sessionId: string): Promise<UnfinishedAnswer | undefined> {
		let taken: UnfinishedAnswer | undefined;
		await this.change(sessionId, undefined, ({ answer, ...draft }) => {
			taken = answer;
			return draft;
		});
		return taken;
	}

	private change(sessionId: string, fence: number | undefined, edit: (draft: Draft) => Draft): Promise<void> {
		const tables = fence === undefined ? [this.db.drafts] : [this.db.drafts, this.db.trees];
		return this.db.transaction('rw', tables, async () => {
			if (fence !== undefined) requireFence(await this.db.trees.get(sessionId), fence);
			const before = (await this.db.drafts.get(sessionId)) ?? { sessionId, composer: '' };
			const after = edit(before);
			if (after.composer || after.answer || after.attachments) await this.db.drafts.put(after);
			else await this.db.drafts.delete(sessionId);
		});
	}
}
