import type { Message } from '../conversation/message';
import { nameOf, type Session } from '../conversation/session';
import type { Tree } from '../conversation/tree';
import { faultsOf } from '../conversation/tree-faults';
import { blobOf, streamOf } from '../shared/byte-lines';
import { databaseVersion } from './database';
import { isCopied } from './definitions';
import { versionOf } from './raw-database';
import { countOf, rowsOf, settled } from './raw-rows';
import { faultOf, isChecked } from './row-checks';
import { encodeLines, gzippedRows, type CopyProgress } from './row-lines';
import { withoutSecrets } from './secrets';
import type { CheckedTable } from './tables';
import type { Position } from './tables/positions';
import type { QuarantinedRow } from './tables/quarantine';
import type { TrashItem } from './tables/trash';

/** A row that does not fit, and why. */
export interface InvalidRow {
	table: CheckedTable;
	key: IDBValidKey;
	reason: string;
}

/** A session that is not whole, what is wrong, and whether its row is there. */
export interface InvalidSession {
	id: string;
	name: string;
	faults: string[];
	lost: boolean;
}

/** Findings of a check of every row. Of a database of another version, which this code does not know, only the counts. */
export interface Examination {
	version: number;
	known: boolean;
	counts: { table: string; count: number }[];
	invalidRows: InvalidRow[];
	quarantined: QuarantinedRow[];
	invalidSessions: InvalidSession[];
}

/**
 * Looks at every row that was not made from others, some at a time, and changes nothing. `onProgress` is told how much of it
 * is done, from 0 to 1.
 */
export async function examine(db: IDBDatabase, onProgress: (share: number) => void = () => {}): Promise<Examination> {
	const version = versionOf(db);
	const known = version === databaseVersion;
	const counts = await Promise.all([...db.objectStoreNames].map(async (table) => ({ table, count: await countOf(db, table) })));
	const invalidRows: InvalidRow[] = [];
	const quarantined: QuarantinedRow[] = [];
	const invalidSessions: InvalidSession[] = [];
	if (!known) return { version, known, counts, invalidRows, quarantined, invalidSessions };

	const read = counts.filter(({ table }) => isCopied(table));
	// Messages are read twice: row by row, and session by session.
	const total = read.reduce((sum, { table, count }) => sum + count * (table === 'messages' ? 2 : 1), 1);
	let done = 0;
	const progress = (rows: number) => onProgress(Math.min(1, (done += rows) / total));
	for (const { table } of read) {
		for await (const rows of rowsOf(db, table)) {
			for (const { key, row } of rows) {
				if (table === 'quarantine') quarantined.push(row as QuarantinedRow);
				const reason = isChecked(table) ? faultOf(table, row) : undefined;
				if (reason) invalidRows.push({ table: table as CheckedTable, key, reason });
			}
			progress(rows.length);
		}
	}
	const sessions = await fitting<Session>(db, 'sessions');
	const trees = await fitting<Tree>(db, 'trees');
	const positions = await fitting<Position>(db, 'positions');
	// What is wrong with these is known; quarantining the rows repairs it.
	const broken = new Set(
		invalidRows.flatMap(({ table, key }) => (table === 'messages' ? [(key as unknown[])[0]] : ['sessions', 'trees', 'positions'].includes(table) ? [key] : []))
	);
	const trash = [...(await fitting<TrashItem>(db, 'trash')).values()];
	const deleted = new Set(trash.flatMap((item) => (item.kind === 'session' ? [item.id] : [])));
	for (const id of new Set([...sessions.keys(), ...trees.keys(), ...(await sessionIdsOf(db))])) {
		if (deleted.has(id) || broken.has(id)) continue;
		const messages = await messagesOf(db, id);
		progress(messages.length);
		const session = sessions.get(id);
		const faults = faultsOfSession(session, trees.get(id), positions.get(id), messages);
		if (faults.length > 0) invalidSessions.push({ id, name: session ? nameOf(session) : 'A chat without a row', faults, lost: !session });
	}
	onProgress(1);
	return { version, known, counts, invalidRows, quarantined, invalidSessions };
}

function faultsOfSession(session: Session | undefined, tree: Tree | undefined, position: Position | undefined, messages: Message[]): string[] {
	if (messages.length === 0) return ['It has no messages.'];
	return [
		...(session ? [] : [`Its ${messages.length} messages are there, but not the chat.`]),
		...(tree ? faultsOf(tree, messages, position?.headId) : ['The order of its messages is lost.']),
		...(tree && !position ? ['Where you were in it is lost.'] : [])
	];
}

/** The rows of a small table that fit, by their keys. */
async function fitting<R>(db: IDBDatabase, table: CheckedTable): Promise<Map<string, R>> {
	const found = new Map<string, R>();
	for await (const rows of rowsOf(db, table)) {
		for (const { key, row } of rows) if (!faultOf(table, row)) found.set(key as string, row as R);
	}
	return found;
}

async function messagesOf(db: IDBDatabase, sessionId: string): Promise<Message[]> {
	const messages: Message[] = [];
	for await (const rows of rowsOf(db, 'messages', IDBKeyRange.bound([sessionId], [sessionId, []]))) {
		for (const { row } of rows) if (!faultOf('messages', row)) messages.push(row as Message);
	}
	return messages;
}

/** The sessions that messages say they belong to: one look for each. */
async function sessionIdsOf(db: IDBDatabase): Promise<string[]> {
	const store = db.transaction('messages').objectStore('messages');
	const found = new Set<string>();
	let range: IDBKeyRange | null = null;
	for (;;) {
		const cursor: IDBCursor | null = await settled(store.openKeyCursor(range));
		if (!cursor) return [...found];
		const [id] = cursor.key as IDBValidKey[];
		if (typeof id === 'string') found.add(id);
		// A list is above every number; where the depth of a broken row is one, that row is where to go on from.
		const end = [id!, []];
		range = IDBKeyRange.lowerBound(indexedDB.cmp(cursor.key, end) > 0 ? cursor.key : end, true);
	}
}

/** Every row that was not made from others, as gzipped JSON Lines, but the keys that servers were given. */
export function rawData(db: IDBDatabase, onProgress?: CopyProgress): Promise<Blob> {
	return blobOf(gzippedRows(db, onProgress));
}

/** Rows of the quarantine as JSON Lines, but the keys that servers were given. */
export function quarantineLines(rows: QuarantinedRow[]): Promise<Blob> {
	return blobOf(streamOf(encodeLines(rows.map((row) => withoutSecrets('quarantine', row)))), 'application/jsonl');
}
