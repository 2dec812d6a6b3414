import { Dexie } from 'dexie';
import { filesOf } from '../../conversation/message';
import { threadKey } from '../../conversation/session';
import { AppError } from '../../shared/app-error';
import { formatBytes } from '../../shared/bytes';
import type { Attachment } from '../../storage/attachments';
import { inSession } from '../../storage/boundaries';
import type { Database } from '../../storage/database';
import { explainStorageFailure } from '../../storage/storage-failure';
import { settingsOfOneBrowser, type Counts } from './format';
import { keyFor, mergeSession, type Changes, type SessionRows } from './merge';
import { unitsOf, type Common, type LeftOut } from './units';

/** What is in a backup, and what of it is not here. */
export interface BackupSummary {
	createdAt: number;
	counts: Counts;
	sessions: { total: number; added: number; back: number; changed: number; same: number };
	messages: { total: number; added: number };
	attachments: { total: number; bytes: number };
	leftOut: LeftOut[];
	/** What its rows take up, unpacked, in bytes. */
	bytes: number;
	/** When each session was last changed, of those that are not here; epoch milliseconds. */
	agesOfAdded: number[];
}

export interface ReadOptions {
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
		session: (rows, attachments) => db.transaction('r', tablesOf(db), () => plan(db, rows, attachments)),
		common: () => Promise.resolve()
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
	{ storage, onProgress, signal }: ReadOptions & { storage?: Pick<StorageManager, 'estimate'> } = {}
): Promise<BackupSummary> {
	const checked = await inspectBackup(db, file, {
		...(onProgress ? { onProgress: (done, total) => onProgress(done, total * 2) } : {}),
		...(signal ? { signal } : {})
	});
	if (storage && checked.messages.added > 0) await requireSpace(storage, checked.bytes);
	const options: ReadOptions = {
		...(onProgress ? { onProgress: (done, total) => onProgress(total + done, total * 2) } : {}),
		...(signal ? { signal } : {})
	};
	return eachUnit(db, file, options, {
		session: (rows, attachments) =>
			db.transaction('rw', tablesOf(db), async () => {
				const planned = await plan(db, rows, attachments);
				await write(db, planned);
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
	/** Those that go with it. */
	attachments: Attachment[];
	/** The ids of those that are here already. */
	there: string[];
}

function tablesOf(db: Database) {
	const { sessions, trees, messages, attachmentUses, attachments, drafts, answers, scratchpad, boundaries, contexts, trash } = db;
	return [sessions, trees, messages, attachmentUses, attachments, drafts, answers, scratchpad, boundaries, contexts, trash];
}

async function eachUnit(
	db: Database,
	file: Blob,
	{ onProgress, signal }: ReadOptions,
	work: {
		session: (rows: SessionRows, attachments: ReadonlyMap<string, Attachment>) => Promise<Planned>;
		common: (common: Common) => Promise<void>;
	}
): Promise<BackupSummary> {
	const summary: BackupSummary = {
		createdAt: 0,
		counts: {},
		sessions: { total: 0, added: 0, back: 0, changed: 0, same: 0 },
		messages: { total: 0, added: 0 },
		attachments: { total: 0, bytes: 0 },
		leftOut: [],
		bytes: 0,
		agesOfAdded: []
	};
	// Attachments that came with a session which did not need them: one that follows may.
	const waiting = new Map<string, Attachment>();
	let done = 0;
	let total = 0;
	for await (const unit of unitsOf(file)) {
		signal?.throwIfAborted();
		if (unit.kind === 'header') {
			({ createdAt: summary.createdAt, counts: summary.counts } = unit.header);
			total = Object.values(summary.counts).reduce((sum, count) => sum + count, 0);
			continue;
		}
		if (unit.kind === 'common') await explained(work.common(unit.common));
		else {
			for (const attachment of unit.attachments) {
				waiting.set(attachment.id, attachment);
				summary.attachments.total++;
				summary.attachments.bytes += attachment.bytes;
			}
			const planned = await orCollision(explained(work.session(unit.session, waiting)));
			if (!planned) {
				summary.leftOut.push({ table: 'sessions', reason: 'Another session here has a message of the same id.' });
				continue;
			}
			for (const id of [...planned.there, ...planned.attachments.map(({ id }) => id)]) waiting.delete(id);
			count(summary, unit.session, planned.changes);
		}
		summary.leftOut.push(...unit.leftOut);
		summary.bytes += unit.bytes;
		done += unit.rows;
		onProgress?.(done, Math.max(total, done));
	}
	return summary;
}

function count({ sessions, messages, agesOfAdded }: BackupSummary, file: SessionRows, changes: Changes): void {
	messages.total += file.messages.length;
	messages.added += changes.added;
	if (!file.session) return;
	sessions.total++;
	if (changes.was === 'absent') sessions.added++;
	else if (changes.was === 'deleted') sessions.back++;
	else if (isChange(changes)) sessions.changed++;
	else sessions.same++;
	if (changes.was !== 'here' && !file.session.pinned) agesOfAdded.push(file.session.updatedAt);
}

function isChange({ session, tree, messages, draft, answer, notes, boundaries, context }: Changes): boolean {
	return [session, tree, draft, answer, context, ...messages, ...notes, ...boundaries].some((row) => row !== undefined);
}

/** What restoring a session would write. To be called in a transaction. */
async function plan(db: Database, file: SessionRows, offered: ReadonlyMap<string, Attachment>): Promise<Planned> {
	const { id } = file;
	const [session, tree, messages, draft, answer, notes, boundaries, context, trash] = await Promise.all([
		db.sessions.get(id),
		db.trees.get(id),
		db.messages.where(':id').between([id, Dexie.minKey], [id, Dexie.maxKey]).toArray(),
		db.drafts.get(id),
		db.answers.get(id),
		db.scratchpad.where(':id').between([id, Dexie.minKey], [id, Dexie.maxKey]).toArray(),
		inSession(db, id).toArray(),
		db.contexts.get(id),
		db.trash.where('sessionId').equals(id).toArray()
	]);
	const here = { id, session, tree, messages, draft, answer, notes, boundaries, context, trash };
	const ids = [...new Set([...messages, ...file.messages].flatMap(filesOf).map(({ attachmentId }) => attachmentId))];
	const sizes = new Map((await db.attachments.bulkGet(ids)).flatMap((row) => (row ? [[row.id, row.bytes]] : [])) as [string, number][]);
	const changes = mergeSession(here, file, (id) => sizes.get(id) ?? offered.get(id)?.bytes ?? 0);
	if (changes.session && changes.was !== 'here') {
		const thread = await db.sessions.where('key').equals(threadKey(changes.session.workspace)).first();
		changes.session = { ...changes.session, key: keyFor(changes.session, thread !== undefined) };
	}

	const wanted = new Set(changes.messages.flatMap(filesOf).map(({ attachmentId }) => attachmentId));
	for (const { attachmentId } of changes.draft?.attachments ?? []) wanted.add(attachmentId);
	for (const item of changes.trash) if (item.kind === 'redaction') for (const { attachmentId } of filesOf(item.message)) wanted.add(attachmentId);
	const there = await db.attachments.where('id').anyOf([...offered.keys()]).primaryKeys();
	const missing = [...offered.values()].filter(({ id }) => !there.includes(id));
	// Also what is not here although messages that are here use it.
	for (const { id } of missing) {
		if (await db.attachmentUses.where(':id').between([id, Dexie.minKey], [id, Dexie.maxKey]).count()) wanted.add(id);
	}
	return { changes, attachments: missing.filter(({ id }) => wanted.has(id)), there };
}

async function write(db: Database, { changes, attachments }: Planned): Promise<void> {
	const { session, tree, messages, draft, answer, notes, boundaries, context, trash, takenFromTrash } = changes;
	const uses = messages.flatMap((message) =>
		filesOf(message).map(({ attachmentId }) => ({ attachmentId, messageId: message.id, sessionId: message.sessionId }))
	);
	await Promise.all([
		db.attachments.bulkPut(attachments),
		db.messages.bulkPut(messages),
		db.attachmentUses.bulkPut(uses),
		db.scratchpad.bulkPut(notes),
		db.boundaries.bulkPut(boundaries),
		db.trash.bulkDelete(takenFromTrash),
		db.trash.bulkPut(trash),
		session && db.sessions.put(session),
		tree && db.trees.put(tree),
		draft && db.drafts.put(draft),
		answer && db.answers.put(answer),
		context && db.contexts.put(context)
	]);
}

/** What is set here stays, and so does what was learnt of a model; servers that are known here keep their keys. */
function putCommon(db: Database, { settings, providers, calibrations, quarantine }: Common): Promise<void> {
	return db.transaction('rw', db.settings, db.providers, db.calibrations, db.quarantine, async () => {
		const [set, servers, models, kept] = await Promise.all([
			db.settings.toCollection().primaryKeys(),
			db.providers.toArray(),
			db.calibrations.toCollection().primaryKeys(),
			db.quarantine.toCollection().primaryKeys()
		]);
		await db.settings.bulkPut(settings.filter(({ name }) => !set.includes(name) && !settingsOfOneBrowser.has(name)));
		await db.providers.bulkPut(
			providers.filter(({ id, baseUrl }) => !servers.some((server) => server.id === id || server.baseUrl === baseUrl))
		);
		await db.calibrations.bulkPut(calibrations.filter(({ model }) => !models.includes(model)));
		await db.quarantine.bulkPut(quarantine.filter((row) => typeof row?.id === 'string' && !kept.includes(row.id)));
	});
}

/** Undefined where a message's id is taken by one of another session, which no backup of Snug has. */
async function orCollision<T>(work: Promise<T>): Promise<T | undefined> {
	try {
		return await work;
	} catch (error) {
		if (String(error).includes('ConstraintError')) return undefined;
		throw error;
	}
}

async function explained<T>(work: PromiseLike<T>): Promise<T> {
	try {
		return await work;
	} catch (error) {
		throw explainStorageFailure(error);
	}
}
