import { Dexie } from 'dexie';
import type { Boundary } from '../conversation/boundary';
import { addUsage } from '../conversation/message';
import { AppError } from '../shared/app-error';
import { isRemoved } from './branch-of';
import type { Database } from './database';
import { requireFence } from './fence';

/** How many depths are read at a time. */
const stride = 500;

export interface AddBoundary {
	/** What the writing tab knows the session's fence to be; not checked where it is absent. */
	fence?: number;
	/** It was here before and is put back: what it took is counted already. */
	again?: boolean;
	/** When the messages that it covers were read, in epoch milliseconds; when it was made, where it is absent. */
	readAt?: number;
}

/** The compactions [A10]. A session of any length has few; each names all that it covers, so it is not a small row. */
export class Boundaries {
	constructor(private readonly db: Database) {}

	/** By depth, then in the order in which they were made. */
	async ofSession(sessionId: string): Promise<Boundary[]> {
		const found = await inSession(this.db, sessionId).toArray();
		return found.sort((a, b) => a.depth - b.depth || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
	}

	get(id: string): Promise<Boundary | undefined> {
		return this.db.boundaries.get(id);
	}

	/** Of one session, or of all. */
	count(sessionId?: string): Promise<number> {
		return sessionId === undefined ? this.db.boundaries.count() : inSession(this.db, sessionId).count();
	}

	/**
	 * Keeps a boundary, and counts what it took as the session's usage. Throws an AppError where its session or last message
	 * is not there any more, or a message that it covers was redacted after it was read: the summary may still tell its words.
	 */
	add(boundary: Boundary, { fence, again = false, readAt = boundary.createdAt }: AddBoundary = {}): Promise<void> {
		const { boundaries, messages, trees, sessions } = this.db;
		const { sessionId, upToId, usage } = boundary;
		return this.db.transaction('rw', boundaries, messages, trees, sessions, async () => {
			const [session, tree, last] = await Promise.all([
				sessions.get(sessionId),
				trees.get(sessionId),
				messages.where('id').equals(upToId).first()
			]);
			if (!session) throw new AppError('session-absent', 'This chat was deleted, so the summary was not kept.');
			requireFence(tree, fence);
			if (!tree || last?.sessionId !== sessionId || (await isRemoved(this.db, tree, last)) || (await this.isRedacted(boundary, readAt))) {
				throw new AppError('message-absent', 'What this summary stands for was deleted or erased meanwhile, so the summary was not kept.');
			}
			await boundaries.put(boundary);
			if (usage && !again) await sessions.put({ ...session, usage: addUsage(session.usage, usage) });
		});
	}

	/** Undoes a compaction. Returns what was there, to be put back. */
	remove(id: string, fence?: number): Promise<Boundary | undefined> {
		const { boundaries, trees } = this.db;
		return this.db.transaction('rw', boundaries, trees, async () => {
			const boundary = await boundaries.get(id);
			if (!boundary) return undefined;
			requireFence(await trees.get(boundary.sessionId), fence);
			await boundaries.delete(id);
			return boundary;
		});
	}

	/** Whether a message that it covers was redacted after that time. Read bit by bit, so that the page does not stall. */
	private async isRedacted({ sessionId, depth, coveredIds }: Boundary, after: number): Promise<boolean> {
		const covered = new Set(coveredIds);
		for (let from = 0; from <= depth; from += stride) {
			const to = Math.min(depth, from + stride - 1);
			const rows = await this.db.messages.where(':id').between([sessionId, from, Dexie.minKey], [sessionId, to, Dexie.maxKey]).toArray();
			const isLate = (id: string, at: number) => covered.has(id) && at > after;
			if (rows.some(({ id, parts }) => parts.some((part) => part.type === 'redacted' && isLate(id, part.at)))) return true;
		}
		return false;
	}
}

/** The boundaries of a session that end at `depth` or below it. */
export function inSession(db: Database, sessionId: string, depth: number | typeof Dexie.minKey = Dexie.minKey) {
	return db.boundaries.where('[sessionId+depth]').between([sessionId, depth], [sessionId, Dexie.maxKey]);
}
