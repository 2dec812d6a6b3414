import * as v from 'valibot';
import { attachmentLimits, filesPerMessage } from '../conversation/attachment-limits';
import { maxSummary, type Boundary } from '../conversation/boundary';
import type { UnfinishedAnswer } from '../conversation/growing-answer';
import { maxLabel } from '../conversation/label';
import type { FilePart, Message, Part, Usage } from '../conversation/message';
import { homeWorkspace, isWorkspaceName, threadKey, type Session } from '../conversation/session';
import { valueText } from '../conversation/part-text';
import type { Tip, Tree } from '../conversation/tree';
import { joinFiles } from '../conversation/unsent';
import { plainFileName, plainName } from '../shared/file-name';
import { fitInFields } from '../shared/fit-in-fields';
import { isId } from '../shared/id';
import { imageType, isText } from '../shared/media-type';
import { withoutPiledMarks } from '../shared/piled-marks';
import { normaliseBaseUrl } from '../shared/server-address';
import { characterStart } from '../shared/shorten';
import { definitions } from '../storage/definitions';
import { noteDeletionId } from '../storage/deletions';
import { knownFields } from '../storage/row-checks';
import { maxNoteName } from '../storage/scratchpad';
import { withoutSecrets } from '../storage/secrets';
import type { CheckedTable, Rows } from '../storage/tables';
import type { Attachment } from '../storage/tables/attachments';
import type { Deletion } from '../storage/tables/deletions';
import type { Draft } from '../storage/tables/drafts';
import { id, time } from '../storage/tables/fields';
import type { QuarantinedRow } from '../storage/tables/quarantine';
import type { ScratchpadEntry } from '../storage/tables/scratchpad';
import type { TrashItem } from '../storage/tables/trash';
import { cleanupUndoMilliseconds } from '../storage/undo';
import { thumbnailIn } from './thumbnail';

/*
 * The one way in for rows that come from outside: a file, an import, another device. What is stored is read leniently, since it must
 * open whatever a past version wrote; what comes in is looked at strictly, since it may be made to do harm. A row that is let in has
 * its known fields only, and ids, times and references that agree.
 */

/** Rows that are not let in, and why; `count` is how many of that table for that reason. */
export interface LeftOut {
	table: string;
	reason: string;
	count: number;
}

/** Collects what is not let in; of many reasons only the first are told apart. */
export class LeftOuts {
	private readonly found = new Map<string, LeftOut>();

	get list(): LeftOut[] {
		return [...this.found.values()];
	}

	add(table: string, reason: string, count = 1): void {
		const told = this.found.size < maxReasons ? reason : 'For other reasons.';
		const key = `${table} ${told}`;
		const before = this.found.get(key);
		this.found.set(key, { table, reason: told, count: (before?.count ?? 0) + count });
	}
}

const maxReasons = 100;

/** The longest text of a row, in characters: names are cut there, anything else is refused. */
const maxNameLength = 1000;
const maxTextLength = 100_000_000;
const maxTypedLength = 2_000_000;
/**
 * The longest that a tool was called with: a text, or a value as JSON. Of a server 1 MiB is read, which may be several times as long when
 * it is written again, since `1e20` has 21 figures then.
 */
const maxToolInput = 8 * 2 ** 20;
/** The longest that a tool gave, as a text or as JSON: as long as a text of a message. */
const maxToolOutput = maxTextLength;
/** A user who takes a setting has to see all of it. */
const maxSettingLength = 200_000;
/** Number of parts that a message has, ids a list, and branches a session, at most: drawing a tree takes the square of these. */
const maxParts = 10_000;
const maxIds = 100_000;
const maxLabels = 10_000;
const maxRows = 10_000;
/** Each is drawn among the messages. */
const maxCompactions = 500;
/** Number of files that a session has touched, and the length of their names, at most. */
const maxFiles = 1000;
const maxFilesLength = 100_000;
export const maxBranches = 2000;
export const tooManyBranches = `It has more than ${maxBranches.toLocaleString()} branches.`;
/** In bytes. */
const maxFileSize = 64_000_000;

/** Of the years 1 to 9999: what has a date that can be written in the usual way. */
export function isTime(at: number): boolean {
	return at >= -62_135_596_800_000 && at <= 253_402_300_799_999;
}

function isName(text: string): boolean {
	return text.length <= maxNameLength;
}

function cut(text: string, max = maxNameLength): string {
	return text.slice(0, characterStart(text, max));
}

function isHash(text: string): boolean {
	return /^[0-9a-f]{64}$/.test(text);
}

function isUsage(usage: Usage = {}): boolean {
	return Object.values(usage).every((amount: number) => amount >= 0 && amount <= 1e15);
}

const strangeId = 'It has an id that Snug does not make.';
const strangeTime = 'It has a time that can’t be.';
const tooMuch = 'It is longer than it can be.';
const tooMany = 'There are more of them than there can be.';
const strangeNumber = 'It has a number that can’t be.';
const strangePart = 'A part of it is not as it can be.';
const unfit = 'It is more than a field can have.';
const strangeFields = 'It has not the fields that belong there.';

/** The first sentence that applies. */
function first(...faults: [isFault: boolean, sentence: string][]): string | undefined {
	return faults.find(([isFault]) => isFault)?.[1];
}

function partFault(part: Part): boolean {
	if (part.type === 'file') return !isHash(part.attachmentId) || !isName(part.name) || !isName(part.mediaType);
	if (part.type === 'tool-call' || part.type === 'tool-result') {
		const isTooLong = part.type === 'tool-call' ? valueText(part.input).length > maxToolInput : valueText(part.output).length > maxToolOutput;
		return !isName(part.toolName) || !isName(part.toolCallId) || isTooLong;
	}
	return part.type === 'redacted' ? !isTime(part.at) : part.type === 'unreadable' ? !isName(part.reason) : part.text.length > maxTextLength;
}

function messageFault({ id, sessionId, parentId, parts, createdAt, model = '', usage }: Message): string | undefined {
	return first(
		[![id, sessionId, ...(parentId === null ? [] : [parentId])].every(isId), strangeId],
		[!isTime(createdAt), strangeTime],
		[parts.length > maxParts || !isName(model) || parts.some(partFault), strangePart],
		[!isUsage(usage), strangeNumber]
	);
}

function sessionFault({ id, createdAt, updatedAt, filesTouched, usage, steps, budgetUsd = 0 }: Session): string | undefined {
	return first(
		[!isId(id), strangeId],
		[!isTime(createdAt) || !isTime(updatedAt), strangeTime],
		[filesTouched.length > maxIds || !filesTouched.every(isName), tooMuch],
		[!isUsage(usage) || steps > 1e9 || budgetUsd < 0, strangeNumber]
	);
}

function tipIds({ id, forkId, fromId }: Tip): (string | null)[] {
	return [id, forkId, fromId];
}

function treeFault({ sessionId, tips, labels, mainTip, removed, redactedAt = 0 }: Tree): string | undefined {
	const ids = [sessionId, mainTip, ...removed, ...Object.keys(labels), ...tips.flatMap(tipIds)];
	return first([ids.length > 3 * maxIds || Object.keys(labels).length > maxLabels, tooMuch], [!ids.every((id) => id === null || isId(id)), strangeId], [!isTime(redactedAt), strangeTime]);
}

function boundaryFault({ id, sessionId, upToId, excluded, summary, note = '', createdAt, usage }: Boundary): string | undefined {
	return first(
		[excluded.length > maxIds, tooMuch],
		[![id, sessionId, upToId, ...excluded].every(isId), strangeId],
		[!isTime(createdAt), strangeTime],
		[summary.length > maxSummary || !isName(note), tooMuch],
		[!isUsage(usage), strangeNumber]
	);
}

function answerFault({ messageId, parentId, parts, model, startedAt, leaves = parentId }: UnfinishedAnswer): string | undefined {
	return first(
		[![messageId, parentId, leaves].every(isId), strangeId],
		[!isTime(startedAt), strangeTime],
		[parts.length > maxParts || !isName(model) || parts.some(partFault), strangePart]
	);
}

function trashFault(item: TrashItem): string | undefined {
	const { sessionId, at, purgeAt } = item;
	const own = first([!isId(sessionId), strangeId], [!isTime(at) || !isTime(purgeAt), strangeTime]);
	if (own) return own;
	if (item.kind === 'session') return sessionFault(item.session);
	if (item.kind === 'branch') {
		const { removal } = item;
		const ids = [removal.id, removal.parentId, removal.headId, removal.mainTip, ...removal.tips.flatMap(tipIds)];
		return first([!ids.every((id) => id === null || isId(id)), strangeId]) ?? (item.answer && answerFault(item.answer));
	}
	const { message, preview, title, boundaries = [] } = item;
	return (
		messageFault(message) ??
		boundaries.map(boundaryFault).find((fault) => fault !== undefined) ??
		first([!isName(preview) || !isName(title), tooMuch])
	);
}

function isDeletionId(deletion: Deletion): boolean {
	const { kind, id } = deletion;
	if (kind === 'attachment') return isHash(id);
	if (kind !== 'note') return isId(id) && (!('sessionId' in deletion) || isId(deletion.sessionId));
	return isId(deletion.sessionId) && id.startsWith(noteDeletionId(deletion.sessionId, '')) && isName(id);
}

/** Checks of a row that has the shape of its table's, by table. Of others, `strangeIn` checks all. */
const strictly = {
	sessions: sessionFault,
	messages: messageFault,
	trees: treeFault,
	boundaries: boundaryFault,
	trash: trashFault,
	drafts: ({ sessionId, composer, attachments = [], edits = {} }) =>
		first(
			[![sessionId, ...Object.keys(edits)].every(isId), strangeId],
			[[composer, ...Object.values(edits)].some(({ length }) => length > maxTypedLength) || Object.keys(edits).length > maxParts || attachments.length > maxParts || attachments.some(partFault), tooMuch]
		),
	answers: (answer) => first([!isId(answer.sessionId), strangeId]) ?? answerFault(answer),
	scratchpad: ({ sessionId, name, content, createdAt, updatedAt }) =>
		first([!isId(sessionId), strangeId], [!isTime(createdAt) || !isTime(updatedAt), strangeTime], [name.length > maxNoteName || content.length > maxTypedLength, tooMuch]),
	settings: ({ value }) => first([JSON.stringify(value).length > maxSettingLength, tooMuch], [typeof value === 'string' && !fitInFields([value])[0], unfit]),
	deletions: (deletion) => first([!isTime(deletion.at), strangeTime], [!isDeletionId(deletion), strangeId]),
	providers: ({ id, name, createdAt }) => first([!isId(id), strangeId], [!isTime(createdAt), strangeTime], [!isName(name), tooMuch])
} satisfies { [T in CheckedTable]?: (row: Rows[T]) => string | undefined };

/** A row that was let in, or why it was not. */
export type Admission<R> = { row: R } | { reason: string };

/** Lets a row in that is as Snug writes it, with its known fields only. What it refers to is looked at by `admitSession`. */
export function admitRow<T extends CheckedTable>(table: T, row: unknown): Admission<Rows[T]> {
	const known = knownFields(table, row);
	if (!known) return { reason: strangeFields };
	const own = (strictly as Partial<Record<string, (row: Rows[T]) => string | undefined>>)[table];
	const reason = own ? own(known) : strangeIn(definitions.get(table)!.schema!, known);
	return reason === undefined ? { row: known } : { reason };
}

/** Lets a row in that belongs to no session. */
export function admitShared(table: string, row: unknown, now: number): Admission<unknown> {
	if (table === 'providers') return admitServer(row, now);
	if (table === 'quarantine') return admitQuarantined(row, now);
	const admitted = admitRow(table as CheckedTable, row);
	return 'row' in admitted ? { row: notAfter(now, admitted.row as object) } : admitted;
}

/** The parts of a schema, as far as it has them. */
interface Parts {
	type: string;
	wrapped?: v.GenericSchema;
	entries?: Record<string, v.GenericSchema>;
	item?: v.GenericSchema;
	key?: v.GenericSchema;
	value?: v.GenericSchema;
	options?: v.GenericSchema[];
}

/** Says what is strange about a value that fits its schema: ids that Snug does not make, times that can't be, texts and lists that are too long. */
function strangeIn(schema: v.GenericSchema, value: unknown): string | undefined {
	if (schema === id) return isId(value as string) ? undefined : strangeId;
	if (schema === time) return isTime(value as number) ? undefined : strangeTime;
	const parts = schema as v.GenericSchema & Parts;
	if (parts.wrapped) return value === null || value === undefined ? undefined : strangeIn(parts.wrapped, value);
	if (parts.type === 'variant' || parts.type === 'union') return strangeIn(parts.options!.find((option) => v.is(option, value))!, value);
	const inner = insideOf(parts, value);
	if (!inner) return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).length > maxTypedLength ? tooMuch : undefined;
	if (inner.length > maxIds) return tooMuch;
	for (const [schema, value] of inner) {
		const reason = strangeIn(schema, value);
		if (reason !== undefined) return reason;
	}
	return undefined;
}

/** The values inside of one, each with its schema; undefined where the schema names none. */
function insideOf({ entries, item, key, value: inner, type }: Parts, value: unknown): [v.GenericSchema, unknown][] | undefined {
	if (item) return (value as unknown[]).map((one) => [item, one]);
	if (type === 'record') return Object.entries(value as object).flatMap(([name, one]): [v.GenericSchema, unknown][] => [[key!, name], [inner!, one]]);
	return entries && Object.entries(value as object).flatMap(([field, one]): [v.GenericSchema, unknown][] => (entries[field] ? [[entries[field], one]] : []));
}

/** Lets a server in, under an address that could have been typed here, and a name that turns nothing beside it. */
export function admitServer(row: unknown, now: number): Admission<Rows['providers']> {
	const admitted = admitRow('providers', row);
	if ('reason' in admitted) return admitted;
	try {
		const baseUrl = normaliseBaseUrl(admitted.row.baseUrl);
		return { row: { ...notAfter(now, admitted.row), name: plainName(admitted.row.name) || new URL(baseUrl).host, baseUrl } };
	} catch {
		return { reason: 'Its address is not one of a server.' };
	}
}

/** Lets a row of a quarantine in, without what may be a key. Its reason stands on the repair page as a sentence of Snug's, so it is one. */
export function admitQuarantined(row: unknown, now: number): Admission<QuarantinedRow> {
	const { id, table, at, key, row: kept } = (typeof row === 'object' && row !== null ? row : {}) as Partial<QuarantinedRow>;
	if (typeof id !== 'string' || !isId(id) || typeof table !== 'string' || !/^\w{1,100}$/.test(table)) return { reason: strangeFields };
	if (typeof at !== 'number' || !isTime(at)) return { reason: strangeTime };
	const reason = 'It was quarantined in a file already, and came from there.';
	return { row: withoutSecrets('quarantine', { id, table, key, row: kept, reason, at: Math.min(at, now) }) as QuarantinedRow };
}

/** Lets a file in whose content is what its id, size and type say: else it could take the place of another. */
export async function admitAttachment(row: unknown, now: number): Promise<Admission<Attachment>> {
	const fields = knownFields('attachments', row);
	if (!fields) return { reason: strangeFields };
	const { thumbnail, content, ...known } = fields;
	if (!isHash(known.id) || !isTime(known.createdAt)) return { reason: strangeId };
	const isTooLarge = content.size > (known.mediaType.startsWith('image/') ? maxFileSize : attachmentLimits.textBytes);
	if (content.size !== known.bytes || isTooLarge) return { reason: isTooLarge ? tooMuch : 'Its size is not what it says.' };
	const bytes = new Uint8Array(await content.arrayBuffer());
	if ((imageType(bytes) ?? (isText(bytes) ? 'text/plain' : undefined)) !== known.mediaType) return { reason: 'Its content is not of the type that it says.' };
	if ((await sha256(bytes)) !== known.id) return { reason: 'Its content is not the one that its id stands for.' };
	const small = known.mediaType.startsWith('image/') ? thumbnail && (await thumbnailIn(thumbnail)) : undefined;
	return {
		row: {
			...notAfter(now, known),
			content: content.slice(0, content.size, known.mediaType),
			...(small ? { thumbnail: small } : {})
		}
	};
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
	const digest = await crypto.subtle.digest('SHA-256', bytes);
	return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Every row of one session that comes in; the session's own may be in the trash instead. */
export interface SessionRows {
	id: string;
	session: Session | undefined;
	tree: Tree | undefined;
	/** The last message of the active path, of the position. The fence beside it is never taken from a file. */
	headId: string | undefined;
	/** In any order. */
	messages: Message[];
	draft: Rows['drafts'] | undefined;
	answer: Rows['answers'] | undefined;
	notes: Rows['scratchpad'][];
	boundaries: Boundary[];
	trash: TrashItem[];
	others: OtherRows;
}

/** Rows of tables that are merged by no rule of their own: those of a session that is here stay, by table. */
export type OtherRows = Record<string, unknown[]>;

/**
 * Lets the rows of one session in, each of which was, as far as they agree with one another. Nothing in it is of later than `now`: it
 * would stand before all else for good. Nothing that is deleted in it is due before a whole period from then, what was being removed
 * for good does not come, and a session that is live there is not deleted as well.
 */
export function admitSession(rows: SessionRows, now: number, leftOut: LeftOuts): SessionRows | undefined {
	const all = new Map<string, Message>();
	for (const message of rows.messages) {
		if (all.has(message.id)) leftOut.add('messages', 'It is there twice.');
		else all.set(message.id, message);
	}
	if (!rows.session && rows.trash.some(({ kind, begun }) => kind === 'session' && begun)) {
		leftOut.add('sessions', 'It was being removed for good.');
		return undefined;
	}
	const parents = new Set(rows.messages.map(({ parentId }) => parentId));
	const ends = rows.messages.filter(({ id }) => !parents.has(id)).length;
	if (ends > maxBranches) {
		leftOut.add('sessions', tooManyBranches);
		return undefined;
	}
	const begun = new Set(rows.trash.flatMap((item) => (item.kind === 'branch' && item.begun ? [item.id] : [])));
	for (const { id, parentId } of begun.size > 0 ? rows.messages.toSorted((a, b) => a.depth - b.depth) : []) {
		if (!begun.has(id) && !(parentId !== null && begun.has(parentId))) continue;
		begun.add(id);
		all.delete(id);
	}

	const isBelow = descentOf(rows.messages);
	const removed = new Set(rows.tree?.removed);
	const branchOf = new Map<string, string | null>();
	if (rows.trash.length > maxRows) leftOut.add('trash', tooMany, rows.trash.length - maxRows);
	const trash = rows.trash.slice(0, maxRows).filter((item) => {
		if (item.kind === 'session' && rows.session) {
			leftOut.add('trash', 'The chat that it would bring back is there.');
			return false;
		}
		if (item.begun) return false;
		const fits = item.kind === 'session' || (item.kind === 'redaction' ? isOfMarker(item, all) : isOfBranch(item, { all, removed, isBelow, branchOf }));
		if (!fits) leftOut.add('trash', 'It does not belong to what is there.');
		return fits;
	});
	const branches = new Set(trash.flatMap(({ kind, id }) => (kind === 'branch' ? [id] : [])));
	const boundaries = uniqueBy(rows.boundaries, ({ id }) => id).filter(({ upToId, depth }) => {
		const fits = all.get(upToId)?.depth === depth;
		if (!fits) leftOut.add('boundaries', 'The message that it ends in is not there.');
		return fits;
	});
	if (boundaries.length > maxCompactions) leftOut.add('boundaries', tooMany, boundaries.length - maxCompactions);
	const files = joinFiles(rows.draft?.attachments ?? []).length;
	if (files > filesPerMessage) leftOut.add('drafts', 'A message can’t have so many files.', files - filesPerMessage);
	const { draft, unfit } = rows.draft ? draftForFields(rows.draft) : { draft: undefined, unfit: [] };
	if (unfit.length > 0) leftOut.add('drafts', 'It is more than a field can have, so it came as a note.', unfit.length);
	const notes = uniqueBy([...asNotes(unfit, rows), ...rows.notes], ({ name }) => name);
	if (notes.length > maxRows) leftOut.add('scratchpad', tooMany, notes.length - maxRows);
	const { answer } = rows;
	const { headId } = rows;
	const hasHead = headId !== undefined && all.has(headId);
	if (headId !== undefined && !hasHead) leftOut.add('positions', 'The message that it names is not there.');
	const answers = answer && all.has(answer.parentId);
	if (answer && !answers) leftOut.add('answers', 'The message that it answers is not there.');
	const until = <R extends Partial<Record<TimeField, number>>>(row: R): R => notAfter(now, row);
	return {
		...rows,
		session: rows.session && plainSession(now, rows.session),
		tree: rows.tree && {
			...until(rows.tree),
			labels: Object.fromEntries(Object.entries(rows.tree.labels).map(([id, label]) => [id, cut(plainName(label), maxLabel)]).filter(([, label]) => label !== '')),
			removed: rows.tree.removed.filter((id) => branches.has(id))
		},
		headId: hasHead ? headId : undefined,
		draft,
		messages: [...all.values()].map((message) => plainMessage(now, message)),
		answer: answers ? answer && plainAnswer(until(answer)) : undefined,
		boundaries: newestOf(boundaries).map((boundary) => plainBoundary(now, boundary, all)),
		notes: notes.slice(0, maxRows).map((note) => ({ ...until(note), content: withoutPiledMarks(note.content) })),
		others: Object.fromEntries(Object.entries(rows.others).map(([table, rows]) => [table, othersOf(table, rows as object[], leftOut).map((row) => until(namingOnly(all, table, row)))])),
		trash: uniqueBy(trash, ({ id }) => id).map((item) => ({ ...trashUntil(now, item, all), purgeAt: now + cleanupUndoMilliseconds }))
	};
}

/** A draft with each of its files once, as many as a message can have, and of its texts those that fields can have in good time; `unfit` are the others. */
function draftForFields({ sessionId, composer, attachments = [], edits = {} }: Draft): { draft: Draft | undefined; unfit: string[] } {
	const ids = Object.keys(edits);
	const texts = [composer, ...Object.values(edits)].map(withoutPiledMarks);
	const fits = fitInFields(texts);
	const fitting = ids.flatMap((id, index) => (fits[index + 1] ? [[id, texts[index + 1]!]] : []));
	const draft: Draft = {
		sessionId,
		composer: fits[0] ? texts[0]! : '',
		...(attachments.length > 0 ? { attachments: joinFiles(attachments.map(plainFile)).slice(0, filesPerMessage) } : {}),
		...(fitting.length > 0 ? { edits: Object.fromEntries(fitting) } : {})
	};
	const isEmpty = draft.composer === '' && !draft.attachments && !draft.edits;
	return { draft: isEmpty ? undefined : draft, unfit: texts.filter((_, index) => !fits[index]) };
}

/** Unsent texts as notes of their session, under names that none has. */
function asNotes(texts: string[], { id, session, notes }: SessionRows): ScratchpadEntry[] {
	const at = session?.updatedAt ?? 0;
	const names = new Set(notes.map(({ name }) => name));
	let count = 1;
	return texts.map((content) => {
		let name = 'Unsent';
		while (names.has(name)) name = `Unsent ${++count}`;
		names.add(name);
		return { sessionId: id, name, content, createdAt: at, updatedAt: at };
	});
}

/** The rows of a table without those that have the key of one before, and no more of them than there can be. */
function othersOf<R>(table: string, rows: R[], leftOut: LeftOuts): R[] {
	const unique = uniqueBy(rows, (row) => keyIn(table, row));
	if (unique.length < rows.length) leftOut.add(table, 'It is there twice.', rows.length - unique.length);
	if (unique.length > maxRows) leftOut.add(table, tooMany, unique.length - maxRows);
	return unique.slice(0, maxRows);
}

/** The row with those ids only, in the fields that list ids of messages, that messages have, each once: whatever reads it looks for all of them. */
function namingOnly<R extends object>(messages: ReadonlyMap<string, Message>, table: string, row: R): R {
	const { messageIds = [] } = definitions.get(table)!;
	const lists = messageIds.map((field) => [field, [...new Set((row as Record<string, string[]>)[field])].filter((id) => messages.has(id))]);
	return { ...row, ...Object.fromEntries(lists) };
}

/** The messages that a compaction covers and does not tell, at most one at each depth: a path has no more. */
function coveredOf({ excluded, depth: end }: Pick<Boundary, 'excluded' | 'depth'>, messages: ReadonlyMap<string, Message>): string[] {
	const depths = new Set<number>();
	return excluded.filter((id) => {
		const depth = messages.get(id)?.depth ?? Infinity;
		return depth <= end && !depths.has(depth) && depths.add(depth);
	});
}

type TimeField = 'createdAt' | 'updatedAt' | 'startedAt' | 'redactedAt' | 'at';

/** The row with none of its times after `now`. */
function notAfter<R extends Partial<Record<TimeField, number>>>(now: number, row: R): R {
	const late = Object.entries(row).filter(([field, value]) => timeFields.has(field) && (value as number) > now);
	return late.length === 0 ? row : { ...row, ...Object.fromEntries(late.map(([field]) => [field, now])) };
}

const timeFields: ReadonlySet<string> = new Set<TimeField>(['createdAt', 'updatedAt', 'startedAt', 'redactedAt', 'at']);

/** A message with none of its times after `now`, and a model, files and tools with names that can stand in a line. */
function plainMessage(now: number, message: Message): Message {
	const plain = (part: Part) => {
		if (part.type === 'tool-call' || part.type === 'tool-result') return { ...part, toolName: plainName(part.toolName) };
		return part.type === 'redacted' ? notAfter(now, part) : part.type === 'file' ? plainFile(part) : part;
	};
	const model = message.model === undefined ? {} : { model: plainName(message.model) };
	return { ...notAfter(now, message), ...model, parts: message.parts.map(plain) };
}

function plainAnswer<A extends UnfinishedAnswer>(answer: A): A {
	return { ...answer, model: plainName(answer.model) };
}

function plainFile(part: FilePart): FilePart {
	return { ...part, name: plainFileName(part.name) };
}

/** The newest compactions, as many as there can be: ids are in the order of time. */
function newestOf(boundaries: Boundary[]): Boundary[] {
	return boundaries.length > maxCompactions ? boundaries.toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(-maxCompactions) : boundaries;
}

/** A compaction that is not of after `now`, with no more unverified values than a summary has room for: each is a piece of it. */
function plainBoundary(now: number, boundary: Boundary, messages: ReadonlyMap<string, Message>): Boundary {
	let room = maxSummary;
	// Snug says its note as its own.
	const { note: _, ...kept } = notAfter(now, boundary);
	return { ...kept, excluded: coveredOf(kept, messages), summary: withoutPiledMarks(kept.summary), unverified: boundary.unverified.filter(({ length }) => (room -= length + 1) >= 0) };
}

function trashUntil(now: number, item: TrashItem, messages: ReadonlyMap<string, Message>): TrashItem {
	const own = notAfter(now, item);
	if (own.kind === 'session') return { ...own, session: plainSession(now, own.session) };
	if (own.kind === 'branch') return own.answer ? { ...own, answer: plainAnswer(notAfter(now, own.answer)) } : own;
	const { message, boundaries } = own;
	return {
		...own,
		message: plainMessage(now, message),
		...(boundaries ? { boundaries: newestOf(boundaries).map((boundary) => plainBoundary(now, boundary, messages)) } : {})
	};
}

/** Tells whether an erased text is of a message that is there. */
function isOfMarker({ message: { id, parentId, depth } }: TrashItem & { kind: 'redaction' }, all: ReadonlyMap<string, Message>): boolean {
	const marker = all.get(id);
	return marker !== undefined && marker.parentId === parentId && marker.depth === depth;
}

interface Removals {
	all: ReadonlyMap<string, Message>;
	/** The first messages of the branches that are deleted. */
	removed: ReadonlySet<string>;
	/** Tells whether a message is another, or is below it. */
	isBelow: (id: string, aboveId: string) => boolean;
	/** The branch of each message that was gone through already: it was deleted with one branch only. */
	branchOf: Map<string, string | null>;
}

/** Tells whether a deleted branch is of the messages that are there. */
function isOfBranch({ removal, answer }: TrashItem & { kind: 'branch' }, removals: Removals): boolean {
	const { all, removed, isBelow } = removals;
	const { id, parentId, tips, headId, mainTip } = removal;
	const begins = all.get(id);
	if (!begins || begins.parentId !== parentId || !removed.has(id)) return false;
	if (tips[0].forkId !== id || tips[0].forkDepth !== begins.depth) return false;
	const named = [headId, mainTip, answer?.parentId ?? null];
	return named.every((one) => one === null || isBelow(one, id)) && areBranches(tips, id, removals);
}

/** Tells whether each branch has its messages, from its last up to the one that it begins at, to itself, all of them below `id`, and leaves one before it. */
function areBranches(tips: Tip[], id: string, { all, isBelow, branchOf }: Removals): boolean {
	return tips.every(({ id: tipId, depth, forkId, forkDepth, fromId }, index) => {
		let next: string | null = tipId;
		for (let at = depth; next !== null && isBelow(next, id) && !branchOf.has(next); at--) {
			const message = all.get(next);
			if (message?.depth !== at) return false;
			branchOf.set(next, forkId);
			next = message.parentId;
			if (at === forkDepth) return message.id === forkId && (index === 0 || (next !== null && branchOf.get(next) === fromId));
		}
		return false;
	});
}

/** Makes a function that tells whether a message is another, or is below it, by when a walk from the roots enters and leaves each. */
function descentOf(messages: Message[]): Removals['isBelow'] {
	const children = new Map<string | null, string[]>();
	for (const { id, parentId } of messages) {
		const siblings = children.get(parentId);
		if (siblings) siblings.push(id);
		else children.set(parentId, [id]);
	}
	const entered = new Map<string, number>();
	const left = new Map<string, number>();
	const waiting = [...(children.get(null) ?? [])];
	for (let step = 0; waiting.length > 0; step++) {
		const id = waiting.at(-1)!;
		if (entered.has(id)) {
			if (!left.has(id)) left.set(id, step);
			waiting.pop();
		} else {
			entered.set(id, step);
			for (const child of children.get(id) ?? []) waiting.push(child);
		}
	}
	return (id, aboveId) => {
		const [at, from, to] = [entered.get(id), entered.get(aboveId), left.get(aboveId)];
		return at !== undefined && from !== undefined && to !== undefined && from <= at && at < to;
	};
}

/**
 * A session's row that is not of after `now`, with names that can be shown, and a key that is its own: another's would make it the thread of
 * that workspace.
 */
export function plainSession(now: number, session: Session): Session {
	const workspace = isWorkspaceName(session.workspace) ? session.workspace : homeWorkspace;
	const isOther = session.key.length > maxNameLength || (/^web:[^:]*$/.test(session.key) && session.key !== threadKey(workspace));
	return {
		...notAfter(now, session),
		workspace,
		key: isOther ? `${threadKey(workspace)}:${session.createdAt}` : session.key,
		title: cut(session.title),
		preview: cut(session.preview),
		surface: cut(session.surface),
		provider: cut(plainName(session.provider)),
		model: cut(plainName(session.model)),
		filesTouched: firstFiles(session.filesTouched),
		// Snug says it as its own.
		stopReason: '',
		...(session.persona === undefined ? {} : { persona: cut(session.persona) }),
		...(session.extra?.alias === undefined ? {} : { extra: { ...session.extra, alias: cut(session.extra.alias) } })
	};
}

/** The first files that were touched, each once: every list of chats reads all of them. */
function firstFiles(names: string[]): string[] {
	let room = maxFilesLength;
	return [...new Set(names)].slice(0, maxFiles).filter(({ length }) => (room -= length + 1) >= 0);
}

/** The key of a row as a text. */
export function keyIn(table: string, row: unknown): string {
	const { key } = definitions.get(table)!;
	return JSON.stringify([key].flat().map((field) => (row as Record<string, unknown>)[field]));
}

function uniqueBy<R>(rows: R[], keyOf: (row: R) => string): R[] {
	const seen = new Set<string>();
	return rows.filter((row) => !seen.has(keyOf(row)) && seen.add(keyOf(row)));
}
