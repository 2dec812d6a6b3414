import type { Session } from '../conversation/session';
import { AppError } from '../shared/app-error';
import { besideTaken } from './arrange-sessions';
import type { Database } from './database';
import { tablesWhere } from './definitions';
import { rowsOfSession } from './session-rows';
import type { Attachment } from './tables/attachments';
import { fileIdsOf } from './unused-files';

/** Everything that is kept of one session, and the files that it uses. */
export interface SessionCopy {
	id: string;
	/** The rows by table. */
	rows: [table: string, rows: unknown[]][];
	attachments: Attachment[];
}

/** The tables whose rows belong to a session. */
const sessionTables = tablesWhere(({ purge }) => purge !== undefined);

/** Reads a session as it stands at one moment. */
export function copyOfSession(db: Database, id: string): Promise<SessionCopy> {
	return db.transaction('r', [...sessionTables, 'attachments'], async () => {
		const rows = await Promise.all(sessionTables.map(async (table): Promise<[string, unknown[]]> => [table, await rowsOfSession(db, table, id).toArray()]));
		const files = await db.attachments.bulkGet([...new Set(await fileIdsOf(db, id))]);
		return { id, rows, attachments: files.filter((file) => file !== undefined) };
	});
}

/** Stores the copy of a session that is not here: all of it, or nothing where that throws. */
export async function putCopy(db: Database, { id, rows, attachments }: SessionCopy): Promise<void> {
	await db.transaction('rw', [...sessionTables, 'attachments', 'deletions'], async () => {
		// One in the trash has its tree still.
		if (await db.trees.get(id)) throw new AppError('already-kept', 'This chat was kept already. Find it among your chats, or bring it back if you have deleted it.');
		const ids = attachments.map((attachment) => attachment.id);
		const there = new Set(await db.attachments.where('id').anyOf(ids).primaryKeys());
		// A file that was attached was read in this browser: it takes the place of what one that was restored said of the same content. A result of a tool was not.
		await db.attachments.bulkPut(attachments.filter(({ id, thumbnail, extract }) => thumbnail || extract || !there.has(id)));
		// Both may have been here before, and have been removed.
		await db.deletions.bulkDelete([id, ...ids]);
		for (const [table, of] of rows) await db.table(table).bulkPut(table === 'sessions' ? await Promise.all((of as Session[]).map((session) => besideTaken(db, session))) : of);
	});
}
