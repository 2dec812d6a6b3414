import { Dexie } from 'dexie';
import type { Message } from '../conversation/message';
import { versionsInOrder, newestTipThrough, pathDown, pathTo, withoutRemoved } from '../conversation/paths';
import { newestTip, type Place, type Tree } from '../conversation/tree';
import { AppError } from '../shared/app-error';
import { branchOf, chainOf, endOf, headOf, inChain, isInChain, isRemoved } from './branch-of';
import type { Database } from './database';
import type { Position } from './tables/positions';

/** A stretch of a path, oldest first, and, for each of its messages that has any, all versions of it in order of sending. */
export interface Stretch {
	path: Message[];
	siblings: Map<string, string[]>;
	/** The last message of the whole path, also where the stretch does not reach it; undefined where there is no session. */
	end: Place | undefined;
	/** Id of the last message of the active path, whichever path was read; undefined where there is no session. */
	headId: string | undefined;
}

/** The part of a path that is read, and the path: see `Messages`. */
export interface StretchRange {
	limit?: number;
	offset?: number;
	at?: string | undefined;
}

/** A path on which a message can be read: its end, as `at` where that is not the head, and how deep the message is in it. */
export interface Whereabouts {
	depth: number;
	end: Place;
	at: string | undefined;
}

/** Number of messages that are asked for together by their ids. */
const atOnce = 200;

/** The message rows: read here, written only by `append`, `redact` and the trash. */
export class Messages {
	constructor(private readonly db: Database) {}

	get(id: string): Promise<Message | undefined> {
		return this.db.messages.where('id').equals(id).first();
	}

	/** Returns a message below those above it, up to the one that is no result: the one that calls, where it is a result. */
	async fromCaller(message: Message): Promise<Message[]> {
		const rows = [message];
		for (let first = message; first.role === 'tool' && first.parentId !== null; first = rows[0]!) {
			const parent = await this.get(first.parentId);
			if (!parent) break;
			rows.unshift(parent);
		}
		return rows;
	}

	/** Returns a message of a session. Throws an AppError (`message-absent`) where it has no such message. */
	async require(sessionId: string, id: string): Promise<Message> {
		const message = await this.get(id);
		if (message?.sessionId !== sessionId) throw new AppError('message-absent', `There is no message ${id} in this chat.`);
		return message;
	}

	/**
	 * Those that are there, in the order of the ids. Asked for many at once, since a cursor over an index waits for each one by itself,
	 * and not for all, since the page waits while it asks and while it is told.
	 */
	getMany(ids: string[]): Promise<Message[]> {
		return this.db.transaction('r', this.db.messages, async () => {
			const rows: (Message | undefined)[] = [];
			for (let from = 0; from < ids.length; from += atOnce) {
				rows.push(...(await Promise.all(ids.slice(from, from + atOnce).map((id) => this.get(id)))));
			}
			return rows.filter((row) => row !== undefined);
		});
	}

	/**
	 * The newest `limit` messages of the path to the head, after skipping the `offset` newest; oldest first, ordered by
	 * depth, so total also among equal times [E6]. One range of the clustered key, whatever the session's length.
	 */
	async newest(sessionId: string, range: { limit?: number; offset?: number } = {}): Promise<Message[]> {
		return (await this.newestStretch(sessionId, range)).path;
	}

	/** As `newest`, with siblings, and along the path to `at` instead of the head if that is a message of the session, and not deleted. */
	newestStretch(sessionId: string, { limit = 200, offset = 0, at }: StretchRange = {}): Promise<Stretch> {
		return this.stretch(sessionId, at, async (tree, end) => {
			const rows = await this.range(sessionId, end.depth - offset - limit + 1, end.depth);
			const path = pathTo(end.id, rows);
			const kept = path.slice(Math.max(0, path.length - offset - limit), Math.max(0, path.length - offset));
			return { path: kept, siblings: siblingsOf(kept, rows, tree) };
		});
	}

	/** The oldest `limit` messages of the path to the head, or to `at`, after skipping `offset`; oldest first [E15]. */
	oldestStretch(sessionId: string, { limit = 200, offset = 0, at }: StretchRange = {}): Promise<Stretch> {
		return this.stretch(sessionId, at, async (tree, end) => {
			const rows = await this.range(sessionId, offset, Math.min(offset + limit - 1, end.depth));
			const chain = await chainOf(this.db, tree, end);
			const [first] = await inChain(this.db, tree, chain, rows.filter(({ depth }) => depth === offset));
			const path = first ? pathDown(first.id, chain, tree, rows) : [];
			return { path, siblings: siblingsOf(path, rows, tree) };
		});
	}

	/**
	 * On which path a message is to be read: the one to `at` if that is given and runs through it, or else the one to the head,
	 * or else the one to the newest tip through it. Undefined if it is no message of the session, or was deleted.
	 */
	whereIs(sessionId: string, messageId: string, at?: string): Promise<Whereabouts | undefined> {
		return this.inTree(sessionId, async (tree, position) => {
			const message = await this.get(messageId);
			if (message?.sessionId !== sessionId || (await isRemoved(this.db, tree, message))) return undefined;
			const { depth } = message;
			for (const path of at === undefined ? [undefined] : [at, undefined]) {
				const end = await endOf(this.db, tree, position, path);
				if (await isInChain(this.db, tree, await chainOf(this.db, tree, end), message)) return { depth, end, at: path };
			}
			const end = newestTipThrough(tree, (await branchOf(this.db, tree, message)).forkId, depth)!;
			return { depth, end, at: end.id };
		});
	}

	/** The whole path to the head, or to the message `at`, oldest first. */
	async path(sessionId: string, at?: string): Promise<Message[]> {
		return (await this.newestStretch(sessionId, { limit: Infinity, at })).path;
	}

	/**
	 * The path to the head, or to `at`, from its end upwards: the newest `size` messages first, each page oldest first and read
	 * in a transaction of its own.
	 */
	async *pages(sessionId: string, at?: string, size = 500): AsyncGenerator<Message[], void> {
		let next = await this.inTree(sessionId, (tree, position) => endOf(this.db, tree, position, at));
		while (next) {
			const { id, depth } = next;
			const page = pathTo(id, await this.range(sessionId, depth - size + 1, depth));
			const first = page[0];
			if (!first) return;
			yield page;
			next = first.parentId === null ? undefined : { id: first.parentId, depth: first.depth - 1 };
		}
	}

	/** Every message of every branch that was not deleted, by depth, then id. */
	all(sessionId: string): Promise<Message[]> {
		const rows = this.db.messages.where(':id').between([sessionId, Dexie.minKey], [sessionId, Dexie.maxKey]);
		return this.db.transaction('r', this.db.trees, this.db.messages, async () => withoutRemoved(await this.db.trees.get(sessionId), await rows.toArray()));
	}

	/** The rows of a session at these depths, both included, of all branches, by depth, then id. */
	range(sessionId: string, from: number, to: number): Promise<Message[]> {
		return this.db.messages.where(':id').between([sessionId, from, Dexie.minKey], [sessionId, to, Dexie.maxKey]).toArray();
	}

	/** Returns the head of the session: the last message of the active path. */
	headOf(sessionId: string): Promise<Place | undefined> {
		return this.inTree(sessionId, (tree, position) => headOf(this.db, tree, position));
	}

	/** The ids of what the user sent and has not deleted, in order of sending: the nodes n0, n1 … of the tree [Z9]. */
	sends(sessionId: string): Promise<string[]> {
		return this.db.transaction('r', this.db.trees, this.db.messages, async () => {
			const keys = await this.db.messages
				.where('[sessionId+role+id]')
				.between([sessionId, 'user', Dexie.minKey], [sessionId, 'user', Dexie.maxKey])
				.primaryKeys();
			const ids = keys.map(([, , id]) => id);
			const tree = await this.db.trees.get(sessionId);
			if (!tree?.removed.length) return ids;
			const living = new Set((await this.all(sessionId)).map(({ id }) => id));
			return ids.filter((id) => living.has(id));
		});
	}

	/** Reads what `work` finds in the tree of a session, all of one moment; undefined where there is no session. */
	private inTree<T>(sessionId: string, work: (tree: Tree, position: Position | undefined) => Promise<T>): Promise<T | undefined> {
		const { trees, positions, messages } = this.db;
		return this.db.transaction('r', trees, positions, messages, async () => {
			const [tree, position] = await Promise.all([trees.get(sessionId), positions.get(sessionId)]);
			return tree && work(tree, position);
		});
	}

	/** Without `await`, so that a live query that calls this is not one step further from what it reads. */
	private stretch(
		sessionId: string,
		at: string | undefined,
		read: (tree: Tree, end: Place) => Promise<Pick<Stretch, 'path' | 'siblings'>>
	): Promise<Stretch> {
		const found = this.inTree<Stretch>(sessionId, async (tree, position) => {
			const end = await endOf(this.db, tree, position, at);
			return { ...(await read(tree, end)), end, headId: at === undefined ? end.id : (position?.headId ?? newestTip(tree).id) };
		});
		return found.then((stretch) => stretch ?? { path: [], siblings: new Map(), end: undefined, headId: undefined });
	}

}

/** A system message below the root belongs to what was sent with it: that is the version, beside what follows where it stands. */
function siblingsOf(path: Message[], rows: Message[], tree: Tree): Map<string, string[]> {
	const byParent = new Map<string | null, string[]>();
	const prompts = new Map(rows.flatMap(({ id, role, parentId }) => (role === 'system' && parentId !== null ? [[id, parentId]] : [])));
	const sentWith = (id: string): string[] => (prompts.has(id) ? (byParent.get(id)?.flatMap(sentWith) ?? [id]) : [id]);
	for (const { id, parentId } of rows) {
		if (tree.removed.includes(id)) continue;
		const siblings = byParent.get(parentId);
		if (siblings) siblings.push(id);
		else byParent.set(parentId, [id]);
	}
	const siblings = new Map<string, string[]>();
	for (const { id, parentId } of path) {
		if (prompts.has(id)) continue;
		let above = parentId;
		while (above !== null && prompts.has(above)) above = prompts.get(above)!;
		const all = byParent.get(above)?.flatMap(sentWith) ?? [];
		if (all.length > 1) siblings.set(id, versionsInOrder(all));
	}
	return siblings;
}
