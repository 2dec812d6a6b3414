import type { Unsent } from '../conversation/unsent';
import { AppError } from '../shared/app-error';
import { append, type NewMessage } from './append';
import type { Database } from './database';
import { requireFence, type Fence } from './fence';
import { Messages } from './messages';

/** An answer as the user has written it anew. */
export interface EditedAnswer {
	id: string;
	text: string;
	createdAt: number;
	/** As in `Append`. */
	unsent?: (stored: Unsent) => Unsent;
}

/** Adds another version of an answer, which says that the user wrote it, and moves the head there; the original stays [A3, Z9]. */
export function editAnswer(db: Database, sessionId: string, answerId: string, { id, text, createdAt, unsent }: EditedAnswer, fence: Fence): Promise<string> {
	const { sessions, messages, trees, positions, drafts, attachments } = db;
	return db.transaction('rw', [sessions, messages, trees, positions, drafts, attachments], async () => {
		const { role, parentId, model } = await new Messages(db).require(sessionId, answerId);
		if (role !== 'assistant' || parentId === null) throw new AppError('message-absent', `There is no answer ${answerId} here.`);
		const position = await requireFence(db, sessionId, fence);
		if (position) await positions.put({ ...position, headId: parentId });
		const edited: NewMessage = { id, role, parts: [{ type: 'text', text }], createdAt, ...(model === undefined ? {} : { model }), edited: true };
		await append(db, { session: sessionId, parentId, messages: [edited], fence, ...(unsent ? { unsent } : {}) });
		return id;
	});
}
