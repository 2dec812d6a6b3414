import type { Message } from '../conversation/message';
import { filesOf, sizeOf } from '../conversation/message';
import { isNamedBy } from '../conversation/title';
import { AppError } from '../shared/app-error';
import { fileBytesOf } from './attachments';
import { coveringOf, inSession } from './boundaries';
import { isRemoved } from './branch-of';
import type { Database } from './database';
import { unsentOf, writeDraft } from './drafts';
import { requireFence, type Fence } from './fence';
import { undoMilliseconds } from './undo';

/**
 * Takes out what a message says and leaves a marker in its place: what follows it stays. What was said is in the trash
 * until that is purged; a title or preview that was made of it goes as well, and so do an edit of it that was not sent, and
 * boundaries that cover it, since their summaries may tell it. Returns the trash item that brings all of that back.
 */
export function redact(db: Database, messageId: string, now: number, fence: Fence): Promise<string> {
	const { messages, trees, positions, sessions, boundaries, trash, attachments, attachmentUses, drafts } = db;
	return db.transaction('rw', [messages, trees, positions, sessions, boundaries, trash, attachments, attachmentUses, drafts], async () => {
		const message = await messages.where('id').equals(messageId).first();
		const [tree, session] = message ? await Promise.all([trees.get(message.sessionId), sessions.get(message.sessionId)]) : [];
		if (!message || !tree || !session || (await isRemoved(db, tree, message))) {
			throw new AppError('message-absent', `There is no message ${messageId} here.`);
		}
		if (message.parts.some(({ type }) => type === 'redacted')) throw new AppError('redacted', 'The text of this message is erased already.');
		await requireFence(db, message.sessionId, fence);
		const after: Message = { ...message, parts: [{ type: 'redacted', at: now }] };
		// The preview is the first message's.
		const previewed = message.role === 'user' && message.depth <= 1;
		const titled = isNamedBy(session, message);
		const { sessionId } = message;
		const voided = await coveringOf(db, tree, message, await inSession(db, sessionId, message.depth).toArray());
		const id = `redacted:${messageId}`;
		const { edits: { [messageId]: edit, ...edits } = {}, ...unsent } = unsentOf(await drafts.get(sessionId));
		await Promise.all([
			messages.put(after),
			trees.put({ ...tree, redactedAt: now }),
			boundaries.bulkDelete(voided.map(({ id }) => id)),
			attachmentUses.bulkDelete(filesOf(message).map(({ attachmentId }) => [attachmentId, messageId])),
			sessions.put({
				...session,
				bytes: session.bytes - sizeOf(message) - (await fileBytesOf(db, [message])) + sizeOf(after),
				preview: previewed ? '' : session.preview,
				title: titled ? '' : session.title
			}),
			writeDraft(db, sessionId, { ...unsent, edits }),
			trash.put({
				id,
				kind: 'redaction',
				sessionId,
				at: now,
				purgeAt: now + undoMilliseconds,
				message,
				preview: previewed ? session.preview : '',
				title: titled ? session.title : '',
				...(edit === undefined ? {} : { edit }),
				...(voided.length > 0 ? { boundaries: voided } : {})
			})
		]);
		return id;
	});
}
