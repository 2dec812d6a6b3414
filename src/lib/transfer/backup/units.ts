import type { Boundary } from '../../conversation/boundary';
import type { Message } from '../../conversation/message';
import type { Session } from '../../conversation/session';
import type { Tree } from '../../conversation/tree';
import type { AnswerRow } from '../../storage/answers';
import type { Attachment } from '../../storage/attachments';
import type { Calibration } from '../../storage/calibrations';
import type { SessionContext } from '../../storage/contexts';
import { splitDraft, type DraftWithAnswer } from '../../storage/migrations';
import type { Provider } from '../../storage/providers';
import type { QuarantinedRow } from '../../storage/quarantine';
import { readable } from '../../storage/row-schemas';
import type { ScratchpadEntry } from '../../storage/scratchpad';
import type { Setting } from '../../storage/settings';
import { readableParent, rebuiltSession, standInFor } from '../../storage/stand-ins';
import type { TrashItem } from '../../storage/trash';
import type { BackupTable, Header } from './format';
import { emptySession, type SessionRows } from './merge';
import { readBackup } from './read';

/** A row of a backup that does not fit, and is left out; of a message, its place in the tree may have been kept. */
export interface LeftOut {
	table: BackupTable;
	reason: string;
}

/** What belongs to no session. */
export interface Common {
	settings: Setting[];
	providers: Provider[];
	calibrations: Calibration[];
	quarantine: QuarantinedRow[];
}

/** A part of a backup that can be restored by itself. `rows` and `bytes` are how much of the file it was. */
export type Unit =
	| { kind: 'header'; header: Header }
	| { kind: 'session'; session: SessionRows; attachments: Attachment[]; leftOut: LeftOut[]; rows: number; bytes: number }
	| { kind: 'common'; common: Common; leftOut: LeftOut[]; rows: number; bytes: number };

type Gathered = Extract<Unit, { kind: 'session' }>;

/**
 * Reads a backup a session at a time; what belongs to none comes last. What it throws is `readBackup`'s. The file is
 * sound as a whole only when the last unit was read.
 */
export async function* unitsOf(file: Blob): AsyncGenerator<Unit> {
	const common: Extract<Unit, { kind: 'common' }> = {
		kind: 'common',
		common: { settings: [], providers: [], calibrations: [], quarantine: [] },
		leftOut: [],
		rows: 0,
		bytes: 0
	};
	let unit: Gathered | undefined;
	let brokenSession: unknown;
	for await (const reading of readBackup(file)) {
		if ('header' in reading) {
			yield { kind: 'header', header: reading.header };
			continue;
		}
		const { table, row, fault, bytes } = reading;
		const id = sessionOf(table, row);
		if (id !== undefined && id !== unit?.session.id) {
			if (unit) yield whole(unit, brokenSession);
			unit = emptyUnit(id);
			brokenSession = undefined;
		}
		const belongs = id === undefined && table !== 'attachments' ? common : unit;
		if (!belongs) continue;
		belongs.rows++;
		belongs.bytes += bytes;
		if (fault !== undefined) {
			belongs.leftOut.push({ table, reason: fault });
			if (table === 'sessions') brokenSession = row;
		}
		const fitting = fault === undefined ? row : table === 'messages' ? placeholder(row, fault) : undefined;
		if (fitting !== undefined) add(belongs, table, fitting);
	}
	if (unit) yield whole(unit, brokenSession);
	yield common;
}

function emptyUnit(id: string): Gathered {
	return { kind: 'session', session: emptySession(id), attachments: [], leftOut: [], rows: 0, bytes: 0 };
}

/** The tables whose rows belong to none. */
const ofNoSession: readonly BackupTable[] = ['settings', 'providers', 'calibrations', 'quarantine'];

/** Which session a row belongs to; that of a row without one can't be told. */
function sessionOf(table: BackupTable, row: unknown): string | undefined {
	if (table === 'attachments' || ofNoSession.includes(table)) return undefined;
	const id = (row as Record<string, unknown> | null)?.[table === 'sessions' ? 'id' : 'sessionId'];
	return typeof id === 'string' ? id : undefined;
}

function add(unit: Exclude<Unit, { kind: 'header' }>, table: BackupTable, row: unknown): void {
	if (unit.kind === 'common') {
		if (table === 'settings') unit.common.settings.push(row as Setting);
		else if (table === 'providers') unit.common.providers.push(row as Provider);
		else if (table === 'calibrations') unit.common.calibrations.push(row as Calibration);
		else if (table === 'quarantine') unit.common.quarantine.push(row as QuarantinedRow);
		return;
	}
	const { session, attachments } = unit;
	if (table === 'sessions') session.session = row as Session;
	else if (table === 'trees') session.tree = row as Tree;
	else if (table === 'messages') session.messages.push(row as Message);
	else if (table === 'drafts') {
		const { draft, answer } = splitDraft(row as DraftWithAnswer);
		session.draft = draft;
		session.answer ??= answer;
	} else if (table === 'answers') session.answer = row as AnswerRow;
	else if (table === 'scratchpad') session.notes.push(row as ScratchpadEntry);
	else if (table === 'boundaries') session.boundaries.push(row as Boundary);
	else if (table === 'contexts') session.context = row as SessionContext;
	else if (table === 'trash') session.trash.push(row as TrashItem);
	else if (table === 'attachments') attachments.push(row as Attachment);
}

/** A marker in the place of a message that can't be read, if its place can be: what follows it stays [R6]. */
function placeholder(row: unknown, reason: string): Message | undefined {
	const { id, sessionId, depth } = readable('messages', row);
	const parentId = depth === undefined ? undefined : readableParent(row, depth);
	if (id === undefined || sessionId === undefined || depth === undefined || parentId === undefined) return undefined;
	return standInFor(row, [sessionId, depth, id], parentId, reason);
}

/** The unit with a session row made of its messages, if it has none that fits and was not deleted. */
function whole(unit: Gathered, broken: unknown): Gathered {
	const { id, session, tree, messages, trash } = unit.session;
	if (session || messages.length === 0 || trash.some(({ kind }) => kind === 'session')) return unit;
	return { ...unit, session: { ...unit.session, session: rebuiltSession(id, broken, tree, messages) } };
}
