import { joinFiles, nothingUnsent, type Unsent } from '../conversation/unsent';
import type { Database } from './database';
import { requireFence, unfenced, type Fence } from './fence';
import type { Draft } from './tables/drafts';

/** Drafts: texts that were typed but not sent. A row with nothing in it is removed. */
export class Drafts {
	constructor(private readonly db: Database) {}

	get(sessionId: string): Promise<Draft | undefined> {
		return this.db.drafts.get(sessionId);
	}

	/**
	 * Stores what is unsent. A function is called inside the transaction, with what is stored by then, and returns it. Nothing is
	 * kept of a session that is gone for good. Throws an AppError behind a fence.
	 */
	set(sessionId: string, unsent: Unsent | ((stored: Unsent) => Unsent), fence: Fence): Promise<void> {
		const { drafts, trees, positions, sessions } = this.db;
		return this.db.transaction('rw', drafts, trees, positions, sessions, async () => {
			const [position, stored] = await Promise.all([requireFence(this.db, sessionId, fence), drafts.get(sessionId)]);
			const kept = typeof unsent === 'function' ? unsent(unsentOf(stored)) : unsent;
			// Asked where it may be only: this is done with each key.
			const isGone = fence !== unfenced && !position && (await this.isGone(sessionId));
			await writeDraft(this.db, sessionId, isGone ? nothingUnsent : kept);
		});
	}

	/** Tells whether a session is gone for good: one in the trash keeps its position. */
	async isGone(sessionId: string): Promise<boolean> {
		const { positions, sessions } = this.db;
		const [position, rows] = await Promise.all([positions.get(sessionId), sessions.where('id').equals(sessionId).count()]);
		return !position && rows === 0;
	}
}

/** Makes this the draft of a session. Part of the running transaction. */
export async function writeDraft({ drafts }: Database, sessionId: string, { text, attachments, edits = {} }: Unsent): Promise<void> {
	const row: Draft = {
		sessionId,
		composer: text,
		...(attachments.length > 0 ? { attachments } : {}),
		...(Object.keys(edits).length > 0 ? { edits } : {})
	};
	if (text === '' && !row.attachments && !row.edits) await drafts.delete(sessionId);
	else await drafts.put(row);
}

/** Returns the contents of a draft, each file once; nothing where there is none. */
export function unsentOf(draft: Draft | undefined): Unsent {
	if (!draft) return nothingUnsent;
	const { composer, attachments = [], edits } = draft;
	return { text: composer, attachments: joinFiles(attachments), ...(edits ? { edits } : {}) };
}
