import type { Message } from '../conversation/message';
import type { Database } from '../storage/database';
import { Messages } from '../storage/messages';
import { Scratchpad } from '../storage/scratchpad';
import type { Change } from '../storage/tables/changes';
import { messageDocument, sessionDocuments } from './documents';
import type { IndexState } from './index-state';
import type { Document } from './index/document';
import { messageKey, parseKey } from './index/keys';
import { countTermsInSlices } from './index/words';

/**
 * Applies changes to the index, and advances its cursor past them. It reads what is stored by now, not what happened, so it is idempotent, and
 * the order of changes does not matter. `pause` is awaited between documents.
 */
export async function applyChanges(db: Database, state: IndexState, changes: Change[], pause: () => Promise<void>): Promise<void> {
	const applier = new ChangeApplier(db, state, pause);
	await applier.applyMessages(changes);
	for (const sessionId of new Set(changes.map(({ sessionId }) => sessionId))) await applier.applySession(sessionId);
	// A message by itself does not tell if its branch is deleted.
	const reconciled = changes
		.filter(({ messageIds, sessionId }) => messageIds === 'all' || (messageIds.length > 0 && state.removedBranches.has(sessionId)))
		.map(({ sessionId }) => sessionId);
	for (const sessionId of new Set(reconciled)) await applier.reconcileMessages(sessionId);
	for (const { seq } of changes) state.cursor = Math.max(state.cursor, seq);
}

/** Makes the index agree with what is stored of these sessions' messages. */
export async function reconcileSessions(db: Database, state: IndexState, sessionIds: Iterable<string>, pause: () => Promise<void>): Promise<void> {
	for (const sessionId of sessionIds) await new ChangeApplier(db, state, pause).reconcileMessages(sessionId);
}

/** Number of messages that are read at once. */
const batchSize = 500;

class ChangeApplier {
	constructor(
		private readonly db: Database,
		private readonly state: IndexState,
		private readonly pause: () => Promise<void>
	) {}

	async applyMessages(changes: Change[]): Promise<void> {
		const ids = [...new Set(changes.flatMap(({ messageIds }) => (messageIds === 'all' ? [] : messageIds)))];
		// Also where they seem new: `reconcileMessages` may have indexed them before.
		for (const id of ids) await this.state.deleteDocument(messageKey(id));
		for (let from = 0; from < ids.length; from += batchSize) {
			for (const row of await new Messages(this.db).getMany(ids.slice(from, from + batchSize))) await this.addMessage(row);
		}
	}

	/** Applies the state of a session: its presence, its own documents, its deleted branches. */
	async applySession(sessionId: string): Promise<void> {
		const { db, state } = this;
		const [session, tree, notes, deleted] = await db.transaction('r', db.sessions, db.trees, db.scratchpad, db.trash, () =>
			Promise.all([db.sessions.get(sessionId), db.trees.get(sessionId), new Scratchpad(db).list(sessionId), db.trash.get(sessionId)])
		);
		if (!session) {
			if (deleted) state.setVisible(sessionId, false);
			else state.deleteSession(sessionId);
			return;
		}
		if (state.trashed.has(sessionId)) state.setVisible(sessionId, true);
		const documents = sessionDocuments(session, tree, notes);
		await this.updateSessionDocuments(sessionId, documents);
		const removed = tree?.removed ?? [];
		if (JSON.stringify(removed) !== JSON.stringify(state.removedBranches.get(sessionId) ?? [])) await this.reconcileMessages(sessionId);
	}

	/** Indexes those of a session's own documents that are not in the index as they are now. */
	private async updateSessionDocuments(sessionId: string, documents: Document[]): Promise<void> {
		const { state } = this;
		const known = state.sessionDocuments.get(sessionId);
		// Unknown until all is done: after a failure, the next time does it all.
		state.sessionDocuments.delete(sessionId);
		const now = new Map(documents.map(({ key, text }) => [key, text]));
		if (!known) await state.deleteSessionDocuments(sessionId);
		else for (const [key, text] of known) if (now.get(key) !== text) await state.deleteDocument(key);
		for (const document of documents) if (known?.get(document.key) !== document.text) await this.add(document);
		state.sessionDocuments.set(sessionId, now);
	}

	/** Compares all stored messages of a session with those in the index, and applies the difference. */
	async reconcileMessages(sessionId: string): Promise<void> {
		const { db, state } = this;
		// Of one moment: a branch that is deleted and comes back in between would be taken for one that was there all the time.
		const [tree, stored] = await db.transaction('r', db.trees, db.messages, () => Promise.all([db.trees.get(sessionId), new Messages(db).all(sessionId)]));
		if (tree && tree.removed.length > 0) state.removedBranches.set(sessionId, tree.removed);
		else state.removedBranches.delete(sessionId);
		const rows = new Map(stored.map((row) => [messageKey(row.id), row]));
		const known = new Set((await state.keysOf(sessionId)).filter((key) => parseKey(key).kind === 'message'));
		for (const key of known) if (!rows.has(key)) await state.deleteDocument(key);
		for (const [key, row] of rows) if (!known.has(key)) await this.addMessage(row);
	}

	private async addMessage(row: Message): Promise<void> {
		const { state } = this;
		const buildCursor = state.manifest?.buildCursor;
		if (buildCursor && isAfter(row, buildCursor)) state.indexedAhead.add(row.id);
		const document = messageDocument(row);
		if (document) await this.add(document);
	}

	private async add(document: Document): Promise<void> {
		this.state.add(document, await countTermsInSlices(document.text, this.pause));
	}
}

function isAfter({ sessionId, depth, id }: Message, [ofSession, atDepth, after]: [string, number, string]): boolean {
	return sessionId === ofSession ? depth === atDepth ? id > after : depth > atDepth : sessionId > ofSession;
}
