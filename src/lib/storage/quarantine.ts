import { sizeOf, type Message } from '../conversation/message';
import { headIn } from '../conversation/paths';
import type { Tree } from '../conversation/tree';
import type { Clock } from '../shared/clock';
import { Dexie } from 'dexie';
import { systemClock } from '../shared/clock';
import { newId } from '../shared/id';
import { fileBytesOf } from './attachments';
import { readUnchecked, type BrokenRow } from './checked';
import { definitions } from './definitions';
import { rebuiltSession } from './rebuilt-session';
import { placedPosition } from './positions';
import { faultOf, readable } from './row-checks';
import { withoutSecrets } from './secrets';
import { isMessageKey, likelyParent, readableParent, rebuiltTree, placeholderFor } from './placeholders';
import type { Store } from './tables';
import type { RepairRule } from './tables/definition';
import type { Position } from './tables/positions';
import type { QuarantinedRow } from './tables/quarantine';

/**
 * Moves a broken row whole to the quarantine, with the reason, and puts something valid in its place where others need
 * it: one transaction [R6]. A row that is valid by now stays. Who has the lease
 * can't read the row either.
 */
export function quarantineUnfenced(db: Store, row: BrokenRow, clock: Clock = systemClock): Promise<void> {
	return unchecked(db, () => quarantineRow(db, row, clock()));
}

/** A transaction over all tables that reads rows as they are. */
export function unchecked<T>(db: Store, work: () => Promise<T>): Promise<T> {
	// Dexie follows native promises only through a function that it sees to be async.
	return db.transaction('rw', db.tables, async (transaction) => {
		readUnchecked(transaction.idbtrans);
		return work();
	});
}

/** As `quarantineUnfenced`, as part of an unchecked transaction. */
export async function quarantineRow(db: Store, { table, key }: BrokenRow, at: number): Promise<void> {
	const rows = db.table<unknown, unknown>(table);
	const row = await rows.get(key);
	const reason = row === undefined ? undefined : faultOf(table, row);
	if (!reason) return;
	await db.quarantine.add(withoutSecrets('quarantine', { id: newId(), table, key, row, reason, at }) as QuarantinedRow);
	await rows.delete(key);
	const repair = definitions.get(table)?.repair;
	if (repair) await replacements[repair](db, { row, key, reason, at });
}

interface Broken {
	row: unknown;
	key: unknown;
	reason: string;
	at: number;
}

const replacements: Record<RepairRule, (db: Store, broken: Broken) => Promise<void>> = {
	placeholder: (db, { row, key, reason }) => replaceMessage(db, row, key, reason),
	'rebuild-tree': (db, { row, key, at }) => replaceTree(db, row, key as string, at),
	'rebuild-session': (db, { row, key, at }) => replaceSession(db, row, key as string, at),
	'find-head': (db, { row, key, at }) => replacePosition(db, row, key as string, at)
};

async function replaceMessage(db: Store, row: unknown, key: unknown, reason: string): Promise<void> {
	if (!isMessageKey(key)) return;
	const [sessionId, depth, id] = key;
	let parentId = readableParent(row, depth);
	if (parentId === undefined) {
		const above = db.messages.where(':id').between([sessionId, depth - 1, Dexie.minKey], [sessionId, depth - 1, Dexie.maxKey]);
		parentId = likelyParent(id, (await above.primaryKeys()).map(([, , id]) => id));
	}
	if (parentId === undefined) return;
	const placeholder = placeholderFor(row, key, parentId, reason);
	if (!placeholder) return;
	await db.messages.add(placeholder);
	const session = await db.sessions.get(sessionId);
	if (!session || faultOf('sessions', session)) return;
	const parts = (row as Partial<Message>).parts;
	await db.sessions.put({ ...session, bytes: session.bytes - (Array.isArray(parts) ? sizeOf({ parts }) : 0) + sizeOf(placeholder) });
}

async function replaceTree(db: Store, row: unknown, sessionId: string, at: number): Promise<void> {
	const messages = await validMessagesOf(db, sessionId, at);
	const deleted = await db.trash.where('sessionId').equals(sessionId).toArray();
	const branches = deleted.flatMap((item) => (item.kind === 'branch' ? [item.id] : []));
	const tree = rebuiltTree(sessionId, row, messages, branches);
	if (!tree) return;
	await db.trees.put(tree);
	await quarantineRow(db, { table: 'positions', key: sessionId }, at);
	await putPosition(db, tree, messages, await db.positions.get(sessionId), at);
}

async function replacePosition(db: Store, row: unknown, sessionId: string, at: number): Promise<void> {
	await quarantineRow(db, { table: 'trees', key: sessionId }, at);
	const tree = await db.trees.get(sessionId);
	if (tree) await putPosition(db, tree, await validMessagesOf(db, sessionId, at), readable('positions', row), at);
}

/** Writes the position of a session as far as it is `known`; a head that is not there moves to the newest branch. Part of an unchecked transaction. */
export async function putPosition(db: Store, tree: Tree, messages: Message[], known: Partial<Position> | undefined, at: number): Promise<void> {
	await db.positions.put(placedPosition(tree, { ...known, headId: headIn(tree, messages, known?.headId) }, at));
}

async function replaceSession(db: Store, row: unknown, id: string, at: number): Promise<void> {
	const messages = await validMessagesOf(db, id, at);
	if (messages.length === 0) return;
	await quarantineRow(db, { table: 'trees', key: id }, at);
	const session = rebuiltSession(id, row, await db.trees.get(id), messages);
	await db.sessions.put({ ...session, bytes: session.bytes + (await fileBytesOf(db, messages)) });
}

/** The messages of a session, by depth, then id, after broken ones were quarantined. Part of an unchecked transaction. */
export async function validMessagesOf(db: Store, sessionId: string, at: number): Promise<Message[]> {
	const all = db.messages.where(':id').between([sessionId, Dexie.minKey], [sessionId, Dexie.maxKey]);
	const found = await all.toArray();
	const broken = (await all.primaryKeys()).filter((_, index) => faultOf('messages', found[index]) !== undefined);
	for (const key of broken) await quarantineRow(db, { table: 'messages', key }, at);
	return broken.length === 0 ? found : all.toArray();
}
