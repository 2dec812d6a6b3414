import { Dexie } from 'dexie';
import type { Session } from '../conversation/session';
import type { Database } from './database';

/** Filter of the listed sessions; a field that is absent lets all pass. */
export interface SessionFilter {
	workspace?: string;
	surface?: string;
	/** Lists what is archived, and only that. */
	archived?: boolean;
}

/** The session rows. A row is made by `append`, with its first message; the trash takes it. */
export class Sessions {
	constructor(private readonly db: Database) {}

	/** Pinned ones first, then the newest first. One range of an index, whatever the filter and the offset. */
	list({ limit = Infinity, offset = 0, ...filter }: SessionFilter & { limit?: number; offset?: number } = {}): Promise<Session[]> {
		return listed(this.db, filter).reverse().offset(offset).limit(limit).toArray();
	}

	count(filter: SessionFilter = {}): Promise<number> {
		return listed(this.db, filter).count();
	}

	get(id: string): Promise<Session | undefined> {
		return this.db.sessions.get(id);
	}

	/** The thread of a workspace, or any other session, by its key [E1]. */
	byKey(key: string): Promise<Session | undefined> {
		return this.db.sessions.where('key').equals(key).first();
	}

	/** The one that was last written to [A4]; an archived one only where all are. */
	async newest(): Promise<Session | undefined> {
		const newestFirst = () => this.db.sessions.orderBy('updatedAt').reverse();
		return (await newestFirst().filter(({ archived }) => !archived).first()) ?? newestFirst().first();
	}

	/** Changes what any tab may change of a session, also one that another has open: no turn writes it but a title that nobody gave. */
	async updateUnfenced(id: string, changes: Partial<Pick<Session, 'title' | 'titledBy' | 'pinned' | 'archived'>>): Promise<void> {
		await this.db.sessions.update(id, changes);
	}
}

/** The sessions of a list as their index has them, unpinned and oldest first; from and up to that pin and time, where these are given. */
export function listed(db: Database, { workspace, surface, archived = false }: SessionFilter, from: unknown[] = [Dexie.minKey], before: unknown[] = [Dexie.maxKey]) {
	const fixed = [...[workspace, surface].filter((part) => part !== undefined), archived ? 1 : 0];
	const names = [...(workspace === undefined ? [] : ['workspace']), ...(surface === undefined ? [] : ['surface'])];
	return db.sessions.where(`[${[...names, 'archived', 'pinned', 'updatedAt'].join('+')}]`).between([...fixed, ...from], [...fixed, ...before]);
}
