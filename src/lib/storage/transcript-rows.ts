import type { UnfinishedAnswer } from '../conversation/growing-answer';
import type { Session } from '../conversation/session';
import type { Tree } from '../conversation/tree';
import type { Database } from './database';
import { Messages, type Stretch } from './messages';

/** The rows of one session that a transcript draws. */
export interface ConversationRows extends Stretch {
	session: Session | undefined;
	tree: Tree | undefined;
}

/** The unfinished answer of a session, and how many messages the session has at that moment. */
export interface UnfinishedRows {
	answer: UnfinishedAnswer | undefined;
	messageCount: number;
}

/**
 * The part of a session that is drawn: the newest or the oldest `limit` messages of the path to the head, or to `at`. `offset` is
 * how many of the oldest are left out.
 */
export interface Excerpt {
	from: 'newest' | 'oldest';
	limit: number;
	offset?: number;
	at?: string | undefined;
}

/**
 * Reads what a transcript of the session draws, all of one moment. Reads only rows, so that a live query can follow it; none that is
 * written while somebody types or an answer streams.
 */
export function transcriptRows(db: Database, id: string, { from, ...range }: Excerpt): Promise<ConversationRows> {
	return db.transaction('r', db.sessions, db.trees, db.positions, db.messages, async () => {
		const [session, tree] = await Promise.all([db.sessions.get(id), db.trees.get(id)]);
		if (!session) return { session, tree, path: [], siblings: new Map(), end: undefined, headId: undefined };
		const messages = new Messages(db);
		const stretch = from === 'newest' ? await messages.newestStretch(id, range) : await messages.oldestStretch(id, range);
		return { session, tree, ...stretch };
	});
}

/** Reads what is known of an answer that is not a message yet. Reads only rows, so that a live query can follow it. */
export function unfinishedRows(db: Database, id: string): Promise<UnfinishedRows> {
	return db.transaction('r', db.sessions, db.answers, async () => {
		const [session, answer] = await Promise.all([db.sessions.get(id), db.answers.get(id)]);
		return { answer, messageCount: session?.messageCount ?? 0 };
	});
}
