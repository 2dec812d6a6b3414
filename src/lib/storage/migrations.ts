import type { Transaction } from 'dexie';
import type { Message } from '../conversation/message';
import { sizeOf } from '../conversation/message';
import type { Session } from '../conversation/session';
import { rebuildTree, type Tree } from '../conversation/tree';
import { newId } from '../shared/id';
import type { Draft, UnfinishedAnswer } from './drafts';
import { undoMilliseconds, type TrashItem } from './trash';

/** A session as version 1 had it; a deleted one stayed in its table, with the time of its deletion. */
interface SessionOfVersion1
	extends Omit<Session, 'title' | 'titledBy' | 'steps' | 'bytes' | 'filesTouched' | 'pinned'> {
	deletedAt?: number;
}

/** A tree as version 1 had it. It never had more than one branch, but nothing kept it from it. */
type TreeOfVersion1 = Pick<Tree, 'sessionId' | 'headId'> & { tips: { id: string; depth: number; forkId: string | null }[] };

/** A draft as version 1 had it: its answer got an id only when it became a message. */
type DraftOfVersion1 = Omit<Draft, 'answer'> & { answer?: Omit<UnfinishedAnswer, 'messageId'> };

/**
 * Version 2 counts steps and bytes, knows pins and titles, keeps deleted sessions apart, gives unfinished answers the ids
 * that they will have, and indexes branches so that a tree can be drawn without its messages. Messages do not change.
 */
export async function upgradeToVersion2(transaction: Transaction): Promise<void> {
	const counts = new Map<string, { steps: number; bytes: number }>();
	await transaction.table<Message>('messages').each((message) => {
		const { steps, bytes } = counts.get(message.sessionId) ?? { steps: 0, bytes: 0 };
		// Nothing of version 1 was checked; a broken row waits for the check when it is read.
		const size = Array.isArray(message.parts) ? sizeOf(message) : 0;
		counts.set(message.sessionId, { steps: steps + (message.role === 'assistant' ? 1 : 0), bytes: bytes + size });
	});

	const deleted: TrashItem[] = [];
	await transaction.table<SessionOfVersion1>('sessions').toCollection().modify((row, ref: { value?: unknown }) => {
		const { deletedAt, ...before } = row;
		const session: Session = {
			...before,
			title: '',
			titledBy: 'snug',
			...(counts.get(row.id) ?? { steps: 0, bytes: 0 }),
			filesTouched: [],
			pinned: 0
		};
		if (deletedAt === undefined) {
			ref.value = session;
			return;
		}
		deleted.push({ id: row.id, kind: 'session', sessionId: row.id, at: deletedAt, purgeAt: deletedAt + undoMilliseconds, session });
		delete ref.value;
	});
	await transaction.table('trash').bulkAdd(deleted);

	const trees = transaction.table<TreeOfVersion1>('trees');
	for (const { sessionId, headId, tips } of await trees.toArray()) {
		const kept = { labels: {}, mainTip: null, removed: [], fence: 0 };
		if (!Array.isArray(tips)) continue;
		const only = tips.length === 1 ? tips[0] : undefined;
		const tree: Tree | undefined = only
			? { sessionId, headId, tips: [{ ...only, forkId: null, forkDepth: 0, fromId: null }], ...kept }
			: rebuildTree(await messagesOf(transaction, sessionId), { sessionId, headId, tips: [], ...kept });
		if (tree) await trees.put(tree);
	}

	const drafts = transaction.table<DraftOfVersion1>('drafts');
	for (const draft of await drafts.toArray()) {
		const { answer } = draft;
		if (answer) await transaction.table<Draft>('drafts').put({ ...draft, answer: { messageId: newId(), ...answer } });
	}
}

function messagesOf(transaction: Transaction, sessionId: string): Promise<Message[]> {
	return transaction.table<Message>('messages').where(':id').between([sessionId], [sessionId, []]).toArray();
}
