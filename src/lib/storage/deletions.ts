import type { Store } from './tables';
import type { Deletion } from './tables/deletions';
import { unfinishedIn } from './trashed-answers';

/** Returns the id of the tombstone of a note. */
export function noteDeletionId(sessionId: string, name: string): string {
	return `${sessionId}:${name}`;
}

/** Writes the tombstone of a session, in the place of those of what was in it. Part of the transaction that removes the last of it. */
export async function addSessionDeletion(db: Store, id: string, at: number): Promise<void> {
	await db.deletions.where('sessionId').equals(id).delete();
	await db.deletions.put({ kind: 'session', id, at });
}

/** Removes the tombstones of a session, and of what of it is there again, whatever else they say. Part of the transaction that brings it back. */
export async function removeDeletionsOf(db: Store, sessionId: string, back: ReadonlySet<string>): Promise<void> {
	await db.deletions.where('id').anyOf([sessionId, ...back]).delete();
}

/** The tables whose rows a tombstone names by their key. */
const namedByKey = ['sessions', 'trees', 'trash', 'boundaries', 'attachments', 'providers'] as const;

/** The tables that tell whether what a tombstone names is here, beside what `idsWithin` reads. */
export const tablesOfDeletions = [...namedByKey, 'messages', 'scratchpad'] as const;

/**
 * Returns the ids of those tombstones that name something that is here, or in the trash, whatever they say that it is: an id is of one
 * thing. `within` is what `idsWithin` has found. Looks through each table once. Part of the running transaction, over `tablesOfDeletions`.
 */
export async function idsHere(db: Store, deletions: readonly Deletion[], within: ReadonlySet<string>): Promise<Set<string>> {
	const ids = deletions.map(({ id }) => id);
	const notes = deletions.flatMap((one) => (one.kind === 'note' ? [[one.sessionId, one.id.slice(noteDeletionId(one.sessionId, '').length)]] : []));
	const among = (table: string) => db.table(table).where(':id').anyOf(ids).primaryKeys() as Promise<string[]>;
	const [messages, names, ...others] = await Promise.all([
		db.messages.where('id').anyOf(ids).primaryKeys(),
		db.scratchpad.where(':id').anyOf(notes).primaryKeys(),
		...namedByKey.map(among)
	]);
	const here = new Set([...messages.map(([, , id]) => id), ...names.map(([sessionId, name]) => noteDeletionId(sessionId, name)), ...others.flat()]);
	return new Set(ids.filter((id) => here.has(id) || within.has(id)));
}

/** Number of rows that are read at a time: those of the trash may be large. */
const chunk = 200;

/**
 * Returns the ids that are within rows: of unfinished answers, also of branches in the trash, and of the boundaries that a redaction there would
 * bring back. Reads the trash a few rows at a time, each part in a transaction of its own, so that writes go on meanwhile.
 */
export async function idsWithin(db: Store): Promise<Set<string>> {
	const ids = new Set<string>();
	for (const { messageId } of await db.answers.toArray()) ids.add(messageId);
	const keys = await db.trash.toCollection().primaryKeys();
	for (let from = 0; from < keys.length; from += chunk) {
		for (const item of await db.trash.bulkGet(keys.slice(from, from + chunk))) {
			if (item?.kind === 'redaction') for (const { id } of item.boundaries ?? []) ids.add(id);
			for (const { messageId } of item ? unfinishedIn(item) : []) ids.add(messageId);
		}
	}
	return ids;
}
