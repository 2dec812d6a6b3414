import { Dexie } from 'dexie';
import { filesOf, type Message } from '../conversation/message';
import { Attachments } from './attachments';
import { chainOf, endOf, inChain } from './branch-of';
import type { Database } from './database';
import { Messages } from './messages';

/** The type of their text; a message may have images too. */
const textType = 'text/plain';

/** Results of tools that are kept whole, as files of their messages. */
export class KeptResults {
	constructor(private readonly db: Database) {}

	/** Tells whether a session has any, in whichever branch. */
	async isAny(sessionId: string): Promise<boolean> {
		const files = await new Attachments(this.db).getMany((await this.usesIn(sessionId)).map(([attachmentId]) => attachmentId));
		return [...files.values()].some(({ mediaType }) => mediaType === textType);
	}

	/**
	 * Returns the text of the newest result whose attachment's id begins so, of those on the path to a message of the session, or to its head; undefined where it has
	 * none. A result that the user keeps from models is none.
	 */
	async find(sessionId: string, idStart: string, at?: string): Promise<Blob | undefined> {
		const uses = (await this.usesIn(sessionId)).filter(([attachmentId]) => attachmentId.startsWith(idStart));
		const { trees, positions, messages, contexts, attachments } = this.db;
		return this.db.transaction('r', [trees, positions, messages, contexts, attachments], async () => {
			const [tree, position, context] = await Promise.all([trees.get(sessionId), positions.get(sessionId), contexts.get(sessionId)]);
			if (!tree) return undefined;
			const chain = await chainOf(this.db, tree, await endOf(this.db, tree, position, at));
			const given = await inChain(this.db, tree, chain, await new Messages(this.db).getMany(uses.map(([, messageId]) => messageId)));
			const excludes = new Set(context?.excludes);
			for (const message of given.toSorted((a, b) => b.depth - a.depth)) {
				if (await this.isExcluded(message, excludes)) continue;
				const file = filesOf(message).find(({ attachmentId, mediaType }) => mediaType === textType && attachmentId.startsWith(idStart));
				const kept = file && (await new Attachments(this.db).get(file.attachmentId));
				// A file that was restored may say of a document, which is read otherwise, that it is a text.
				return kept?.mediaType === textType ? kept.content : undefined;
			}
			return undefined;
		});
	}

	/** Tells whether the user keeps a result from models, or the answer that called. Part of the running transaction. */
	private async isExcluded(result: Message, excludes: ReadonlySet<string>): Promise<boolean> {
		for (let message: Message | undefined = result; message && excludes.size > 0; message = await new Messages(this.db).get(message.parentId!)) {
			if (excludes.has(message.id)) return true;
			if (message.role !== 'tool' || message.parentId === null) return false;
		}
		return false;
	}

	/** The uses of files by results of tools. */
	private async usesIn(sessionId: string): Promise<[attachmentId: string, messageId: string][]> {
		const uses = await this.db.attachmentUses.where('sessionId').equals(sessionId).primaryKeys();
		if (uses.length === 0) return [];
		const results = await this.db.messages.where('[sessionId+role+id]').between([sessionId, 'tool', Dexie.minKey], [sessionId, 'tool', Dexie.maxKey]).primaryKeys();
		const ids = new Set(results.map(([, , id]) => id));
		return uses.filter(([, messageId]) => ids.has(messageId));
	}
}
