import type { Message } from '../conversation/message';
import type { Session } from '../conversation/session';
import type { Database } from '../storage/database';
import { Messages } from '../storage/messages';
import { Scratchpad } from '../storage/scratchpad';
import type { Document } from './document';
import { messageDocument, sessionDocuments } from './documents';
import { parseKey } from './keys';

/** A document as it is stored now, and the session that it is of. */
export interface FoundDocument {
	document: Document;
	session: Session;
	message?: Message;
}

/** The documents of these keys; those that are not there any more are left out. */
export async function readDocuments(db: Database, keys: string[]): Promise<Map<string, FoundDocument>> {
	const parsed = keys.map(parseKey);
	const messageIds = parsed.flatMap((key) => (key.kind === 'message' ? [key.messageId] : []));
	const spoken = new Set(parsed.flatMap((key) => (key.kind === 'message' ? [] : [key.sessionId])));
	return db.transaction('r', db.messages, db.sessions, db.trees, db.scratchpad, async () => {
		const messages = await new Messages(db).getMany(messageIds);
		const sessionIds = [...new Set([...messages.map(({ sessionId }) => sessionId), ...spoken])];
		const sessions = new Map((await db.sessions.bulkGet(sessionIds)).flatMap((session) => (session ? [[session.id, session] as const] : [])));
		const found = new Map<string, FoundDocument>();
		for (const message of messages) {
			const session = sessions.get(message.sessionId);
			const document = messageDocument(message);
			if (session && document) found.set(document.key, { document, session, message });
		}
		for (const sessionId of spoken) {
			const session = sessions.get(sessionId);
			if (!session) continue;
			const [tree, notes] = await Promise.all([db.trees.get(sessionId), new Scratchpad(db).list(sessionId)]);
			for (const document of sessionDocuments(session, tree, notes)) found.set(document.key, { document, session });
		}
		return found;
	});
}
