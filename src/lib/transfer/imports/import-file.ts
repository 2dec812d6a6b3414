import { sizeOf } from '../../conversation/message';
import { systemClock } from '../../shared/clock';
import { requireSpace } from '../../shared/free-space';
import type { Database } from '../../storage/database';
import { withStorageErrors, toStorageError } from '../../storage/storage-failure';
import type { Attachment } from '../../storage/tables/attachments';
import type { Persona } from '../../storage/tables/personas';
import type { SessionRows } from '../gate/admit-session';
import { LeftOuts, type LeftOut } from '../gate/left-outs';
import { admitUnits, type Shared } from './admit';
import type { Changes } from './merge';
import { offersOf, putShared, type Offers } from './offers';
import { compared, plan, putAttachments, tablesToMerge, TakenId, writeUnfenced, type Compared, type Planned } from './plan';
import { besideSnugs, comparePersonas, type ComparedPersonas } from './personas';
import { recognise } from './recognise';
import type { ImportId } from './registry';
import { addTally, emptyTally, type Tally } from './tally';

/** Contents of a file, and what of them is not here. Totals are of what can come. */
export interface ImportSummary {
	format: ImportId;
	/** Time at which the file was made, if it says so; epoch milliseconds. */
	createdAt?: number;
	/** All that the file has, also what does not come. */
	found: Tally;
	sessions: { total: number; added: number; back: number; changed: number; same: number };
	messages: { total: number; added: number; same: number };
	branches: { added: number; same: number };
	attachments: { total: number; bytes: number; added: number; same: number };
	personas: ComparedPersonas;
	leftOut: LeftOut[];
	/** Chats that were here and get branches: they stay where they are, and go on there as far as `at`. */
	branched: { sessionId: string; name: string; messages: number; at: string }[];
	/** Servers and settings of the file that differ from those here: they are off until `acceptOffers`. */
	offers: Offers;
	/** Room that importing it takes, in bytes. */
	needed: number;
	/** Times of the last change of those sessions that are not here; epoch milliseconds. */
	agesOfAdded: number[];
}

export interface ReadOptions {
	/** Time from which deleted rows of the file are kept for a while; epoch milliseconds. */
	now?: number;
	/** Called with how many rows are done, of how many. */
	onProgress?: (done: number, total: number) => void;
	signal?: AbortSignal;
}

/**
 * Reads a file of any known format to its end, which proves that it is whole, and says what importing it would bring. Writes nothing.
 * Throws the AppErrors of `recognise` and of the format, and the signal's reason when that aborts.
 */
export function inspectFile(db: Database, file: Blob, options: ReadOptions = {}): Promise<ImportSummary> {
	return eachUnit(db, file, options, {
		attachments: (attachments) => compared(db, attachments),
		session: (rows, attachments) => db.transaction('r', tablesToMerge, () => plan(db, rows, attachments)),
		shared: (shared) => offersOf(db, shared)
	});
}

/**
 * Imports a file [P2]. It is read to its end first: one that is refused changes nothing. Then each session comes
 * in one transaction with all that belongs to it, so that a crash or a full disk leaves whole sessions only, and doing
 * it again brings the rest. Throws as `inspectFile` does, and AppErrors `disk-full`. Returns what it did.
 */
export async function importFile(
	db: Database,
	file: Blob,
	{ storage, onProgress, ...more }: ReadOptions & { storage?: Pick<StorageManager, 'estimate'> } = {}
): Promise<ImportSummary> {
	const checked = await inspectFile(db, file, {
		...more,
		...(onProgress ? { onProgress: (done, total) => onProgress(done, total * 2) } : {})
	});
	if (storage && checked.needed > 0) await requireSpace(storage, checked.needed, tooLarge);
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
		shared: (shared) => putShared(db, shared, more.signal)
	});
}

/** Says that an import does not fit. */
const tooLarge = (needed: string, free: string) =>
	`This file takes about ${needed}, but only ${free} are free for this site. Remove a model or old chats, then try again. Nothing was changed.`;

async function eachUnit(
	db: Database,
	file: Blob,
	{ now = systemClock(), onProgress, signal }: ReadOptions,
	work: {
		/** Called with those of each unit as it comes. */
		attachments: (attachments: Attachment[]) => Promise<Compared>;
		session: (rows: SessionRows, attachments: ReadonlyMap<string, Attachment>) => Promise<Planned>;
		shared: (shared: Shared) => Promise<Offers>;
	}
): Promise<ImportSummary> {
	const { id, format } = await recognise(file);
	const summary: ImportSummary = {
		format: id,
		found: emptyTally(),
		sessions: { total: 0, added: 0, back: 0, changed: 0, same: 0 },
		messages: { total: 0, added: 0, same: 0 },
		branches: { added: 0, same: 0 },
		attachments: { total: 0, bytes: 0, added: 0, same: 0 },
		personas: { added: [], same: 0, taken: [] },
		leftOut: [],
		branched: [],
		offers: { servers: [], settings: [] },
		needed: 0,
		agesOfAdded: []
	};
	const leftOut = new LeftOuts();
	// Attachments that came with a session which did not need them: one that follows may. They are in memory.
	const waiting = new Map<string, Attachment>();
	const added = new Set<string>();
	let done = 0;
	let total = 0;
	for await (const unit of admitUnits(format.units(file, signal), now, leftOut)) {
		signal?.throwIfAborted();
		if (unit.kind === 'about') {
			total = unit.rows;
			if (unit.createdAt !== undefined) summary.createdAt = unit.createdAt;
			continue;
		}
		done += unit.rows;
		if (unit.kind === 'shared') {
			const personas = await withStorageErrors(besideSnugs(db, (unit.shared.missing.presets ?? []) as Persona[]));
			if (personas.length > 0) unit.shared.missing.presets = personas;
			summary.personas = await withStorageErrors(comparePersonas(db, personas));
			summary.offers = await withStorageErrors(work.shared(unit.shared));
		} else {
			addTally(summary.found, unit.found);
			if (unit.attachments.length > 0 && isTooMuch(waiting)) {
				leftOut.add('attachments', 'No chat in the file uses it.', waiting.size);
				waiting.clear();
			}
			for (const attachment of unit.attachments) {
				waiting.set(attachment.id, attachment);
				summary.attachments.total++;
				summary.attachments.bytes += attachment.bytes;
			}
			const { there, missed } = unit.attachments.length > 0 ? await withStorageErrors(work.attachments(unit.attachments)) : noneHere;
			summary.needed += bytesOf(missed);
			summary.attachments.same += there.length;
			for (const { id } of missed) added.add(id);
			if (unit.session) {
				try {
					const planned = await work.session(unit.session, waiting);
					for (const { id } of planned.attachments) {
						waiting.delete(id);
						added.add(id);
					}
					count(summary, unit.session, planned, leftOut);
				} catch (error) {
					if (!(error instanceof TakenId)) throw toStorageError(error);
					leftOut.add('sessions', 'Another chat here has a message with the same id.');
				}
			}
			for (const id of [...there, ...missed.map(({ id }) => id)]) waiting.delete(id);
		}
		onProgress?.(done, Math.max(total, done));
	}
	summary.attachments.added = added.size;
	summary.leftOut = leftOut.list;
	return summary;
}

const noneHere: Compared = { there: [], missed: [] };

function isTooMuch(waiting: ReadonlyMap<string, Attachment>): boolean {
	return waiting.size > maxWaitingRows || [...waiting.values()].reduce((sum, { bytes }) => sum + bytes, 0) > maxWaitingSize;
}

/** Number of attachments that wait for a session that uses them, and their bytes: in a backup of Snug's hardly any do. */
const maxWaitingRows = 10_000;
const maxWaitingSize = 1_000_000_000;

function bytesOf(attachments: Attachment[]): number {
	return attachments.reduce((sum, { bytes, thumbnail }) => sum + bytes + (thumbnail?.size ?? 0), 0);
}

function count(summary: ImportSummary, file: SessionRows, { changes, attachments, strangers, name, same, ends }: Planned, leftOut: LeftOuts): void {
	const { sessions, messages, branches, agesOfAdded } = summary;
	messages.total += file.messages.length;
	messages.added += changes.added;
	messages.same += same;
	branches.added += ends.added;
	branches.same += ends.same;
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

