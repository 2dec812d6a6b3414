import type { Database } from './database';

/** An answer that is not whole yet: what has streamed so far, under which message, from which model. */
export interface UnfinishedAnswer {
	parentId: string;
	text: string;
	reasoning: string;
	model: string;
	startedAt: number;
}

/** One row a session: the unsent composer text and the unfinished answer [E11]. */
export interface Draft {
	sessionId: string;
	composer: string;
	answer?: UnfinishedAnswer;
}

/** What has been written but is not history yet. A row with nothing in it is removed. */
export class Drafts {
	constructor(private readonly db: Database) {}

	get(sessionId: string): Promise<Draft | undefined> {
		return this.db.drafts.get(sessionId);
	}

	setComposer(sessionId: string, composer: string): Promise<void> {
		return this.change(sessionId, (draft) => ({ ...draft, composer }));
	}

	setAnswer(sessionId: string, answer: UnfinishedAnswer): Promise<void> {
		return this.change(sessionId, (draft) => ({ ...draft, answer }));
	}

	/** Forgets the unfinished answer and returns it. Inside a running transaction it is part of that one. */
	async takeAnswer(sessionId: string): Promise<UnfinishedAnswer | undefined> {
		let taken: UnfinishedAnswer | undefined;
		await this.change(sessionId, ({ answer, ...draft }) => {
			taken = answer;
			return draft;
		});
		return taken;
	}

	private change(sessionId: string, edit: (draft: Draft) => Draft): Promise<void> {
		return this.db.transaction('rw', this.db.drafts, async () => {
			const before = (await this.db.drafts.get(sessionId)) ?? { sessionId, composer: '' };
			const after = edit(before);
			if (after.composer || after.answer) await this.db.drafts.put(after);
			else await this.db.drafts.delete(sessionId);
		});
	}
}
