import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { Dexie } from 'dexie';
import { filesOf, type FilePart } from '../../conversation/message';
import { streamOf } from '../../shared/byte-lines';
import { inSession } from '../../storage/boundaries';
import { databaseVersion, type Database } from '../../storage/database';
import { encodeLines } from '../../storage/row-lines';
import { withoutSecrets } from '../../storage/secrets';
import type { Attachment } from '../../storage/tables/attachments';
import { backupTables, backupVersion, settingsOfOneBrowser, type BackupTable, type Counts, type End, type Header, type Line } from './format';

export interface WriteOptions {
	now: number;
	/** Called with how many rows are written, of how many that there were at the beginning. */
	onProgress?: (done: number, total: number) => void;
	signal?: AbortSignal;
}

/**
 * Everything but keys, model files and calibrations, as a gzipped stream [P2]. It is made while it is read, some rows at a time. A
 * session is read in one transaction with up to `chunk` of its messages; what changes in a larger one meanwhile is healed
 * when it is restored. The stream fails with the signal's reason when that aborts.
 */
export function backupStream(db: Database, options: WriteOptions): ReadableStream<Uint8Array<ArrayBuffer>> {
	return streamOf(encodedLines(db, options)).pipeThrough(new CompressionStream('gzip'));
}

/** How many messages are read at a time. */
const chunk = 2000;

/** The file's bytes, several lines at a time. */
async function* encodedLines(db: Database, { now, onProgress, signal }: WriteOptions): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
	const hash = sha256.create();
	const before = await countRows(db);
	const total = Object.values(before).reduce((sum, count) => sum + count, 0);
	const counts: Counts = {};
	let written = 0;

	async function* lines(): AsyncGenerator<Header | Line> {
		yield { format: 'snug-backup', version: backupVersion, databaseVersion, createdAt: now, counts: before };
		for await (const { table, rows } of batches(db)) {
			for (const row of rows) {
				yield { table, row: withoutSecrets(table, row) };
				counts[table] = (counts[table] ?? 0) + 1;
				written++;
			}
			onProgress?.(written, Math.max(total, written));
		}
	}
	for await (const bytes of encodeLines(lines())) {
		signal?.throwIfAborted();
		hash.update(bytes);
		yield bytes;
	}
	yield* encodeLines([{ end: true, counts, sha256: bytesToHex(hash.digest()) } satisfies End]);
}

interface Batch {
	table: BackupTable;
	rows: unknown[];
}

async function countRows(db: Database): Promise<Counts> {
	return Object.fromEntries(await Promise.all(backupTables.map(async (table) => [table, await db.table(table).count()] as const)));
}

async function* batches(db: Database): AsyncGenerator<Batch> {
	const settings = await db.settings.toArray();
	yield { table: 'settings', rows: settings.filter(({ name }) => !settingsOfOneBrowser.has(name)) };
	yield { table: 'providers', rows: await db.providers.toArray() };

	const sessions = new Set<string>();
	const attachments = new Set<string>();
	// What is made, or moved to the trash and back, meanwhile is found by looking again.
	for (;;) {
		const left = (await sessionIds(db)).filter((id) => !sessions.has(id));
		if (left.length === 0) break;
		for (const id of left) {
			sessions.add(id);
			yield* session(db, id, attachments);
		}
	}

	yield { table: 'quarantine', rows: await db.quarantine.toArray() };
}

/** Of every session that has a row anywhere: one whose own row is in quarantine has messages still. */
async function sessionIds(db: Database): Promise<string[]> {
	const { sessions, trees, drafts, answers, scratchpad, boundaries, contexts, trash } = db;
	const keys = await Promise.all([
		sessions.toCollection().primaryKeys(),
		trees.toCollection().primaryKeys(),
		drafts.toCollection().primaryKeys(),
		answers.toCollection().primaryKeys(),
		scratchpad.toCollection().primaryKeys(),
		boundaries.orderBy('[sessionId+depth]').keys(),
		contexts.toCollection().primaryKeys(),
		trash.orderBy('sessionId').keys()
	]);
	return [...new Set(keys.flat().map((key) => (Array.isArray(key) ? key[0] : key) as string))].sort();
}

/** All of one session, at last the attachments that no session before had. */
async function* session(db: Database, id: string, known: Set<string>): AsyncGenerator<Batch> {
	const messages = (from: readonly [depth: number, id: string] | undefined) =>
		db.messages
			.where(':id')
			.between([id, ...(from ?? [Dexie.minKey])], [id, Dexie.maxKey], from === undefined)
			.limit(chunk)
			.toArray();
	const tables = [db.sessions, db.trees, db.messages, db.attachmentUses, db.drafts, db.answers, db.scratchpad, db.boundaries, db.contexts, db.trash];
	const { small, begin } = await db.transaction('r', tables, async () => {
		const [session, tree, uses, draft, answer, notes, boundaries, context, trash] = await Promise.all([
			db.sessions.get(id),
			db.trees.get(id),
			db.attachmentUses.where('sessionId').equals(id).toArray(),
			db.drafts.get(id),
			db.answers.get(id),
			db.scratchpad.where(':id').between([id, Dexie.minKey], [id, Dexie.maxKey]).toArray(),
			inSession(db, id).toArray(),
			db.contexts.get(id),
			db.trash.where('sessionId').equals(id).toArray()
		]);
		return { small: { session, tree, uses, draft, answer, notes, boundaries, context, trash }, begin: await messages(undefined) };
	});
	const { session, tree, uses, draft, answer, notes, boundaries, context } = small;
	// Of a session that is live, nothing says that it is deleted: the next purge drops that.
	const trash = small.trash.filter(({ kind }) => kind !== 'session' || !session);
	// Being removed for good: what is left of it is of no use.
	if (trash.some(({ kind, begun }) => kind === 'session' && begun)) return;

	const used = [...uses.map(({ attachmentId }) => attachmentId), ...idsOf(draft?.attachments)];
	yield { table: 'sessions', rows: session ? [session] : [] };
	yield { table: 'trees', rows: tree ? [tree] : [] };
	for (let rows = begin; rows.length > 0; ) {
		yield { table: 'messages', rows };
		used.push(...rows.flatMap((row) => idsOf(filesOf(row))));
		// Fewer rows than were asked for do not mean the end: broken ones may have been passed over.
		rows = await messages([rows.at(-1)!.depth, rows.at(-1)!.id]);
	}
	yield { table: 'attachmentUses', rows: uses };
	yield { table: 'drafts', rows: draft ? [draft] : [] };
	yield { table: 'answers', rows: answer ? [answer] : [] };
	yield { table: 'scratchpad', rows: notes };
	yield { table: 'boundaries', rows: boundaries };
	yield { table: 'contexts', rows: context ? [context] : [] };
	yield { table: 'trash', rows: trash };
	for (const item of trash) if (item.kind === 'redaction') used.push(...idsOf(filesOf(item.message)));
	yield* files(db, used, known);
}

function idsOf(parts: FilePart[] = []): string[] {
	return parts.map(({ attachmentId }) => attachmentId);
}

/** The attachments of these ids that are not `known` yet, one at a time. */
async function* files(db: Database, ids: string[], known: Set<string>): AsyncGenerator<Batch> {
	for (const id of ids) {
		if (known.has(id)) continue;
		known.add(id);
		const attachment: Attachment | undefined = await db.attachments.get(id);
		if (attachment) yield { table: 'attachments', rows: [attachment] };
	}
}
