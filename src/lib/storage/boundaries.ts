import { Dexie } from 'dexie';
import type { Boundary } from '../conversation/boundary';
import { addUsage, type Message } from '../conversation/message';
import { pathTo } from '../conversation/paths';
import type { Place, Tree } from '../conversation/tree';
import { AppError } from '../shared/app-error';
import { suitability } from './boundary-in-force';
import { isRemoved } from './branch-of';
import type { Database } from './database';
import { requireFence, type Fence } from './fence';
import { Messages } from './messages';
import { Path } from './path';

/** Number of depths that are read at a time. */
const stride = 500;

export interface AddBoundary {
	/** It was here before and is put back: what it took is counted already. */
	again?: boolean;
	/** Time at which the messages that it covers were read, in epoch milliseconds; when it was made, where it is absent. */
	readAt?: number;
}

/** The compactions [A10]. A long session has many; each row is as large as its summary. */
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
	 * is not there any more, or a message that it covers was redacted or excluded after it was read: the summary may tell its words.
	 */
	add(boundary: Boundary, fence: Fence, { again = false, readAt = boundary.createdAt }: AddBoundary = {}): Promise<void> {
		const { boundaries, messages, trees, positions, sessions, contexts, deletions } = this.db;
		const { sessionId, upToId, usage } = boundary;
		return this.db.transaction('rw', [boundaries, messages, trees, positions, sessions, contexts, deletions], async () => {
			const [session, tree, last, decided = { pins: [], excludes: [] }] = await Promise.all([
				sessions.get(sessionId),
				trees.get(sessionId),
				messages.where('id').equals(upToId).first(),
				contexts.get(sessionId)
			]);
			if (!session) throw new AppError('session-absent', 'This chat was deleted, so the summary was not kept.');
			await requireFence(this.db, sessionId, fence);
			const isThere = tree && last?.sessionId === sessionId && last.depth === boundary.depth && !(await isRemoved(this.db, tree, last));
			if (!isThere || ((tree.redactedAt ?? 0) > readAt && (await this.isRedacted(boundary, readAt)))) {
				throw new AppError('message-absent', 'The messages behind this summary were deleted or erased in the meantime, so the summary was not kept.');
			}
			// One that is put back may wait until its messages are included again.
			if (!again && (await suitability(new Path(this.db, tree, last), decided)([boundary])).length === 0) {
				throw new AppError('context-changed', 'You changed which messages are excluded in the meantime, so the summary was not kept. Compact again.');
			}
			await boundaries.put(boundary);
			if (again) await deletions.delete(boundary.id);
			if (usage && !again) await sessions.put({ ...session, usage: addUsage(session.usage, usage) });
		});
	}

	/** Undoes a compaction. Returns what was there, to be put back. */
	remove(id: string, now: number, fence: Fence): Promise<Boundary | undefined> {
		const { boundaries, trees, positions, deletions } = this.db;
		return this.db.transaction('rw', boundaries, trees, positions, deletions, async () => {
			const boundary = await boundaries.get(id);
			if (!boundary) return undefined;
			await requireFence(this.db, boundary.sessionId, fence);
			await boundaries.delete(id);
			await deletions.put({ kind: 'boundary', id, sessionId: boundary.sessionId, at: now });
			return boundary;
		});
	}

	/** Tells whether a message that it covers was redacted after that time. Read bit by bit, so that the page does not stall. */
	private async isRedacted({ sessionId, upToId, depth }: Boundary, after: number): Promise<boolean> {
		let next: string | null = upToId;
		for (let to = depth; next !== null && to >= 0; to -= stride) {
			const path: Message[] = pathTo(next, await new Messages(this.db).range(sessionId, to - stride + 1, to));
			if (path.some(({ parts }) => parts.some((part) => part.type === 'redacted' && part.at > after))) return true;
			next = path[0]?.parentId ?? null;
		}
		return false;
	}
}

/** Those of a session's boundaries that cover a message, also where that is deleted. Part of the running transaction. */
export async function coveringOf(db: Database, tree: Tree, { id, depth }: Place, boundaries: Boundary[]): Promise<Boundary[]> {
	const deeper = boundaries.filter((boundary) => boundary.depth >= depth);
	if (deeper.length === 0 || (tree.tips.length === 1 && tree.removed.length === 0)) return deeper;
	const below = new Set([id]);
	const deepest = deeper.reduce((most, boundary) => Math.max(most, boundary.depth), depth);
	for (let from = depth + 1; from <= deepest; from += stride) {
		const rows = await new Messages(db).range(tree.sessionId, from, Math.min(deepest, from + stride - 1));
		for (const { id, parentId } of rows) if (parentId !== null && below.has(parentId)) below.add(id);
	}
	return deeper.filter(({ upToId }) => below.has(upToId));
}

/** The boundaries of a session that end at `depth` or below it. */
export function inSession(db: Database, sessionId: string, depth: number | typeof Dexie.minKey = Dexie.minKey) {
	return db.boundaries.where('[sessionId+depth]').between([sessionId, depth], [sessionId, Dexie.maxKey]);
}
