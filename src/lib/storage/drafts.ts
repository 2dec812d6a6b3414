import type { FilePart } from '../conversation/message';
import type { Database } from './database';
import { requireFence } from './fence';

/** What the composer of a session holds and is not sent [E11]: one row a session. */
export interface Draft {
	sessionId: string;
	composer: string;
	attachments?: FilePart[];
}

/** What a person has not sent yet. */
export interface Unsent {
	text: string;
	attachments: FilePart[];
}

/** What has been typed but not sent. A row with nothing in it is removed. */
export class Drafts {
	constructor(private readonly db: Database) {}

	get(sessionId: string): Promise<Draft | undefined> {
		return this.db.drafts.get(sessionId);
	}

	/** Throws an AppError behind a fence. */
	setComposer(sessionId: string, { text, attachments }: Unsent, fence?: number): Promise<void> {
		const { drafts, trees } = this.db;
		return this.db.transaction('rw', fence === undefined ? [drafts] : [drafts, trees], async () => {
			if (fence !== undefined) requireFence(await trees.get(sessionId), fence);
			if (text === '' && attachments.length === 0) await drafts.delete(sessionId);
			else await drafts.put({ sessionId, composer: text, ...(attachments.length > 0 ? { attachments } : {}) });
		});
	}
}
