import { filesOf } from '../conversation/message';
import { removeQuarantined } from './quarantined-rows';
import type { Store } from './tables';

/** Time for which a file is kept that nothing uses, in milliseconds: a tab that was closed with it in a composer may come back. */
const grace = 86_400_000;

/** Reasons to keep a file that no row uses: a tab has it in a new chat (`held`), or it was attached after `since`. Epoch milliseconds. */
interface Keeping {
	now: number;
	held: readonly string[];
	since: number;
}

/**
 * Removes what no message, no draft and nothing in the trash uses, what no tab has in a new chat (`held`), and what has not been attached after
 * `since`: within a day, unless that is said. Returns how many are gone.
 */
export function sweepFiles(db: Store, now: number, held: readonly string[] = [], since = now - grace): Promise<number> {
	const { attachments, attachmentUses, drafts, trash, quarantine, deletions } = db;
	return db.transaction('rw', [attachments, attachmentUses, drafts, trash, quarantine, deletions], async () =>
		removeUnused(db, await attachments.toCollection().primaryKeys(), { now, held, since })
	);
}

/**
 * Removes those of these files that nothing keeps. Returns how many are gone. Part of the running transaction, over the tables of `sweepFiles`:
 * the one that removes the use.
 */
export async function removeUnused(db: Store, ids: readonly string[], { now, held, since }: Keeping): Promise<number> {
	const unused = new Set(ids);
	for (const id of held) unused.delete(id);
	if (unused.size === 0) return 0;
	const [uses, drafts, redactions] = await Promise.all([
		db.attachmentUses.where('attachmentId').anyOf([...unused]).primaryKeys(),
		db.drafts.toArray(),
		db.trash.where('id').startsWith('redacted:').toArray()
	]);
	const erased = redactions.flatMap((item) => (item.kind === 'redaction' ? filesOf(item.message) : []));
	for (const [id] of uses) unused.delete(id);
	for (const { attachmentId } of [...drafts.flatMap(({ attachments = [] }) => attachments), ...erased]) unused.delete(attachmentId);
	const found = await db.attachments.bulkGet([...unused]);
	// A time that is far from now says nothing: the file may be from elsewhere. One that was attached meanwhile is a moment later than `now`.
	const gone = found.flatMap((file) => (file && (file.createdAt <= since || file.createdAt > now + grace) ? [file.id] : []));
	const quarantined = [...unused].filter((_, index) => !found[index]);
	await db.attachments.bulkDelete(gone);
	if (quarantined.length > 0) await removeQuarantined(db, new Set(quarantined));
	await db.deletions.bulkPut(gone.map((id) => ({ kind: 'attachment', id, at: now })));
	return gone.length;
}

/** Returns the ids of the files that a session has: in its messages, those that were erased too, and in its draft. Part of the running transaction. */
export async function fileIdsOf(db: Store, sessionId: string): Promise<string[]> {
	const [uses, draft, deleted] = await Promise.all([
		db.attachmentUses.where('sessionId').equals(sessionId).primaryKeys(),
		db.drafts.get(sessionId),
		db.trash.where('sessionId').equals(sessionId).toArray()
	]);
	const others = [...(draft?.attachments ?? []), ...deleted.flatMap((item) => (item.kind === 'redaction' ? filesOf(item.message) : []))];
	return [...uses.map(([id]) => id), ...others.map(({ attachmentId }) => attachmentId)];
}
