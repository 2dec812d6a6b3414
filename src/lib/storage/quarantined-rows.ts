import { definitions } from './definitions';
import type { Store } from './tables';
import type { QuarantinedRow } from './tables/quarantine';

/**
 * Removes what is quarantined under these ids: they are in its key, or in one of these fields of the row, as far as that can be read. Part of the
 * running transaction.
 */
export async function removeQuarantined({ quarantine }: Store, ids: ReadonlySet<unknown>, fields: readonly string[] = []): Promise<void> {
	const isOf = ({ key, row }: QuarantinedRow) => {
		const said = typeof row === 'object' && row !== null ? fields.map((field) => (row as Record<string, unknown>)[field]) : [];
		return [key, ...said].flat().some((value) => ids.has(typeof value === 'string' ? value.replace(/^redacted:/, '') : value));
	};
	await quarantine.filter(isOf).delete();
}

/** Removes what is quarantined of chats, whichever they were, unless one is here; also of tables that are not known, which may have had words of them. */
export function emptyQuarantine(db: Store): Promise<void> {
	const isOfNone = (table: string) => definitions.has(table) && !definitions.get(table)!.purge && table !== 'attachments';
	return db.transaction('rw', db.trees, db.quarantine, async () => {
		if ((await db.trees.count()) === 0) await db.quarantine.filter(({ table }) => !isOfNone(table)).delete();
	});
}
