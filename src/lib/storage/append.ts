import { Dexie } from 'dexie';
import type { UnfinishedAnswer } from '../conversation/growing-answer';
import type { FilePart, Message } from '../conversation/message';
import { addUsage, filesOf, isStep, sizeOf } from '../conversation/message';
import type { Session } from '../conversation/session';
import { growTree } from '../conversation/grow-tree';
import type { Place, Tree } from '../conversation/tree';
import type { Unsent } from '../conversation/unsent';
import { AppError } from '../shared/app-error';
import { Answers } from './answers';
import { branchOf, headOf, isRemoved } from './branch-of';
import type { Database } from './database';
import { unsentOf, writeDraft } from './drafts';
import { requireFence, unfenced, type Fence } from './fence';
import { placedPosition } from './positions';

/** A message before it has its place: `append` gives it session, parent and depth. */
export type NewMessage = Omit<Message, 'sessionId' | 'parentId' | 'depth'>;

/** An unfinished answer as a message, as if it had been stopped there. */
export function messageOf(answer: UnfinishedAnswer, createdAt: number): NewMessage {
	return { id: answer.messageId, role: 'assistant', parts: answer.parts, createdAt, model: answer.model, finishReason: 'stopped' };
}

/** A session before its first message: `append` counts and dates it. */
export type NewSession = Omit<Session, 'messageCount' | 'steps' | 'bytes' | 'usage' | 'updatedAt'>;

/** The fields of a session row that a turn may change together with its messages. */
export type SessionChanges = Partial<Pick<Session, 'status' | 'stopReason' | 'provider' | 'model' | 'title' | 'filesTouched'>>;

/** The session's id, or the session itself, which is then made in the same transaction [A1]; that needs no fence, since no tab can have opened it. */
type Target = { session: string | NewSession; fence: Fence } | { session: NewSession; fence?: never };

export type Append = Target & {
	/** Each the child of the one before. */
	messages: [NewMessage, ...NewMessage[]];
	/** Id of the message that the first of `messages` follows; the head where it is absent. Another branch begins there if it is no tip. */
	parentId?: string;
	changes?: SessionChanges;
	/** True if the session stays at its head, also where that is the message that they follow. */
	staysAtHead?: true;
	/** True if the journalled answer is thereby settled. */
	settlesAnswer?: boolean;
	/**
	 * Returns what is unsent without the last of `messages`, which was sent from there: the draft becomes that. Called inside the
	 * transaction with what is stored. A file that is gone keeps such a message from being written.
	 */
	unsent?: (stored: Unsent) => Unsent;
	/** Sizes of the attached files, by attachment id, in bytes. */
	fileBytes?: ReadonlyMap<string, number>;
};

/**
 * Adds messages to a session in one transaction: the messages, the tree row, the head, and the session row, also of a
 * new session. Nothing of it is there if any of it fails. Returns the rows as written. Throws an AppError where the parent
 * is not there (any more), a file that is sent is gone, or another tab has taken the session over.
 */
export async function append(db: Database, work: Append): Promise<Message[]> {
	const { session, messages, parentId, changes, staysAtHead, settlesAnswer, unsent, fence = unfenced, fileBytes } = work;
	const files = messages.flatMap(filesOf);
	const tables = [
		db.sessions,
		db.messages,
		db.trees,
		db.positions,
		...(settlesAnswer ? [db.answers] : []),
		...(unsent ? [db.drafts, db.attachments] : []),
		...(files.length > 0 ? [db.attachmentUses] : [])
	];
	return db.transaction('rw', tables, async () => {
		const id = typeof session === 'string' ? session : session.id;
		const [before, tree] =
			typeof session === 'string'
				? await Promise.all([db.sessions.get(id), db.trees.get(id)])
				: [{ ...session, messageCount: 0, steps: 0, bytes: 0, usage: {}, updatedAt: session.createdAt }, undefined];
		if (!before) throw new AppError('session-absent', 'This chat was deleted, so nothing was written. Restore it, then try again.');
		if (typeof session === 'string' && !tree) {
			throw new AppError('tree-absent', 'The order of this chat’s messages is lost, so nothing was written. The repair page can rebuild it.');
		}
		const position = await requireFence(db, id, fence);
		if (unsent) await requireFiles(db, filesOf(messages.at(-1)!));

		const tip = tree?.tips.find(({ id }) => id === (parentId ?? position?.headId));
		const parent = tip ?? (tree && (parentId === undefined ? await headOf(db, tree, position) : await placeIn(db, tree, parentId)));
		const fromId = tip || !tree || !parent ? null : (await branchOf(db, tree, parent)).forkId;
		const rows = placeBelow(parent, id, messages);
		const uses = rows.flatMap((row) => filesOf(row).map(({ attachmentId }) => ({ attachmentId, messageId: row.id, sessionId: id })));
		const bytes = rows.reduce((sum, row) => sum + sizeOf(row), 0);
		const grown = rows.reduce<Tree | undefined>((tree, row) => growTree(tree, row, fromId), tree)!;
		// An answer that ends while the user reads another branch does not take them away from it.
		const known = position ?? (tree ? placedPosition(tree) : { sessionId: id, headId: rows[0]!.id, fence: 0 });
		const stays = staysAtHead ?? (tree && parentId !== undefined && known.headId !== parentId && rows.every(({ role }) => role !== 'user'));
		const stored = unsent && unsentOf(await db.drafts.get(id));
		await Promise.all([
			db.messages.bulkAdd(rows),
			db.trees.put(grown),
			stays ? undefined : db.positions.put({ ...known, headId: rows.at(-1)!.id }),
			db.sessions.put({
				...before,
				...changes,
				usage: messages.reduce((sum, { usage }) => addUsage(sum, usage ?? {}), before.usage),
				steps: before.steps + rows.filter(isStep).length,
				bytes: before.bytes + bytes + files.reduce((sum, { attachmentId }) => sum + (fileBytes?.get(attachmentId) ?? 0), 0),
				messageCount: before.messageCount + rows.length,
				// Who writes in an archived session has it in the list again; an answer that ends does not bring it back.
				archived: rows.some(({ role }) => role === 'user') ? 0 : before.archived,
				// What the session says of its last turn is about the last message before it, which an answer beside that one is not.
				updatedAt: staysAtHead ? before.updatedAt : Math.max(before.updatedAt, rows.at(-1)!.createdAt)
			}),
			uses.length > 0 ? db.attachmentUses.bulkPut(uses) : undefined,
			settlesAnswer ? new Answers(db).remove(id) : undefined,
			unsent && stored ? writeDraft(db, id, unsent(stored)) : undefined
		]);
		return rows;
	});
}

/** Throws an AppError where a file is not stored, unless a message has it already, which says so in its place. */
async function requireFiles(db: Database, files: FilePart[]): Promise<void> {
	for (const { attachmentId, name } of files) {
		if (await db.attachments.where('id').equals(attachmentId).count()) continue;
		if (await db.attachmentUses.where(':id').between([attachmentId, Dexie.minKey], [attachmentId, Dexie.maxKey]).count()) continue;
		throw new AppError('attachment-absent', `“${name}” is no longer here, so nothing was sent. Remove it, or attach it again.`);
	}
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

async function placeIn(db: Database, tree: Tree, id: string): Promise<Message> {
	const place = await db.messages.where('id').equals(id).first();
	if (place?.sessionId === tree.sessionId && !(await isRemoved(db, tree, place))) return place;
	throw new AppError('message-absent', 'The message that this follows is no longer there, so nothing was written.');
}
