import type { Message } from '../conversation/message';
import { addUsage } from '../conversation/message';
import type { Session } from '../conversation/session';
import { growTree, type Tree } from '../conversation/tree';
import type { Database } from './database';
import { Drafts } from './drafts';

/** A message before it has its place: `append` gives it session, parent and depth. */
export type NewMessage = Omit<Message, 'sessionId' | 'parentId' | 'depth'>;

/** A session before its first message: `append` counts and dates it. */
export type NewSession = Omit<Session, 'messageCount' | 'usage' | 'updatedAt'>;

export interface Append {
	/** The session's id, or the session itself, which is then made in the same transaction [A1]. */
	session: string | NewSession;
	/** Each the child of the one before. */
	messages: [NewMessage, ...NewMessage[]];
	/** What the first of `messages` follows; the head where it is absent. */
	parentId?: string;
	/** Fields of the session row that change with it. */
	changes?: Partial<Pick<Session, 'status' | 'stopReason' | 'provider' | 'model'>>;
	/** Whether the journalled answer is thereby settled. */
	settlesAnswer?: boolean;
}

/**
 * Adds messages to a session in one transaction: the messages, the tree row, the session row and, with a new session,
 * that too. Nothing of it is there if any of it fails. Returns the rows as written.
 */
export async function append(db: Database, { session, messages, parentId, changes, settlesAnswer }: Append): Promise<Message[]> {
	const tables = [db.sessions, db.messages, db.trees, ...(settlesAnswer ? [db.drafts] : [])];
	return db.transaction('rw', tables, async () => {
		const id = typeof session === 'string' ? session : session.id;
		const [before, tree] =
			typeof session === 'string'
				? await Promise.all([db.sessions.get(id), db.trees.get(id)])
				: [{ ...session, messageCount: 0, usage: {}, updatedAt: session.createdAt }, undefined];
		if (!before) throw new Error(`append to a session that is not there: ${id}`);

		const below = parentId ?? tree?.headId;
		const parent = tree?.tips.find((tip) => tip.id === below) ?? (below === undefined ? undefined : await placeOf(db, below));
		const rows = placeBelow(parent, id, messages);
		await Promise.all([
			db.messages.bulkAdd(rows),
			db.trees.put(rows.reduce<Tree | undefined>(growTree, tree)!),
			db.sessions.put({
				...before,
				...changes,
				usage: messages.reduce((sum, { usage }) => addUsage(sum, usage ?? {}), before.usage),
				messageCount: before.messageCount + rows.length,
				updatedAt: Math.max(before.updatedAt, rows.at(-1)!.createdAt)
			}),
			settlesAnswer ? new Drafts(db).takeAnswer(id) : undefined
		]);
		return rows;
	});
}

/** The messages as rows, each the child of the one before, the first of `parent`. */
function placeBelow(parent: Place | undefined, sessionId: string, messages: NewMessage[]): Message[] {
	const rows: Message[] = [];
	for (const message of messages) {
		const above = rows.at(-1) ?? parent;
		rows.push({ ...message, sessionId, parentId: above?.id ?? null, depth: above ? above.depth + 1 : 0 });
	}
	return rows;
}

type Place = Pick<Message, 'id' | 'depth'>;

async function placeOf(db: Database, id: string): Promise<Place> {
	const place = await db.messages.where('id').equals(id).first();
	if (!place) throw new Error(`append below a message that is not there: ${id}`);
	return place;
}
