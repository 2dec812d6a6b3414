import { Dexie } from 'dexie';
import type { Message } from '../conversation/message';
import { pathTo } from '../conversation/tree';
import type { Database } from './database';

/** The message rows: read here, written only by `append`. */
export class Messages {
	constructor(private readonly db: Database) {}

	get(id: string): Promise<Message | undefined> {
		return this.db.messages.where('id').equals(id).first();
	}

	/**
	 * The newest `limit` messages of the path to the head, after skipping the `offset` newest; oldest first, ordered by
	 * depth, so total also among equal times [E6]. One range of the clustered key, whatever the session's length.
	 */
	async newest(sessionId: string, { limit = 200, offset = 0 }: { limit?: number; offset?: number } = {}): Promise<Message[]> {
		return this.db.transaction('r', this.db.trees, this.db.messages, async () => {
			const head = await this.headOf(sessionId);
			if (!head) return [];
			const path = pathTo(head.id, await this.range(sessionId, head.depth - offset - limit + 1, head.depth));
			const end = Math.max(0, path.length - offset);
			return path.slice(Math.max(0, end - limit), end);
		});
	}

	/** The whole path to the head, oldest first. */
	path(sessionId: string): Promise<Message[]> {
		return this.newest(sessionId, { limit: Infinity });
	}

	/** Every message of every branch, by depth, then id. */
	all(sessionId: string): Promise<Message[]> {
		return this.range(sessionId, Dexie.minKey, Dexie.maxKey);
	}

	/** Where the person is in the session: the last message of the active path. */
	async headOf(sessionId: string): Promise<{ id: string; depth: number } | undefined> {
		const tree = await this.db.trees.get(sessionId);
		if (!tree) return undefined;
		return tree.tips.find((tip) => tip.id === tree.headId) ?? (await this.get(tree.headId));
	}

	private range(sessionId: string, from: number | typeof Dexie.minKey, to: number | typeof Dexie.maxKey): Promise<Message[]> {
		return this.db.messages.where(':id').between([sessionId, from, Dexie.minKey], [sessionId, to, Dexie.maxKey]).toArray();
	}
}
