import { Dexie } from 'dexie';
import { filesOf, type Message } from '../../conversation/message';
import { nameOf } from '../../conversation/session';
import { besideTaken } from '../../storage/arrange-sessions';
import { inSession } from '../../storage/boundaries';
import type { Database } from '../../storage/database';
import { tablesWhere } from '../../storage/definitions';
import { noteDeletionId, removeDeletionsOf } from '../../storage/deletions';
import { putHeadUnfenced } from '../../storage/positions';
import { rowsOfSession } from '../../storage/session-rows';
import type { AttachmentUse } from '../../storage/tables/attachment-uses';
import type { Attachment } from '../../storage/tables/attachments';
import { unfinishedIn } from '../../storage/trashed-answers';
import { tablesOfSession } from '../backup/format';
import type { SessionRows } from '../gate/admit-session';
import { mergeSession, type Changes } from './merge';
import { endsOf } from './tally';

/** The rows that importing a session writes, and what is said of that. */
export interface Planned {
	changes: Changes;
	/** Name of the session once it is here. */
	name: string | undefined;
	/** Those that go with it. */
	attachments: Attachment[];
	/** Number of boundaries of the file that have the id of one of another session here. */
	strangers: number;
	/** Number of messages of the file that are here already. */
	same: number;
	/** Numbers of its branches, by whether their last message is new here. */
	ends: { added: number; same: number };
}

/** The tables that importing a session reads and writes. */
export const tablesToMerge = [...tablesOfSession, 'attachments'];

/** The most rows that the database is asked for, or given, at once: the page has a turn in between. */
const rowsAtOnce = 1000;

function* portionsOf<T>(rows: T[]): Generator<T[]> {
	for (let at = 0; at < rows.length; at += rowsAtOnce) yield rows.slice(at, at + rowsAtOnce);
}

const tablesThatKeepTheirOwn = tablesWhere(({ backup }) => backup === 'keep-own');

/**
 * The rows of a file without what is deleted in it under the id of something else that is deleted here, which it would replace: the ids of
 * deleted chats and branches share one table.
 */
async function withoutTakenTrash(db: Database, file: SessionRows): Promise<SessionRows> {
	const here = await db.trash.bulkGet(file.trash.map(({ id }) => id));
	const taken = new Set(
		file.trash.flatMap(({ id, sessionId, kind }, index) => {
			const other = here[index];
			return other && (other.sessionId !== sessionId || other.kind !== kind) ? [id] : [];
		})
	);
	if (taken.size === 0) return file;
	const { tree } = file;
	return {
		...file,
		trash: file.trash.filter(({ id }) => !taken.has(id)),
		tree: tree && { ...tree, removed: tree.removed.filter((id) => !taken.has(id)) }
	};
}

/** Returns the rows that importing a session would write. To be called in a transaction. */
export async function plan(db: Database, whole: SessionRows, offered: ReadonlyMap<string, Attachment>): Promise<Planned> {
	const { id } = whole;
	const file = await withoutTakenTrash(db, whole);
	const [session, tree, position, messages, draft, answer, notes, boundaries, trash, ...others] = await Promise.all([
		db.sessions.get(id),
		db.trees.get(id),
		db.positions.get(id),
		db.messages.where(':id').between([id, Dexie.minKey], [id, Dexie.maxKey]).toArray(),
		db.drafts.get(id),
		db.answers.get(id),
		db.scratchpad.where(':id').between([id, Dexie.minKey], [id, Dexie.maxKey]).toArray(),
		inSession(db, id).toArray(),
		db.trash.where('sessionId').equals(id).toArray(),
		...tablesThatKeepTheirOwn.map(async (table) => [table, await rowsOfSession(db, table, id).toArray()] as const)
	]);
	const here = { id, session, tree, headId: position?.headId, messages, draft, answer, notes, boundaries, trash, others: Object.fromEntries(others) };
	const ids = [...new Set([...messages, ...file.messages].flatMap(filesOf).map(({ attachmentId }) => attachmentId))];
	const sizes = await sizesOf(db, ids);
	const changes = mergeSession(here, file, (id) => sizes.get(id) ?? offered.get(id)?.bytes ?? 0);
	if (changes.session && changes.was !== 'here') changes.session = await besideTaken(db, changes.session);

	const untaken = whole.trash.length - file.trash.length;
	if (untaken > 0) changes.leftOut = [...changes.leftOut, { table: 'trash', reason: 'Something else that is deleted here has its id.', count: untaken }];
	const own = changes.session ?? session;
	const known = await db.boundaries.bulkGet(changes.boundaries.map(({ id }) => id));
	const strangers = known.filter((boundary) => boundary !== undefined).length;
	changes.boundaries = changes.boundaries.filter((_, index) => !known[index]);
	// An answer that has become a message anywhere is none that is not whole.
	if (changes.answer && (await db.messages.where('id').equals(changes.answer.messageId).count()) > 0) delete changes.answer;

	const wanted = new Set(changes.messages.flatMap(filesOf).map(({ attachmentId }) => attachmentId));
	for (const { attachmentId } of changes.draft?.attachments ?? []) wanted.add(attachmentId);
	for (const item of changes.trash) if (item.kind === 'redaction') for (const { attachmentId } of filesOf(item.message)) wanted.add(attachmentId);
	const coming = [...wanted].flatMap((id) => offered.get(id) ?? []);
	const there = new Set(await db.attachments.where('id').anyOf(coming.map(({ id }) => id)).primaryKeys());
	return { changes, name: own && nameOf(own), attachments: coming.filter(({ id }) => !there.has(id)), strangers, ...alreadyHere(messages, file, changes) };
}

/** The sizes of those of these attachments that are here, by id. */
async function sizesOf(db: Database, ids: string[]): Promise<Map<string, number>> {
	const sizes = new Map<string, number>();
	for (const some of portionsOf(ids)) {
		for (const row of await db.attachments.bulkGet(some)) if (row) sizes.set(row.id, row.bytes);
	}
	return sizes;
}

/** Counts what of a file's messages and branches is here already, and the branches that come. */
function alreadyHere(here: Message[], file: SessionRows, changes: Changes): Pick<Planned, 'same' | 'ends'> {
	const known = new Set(here.map(({ id }) => id));
	const coming = new Set(changes.messages.map(({ id }) => id));
	const isHere = ({ id }: Message) => known.has(id);
	const ends = endsOf(file.messages);
	return {
		same: file.messages.filter(isHere).length,
		ends: { added: ends.filter((end) => coming.has(end.id) && !isHere(end)).length, same: ends.filter(isHere).length }
	};
}

/** A message of the file has the id of one of another session here, which no backup of Snug has. */
export class TakenId extends Error {}

/** Writes messages that are not here, or heal those that are. Throws TakenId, which undoes the transaction. */
async function putMessages(db: Database, messages: Message[]): Promise<void> {
	try {
		for (const some of portionsOf(messages)) await db.messages.bulkPut(some);
	} catch (error) {
		const isTaken = error instanceof Dexie.BulkError && error.failures.some(({ name }) => name === 'ConstraintError');
		throw isTaken ? new TakenId() : error;
	}
}

async function putUses(db: Database, uses: AttachmentUse[]): Promise<void> {
	for (const some of portionsOf(uses)) await db.attachmentUses.bulkPut(some);
}

/** Writes what was planned, as part of the transaction in which it was. A tab that has the session open learns its fencing token again. */
export async function writeUnfenced(db: Database, sessionId: string, { changes, attachments }: Planned): Promise<void> {
	const { session, tree, headId, messages, draft, answer, notes, boundaries, trash, others, takenFromTrash } = changes;
	const uses = messages.flatMap((message) =>
		filesOf(message).map(({ attachmentId }) => ({ attachmentId, messageId: message.id, sessionId: message.sessionId }))
	);
	await Promise.all([
		putAttachments(db, attachments),
		putMessages(db, messages),
		putUses(db, uses),
		db.scratchpad.bulkPut(notes),
		db.boundaries.bulkPut(boundaries),
		db.trash.bulkDelete(takenFromTrash),
		db.trash.bulkPut(trash),
		session && db.sessions.put(session),
		tree && db.trees.put(tree),
		headId === undefined ? undefined : putHeadUnfenced(db, sessionId, headId),
		draft && db.drafts.put(draft),
		answer && db.answers.put(answer),
		...Object.entries(others).map(([table, rows]) => db.table(table).bulkPut(rows))
	]);
	const rows = [...messages, ...boundaries, ...trash.flatMap((item) => (item.kind === 'redaction' ? (item.boundaries ?? []) : []))];
	const unfinished = [...(answer ? [answer] : []), ...trash.flatMap(unfinishedIn)].map(({ messageId }) => messageId);
	const back = new Set([...rows.map(({ id }) => id), ...unfinished, ...notes.map(({ sessionId, name }) => noteDeletionId(sessionId, name))]);
	if (session || tree || back.size > 0) await removeDeletionsOf(db, sessionId, back);
}

/** Part of the running transaction. */
export async function putAttachments(db: Database, attachments: Attachment[]): Promise<void> {
	await db.attachments.bulkPut(attachments);
	await db.deletions.bulkDelete(attachments.map(({ id }) => id));
}

/** The attachments of a file that are here already, and those that are not although messages that are here use them. */
export interface Compared {
	there: string[];
	missed: Attachment[];
}

/** Compares attachments with those that are here, once: a file may have many, and many sessions. */
export function compared(db: Database, attachments: Attachment[]): Promise<Compared> {
	return db.transaction('r', [db.attachments, db.attachmentUses], async () => {
		const there = new Set(await db.attachments.where('id').anyOf(attachments.map(({ id }) => id)).primaryKeys());
		const others = attachments.filter(({ id }) => !there.has(id));
		const uses = await Promise.all(others.map(({ id }) => db.attachmentUses.where(':id').between([id, Dexie.minKey], [id, Dexie.maxKey]).count()));
		return { there: [...there], missed: others.filter((_, index) => uses[index]! > 0) };
	});
}
