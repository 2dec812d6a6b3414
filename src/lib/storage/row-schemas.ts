import * as v from 'valibot';
import { strategyNames, type Boundary } from '../conversation/boundary';
import { contextLimits, windowLimits } from '../conversation/context-settings';
import type { Message, Part } from '../conversation/message';
import type { Session } from '../conversation/session';
import type { Tree } from '../conversation/tree';
import type { AnswerRow } from './answers';
import type { Attachment, AttachmentUse } from './attachments';
import type { Calibration } from './calibrations';
import type { SessionContext } from './contexts';
import type { Draft } from './drafts';
import type { LocalModel } from './models';
import { protocolForm, type Provider } from './providers';
import type { ScratchpadEntry } from './scratchpad';
import type { Setting, SettingName, SettingValues } from './settings';
import type { TrashItem } from './trash';

const text = v.string();
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const amount = v.pipe(v.number(), v.finite());
/** One that has a date; also before 1970, where a clock was wrong. */
const time = v.pipe(v.number(), v.minValue(-8.64e15), v.maxValue(8.64e15));
const name = v.pipe(v.string(), v.nonEmpty());
/** One that can be a part of an address. That it is a UUID is asked of what comes from outside only. */
const id = v.pipe(v.string(), v.regex(/^[^/\p{Cc}\p{Cs}]{1,200}$/u, 'an id'));

const filePart = v.object({ type: v.literal('file'), attachmentId: id, mediaType: text, name: text });

const part = v.variant('type', [
	v.object({ type: v.literal('text'), text }),
	v.object({ type: v.literal('reasoning'), text }),
	v.object({ type: v.literal('tool-call'), toolCallId: text, toolName: text, input: v.unknown() }),
	v.object({ type: v.literal('tool-result'), toolCallId: text, toolName: text, output: v.unknown(), isError: v.boolean() }),
	filePart,
	v.object({ type: v.literal('redacted'), at: time }),
	v.object({ type: v.literal('unreadable'), reason: text })
]);

const usage = v.object({
	inputTokens: v.exactOptional(amount),
	outputTokens: v.exactOptional(amount),
	cacheReadTokens: v.exactOptional(amount),
	cacheWriteTokens: v.exactOptional(amount),
	costUsd: v.exactOptional(amount)
});

const message = v.object({
	id,
	sessionId: id,
	parentId: v.nullable(id),
	depth: count,
	role: v.picklist(['system', 'user', 'assistant', 'tool']),
	parts: v.array(part),
	createdAt: time,
	model: v.exactOptional(text),
	usage: v.exactOptional(usage),
	finishReason: v.exactOptional(v.picklist(['stop', 'length', 'content-filter', 'tool-calls', 'stopped', 'other']))
});

const session = v.object({
	id,
	key: text,
	title: text,
	titledBy: v.picklist(['snug', 'person']),
	workspace: text,
	surface: text,
	persona: v.exactOptional(text),
	preview: text,
	provider: text,
	model: text,
	status: v.picklist(['running', 'success', 'partial', 'failed', 'interrupted']),
	stopReason: text,
	steps: count,
	messageCount: count,
	bytes: amount,
	usage,
	filesTouched: v.array(text),
	budgetUsd: v.exactOptional(amount),
	pinned: v.picklist([0, 1]),
	createdAt: time,
	updatedAt: time,
	extra: v.exactOptional(v.object({ alias: v.exactOptional(text), truncated: v.exactOptional(v.boolean()) }))
});

const tip = v.object({ id, depth: count, forkId: v.nullable(id), forkDepth: count, fromId: v.nullable(id) });

const tree = v.object({
	sessionId: id,
	headId: id,
	tips: v.pipe(v.array(tip), v.nonEmpty()),
	labels: v.record(text, text),
	mainTip: v.nullable(id),
	removed: v.array(id),
	fence: count,
	redactedAt: v.exactOptional(time)
});

const unfinishedAnswer = { messageId: id, parentId: id, text, reasoning: text, model: text, startedAt: time, leaves: v.exactOptional(id) };

const boundary = v.object({
	id,
	sessionId: id,
	upToId: id,
	depth: count,
	excluded: v.array(id),
	strategy: v.picklist(strategyNames),
	summary: text,
	figures: v.object({ messagesBefore: count, messagesAfter: count, tokensBefore: amount, tokensAfter: amount }),
	madeAtDepth: count,
	automatic: v.boolean(),
	doubtful: v.array(text),
	note: v.exactOptional(text),
	usage: v.exactOptional(usage),
	createdAt: time
});

/** Whether what is deleted is of the session that it says, and has the id that finds it again: purging goes by both. */
function isOfOne(item: TrashItem): boolean {
	if (item.kind === 'session') return item.id === item.sessionId && item.session.id === item.id;
	if (item.kind === 'branch') return item.id === item.removal.id;
	return item.id === `redacted:${item.message.id}` && [item.message, ...(item.boundaries ?? [])].every((row) => row.sessionId === item.sessionId);
}

const within = ({ min, max }: { min: number; max: number }) => v.pipe(v.number(), v.minValue(min), v.maxValue(max));

const contextOverrides = v.object({
	contextMessages: v.exactOptional(within(contextLimits.contextMessages)),
	contextWindows: v.exactOptional(v.record(text, within(windowLimits))),
	responseReserve: v.exactOptional(within(contextLimits.responseReserve)),
	minRecent: v.exactOptional(within(contextLimits.minRecent)),
	autoCompact: v.exactOptional(v.boolean()),
	compactAtShare: v.exactOptional(within(contextLimits.compactAtShare)),
	cheapMessages: v.exactOptional(within(contextLimits.cheapMessages)),
	cheapBytes: v.exactOptional(within(contextLimits.cheapBytes)),
	summaryMessages: v.exactOptional(within(contextLimits.summaryMessages)),
	summaryTokens: v.exactOptional(within(contextLimits.summaryTokens)),
	strategy: v.exactOptional(v.picklist(strategyNames))
});

const deleted = { id, sessionId: id, at: time, purgeAt: time, begun: v.exactOptional(v.literal(true)) };

const removal = v.object({
	id,
	parentId: id,
	tips: v.tupleWithRest([tip], tip),
	headId: v.nullable(id),
	mainTip: v.nullable(id)
});

const settingValues = {
	source: v.variant('kind', [
		v.object({ kind: v.literal('on-device'), modelId: id }),
		v.object({ kind: v.literal('server'), providerId: id, model: text })
	]),
	systemPrompt: text,
	persistence: v.picklist(['granted', 'denied']),
	retention: v.object({ days: v.nullable(count), maxBytes: v.nullable(count) }),
	retentionSeen: v.literal(true),
	retentionCheckedAt: time,
	lastBackup: v.object({ at: time, bytes: count, counts: v.record(text, count), verified: v.literal(true) }),
	backupReminder: v.literal(false),
	backupRemindedAt: time,
	context: contextOverrides,
	contextByPersona: v.record(text, contextOverrides),
	showTokens: v.literal(true)
} satisfies { [N in SettingName]: v.GenericSchema<unknown, SettingValues[N]> };

const settings = Object.entries(settingValues).map(([name, value]) => v.object({ name: v.literal(name as SettingName), value }));

/**
 * What a row of each table looks like. The quarantine has no schema: it holds what fits none. Fields that a schema does
 * not name are let through, so that a row of a later version is no broken one.
 */
export const rowSchemas = {
	sessions: session,
	messages: message,
	trees: tree,
	drafts: v.object({
		sessionId: id,
		composer: text,
		attachments: v.exactOptional(v.array(filePart)),
		edits: v.exactOptional(v.record(id, text))
	}),
	answers: v.object({ sessionId: id, ...unfinishedAnswer }),
	scratchpad: v.object({ sessionId: id, name: text, content: text, createdAt: time, updatedAt: time }),
	boundaries: boundary,
	contexts: v.object({ sessionId: id, pins: v.array(id), excludes: v.array(id), settings: contextOverrides }),
	calibrations: v.object({
		model: name,
		samples: v.array(v.object({ raw: amount, shown: amount, actual: amount, at: time })),
		window: v.exactOptional(amount)
	}),
	attachments: v.object({
		id,
		mediaType: text,
		bytes: count,
		content: v.blob(),
		thumbnail: v.exactOptional(v.blob()),
		createdAt: time
	}),
	attachmentUses: v.object({ attachmentId: id, messageId: id, sessionId: id }),
	trash: v.pipe(
		v.variant('kind', [
			v.object({ ...deleted, kind: v.literal('session'), session }),
			v.object({ ...deleted, kind: v.literal('branch'), removal, answer: v.exactOptional(v.object(unfinishedAnswer)) }),
			v.object({
				...deleted,
				kind: v.literal('redaction'),
				message,
				preview: text,
				title: text,
				edit: v.exactOptional(text),
				boundaries: v.exactOptional(v.array(boundary))
			})
		]),
		v.check(isOfOne, 'Its ids do not agree.')
	),
	settings: v.variant('name', settings),
	providers: v.object({ id, name: text, baseUrl: text, protocol: v.exactOptional(v.pipe(text, v.regex(protocolForm))), createdAt: time }),
	models: v.object({
		id,
		name: text,
		bytes: count,
		sha256: text,
		architecture: text,
		contextLength: count,
		hasChatTemplate: v.boolean(),
		url: v.exactOptional(text),
		createdAt: time
	})
};

export type CheckedTable = keyof typeof rowSchemas;

export function isChecked(table: string): table is CheckedTable {
	return Object.hasOwn(rowSchemas, table);
}

/** What is wrong with a row of that table, as a sentence, or undefined. */
export function faultOf(table: CheckedTable, row: unknown): string | undefined {
	const { issues } = v.safeParse(rowSchemas[table] as v.GenericSchema, row, { abortEarly: true });
	if (!issues) return undefined;
	const { type, message, expected, received } = issues[0];
	if (type === 'check') return message;
	const path = v.getDotPath(issues[0]);
	const what = path === null ? 'The row' : `Its field “${path}”`;
	// What stands there may be a key.
	if (table === 'providers') return `${what} is not what belongs there.`;
	return `${what} is ${wordOf(received)}, where ${wordOf(expected ?? 'something else')} belongs.`;
}

const words: Record<string, string> = { string: 'text', Array: 'a list', Object: 'an object', number: 'a number', boolean: 'true or false', undefined: 'missing' };

/** How a person calls what the schema library names so; a long value is cut. */
function wordOf(name: string): string {
	return words[name] ?? (name.length > 60 ? `${name.slice(0, 60)}…` : name);
}

/** Returns a row with the fields only that its schema names, at any depth; undefined if it has a fault. */
export function knownFields<T extends CheckedTable>(table: T, row: unknown): Rows[T] | undefined {
	const { success, output } = v.safeParse(rowSchemas[table] as v.GenericSchema, row, { abortEarly: true });
	return success ? (output as Rows[T]) : undefined;
}

/** The fields of a row that can be read, whatever the others are. */
export function readable<T extends 'sessions' | 'messages' | 'trees'>(table: T, row: unknown): Partial<Rows[T]> {
	if (typeof row !== 'object' || row === null) return {};
	const fields = Object.entries(rowSchemas[table].entries as Record<string, v.GenericSchema>).flatMap(([field, schema]) => {
		const value = (row as Record<string, unknown>)[field];
		return field in row && v.is(schema, value) ? [[field, value]] : [];
	});
	return Object.fromEntries(fields) as Partial<Rows[T]>;
}

export interface Rows {
	sessions: Session;
	messages: Message;
	trees: Tree;
	drafts: Draft;
	answers: AnswerRow;
	scratchpad: ScratchpadEntry;
	boundaries: Boundary;
	contexts: SessionContext;
	calibrations: Calibration;
	attachments: Attachment;
	attachmentUses: AttachmentUse;
	trash: TrashItem;
	settings: Setting;
	providers: Provider;
	models: LocalModel;
}

// Compiles only while every schema and its type say the same.
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Agree = { [T in CheckedTable]: Same<v.InferOutput<(typeof rowSchemas)[T]>, Rows[T]> } & { part: Same<v.InferOutput<typeof part>, Part> };
type _AllAgree = Assert<{ [K in keyof Agree]: true }, Agree>;
type Assert<Wanted, _Given extends Wanted> = Wanted;
