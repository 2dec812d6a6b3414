import type { Message } from '../../conversation/message';
import { definitions } from '../../storage/definitions';
import { rebuiltSession } from '../../storage/rebuilt-session';
import { readable } from '../../storage/row-checks';
import { readableParent, placeholderFor } from '../../storage/placeholders';
import type { CheckedTable, Rows } from '../../storage/tables';
import type { Attachment } from '../../storage/tables/attachments';
import type { Provider } from '../../storage/tables/providers';
import type { Setting } from '../../storage/tables/settings';
import { admitAttachment, admitRow, admitSession, admitShared, keyIn, type LeftOuts, type SessionRows } from '../gate';
import { settingsOfOneBrowser, tablesOfSession, type BackupTable, type Counts, type Header } from './format';
import { emptySession } from './merge';
import { readBackup, tooLarge, type Reading } from './read';

/** Rows that belong to no session. */
export interface Common {
	settings: Setting[];
	providers: Provider[];
	/** Of other tables, those that come where their key is not here. */
	missing: Record<string, unknown[]>;
}

/** A part of a backup that can be restored by itself. `rows` and `bytes` are how much of the file it was; `counts` are all rows of the file. */
export type Unit =
	| { kind: 'header'; header: Header }
	| { kind: 'session'; session: SessionRows | undefined; attachments: Attachment[]; rows: number; bytes: number }
	| { kind: 'common'; common: Common; rows: number; bytes: number; counts: Counts };

interface Gathered extends Extract<Unit, { kind: 'session' }> {
	session: SessionRows;
	/** The session's own row, if it was not let in. */
	broken?: unknown;
}

/** The largest session, in bytes without files: it is in memory as a whole. */
const largestSession = 1_000_000_000;

/** The most rows of no session that are read, and the most bytes: they are in memory to the end. */
const mostCommon = 100_000;
const largestCommon = 100_000_000;
/** The most of them that are rows that were quarantined: the repair page lists them all. */
const mostQuarantined = 1000;

const tooMany = 'There are more of them than Snug keeps.';

/**
 * Reads a backup a session at a time, each row through the gate; what belongs to none comes last. What it throws is `readBackup`'s.
 * The file is valid as a whole only when the last unit was read. `leftOut` is told what does not come.
 */
export async function* unitsOf(file: Blob, now: number, leftOut: LeftOuts): AsyncGenerator<Unit> {
	const common: Extract<Unit, { kind: 'common' }> = {
		kind: 'common',
		common: { settings: [], providers: [], missing: {} },
		rows: 0,
		bytes: 0,
		counts: {}
	};
	const known = new Set<string>();
	let unit: Gathered | undefined;
	let ofSession = 0;
	const whole = ({ broken, ...gathered }: Gathered): Unit => {
		const session = admitSession(gathered.session, now, leftOut);
		return { ...gathered, session: session && withOwnRow(session, broken) };
	};
	for await (const reading of readBackup(file)) {
		if ('header' in reading) {
			yield { kind: 'header', header: reading.header };
			continue;
		}
		const { table, row, bytes } = reading;
		common.counts[table] = (common.counts[table] ?? 0) + 1;
		if (row === undefined) {
			leftOut.add(table, 'It is nested too deeply.');
			continue;
		}
		const id = sessionOf(table, row);
		if (id !== undefined && id !== unit?.session.id) {
			if (unit) yield whole(unit);
			unit = { kind: 'session', session: emptySession(id), attachments: [], rows: 0, bytes: 0 };
			ofSession = 0;
		}
		const belongs = id === undefined && table !== 'attachments' ? common : unit;
		if (!belongs) {
			leftOut.add(table, 'It belongs to nothing.');
			continue;
		}
		if (belongs === common && (common.rows === mostCommon || common.bytes + bytes > largestCommon)) {
			leftOut.add(table, tooMany);
			continue;
		}
		belongs.rows++;
		belongs.bytes += bytes;
		if (table !== 'attachments') ofSession += bytes;
		if (ofSession > largestSession) throw tooLarge('A chat in it is larger than any that Snug keeps');
		if (belongs.kind === 'common') addCommon(belongs.common, reading, { now, leftOut, known });
		else await addToSession(belongs, reading, now, leftOut);
	}
	if (unit) yield whole(unit);
	yield common;
}

/** Returns the session that a row belongs to; that of a row without one can't be told. */
function sessionOf(table: BackupTable, row: unknown): string | undefined {
	if (!tablesOfSession.includes(table)) return undefined;
	const id = (row as Record<string, unknown> | null)?.[table === 'sessions' ? 'id' : 'sessionId'];
	return typeof id === 'string' ? id : undefined;
}

type Row = Extract<Reading, { table: BackupTable }>;

interface Gathering {
	now: number;
	leftOut: LeftOuts;
	/** Keys of the rows that came already. */
	known: Set<string>;
}

function addCommon({ settings, providers, missing }: Common, { table, row }: Row, { now, leftOut, known }: Gathering): void {
	const admitted = tablesOfSession.includes(table) ? { reason: 'The chat that it belongs to can’t be told.' } : admitShared(table, row, now);
	if ('reason' in admitted) return leftOut.add(table, admitted.reason);
	const key = `${table} ${keyIn(table, admitted.row)}`;
	if (known.has(key)) return leftOut.add(table, 'It is there twice.');
	if (table === 'quarantine' && missing[table]?.length === mostQuarantined) return leftOut.add(table, tooMany);
	known.add(key);
	if (table === 'providers') providers.push(admitted.row as Provider);
	else if (table !== 'settings') (missing[table] ??= []).push(admitted.row);
	else if (!settingsOfOneBrowser.has((admitted.row as Setting).name)) settings.push(admitted.row as Setting);
}

async function addToSession(unit: Gathered, { table, row }: Row, now: number, leftOut: LeftOuts): Promise<void> {
	const { backup } = definitions.get(table)!;
	if (backup === 'conversation') return addToConversation(unit, { table, row }, leftOut);
	// Their rows are made from the messages.
	if (backup === 'from-messages') return;
	const admitted = backup === 'with-messages' ? await admitAttachment(row, now) : admitRow(table as CheckedTable, row);
	if ('reason' in admitted) leftOut.add(table, admitted.reason);
	else if (backup === 'with-messages') unit.attachments.push(admitted.row as Attachment);
	else (unit.session.others[table] ??= []).push(admitted.row);
}

function addToConversation(unit: Gathered, { table, row }: Omit<Row, 'bytes'>, leftOut: LeftOuts): void {
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
		const marker = placeholder(row);
		if (marker) session.messages.push(marker);
	} else if (table === 'trees') take(table, row, (row) => (session.tree = row));
	else if (table === 'drafts') take(table, row, (row) => (session.draft = row));
	else if (table === 'answers') take(table, row, (row) => (session.answer = row));
	else if (table === 'scratchpad') take(table, row, (row) => session.notes.push(row));
	else if (table === 'boundaries') take(table, row, (row) => session.boundaries.push(row));
	else if (table === 'trash') take(table, row, (row) => session.trash.push(row));
	else leftOut.add(table, 'This version of Snug does not restore it.');
}

/** A marker in the place of a message that can't be read, if its place can be: what follows it stays [R6]. */
function placeholder(row: unknown): Message | undefined {
	const { id, sessionId, depth } = readable('messages', row);
	const parentId = depth === undefined ? undefined : readableParent(row, depth);
	if (id === undefined || sessionId === undefined || depth === undefined || parentId === undefined) return undefined;
	const marker = admitRow('messages', placeholderFor(row, [sessionId, depth, id], parentId, 'It could not be read in the file that it came from.'));
	return 'row' in marker ? marker.row : undefined;
}

/** The rows with the session's own made of its messages, if none was let in and it was not deleted. */
function withOwnRow(rows: SessionRows, broken: unknown): SessionRows {
	const { id, session, tree, messages, trash } = rows;
	if (session || messages.length === 0 || trash.some(({ kind }) => kind === 'session')) return rows;
	const rebuilt = admitRow('sessions', rebuiltSession(id, broken, tree, messages));
	const plain = 'row' in rebuilt ? rebuilt.row : rebuiltSession(id, undefined, tree, messages);
	return { ...rows, session: plain };
}
