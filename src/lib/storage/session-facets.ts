import { Dexie } from 'dexie';
import type { Database } from './database';

/** Lists the values that sessions can be filtered by, each in alphabetical order. */
export async function sessionFacets(db: Database): Promise<{ workspaces: string[]; surfaces: string[] }> {
	const [workspaces, surfaces] = await Promise.all([
		distinct(db, '[workspace+archived+pinned+updatedAt]'),
		distinct(db, '[surface+archived+pinned+updatedAt]')
	]);
	return { workspaces, surfaces };
}

/** The first parts of an index's keys: one look for each, by jumping over all that begin alike. */
async function distinct(db: Database, index: string): Promise<string[]> {
	const found: string[] = [];
	let next: string | typeof Dexie.minKey = Dexie.minKey;
	for (;;) {
		const after: [string | typeof Dexie.minKey, typeof Dexie.maxKey] = [next, Dexie.maxKey];
		const keys = await db.sessions.where(index).above(next === Dexie.minKey ? [Dexie.minKey] : after).limit(1).keys();
		const key = keys[0] as unknown as [string] | undefined;
		if (!key) return found;
		found.push((next = key[0]));
	}
}
