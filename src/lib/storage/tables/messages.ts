import * as v from 'valibot';
import type { AnswerPart } from '../../conversation/growing-answer';
import type { Message, Part } from '../../conversation/message';
import type { Assert, Same, TableDefinition } from './definition';
import { count, id, text, time, usage } from './fields';

/** The key of a message row: clustered by session and depth, so that the newest N of a session are one range. */
export type MessageKey = [sessionId: string, depth: number, id: string];

export const filePart = v.object({ type: v.literal('file'), attachmentId: id, mediaType: text, name: text });

const signature = v.exactOptional(v.record(text, v.record(text, v.unknown())));

const answerParts = [
	v.object({ type: v.literal('text'), text, signature }),
	v.object({ type: v.literal('reasoning'), text, signature }),
	v.object({ type: v.literal('tool-call'), toolCallId: text, toolName: text, input: v.unknown(), signature }),
	v.object({ type: v.literal('tool-result'), toolCallId: text, toolName: text, output: v.unknown(), isError: v.boolean(), denied: v.exactOptional(v.literal(true)) })
] as const;

export const answerPart = v.variant('type', [...answerParts]);

const part = v.variant('type', [
	...answerParts,
	filePart,
	v.object({ type: v.literal('redacted'), at: time }),
	v.object({ type: v.literal('unreadable'), reason: text })
]);

export const message = v.object({
	id,
	sessionId: id,
	parentId: v.nullable(id),
	depth: count,
	role: v.picklist(['system', 'user', 'assistant', 'tool']),
	parts: v.array(part),
	createdAt: time,
	model: v.exactOptional(text),
	persona: v.exactOptional(text),
	usage: v.exactOptional(usage),
	times: v.exactOptional(v.object({ first: count, total: count, thinking: count })),
	finishReason: v.exactOptional(v.picklist(['stop', 'length', 'content-filter', 'tool-calls', 'stopped', 'other'])),
	edited: v.exactOptional(v.literal(true))
});

type _PartAgrees = Assert<Same<v.InferOutput<typeof part>, Part>>;
type _AnswerPartAgrees = Assert<Same<v.InferOutput<typeof answerPart>, AnswerPart>>;
type _MessageAgrees = Assert<Same<v.InferOutput<typeof message>, Message>>;

export const messages = {
	schema: message,
	key: ['sessionId', 'depth', 'id'],
	indexes: { 1: '&id', 2: '&id, [sessionId+role+id]' },
	scope: 'session',
	isSearchable: true,
	purge: 'by-depth',
	repair: 'placeholder',
	backup: 'conversation'
} as const satisfies TableDefinition<Message>;
