/** The roles a message can have. A system message holds the system prompt in force from there on [Z2]. */
export type Role = 'system' | 'user' | 'assistant' | 'tool';

/** A file that belongs to a message: its bytes are kept once, elsewhere, under the hash of its content [S11]. */
export interface FilePart {
	type: 'file';
	attachmentId: string;
	mediaType: string;
	name: string;
}

/**
 * Values that a provider wants back with a part in the next step of the same turn, by the name of the provider: the signature of a thought,
 * or what is encrypted of it. They go nowhere else, and no file brings them.
 */
export type Signature = Record<string, Record<string, unknown>>;

/**
 * A part of a message: the AI SDK's prompt parts, with a file's bytes kept elsewhere. Two markers stand in for
 * what is gone: `redacted`, removed by the user at that time, and `unreadable`, quarantined because the row was broken
 * [R6]; both keep the message's place in the tree. A result is `denied` where the user decided against the call, or wrote on instead, so that nothing was done.
 */
export type Part =
	| { type: 'text'; text: string; signature?: Signature }
	| { type: 'reasoning'; text: string; signature?: Signature }
	| { type: 'tool-call'; toolCallId: string; toolName: string; input: unknown; signature?: Signature }
	| { type: 'tool-result'; toolCallId: string; toolName: string; output: unknown; isError: boolean; denied?: true }
	| FilePart
	| { type: 'redacted'; at: number }
	| { type: 'unreadable'; reason: string };

/** Token counts as the engine returned them, and what it charged in US dollars; an absent one was not reported. */
export interface Usage {
	inputTokens?: number;
	outputTokens?: number;
	cacheReadTokens?: number;
	cacheWriteTokens?: number;
	costUsd?: number;
}

/** Times of an answer in milliseconds, from the request on: to its first word or thought, to its end, and how long of that it thought. */
export interface AnswerTimes {
	first: number;
	total: number;
	thinking: number;
}

/**
 * Reason why an answer ended: by itself, at the length limit, by a filter, to call tools, because the user pressed Stop, or
 * for a reason that the engine did not name.
 */
export type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'stopped' | 'other';

/**
 * One row a message [A3], written once and never changed, but that a redaction replaces its parts. `parentId` makes the
 * tree; `depth` is the parent's plus one, and 0 at the root. `createdAt` is in epoch milliseconds. `model`, `usage`,
 * `times`, `finishReason` and `edited` are an assistant's only.
 */
export interface Message {
	id: string;
	sessionId: string;
	parentId: string | null;
	depth: number;
	role: Role;
	parts: Part[];
	createdAt: number;
	model?: string;
	/** Name of the persona that counts from this system message on, where it was put there; '' for none in the place of one. */
	persona?: string;
	usage?: Usage;
	times?: AnswerTimes;
	finishReason?: FinishReason;
	/** Set where the user wrote it over an answer, whose model it has; it has no usage and no times then, and no reason for its end. */
	edited?: true;
}

/** Tells whether a message is a step of a turn: an answer that a model gave. */
export function isStep({ role, edited }: Pick<Message, 'role' | 'edited'>): boolean {
	return role === 'assistant' && !edited;
}

/** The text of a message as its reader sees it: its text parts, in order, without reasoning and tool traffic. */
export function textOf(message: Pick<Message, 'parts'>): string {
	return message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}

/** The files of a message, in order. */
export function filesOf(message: Pick<Message, 'parts'>): FilePart[] {
	return message.parts.filter((part) => part.type === 'file');
}

/** The sum of two usages, field by field; a field that neither reports stays absent [E9]. */
export function addUsage(a: Usage, b: Usage): Usage {
	const sum: Usage = { ...a };
	for (const [field, count] of Object.entries(b) as [keyof Usage, number][]) sum[field] = (sum[field] ?? 0) + count;
	return sum;
}

/** Returns the size of a message in the store, roughly: the length of its parts as JSON, in UTF-16 units. Files count elsewhere. */
export function sizeOf(message: Pick<Message, 'parts'>): number {
	return JSON.stringify(message.parts).length;
}
