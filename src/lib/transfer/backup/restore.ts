import { Dexie } from 'dexie';
import { filesOf, sizeOf, type Message } from '../../conversation/message';
import { nameOf, threadKey } from '../../conversation/session';
import { AppError } from '../../shared/app-error';
import { formatBytes } from '../../shared/bytes';
import { systemClock } from '../../shared/clock';
import { inSession } from '../../storage/boundaries';
import type { Database } from '../../storage/database';
import { definitions, tablesWhere } from '../../storage/definitions';
import { isHere, noteDeletionId, removeDeletionsOf, tablesOfDeletions } from '../../storage/deletions';
import { rowsOfSession } from '../../storage/session-rows';
import { explained, explainStorageFailure } from '../../storage/storage-failure';
import type { Attachment } from '../../storage/tables/attachments';
import type { Deletion } from '../../storage/tables/deletions';
import type { Provider } from '../../storage/tables/providers';
import type { Setting } from '../../storage/tables/settings';
import { admitRow, admitServer, keyIn, LeftOuts, type LeftOut, type SessionRows } from '../gate';
import { settingsOfOneBrowser, tablesOfSession, type Counts } from './format';
import { keyFor, mergeSession, type Changes } from './merge';
import { unitsOf, type Common } from './units';

/** Contents of a backup, and what of them is not here. */
export interface BackupSummary {
	createdAt: number;
	counts: Counts;
	sessions: { total: number; added: number; back: number; changed: number; same: number };
	messages: { total: number; added: number };
	attachments: { total: number; bytes: number };
	leftOut: LeftOut[];
	/** Chats that were here and get branches: they stay where they are, and go on there as far as `at`. */
	branched: { sessionId: string; name: string; messages: number; at: string }[];
	/** Servers and settings of the file that differ from those here: they are off until `acceptOffers`. */
	offers: Offers;
	/** Room that restoring it takes, in bytes. */
	needed: number;
	/** Times of the last change of those sessions that are not here; epoch milliseconds. */
	agesOfAdded: number[];
}

/** Servers and settings of a backup: each decides what is sent, or where to, so it is for the user to take it. */
export interface Offers {
	servers: Provider[];
	settings: Setting[];
}

export interface ReadOptions {
	/** Time from which deleted rows of the backup are kept for a while; epoch milliseconds. */
	now?: number;
	/** Called with how many rows are done, of how many. */
	onProgress?: (done: number, total: number) => void;
	signal?: AbortSignal;
}

/**
 * Reads a backup to its end, which proves that it is whole, and says what restoring it would bring. Writes nothing.
 * Throws the AppErrors of `readBackup`, and the signal's reason when that aborts.
 */
export function inspectBackup(db: Database, file: Blob, options: ReadOptions = {}): Promise<BackupSummary> {
	return eachUnit(db, file, options, {
		attachments: (attachments) => compared(db, attachments),
		session: (rows, attachments) => db.transaction('r', tablesToMerge, () => plan(db, rows, attachments)),
		common: (common) => offersOf(db, common)
	});
}

/**
 * Restores a backup [P2]. It is read to its end first: a file that is not whole changes nothing. Then each session comes
 * in one transaction with all that belongs to it, so that a crash or a full disk leaves whole sessions only, and doing
 * it again brings the rest. Throws as `inspectBackup` does, and AppErrors `disk-full`. Returns what it did.
 */
export async function restoreBackup(
	db: Database,
	file: Blob,
	{ storage, onProgress, ...more }: ReadOptions & { storage?: Pick<StorageManager, 'estimate'> } = {}
): Promise<BackupSummary> {
	const checked = await inspectBackup(db, file, {
		...more,
		...(onProgress ? { onProgress: (done, total) => onProgress(done, total * 2) } : {})
	});
	if (storage && checked.needed > 0) await requireSpace(storage, checked.needed);
	const options: ReadOptions = {
		...more,
		...(onProgress ? { onProgress: (done, total) => onProgress(total + done, total * 2) } : {})
	};
	return eachUnit(db, file, options, {
		attachments: async (attachments) => {
			const here = await compared(db, attachments);
			await db.transaction('rw', db.attachments, db.deletions, () => putAttachments(db, here.missed));
			return here;
		},
		session: (rows, attachments) =>
			db.transaction('rw', [...tablesToMerge, 'deletions'], async () => {
				const planned = await plan(db, rows, attachments);
				await writeUnfenced(db, rows.id, planned);
				return planned;
			}),
		common: (common) => putCommon(db, common)
	});
}

async function requireSpace(storage: Pick<StorageManager, 'estimate'>, bytes: number): Promise<void> {
	const { usage, quota } = await storage.estimate();
	if (usage === undefined || quota === undefined || bytes <= quota - usage) return;
	throw new AppError(
		'disk-full',
		`This backup takes about ${formatBytes(bytes)}, but only ${formatBytes(Math.max(0, quota - usage))} are free for this site. ` +
			'Remove a model or old chats, then try again. Nothing was changed.'
	);
}

interface Planned {
	changes: Changes;
	/** Name of the session once it is here. */
	name: string | undefined;
	/** Those that go with it. */
	attachments: Attachment[];
	/** Number of boundaries of the file that have the id of one of another session here. */
	strangers: number;
}

/** The tables that restoring a session reads and writes. */
const tablesToMerge = [...tablesOfSession, 'attachments'];

const tablesThatKeepTheirOwn = tablesWhere(({ backup }) => backup === 'keep-own');

async function eachUnit(
	db: Database,
	file: Blob,
	{ now = systemClock(), onProgress, signal }: ReadOptions,
	work: {
		/** Called with those of each unit as it comes. */
		attachments: (attachments: Attachment[]) => Promise<Compared>;
		session: (rows: SessionRows, attachments: ReadonlyMap<string, Attachment>) => Promise<Planned>;
		common: (common: Common) => Promise<Offers>;
	}
): Promise<BackupSummary> {
	const summary: BackupSummary = {
		createdAt: 0,
		counts: {},
		sessions: { total: 0, added: 0, back: 0, changed: 0, same: 0 },
		messages: { total: 0, added: 0 },
		attachments: { total: 0, bytes: 0 },
		leftOut: [],
		branched: [],
		offers: { servers: [], settings: [] },
		needed: 0,
		agesOfAdded: []
	};
	const leftOut = new LeftOuts();
	// Attachments that came with a session which did not need them: one that follows may. They are in memory.
	const waiting = new Map<string, Attachment>();
	let done = 0;
	let total = 0;
	for await (const unit of unitsOf(file, now, leftOut)) {
		signal?.throwIfAborted();
		if (unit.kind === 'header') {
			({ createdAt: summary.createdAt, counts: summary.counts } = unit.header);
			total = Object.values(summary.counts).reduce((sum, count) => sum + count, 0);
			continue;
		}
		done += unit.rows;
		if (unit.kind === 'common') summary.offers = await explained(work.common(unit.common));
		else {
			if (unit.attachments.length > 0 && isTooMuch(waiting)) {
				leftOut.add('attachments', 'No chat that follows it soon uses it.', waiting.size);
				waiting.clear();
			}
			for (const attachment of unit.attachments) {
				waiting.set(attachment.id, attachment);
				summary.attachments.total++;
				summary.attachments.bytes += attachment.bytes;
			}
			const { there, missed } = unit.attachments.length > 0 ? await explained(work.attachments(unit.attachments)) : noneHere;
			summary.needed += bytesOf(missed);
			if (unit.session) {
				try {
					const planned = await work.session(unit.session, waiting);
					for (const { id } of planned.attachments) waiting.delete(id);
					count(summary, unit.session, planned, leftOut);
				} catch (error) {
					if (!(error instanceof TakenId)) throw explainStorageFailure(error);
					leftOut.add('sessions', 'Another session here has a message of the same id.');
				}
			}
			for (const id of [...there, ...missed.map(({ id }) => id)]) waiting.delete(id);
		}
		onProgress?.(done, Math.max(total, done));
	}
	summary.leftOut = leftOut.list;
	return summary;
}

function isTooMuch(waiting: ReadonlyMap<string, Attachment>): boolean {
	return waiting.size > mostWaiting || [...waiting.values()].reduce((sum, { bytes }) => sum + bytes, 0) > largestWaiting;
}

/** Number of attachments that wait for a session that uses them, and their bytes: in a backup of Snug's hardly any do. */
const mostWaiting = 10_000;
const largestWaiting = 1_000_000_000;

function bytesOf(attachments: Attachment[]): number {
	return attachments.reduce((sum, { bytes, thumbnail }) => sum + bytes + (thumbnail?.size ?? 0), 0);
}

/** The attachments of a file that are here already, and those that are not although messages that are here use them. */
interface Compared {
	there: string[];
	missed: Attachment[];
}

const noneHere: Compared = { there: [], missed: [] };

/** Compares attachments with those that are here, once: a file may have many, and many sessions. */
function compared(db: Database, attachments: Attachment[]): Promise<Compared> {
	return db.transaction('r', [db.attachments, db.attachmentUses], async () => {
		const there = new Set(await db.attachments.where('id').anyOf(attachments.map(({ id }) => id)).primaryKeys());
		const others = attachments.filter(({ id }) => !there.has(id));
		const uses = await Promise.all(others.map(({ id }) => db.attachmentUses.where(':id').between([id, Dexie.minKey], [id, Dexie.maxKey]).count()));
		return { there: [...there], missed: others.filter((_, index) => uses[index]! > 0) };
	});
}

function count(summary: BackupSummary, file: SessionRows, { changes, attachments, strangers, name }: Planned, leftOut: LeftOuts): void {
	const { sessions, messages, agesOfAdded } = summary;
	messages.total += file.messages.length;
	messages.added += changes.added;
	summary.needed += changes.messages.reduce((sum, message) => sum + sizeOf(message), 0);
	summary.needed += bytesOf(attachments);
	for (const { table, reason, count } of changes.leftOut) leftOut.add(table, reason, count);
	if (changes.branchEnd !== undefined && name !== undefined) {
		summary.branched.push({ sessionId: file.id, name, messages: changes.added, at: changes.branchEnd });
	}
	if (strangers > 0) leftOut.add('boundaries', 'Another chat here has one of the same id.', strangers);
	if (!file.session) return;
	if (changes.was !== 'here' && !changes.session) return leftOut.add('sessions', 'It has no message that can be placed.');
	sessions.total++;
	if (changes.was === 'absent') sessions.added++;
	else if (changes.was === 'deleted') sessions.back++;
	else if (isChange(changes)) sessions.changed++;
	else sessions.same++;
	if (changes.was !== 'here' && !file.session.pinned) agesOfAdded.push(file.session.updatedAt);
}

function isChange({ session, tree, messages, draft, answer, notes, boundaries, others }: Changes): boolean {
	return [session, tree, draft, answer, ...messages, ...notes, ...boundaries, ...Object.values(others).flat()].some((row) => row !== undefined);
}

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

/** Returns the rows that restoring a session would write. To be called in a transaction. */
async function plan(db: Database, whole: SessionRows, offered: ReadonlyMap<string, Attachment>): Promise<Planned> {
	const { id } = whole;
	const file = await withoutTakenTrash(db, whole);
	const [session, tree, messages, draft, answer, notes, boundaries, trash, ...others] = await Promise.all([
		db.sessions.get(id),
		db.trees.get(id),
		db.messages.where(':id').between([id, Dexie.minKey], [id, Dexie.maxKey]).toArray(),
		db.drafts.get(id),
		db.answers.get(id),
		db.scratchpad.where(':id').between([id, Dexie.minKey], [id, Dexie.maxKey]).toArray(),
		inSession(db, id).toArray(),
		db.trash.where('sessionId').equals(id).toArray(),
		...tablesThatKeepTheirOwn.map(async (table) => [table, await rowsOfSession(db, table, id).toArray()] as const)
	]);
	const here = { id, session, tree, messages, draft, answer, notes, boundaries, trash, others: Object.fromEntries(others) };
	const ids = [...new Set([...messages, ...file.messages].flatMap(filesOf).map(({ attachmentId }) => attachmentId))];
	const sizes = new Map((await db.attachments.bulkGet(ids)).flatMap((row) => (row ? [[row.id, row.bytes]] : [])) as [string, number][]);
	const changes = mergeSession(here, file, (id) => sizes.get(id) ?? offered.get(id)?.bytes ?? 0);
	if (changes.session && changes.was !== 'here') {
		const thread = await db.sessions.where('key').equals(threadKey(changes.session.workspace)).first();
		changes.session = { ...changes.session, key: keyFor(changes.session, thread !== undefined) };
	}

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
	return { changes, name: own && nameOf(own), attachments: coming.filter(({ id }) => !there.has(id)), strangers };
}

/** A message of the file has the id of one of another session here, which no backup of Snug has. */
class TakenId extends Error {}

/** Writes messages that are not here, or heal those that are. Throws TakenId, which undoes the transaction. */
async function putMessages(db: Database, messages: Message[]): Promise<void> {
	try {
		await db.messages.bulkPut(messages);
	} catch (error) {
		const isTaken = error instanceof Dexie.BulkError && error.failures.some(({ name }) => name === 'ConstraintError');
		throw isTaken ? new TakenId() : error;
	}
}

/** Writes what was planned, as part of the transaction in which it was. A tab that has the session open learns its fencing token again. */
async function writeUnfenced(db: Database, sessionId: string, { changes, attachments }: Planned): Promise<void> {
	const { session, tree, messages, draft, answer, notes, boundaries, trash, others, takenFromTrash } = changes;
	const uses = messages.flatMap((message) =>
		filesOf(message).map(({ attachmentId }) => ({ attachmentId, messageId: message.id, sessionId: message.sessionId }))
	);
	await Promise.all([
		putAttachments(db, attachments),
		putMessages(db, messages),
		db.attachmentUses.bulkPut(uses),
		db.scratchpad.bulkPut(notes),
		db.boundaries.bulkPut(boundaries),
		db.trash.bulkDelete(takenFromTrash),
		db.trash.bulkPut(trash),
		session && db.sessions.put(session),
		tree && db.trees.put(tree),
		draft && db.drafts.put(draft),
		answer && db.answers.put(answer),
		...Object.entries(others).map(([table, rows]) => db.table(table).bulkPut(rows))
	]);
	const rows = [...messages, ...boundaries, ...trash.flatMap((item) => (item.kind === 'redaction' ? (item.boundaries ?? []) : []))];
	const back = new Set([...rows.map(({ id }) => id), ...notes.map(({ sessionId, name }) => noteDeletionId(sessionId, name))]);
	if (session || tree || back.size > 0) await removeDeletionsOf(db, sessionId, back);
}

/** Part of the running transaction. */
async function putAttachments(db: Database, attachments: Attachment[]): Promise<void> {
	await db.attachments.bulkPut(attachments);
	await db.deletions.bulkDelete(attachments.map(({ id }) => id));
}

/** Servers and settings are only looked at. */
function putCommon(db: Database, common: Common): Promise<Offers> {
	const { missing } = common;
	return db.transaction('rw', [db.settings, db.providers, db.secrets, ...tablesOfDeletions, ...Object.keys(missing)], async () => {
		for (const [table, rows] of Object.entries(missing)) {
			const keys = (await db.table(table).toCollection().primaryKeys()) as unknown[];
			const kept = new Set(keys.map((key) => JSON.stringify([key].flat())));
			const added = rows.filter((row) => !kept.has(keyIn(table, row)));
			await db.table(table).bulkPut(definitions.get(table)!.backup === 'where-gone' ? await ofWhatIsGone(db, added as Deletion[]) : added);
		}
		return offersOf(db, common);
	});
}

/** The tombstones of what is not here: a file deletes nothing. */
async function ofWhatIsGone(db: Database, deletions: Deletion[]): Promise<Deletion[]> {
	const here = await Promise.all(deletions.map((deletion) => isHere(db, deletion)));
	return deletions.filter((_, index) => !here[index]);
}

/** The servers that are not here, and the settings that are otherwise here. */
async function offersOf(db: Database, { providers, settings }: Pick<Common, 'providers' | 'settings'>): Promise<Offers> {
	const [servers, keys, set] = await Promise.all([db.providers.toArray(), db.secrets.toCollection().primaryKeys(), db.settings.toArray()]);
	const values = new Map(set.map(({ name, value }) => [name, JSON.stringify(value)]));
	return {
		servers: providers.filter(({ id, baseUrl }) => !keys.includes(id) && !servers.some((server) => server.id === id || server.baseUrl === baseUrl)),
		settings: settings.filter(({ name, value }) => values.get(name) !== JSON.stringify(value))
	};
}

/** Takes servers and settings that a backup offered; what is no more on offer, or was never one, is passed over. */
export async function acceptOffers(db: Database, offers: Offers): Promise<void> {
	const servers = offers.servers.map((row) => admitServer(row, systemClock())).flatMap((admitted) => ('row' in admitted ? [admitted.row] : []));
	const settings = offers.settings.map((row) => admitRow('settings', row)).flatMap((admitted) => ('row' in admitted ? [admitted.row] : []));
	await explained(
		db.transaction('rw', db.settings, db.providers, db.secrets, db.deletions, async () => {
			const open = await offersOf(db, { providers: servers, settings: settings.filter(({ name }) => !settingsOfOneBrowser.has(name)) });
			const back = open.servers.map(({ id }) => id);
			await Promise.all([db.providers.bulkPut(open.servers), db.settings.bulkPut(open.settings), db.deletions.bulkDelete(back)]);
		})
	);
}
