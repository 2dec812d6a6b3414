import * as v from 'valibot';
import { maxSummary, type Boundary } from '../../conversation/boundary';
import type { UnfinishedAnswer } from '../../conversation/growing-answer';
import type { Message, Part, Usage } from '../../conversation/message';
import { valueText } from '../../conversation/part-text';
import { isNoPersona } from '../../conversation/persona';
import type { Session } from '../../conversation/session';
import type { Tip, Tree } from '../../conversation/tree';
import { plainName } from '../../shared/file-name';
import { fitInFields } from '../../shared/fit-in-fields';
import { isId } from '../../shared/id';
import { withoutUnseen } from '../../shared/without-unseen';
import { definitions } from '../../storage/definitions';
import { noteDeletionId } from '../../storage/deletions';
import { maxNoteName } from '../../storage/scratchpad';
import type { CheckedTable, Rows } from '../../storage/tables';
import type { Deletion } from '../../storage/tables/deletions';
import { id, time } from '../../storage/tables/fields';
import type { TrashItem } from '../../storage/tables/trash';
import { unfinishedIn } from '../../storage/trashed-answers';
import { isHash, isName, isTime, maxIds, maxLabels, maxParts, maxSettingLength, maxTextLength, maxToolInput, maxToolOutput, maxTypedLength, strangeId, strangeNumber, strangePart, strangeTime, tooMuch, unfit } from './limits';

function isUsage(usage: Usage = {}): boolean {
	return Object.values(usage).every((amount: number) => amount >= 0 && amount <= 1e15);
}

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

function messageFault({ id, sessionId, parentId, parts, createdAt, model = '', persona = '', usage }: Message): string | undefined {
	return first(
		[![id, sessionId, ...(parentId === null ? [] : [parentId])].every(isId), strangeId],
		[!isTime(createdAt), strangeTime],
		[parts.length > maxParts || !isName(model) || !isName(persona) || parts.some(partFault), strangePart],
		[!isUsage(usage), strangeNumber]
	);
}

function sessionFault({ id, createdAt, updatedAt, filesTouched, usage, steps, budgetUsd = 1 }: Session): string | undefined {
	return first(
		[!isId(id), strangeId],
		[!isTime(createdAt) || !isTime(updatedAt), strangeTime],
		[filesTouched.length > maxIds || !filesTouched.every(isName), tooMuch],
		[!isUsage(usage) || steps > 1e9 || budgetUsd <= 0, strangeNumber]
	);
}

function tipIds({ id, forkId, fromId }: Tip): (string | null)[] {
	return [id, forkId, fromId];
}

function treeFault({ sessionId, tips, labels, mainTip, removed, redactedAt = 0 }: Tree): string | undefined {
	const ids = [sessionId, mainTip, ...removed, ...Object.keys(labels), ...tips.flatMap(tipIds)];
	return first([ids.length > 3 * maxIds || Object.keys(labels).length > maxLabels, tooMuch], [!ids.every((id) => id === null || isId(id)), strangeId], [!isTime(redactedAt), strangeTime]);
}

function boundaryFault({ id, sessionId, upToId, depth, excluded, summary, note = '', createdAt, usage }: Boundary): string | undefined {
	return first(
		[excluded.length > depth + 1, tooMuch],
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

function unfinishedFault(row: UnfinishedAnswer & { sessionId: string }): string | undefined {
	return first([!isId(row.sessionId), strangeId]) ?? answerFault(row);
}

function trashFault(item: TrashItem): string | undefined {
	const { sessionId, at, purgeAt } = item;
	const own = first([!isId(sessionId), strangeId], [!isTime(at) || !isTime(purgeAt), strangeTime]);
	if (own) return own;
	if (item.kind === 'session') return sessionFault(item.session);
	if (item.kind === 'branch') {
		const { removal } = item;
		const ids = [removal.id, removal.parentId, removal.headId, removal.mainTip, ...removal.tips.flatMap(tipIds)];
		return first([!ids.every((id) => id === null || isId(id)), strangeId]) ?? unfinishedIn(item).map(answerFault).find((fault) => fault !== undefined);
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

/** The most tools that a persona names: they are all listed. */
const maxTools = 1000;

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
	answers: unfinishedFault,
	secondAnswers: unfinishedFault,
	scratchpad: ({ sessionId, name, content, createdAt, updatedAt }) =>
		first([!isId(sessionId), strangeId], [!isTime(createdAt) || !isTime(updatedAt), strangeTime], [name.length > maxNoteName || content.length > maxTypedLength, tooMuch]),
	settings: ({ value }) => first([JSON.stringify(value).length > maxSettingLength, tooMuch], [!fitInFields([typeof value === 'string' ? value : JSON.stringify(value)])[0], unfit]),
	deletions: (deletion) => first([!isTime(deletion.at), strangeTime], [!isDeletionId(deletion), strangeId]),
	sessionSettings: (row) => strangeIn(definitions.get('sessionSettings')!.schema!, row) ?? first([!fitInFields([row.systemPrompt ?? ''])[0], unfit]),
	presets: ({ name, systemPrompt, createdAt, ...row }) =>
		strangeIn(definitions.get('presets')!.schema!, { name, systemPrompt, createdAt, ...row }) ??
		first(
			[[...(row.tools ?? []), ...(row.allowedTools ?? [])].some((tool) => !isName(tool)) || (row.tools?.length ?? 0) > maxTools, tooMuch],
			[isNoPersona(name), 'Its name is the one for no persona.'],
			[plainName(name) !== name || systemPrompt.length > maxSettingLength, tooMuch],
			[withoutUnseen(name) !== name, 'Its name has characters that can’t be seen.'],
			[!fitInFields([name, systemPrompt]).every(Boolean), unfit]
		),
	providers: ({ id, name, createdAt }) => first([!isId(id), strangeId], [!isTime(createdAt), strangeTime], [!isName(name), tooMuch])
} satisfies { [T in CheckedTable]?: (row: Rows[T]) => string | undefined };

/** Says why a row that has the shape of its table's can't come in; undefined where it can. */
export function faultIn<T extends CheckedTable>(table: T, row: Rows[T]): string | undefined {
	const own = (strictly as Partial<Record<string, (row: Rows[T]) => string | undefined>>)[table];
	return own ? own(row) : strangeIn(definitions.get(table)!.schema!, row);
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
