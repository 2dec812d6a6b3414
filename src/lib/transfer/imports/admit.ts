import { exceeds, type Extent } from '../../shared/extent';
import { createPause } from '../../shared/pause';
import { definitions } from '../../storage/definitions';
import { rebuiltSession } from '../../storage/rebuilt-session';
import { readable } from '../../storage/row-checks';
import { placeholderFor, readableParent } from '../../storage/placeholders';
import type { CheckedTable, Rows } from '../../storage/tables';
import type { Attachment } from '../../storage/tables/attachments';
import type { Provider } from '../../storage/tables/providers';
import type { Setting } from '../../storage/tables/settings';
import { sessionOf, settingsOfOneBrowser, tablesOfSession } from '../backup/format';
import { admitAttachment, admitRow, admitShared, keyIn } from '../gate/admit-row';
import { admitSession, type SessionRows } from '../gate/admit-session';
import type { LeftOuts } from '../gate/left-outs';
import { plainSession } from '../gate/plain-rows';
import type { Unit, UnitRow } from './format';
import { emptySession } from './merge';
import { tallyOf, type Tally } from './tally';

/** Rows that belong to no session. */
export interface Shared {
	settings: Setting[];
	providers: Provider[];
	/** Of other tables, those that come where their key is not here. */
	missing: Record<string, unknown[]>;
}

/** A unit that was let in, and can be imported by itself. `rows` is how much of the file it was. */
export type AdmittedUnit =
	| { kind: 'about'; createdAt?: number; rows: number }
	| { kind: 'session'; found: Tally; session: SessionRows | undefined; attachments: Attachment[]; rows: number }
	| { kind: 'shared'; shared: Shared; rows: number };

/** A session while its rows are let in. */
interface Gathered {
	session: SessionRows;
	attachments: Attachment[];
	/** The session's own row, if it was not let in. */
	broken?: unknown;
}

/** The most rows of no session that are read, and the most bytes: they are in memory to the end. */
const maxSharedRows = 100_000;
const maxSharedSize = 100_000_000;
/** The most of them that are rows that were quarantined: the repair page lists them all. */
const maxQuarantined = 1000;
/** The most of them that are tombstones: a profile of years has some thousands, and each is looked for in many tables. */
const maxTombstones = 20_000;

/** The most of them that are personas: the dialog of model settings lists them all. */
const maxPersonas = 1000;

const limits: Partial<Record<string, number>> = { quarantine: maxQuarantined, deletions: maxTombstones, presets: maxPersonas };

const tooMany = 'There are more of them than Snug keeps.';
const noSession = 'It does not say which chat it belongs to.';
const cameBefore = 'The chat that it belongs to came earlier in the file.';
const tooLarge = 'It is nested too deeply, or has too much in it.';

/** The most that a row has. All calls of an answer, of which 1 MiB is read, have less. */
const maxRow: Extent = { levels: 100, values: 1_000_000 };

/**
 * Lets the units of a file in, each row through the gate; what belongs to no session comes last, as one. What it throws is the
 * format's. The file is whole only when the last unit was read. A session comes once: what limits its rows counts all of them, and each time
 * that it came it would be read and merged as a whole. `leftOut` is told what does not come.
 */
export async function* admitUnits(units: AsyncIterable<Unit>, now: number, leftOut: LeftOuts): AsyncGenerator<AdmittedUnit> {
	const shared: AdmittedUnit & { kind: 'shared' } = { kind: 'shared', shared: { settings: [], providers: [], missing: {} }, rows: 0 };
	const known = new Set<string>();
	const sessions = new Set<string>();
	let bytes = 0;
	for await (const unit of units) {
		if (unit.kind === 'about') yield unit;
		else if (unit.kind === 'skipped') leftOut.add(unit.what, unit.why, unit.count);
		else if (unit.kind === 'session') {
			yield sessions.has(unit.id) ? passOver(unit, leftOut) : await admitSessionUnit(unit, now, leftOut);
			sessions.add(unit.id);
		} else {
			for (const one of unit.rows) {
				if (shared.rows === maxSharedRows || bytes + one.bytes > maxSharedSize) {
					leftOut.add(one.table, tooMany);
					continue;
				}
				shared.rows++;
				bytes += one.bytes;
				addShared(shared.shared, one, { now, leftOut, known });
			}
		}
	}
	yield shared;
}

/** Leaves out what a file has of a session that came before in it. */
function passOver({ rows }: Unit & { kind: 'session' }, leftOut: LeftOuts): AdmittedUnit {
	for (const { table } of rows) leftOut.add(table, cameBefore);
	return { kind: 'session', found: tallyOf(rows), session: undefined, attachments: [], rows: rows.length };
}

async function admitSessionUnit({ id, rows }: Unit & { kind: 'session' }, now: number, leftOut: LeftOuts): Promise<AdmittedUnit> {
	const gathered: Gathered = { session: emptySession(id), attachments: [] };
	const pause = createPause();
	for (const one of rows) {
		if (exceeds(one.row, maxRow)) {
			leftOut.add(one.table, tooLarge);
			if (one.table === 'messages') addPlaceholder(gathered.session, one.row);
		} else if (one.table !== 'attachments' && sessionOf(one.table, one.row) !== id) leftOut.add(one.table, noSession);
		else await addToSession(gathered, one, now, leftOut);
		await pause();
	}
	const session = admitSession(gathered.session, now, leftOut);
	return { kind: 'session', found: tallyOf(rows), session: session && withOwnRow(session, gathered.broken, now), attachments: gathered.attachments, rows: rows.length };
}

interface Gathering {
	now: number;
	leftOut: LeftOuts;
	/** Keys of the rows that came already. */
	known: Set<string>;
}

function addShared({ settings, providers, missing }: Shared, { table, row }: UnitRow, { now, leftOut, known }: Gathering): void {
	if (exceeds(row, maxRow)) return leftOut.add(table, tooLarge);
	if (table === 'attachments') return leftOut.add(table, 'It belongs to no chat.');
	const admitted = tablesOfSession.includes(table) ? { reason: noSession } : admitShared(table, row, now);
	if ('reason' in admitted) return leftOut.add(table, admitted.reason);
	const key = `${table} ${keyIn(table, admitted.row)}`;
	if (known.has(key)) return leftOut.add(table, 'It is in the file twice.');
	if (missing[table] && missing[table].length === limits[table]) return leftOut.add(table, tooMany);
	known.add(key);
	if (table === 'providers') providers.push(admitted.row as Provider);
	else if (table !== 'settings') (missing[table] ??= []).push(admitted.row);
	else if (!settingsOfOneBrowser.has((admitted.row as Setting).name)) settings.push(admitted.row as Setting);
}

async function addToSession(unit: Gathered, { table, row }: UnitRow, now: number, leftOut: LeftOuts): Promise<void> {
	const { backup } = definitions.get(table)!;
	if (backup === 'conversation') return addToConversation(unit, { table, row }, leftOut);
	// Their rows are made from the messages.
	if (backup === 'from-messages') return;
	const admitted = backup === 'with-messages' ? await admitAttachment(row, now) : admitRow(table as CheckedTable, row);
	if ('reason' in admitted) leftOut.add(table, admitted.reason);
	else if (backup === 'with-messages') unit.attachments.push(admitted.row as Attachment);
	else (unit.session.others[table] ??= []).push(admitted.row);
}

function addToConversation(unit: Gathered, { table, row }: Omit<UnitRow, 'bytes'>, leftOut: LeftOuts): void {
	const { session } = unit;
	const take = <T extends CheckedTable>(table: T, row: unknown, put: (row: Rows[T]) => void) => {
		const admitted = admitRow(table, row);
		if ('reason' in admitted) leftOut.add(table, admitted.reason);
		else put(admitted.row);
		return 'row' in admitted;
	};
	if (table === 'sessions') {
		if (!take(table, row, (row) => (session.session = row))) unit.broken = row;
	} else if (table === 'messages') {
		if (take(table, row, (row) => session.messages.push(row))) return;
		addPlaceholder(session, row);
	} else if (table === 'trees') take(table, row, (row) => (session.tree = row));
	else if (table === 'positions') take(table, row, ({ headId }) => (session.headId = headId));
	else if (table === 'drafts') take(table, row, (row) => (session.draft = row));
	else if (table === 'answers') take(table, row, (row) => (session.answer = row));
	else if (table === 'scratchpad') take(table, row, (row) => session.notes.push(row));
	else if (table === 'boundaries') take(table, row, (row) => session.boundaries.push(row));
	else if (table === 'trash') take(table, row, (row) => session.trash.push(row));
	else leftOut.add(table, 'This version of Snug does not restore it.');
}

/** Puts a marker in the place of a message that can't be read, if its place can be and is in this session: what follows it stays [R6]. */
function addPlaceholder(session: SessionRows, row: unknown): void {
	const { id, sessionId, depth } = readable('messages', row);
	const parentId = depth === undefined ? undefined : readableParent(row, depth);
	if (id === undefined || sessionId !== session.id || depth === undefined || parentId === undefined) return;
	const marker = admitRow('messages', placeholderFor(row, [sessionId, depth, id], parentId, 'It could not be read in the file that it came from.'));
	if ('row' in marker) session.messages.push(marker.row);
}

/** The rows with the session's own made of its messages, if none was let in and it was not deleted. */
function withOwnRow(rows: SessionRows, broken: unknown, now: number): SessionRows {
	const { id, session, tree, messages, trash } = rows;
	if (session || messages.length === 0 || trash.some(({ kind }) => kind === 'session')) return rows;
	const rebuilt = admitRow('sessions', rebuiltSession(id, broken, tree, messages));
	const plain = 'row' in rebuilt ? rebuilt.row : rebuiltSession(id, undefined, tree, messages);
	return { ...rows, session: plainSession(now, plain) };
}
