import { threadKey, type Session } from '../conversation/session';
import { filesOf } from '../conversation/message';
import { AppError } from '../shared/app-error';
import type { Database } from './database';
import { tablesWhere } from './definitions';
import { rowsOfSession } from './session-rows';
import type { Attachment } from './tables/attachments';
import type { AttachmentUse } from './tables/attachment-uses';
import type { Draft } from './tables/drafts';
import type { TrashItem } from './tables/trash';

/** Everything that is kept of one session, and the files that it uses. */
export interface SessionCopy {
	id: string;
	/** The rows by table. */
	rows: [table: string, rows: unknown[]][];
	attachments: Attachment[];
}

const tablesOfSessions = tablesWhere(({ purge }) => purge !== undefined);

/** Reads a session as it stands at one moment. */
export function copyOfSession(db: Database, id: string): Promise<SessionCopy> {
	return db.transaction('r', [...tablesOfSessions, 'attachments'], async () => {
		const rows = await Promise.all(tablesOfSessions.map(async (table): Promise<[string, unknown[]]> => [table, await rowsOfSession(db, table, id).toArray()]));
		const of = Object.fromEntries(rows) as { attachmentUses: AttachmentUse[]; drafts: Draft[]; trash: TrashItem[] };
		const files = [...of.drafts.flatMap(({ attachments = [] }) => attachments), ...of.trash.flatMap((item) => (item.kind === 'redaction' ? filesOf(item.message) : []))];
		const used = new Set([...of.attachmentUses, ...files].map(({ attachmentId }) => attachmentId));
		return { id, rows, attachments: (await db.attachments.bulkGet([...used])).filter((attachment) => attachment !== undefined) };
	});
}

/** Stores the copy of a session that is not here: all of it, or nothing where that throws. */
export async function putCopy(db: Database, { id, rows, attachments }: SessionCopy): Promise<void> {
	await db.transaction('rw', [...tablesOfSessions, 'attachments', 'deletions'], async () => {
		if (await db.sessions.get(id)) throw new AppError('already-kept', 'This chat is kept already. Find it among your chats.');
		const there = new Set(await db.attachments.where('id').anyOf(attachments.map((attachment) => attachment.id)).primaryKeys());
		await db.attachments.bulkPut(attachments.filter((attachment) => !there.has(attachment.id)));
		await db.deletions.bulkDelete(attachments.map((attachment) => attachment.id));
		for (const [table, of] of rows) await db.table(table).bulkPut(table === 'sessions' ? await withOwnKeys(db, of as Session[]) : of);
	});
}

/** Gives a session that would be the thread of a workspace which has one the key of another one there. */
function withOwnKeys(db: Database, sessions: Session[]): Promise<Session[]> {
	return Promise.all(
		sessions.map(async (session) => {
			const isTaken = session.key === threadKey(session.workspace) && (await db.sessions.where('key').equals(session.key).count()) > 0;
			return isTaken ? { ...session, key: `${session.key}:${session.createdAt}` } : session;
		})
	);
}
