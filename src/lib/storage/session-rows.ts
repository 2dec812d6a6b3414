import { Dexie, type Collection } from 'dexie';
import type { Database } from './database';
import { definitions } from './definitions';

/** Finds the rows that a session has in a table. */
export function rowsOfSession(db: Database, table: string, sessionId: string): Collection<unknown, unknown> {
	const { key, sessionIndex } = definitions.get(table)!;
	const rows = db.table<unknown, unknown>(table).where(sessionIndex ?? ':id');
	const isCompound = sessionIndex ? sessionIndex.startsWith('[') : typeof key !== 'string';
	return isCompound ? rows.between([sessionId, Dexie.minKey], [sessionId, Dexie.maxKey]) : rows.equals(sessionId);
}

/** Lists the sessions that have rows in a table, by its keys alone. */
export async function sessionIdsIn(db: Database, table: string): Promise<string[]> {
	const { sessionIndex } = definitions.get(table)!;
	const rows = db.table(table);
	const keys: unknown[] = await (sessionIndex ? rows.orderBy(sessionIndex).keys() : rows.toCollection().primaryKeys());
	return [...new Set(keys.map((key) => (Array.isArray(key) ? (key as unknown[])[0] : key) as string))];
}
