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
 * Brings the index in step with what is stored, where these changes say to look. It looks at what is stored by now, not at what
 * happened, so doing it twice, or with changes that came before others, ends the same. `pause` is awaited between documents.
 */
export async function absorb(db: Database, state: IndexState, changes: Change[], pause: () => Promise<void>): Promise<void> {
	const absorbing = new Absorbing(db, state, pause);
	await absorbing.messages(changes);
	for (const sessionId of new Set(changes.map(({ sessionId }) => sessionId))) await absorbing.session(sessionId);
	// One by one they do not tell whether they are in a branch that is deleted.
	const wholly = changes
		.filter(({ messageIds, sessionId }) => messageIds === 'all' || (messageIds.length > 0 && state.removed.has(sessionId)))
		.map(({ sessionId }) => sessionId);
	for (const sessionId of new Set(wholly)) await absorbing.branches(sessionId);
	for (const { seq } of changes) state.absorbed = Math.max(state.absorbed, seq);
}

/** Brings all messages of these sessions in step with what is stored. */
export async function absorbWholly(db: Database, state: IndexState, sessionIds: Iterable<string>, pause: () => Promise<void>): Promise<void> {
	for (const sessionId of sessionIds) await new Absorbing(db, state, pause).branches(sessionId);
}

/** Number of messages that are read at once. */
const batch = 500;

class Absorbing {
	constructor(
		private readonly db: Database,
		private readonly state: IndexState,
		private readonly pause: () => Promise<void>
	) {}

	async messages(changes: Change[]): Promise<void> {
		const ids = [...new Set(changes.flatMap(({ messageIds }) => (messageIds === 'all' ? [] : messageIds)))];
		// Also where they seem new: a look at a whole session may have taken them in before.
		for (const id of ids) await this.state.kill(messageKey(id));
		for (let from = 0; from < ids.length; from += batch) {
			for (const row of await new Messages(this.db).getMany(ids.slice(from, from + batch))) await this.addMessage(row);
		}
	}

	/** Absorbs what the session itself says, its presence, and that of its branches. */
	async session(sessionId: string): Promise<void> {
		const { db, state } = this;
		const [session, tree, notes, deleted] = await db.transaction('r', db.sessions, db.trees, db.scratchpad, db.trash, () =>
			Promise.all([db.sessions.get(sessionId), db.trees.get(sessionId), new Scratchpad(db).list(sessionId), db.trash.get(sessionId)])
		);
		if (!session) {
			if (deleted) state.show(sessionId, false);
			else state.forget(sessionId);
			return;
		}
		if (state.absent.has(sessionId)) state.show(sessionId, true);
		const documents = sessionDocuments(session, tree, notes);
		await this.spoken(sessionId, documents);
		const removed = tree?.removed ?? [];
		if (JSON.stringify(removed) === JSON.stringify(state.removed.get(sessionId) ?? [])) return;
		await this.branches(sessionId);
		if (removed.length > 0) state.removed.set(sessionId, removed);
		else state.removed.delete(sessionId);
	}

	/** Takes in those of a session's own words that are not in the index as they are now. */
	private async spoken(sessionId: string, documents: Document[]): Promise<void> {
		const { state } = this;
		const known = state.spoken.get(sessionId);
		// Unknown until all is done: where this fails, the next time does it all.
		state.spoken.delete(sessionId);
		const now = new Map(documents.map(({ key, text }) => [key, text]));
		if (!known) await state.killSpoken(sessionId);
		else for (const [key, text] of known) if (now.get(key) !== text) await state.kill(key);
		for (const document of documents) if (known?.get(document.key) !== document.text) await this.add(document);
		state.spoken.set(sessionId, now);
	}

	/** Compares all messages of a session that were not deleted with those in the index. */
	async branches(sessionId: string): Promise<void> {
		const { state } = this;
		const rows = new Map((await new Messages(this.db).all(sessionId)).map((row) => [messageKey(row.id), row]));
		const known = new Set((await state.keysOf(sessionId)).filter((key) => parseKey(key).kind === 'message'));
		for (const key of known) if (!rows.has(key)) await state.kill(key);
		for (const [key, row] of rows) if (!known.has(key)) await this.addMessage(row);
	}

	private async addMessage(row: Message): Promise<void> {
		const { state } = this;
		const builtTo = state.manifest?.builtTo;
		if (builtTo && isBeyond(row, builtTo)) state.early.add(row.id);
		const document = messageDocument(row);
		if (document) await this.add(document);
	}

	private async add(document: Document): Promise<void> {
		this.state.add(document, await countTermsInSlices(document.text, this.pause));
	}
}

function isBeyond({ sessionId, depth, id }: Message, [ofSession, atDepth, after]: [string, number, string]): boolean {
	return sessionId === ofSession ? depth === atDepth ? id > after : depth > atDepth : sessionId > ofSession;
}
