import type { Store } from './tables';
import type { Deletion } from './tables/deletions';

/** Returns the id of the tombstone of a note. */
export function noteDeletionId(sessionId: string, name: string): string {
	return `${sessionId}:${name}`;
}

/** Writes the tombstone of a session, in the place of those of what was in it. Part of the transaction that removes the last of it. */
export async function addSessionDeletion(db: Store, id: string, at: number): Promise<void> {
	await db.deletions.where('sessionId').equals(id).delete();
	await db.deletions.put({ kind: 'session', id, at });
}

/** Removes the tombstones of a session, and of what of it is there again. Part of the transaction that brings it back. */
export async function removeDeletionsOf(db: Store, sessionId: string, back: ReadonlySet<string>): Promise<void> {
	await db.deletions.delete(sessionId);
	await db.deletions.where('sessionId').equals(sessionId).and(({ id }) => back.has(id)).delete();
}

/** The tables that tell whether what a tombstone names is here. */
export const tablesOfDeletions = ['sessions', 'trees', 'trash', 'messages', 'boundaries', 'scratchpad', 'attachments', 'providers'] as const;

/** Tells whether what a tombstone names is here, or in the trash. Part of the running transaction, over `tablesOfDeletions`. */
export async function isHere(db: Store, deletion: Deletion): Promise<boolean> {
	const { kind, id } = deletion;
	const counts = await Promise.all(
		kind === 'session'
			? [db.sessions.where('id').equals(id).count(), db.trees.where('sessionId').equals(id).count(), db.trash.where('id').equals(id).count()]
			: kind === 'branch'
				? [db.messages.where('id').equals(id).count()]
				: kind === 'boundary'
					? [db.boundaries.where('id').equals(id).count(), redactedWith(db, deletion.sessionId, id)]
					: kind === 'note'
						? [db.scratchpad.where(':id').equals([deletion.sessionId, id.slice(deletion.sessionId.length + 1)]).count()]
						: [(kind === 'attachment' ? db.attachments : db.providers).where('id').equals(id).count()]
	);
	return counts.some((count) => count > 0);
}

/** Counts the redactions in the trash that would bring a boundary back. */
function redactedWith(db: Store, sessionId: string, boundaryId: string): Promise<number> {
	return db.trash
		.where('sessionId')
		.equals(sessionId)
		.and((item) => item.kind === 'redaction' && item.boundaries?.some(({ id }) => id === boundaryId) === true)
		.count();
}
