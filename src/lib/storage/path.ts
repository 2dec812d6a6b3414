import { Dexie } from 'dexie';
import type { Message } from '../conversation/message';
import { pathTo } from '../conversation/paths';
import type { Place, Tree } from '../conversation/tree';
import { chainOf, inChain, type Chain } from './branch-of';
import type { Database } from './database';
import { Messages } from './messages';

/** Number of rows that are read at a time beyond the limit, to find the call that the oldest results belong to. */
const spare = 8;

/** The path to a message, read from there upwards as far as it is asked for. Part of the running transaction. */
export class Path {
	/** Oldest first, system messages among them. */
	read: Message[] = [];
	/** The depth of the first of these. */
	from: number;
	private next: string | null;
	private known: Promise<Chain> | undefined;

	/** `limit` is how many messages are enough, system messages aside. */
	constructor(
		readonly db: Database,
		readonly tree: Tree,
		readonly end: Place,
		private readonly limit = 0
	) {
		this.from = end.depth + 1;
		this.next = end.id;
	}

	/** Reads on, to that depth at most: until there is enough, and what it begins with is no result of a call further up. */
	async readTo(depth: number): Promise<void> {
		while (this.next !== null && this.from > depth) {
			const missing = this.limit - this.read.filter(({ role }) => role !== 'system').length;
			if (missing <= 0 && this.read[0]?.role !== 'tool') return;
			const lowest = Math.max(depth, this.from - (missing > 0 ? missing : spare));
			const rows = await new Messages(this.db).range(this.tree.sessionId, lowest, this.from - 1);
			const found = pathTo(this.next, rows);
			const more = missing > 0 ? found : found.slice(Math.max(0, found.findLastIndex(({ role }) => role !== 'tool')));
			this.next = more[0]?.parentId ?? null;
			this.from = more[0]?.depth ?? this.from;
			this.read = [...more, ...this.read];
		}
	}

	/** Lists its messages of a role, the newest first; no row is read for that. */
	async ofRole(role: Message['role']): Promise<Place[]> {
		const { db, tree, end } = this;
		const range = db.messages.where('[sessionId+role+id]').between([tree.sessionId, role, Dexie.minKey], [tree.sessionId, role, Dexie.maxKey]);
		const places = (await range.primaryKeys()).map(([, depth, id]) => ({ id, depth })).filter(({ depth }) => depth <= end.depth);
		// Every path runs through the root.
		const found = places.every(({ depth }) => depth === 0) ? places : await this.through(places);
		return found.sort((a, b) => b.depth - a.depth);
	}

	/** Tells whether it runs through a message of the session. */
	async runsThrough(place: Place): Promise<boolean> {
		return (await this.through([place])).length > 0;
	}

	/** The messages of the session that it runs through. */
	async through<M extends Place>(places: M[]): Promise<M[]> {
		return inChain(this.db, this.tree, await this.chain(), places);
	}

	chain(): Promise<Chain> {
		return (this.known ??= chainOf(this.db, this.tree, this.end));
	}
}
