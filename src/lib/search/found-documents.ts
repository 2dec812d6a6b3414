import type { Message } from '../conversation/message';
import type { Session } from '../conversation/session';
import type { Database } from '../storage/database';
import { Scratchpad } from '../storage/scratchpad';
import type { MessageKey } from '../storage/tables/messages';
import { messageDocument, sessionDocuments } from './documents';
import type { Document } from './index/document';
import { parseKey } from './index/keys';

/** A document as it is stored now, and the session that it is of. */
export interface FoundDocument {
	document: Document;
	session: Session;
	message?: Message;
}

/** Location of a document in the store, as its source knows it. */
export interface DocumentLocation {
	key: string;
	sessionId: string;
	depth: number;
}

/** Reads the documents at these locations, by key; those that are not there any more are left out. All is asked for at once. */
export async function readDocuments(db: Database, locations: DocumentLocation[]): Promise<Map<string, FoundDocument>> {
	const messageKeys: MessageKey[] = [];
	const withSessionDocuments = new Set<string>();
	for (const { key, sessionId, depth } of locations) {
		const parsed = parseKey(key);
		if (parsed.kind === 'message') messageKeys.push([sessionId, depth, parsed.messageId]);
		else withSessionDocuments.add(sessionId);
	}
	const sessionIds = [...new Set(locations.map(({ sessionId }) => sessionId))];
	// In no transaction around them: that would wait for one which writes to any of the tables, and then for its own end.
	const [messages, rows] = await Promise.all([db.messages.bulkGet(messageKeys), db.sessions.bulkGet(sessionIds)]);
	const sessions = new Map(rows.flatMap((session) => (session ? [[session.id, session] as const] : [])));
	const found = new Map<string, FoundDocument>();
	for (const message of messages) {
		const session = message && sessions.get(message.sessionId);
		const document = session && messageDocument(message);
		if (session && document) found.set(document.key, { document, session, message });
	}
	for (const sessionId of withSessionDocuments) {
		const session = sessions.get(sessionId);
		if (!session) continue;
		const [tree, notes] = await Promise.all([db.trees.get(sessionId), new Scratchpad(db).list(sessionId)]);
		for (const document of sessionDocuments(session, tree, notes)) found.set(document.key, { document, session });
	}
	return found;
}
