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
import type { Provider } from './providers';
import type { ScratchpadEntry } from './scratchpad';
import type { Setting, SettingName, SettingValues } from './settings';
import type { TrashItem } from './trash';

const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
/** Also one that a clock before 1970 gave, or a sum of dollars. */
const amount = v.pipe(v.number(), v.finite());
const name = v.pipe(v.string(), v.nonEmpty());

const filePart = v.object({ type: v.literal('file'), attachmentId: name, mediaType: text, name: text });

const part = v.variant('type', [
	v.object({ type: v.literal('text'), text }),
	v.object({ type: v.literal('reasoning'), text }),
	v.object({ type: v.literal('tool-call'), toolCallId: text, toolName: text, input: v.unknown() }),
	v.object({ type: v.literal('tool-result'), toolCallId: text, toolName: text, output: v.unknown(), isError: v.boolean() }),
	filePart,
	v.object({ type: v.literal('redacted'), at: amount }),
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
	id: name,
	sessionId: name,
	parentId: v.nullable(name),
	depth: count,
	role: v.picklist(['system', 'user', 'assistant', 'tool']),
	parts: v.array(part),
	createdAt: amount,
	model: v.exactOptional(text),
	usage: v.exactOptional(usage),
	finishReason: v.exactOptional(v.picklist(['stop', 'length', 'content-filter', 'tool-calls', 'stopped', 'other']))
});

const session = v.object({
	id: name,
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
	createdAt: amount,
	updatedAt: amount,
	extra: v.exactOptional(v.object({ alias: v.exactOptional(text), truncated: v.exactOptional(v.boolean()) }))
});

const tip = v.object({ id: name, depth: count, forkId: v.nullable(name), forkDepth: count, fromId: v.nullable(name) });

const tree = v.object({
	sessionId: name,
	headId: name,
	tips: v.pipe(v.array(tip), v.nonEmpty()),
	labels: v.record(text, text),
	mainTip: v.nullable(name),
	removed: v.array(name),
	fence: count
});

const unfinishedAnswer = { messageId: name, parentId: name, text, reasoning: text, model: text, startedAt: amount };

const boundary = v.object({
	id: name,
	sessionId: name,
	upToId: name,
	depth: count,
	excluded: v.array(name),
	strategy: v.picklist(strategyNames),
	summary: text,
	figures: v.object({ messagesBefore: count, messagesAfter: count, tokensBefore: amount, tokensAfter: amount }),
	madeAtDepth: count,
	automatic: v.boolean(),
	doubtful: v.array(text),
	note: v.exactOptional(text),
	usage: v.exactOptional(usage),
	createdAt: amount
});

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

const deleted = { id: name, sessionId: name, at: amount, purgeAt: amount, begun: v.exactOptional(v.literal(true)) };

const removal = v.object({
	id: name,
	parentId: name,
	tips: v.tupleWithRest([tip], tip),
	headId: v.nullable(name),
	mainTip: v.nullable(name)
});

const settingValues = {
	source: v.variant('kind', [
		v.object({ kind: v.literal('on-device'), modelId: name }),
		v.object({ kind: v.literal('server'), providerId: name, model: text })
	]),
	systemPrompt: text,
	persistence: v.picklist(['granted', 'denied']),
	retention: v.object({ days: v.nullable(count), maxBytes: v.nullable(count) }),
	retentionSeen: v.literal(true),
	retentionCheckedAt: amount,
	lastBackup: v.object({ at: amount, bytes: count, counts: v.record(text, count), verified: v.literal(true) }),
	backupReminder: v.literal(false),
	backupRemindedAt: amount,
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
		sessionId: name,
		composer: text,
		attachments: v.exactOptional(v.array(filePart)),
		edits: v.exactOptional(v.record(name, text))
	}),
	answers: v.object({ sessionId: name, ...unfinishedAnswer }),
	scratchpad: v.object({ sessionId: name, name: text, content: text, createdAt: amount, updatedAt: amount }),
	boundaries: boundary,
	contexts: v.object({ sessionId: name, pins: v.array(name), excludes: v.array(name), settings: contextOverrides }),
	calibrations: v.object({
		model: name,
		samples: v.array(v.object({ raw: amount, shown: amount, actual: amount, at: amount })),
		window: v.exactOptional(amount)
	}),
	attachments: v.object({
		id: name,
		mediaType: text,
		bytes: count,
		content: v.blob(),
		thumbnail: v.exactOptional(v.blob()),
		createdAt: amount
	}),
	attachmentUses: v.object({ attachmentId: name, messageId: name, sessionId: name }),
	trash: v.variant('kind', [
		v.object({ ...deleted, kind: v.literal('session'), session }),
		v.object({ ...deleted, kind: v.literal('branch'), removal, answer: v.exactOptional(v.object(unfinishedAnswer)) }),
		v.object({ ...deleted, kind: v.literal('redaction'), message, preview: text, title: text, boundaries: v.exactOptional(v.array(boundary)) })
	]),
	settings: v.variant('name', settings),
	providers: v.object({ id: name, name: text, baseUrl: text, createdAt: amount }),
	models: v.object({
		id: name,
		name: text,
		bytes: count,
		sha256: text,
		architecture: text,
		contextLength: count,
		hasChatTemplate: v.boolean(),
		url: v.exactOptional(text),
		createdAt: amount
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
	const { expected, received } = issues[0];
	const path = v.getDotPath(issues[0]);
	const what = path === null ? 'The row' : `Its field “${path}”`;
	return `${what} is ${wordOf(received)}, where ${wordOf(expected ?? 'something else')} belongs.`;
}

const words: Record<string, string> = { string: 'text', Array: 'a list', Object: 'an object', number: 'a number', boolean: 'true or false', undefined: 'missing' };

/** How a person calls what the schema library names so; a long value is cut. */
function wordOf(name: string): string {
	return words[name] ?? (name.length > 60 ? `${name.slice(0, 60)}…` : name);
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

interface Rows {
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
