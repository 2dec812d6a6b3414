import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { Dexie } from 'dexie';
import { filesOf, type FilePart } from '../../conversation/message';
import { streamOf } from '../../shared/byte-lines';
import { databaseVersion, type Database } from '../../storage/database';
import { definitions } from '../../storage/definitions';
import { encodeLines } from '../../storage/row-lines';
import { withoutSecrets } from '../../storage/secrets';
import { rowsOfSession, sessionIdsIn } from '../../storage/session-rows';
import type { Rows } from '../../storage/tables';
import type { Attachment } from '../../storage/tables/attachments';
import type { BackupRule } from '../../storage/tables/definition';
import type { Setting } from '../../storage/tables/settings';
import { backupTables, backupVersion, settingsOfOneBrowser, tablesOfSession, type BackupTable, type Counts, type End, type Header, type Line } from './format';

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

/** Number of messages that are read at a time. */
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
	yield* shared(db, 'offer');

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

	// Reading may have quarantined rows.
	yield* shared(db, 'add-missing');
	yield* shared(db, 'where-gone');
}

/** Yields what belongs to no session, of the tables with that rule. */
async function* shared(db: Database, rule: BackupRule): AsyncGenerator<Batch> {
	for (const table of backupTables) {
		if (definitions.get(table)!.backup !== rule) continue;
		const rows = await db.table<unknown>(table).toArray();
		yield { table, rows: table === 'settings' ? (rows as Setting[]).filter(({ name }) => !settingsOfOneBrowser.has(name)) : rows };
	}
}

/** Lists every session that has a row anywhere: one whose own row is in quarantine has messages still, and a tree. */
async function sessionIds(db: Database): Promise<string[]> {
	const tables = tablesOfSession.filter((table) => table !== 'messages' && table !== 'attachmentUses');
	const ids = await Promise.all(tables.map((table) => sessionIdsIn(db, table)));
	return [...new Set(ids.flat())].sort();
}

/** All of one session, at last the attachments that no session before had. */
async function* session(db: Database, id: string, known: Set<string>): AsyncGenerator<Batch> {
	const messages = (from: readonly [depth: number, id: string] | undefined) =>
		db.messages
			.where(':id')
			.between([id, ...(from ?? [Dexie.minKey])], [id, Dexie.maxKey], from === undefined)
			.limit(chunk)
			.toArray();
	const small = tablesOfSession.filter((table) => table !== 'messages');
	const { found, begin } = await db.transaction('r', tablesOfSession, async () => {
		const rows = await Promise.all(small.map(async (table) => [table, await rowsOfSession(db, table, id).toArray()] as const));
		return { found: Object.fromEntries(rows) as Partial<{ [T in BackupTable]: Rows[T][] }>, begin: await messages(undefined) };
	});
	const { sessions = [], drafts = [], attachmentUses = [] } = found;
	// Of a session that is live, nothing says that it is deleted: the next purge drops that.
	const trash = (found.trash ?? []).filter(({ kind }) => kind !== 'session' || sessions.length === 0);
	// Being removed for good: what is left of it is of no use.
	if (trash.some(({ kind, begun }) => kind === 'session' && begun)) return;

	const used = [...attachmentUses.map(({ attachmentId }) => attachmentId), ...drafts.flatMap((draft) => idsOf(draft.attachments))];
	for (const table of tablesOfSession) {
		if (table !== 'messages') yield { table, rows: table === 'trash' ? trash : (found[table] ?? []) };
		else {
			for (let rows = begin; rows.length > 0; ) {
				yield { table, rows };
				// Not all at once: a function takes only so many arguments.
				for (const row of rows) used.push(...idsOf(filesOf(row)));
				// Fewer rows than were asked for do not mean the end: broken ones may have been passed over.
				rows = await messages([rows.at(-1)!.depth, rows.at(-1)!.id]);
			}
		}
	}
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
