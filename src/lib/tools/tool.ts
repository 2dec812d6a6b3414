import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import * as v from 'valibot';
import { AppError } from '../shared/app-error';
import { shorten } from '../shared/shorten';
import type { ToolPorts } from './ports';

/** The effect of a call beyond its answer: nothing, change what is stored here, or send something to another machine. */
export type Effect = 'read' | 'write' | 'network';

/** A JSON Schema, as the AI SDK's provider contract wants it. */
export type InputSchema = LanguageModelV4FunctionTool['inputSchema'];

/** Context that a call runs in. */
export interface ToolContext {
	/** The session whose model calls. */
	sessionId: string;
	/** Aborted when the turn is stopped, or the call has taken too long. */
	signal: AbortSignal;
	/** The user's answer, where the tool asks for one. */
	answer?: string;
	/** The call, and the answer that it stands in. */
	call?: { answerId: string; toolCallId: string };
	/** The preview that the user was shown of the call, where it asks. */
	shown?: CallPreview;
}

/** As it is kept in a tool-result part: plain data. An error's output is a sentence, or two, that say what to do. Images, each of the type that its content says, are kept beside it for the user. */
export type ToolResult = ({ output: unknown; isError: false } | { output: string; isError: true }) & { images?: readonly Blob[] };

/** Exactly what a call will do, for the user who is asked before. */
export interface CallPreview {
	/** A sentence in plain text. */
	sentence: string;
	/** A text that it changes. */
	change?: { before: string; after: string };
	/** The host, or another part of all calls of the tool, that a permission for more than this call is limited to. */
	scope?: string;
	/** The id of the folder that it changes: another one may have the same name. */
	folderId?: string;
	/** Exactly what it sends to another machine. */
	sent?: string;
	/** Answers to choose from, where it asks for one. */
	choices?: string[];
}

/** Something that a model can call. */
export interface Tool {
	/** Unique, in snake_case, since models have learnt such names best. */
	name: string;
	/** For the model: what the tool gives, and when to call it. */
	description: string;
	inputSchema: InputSchema;
	effect: Effect;
	/** The question before each call: for permission, unless it was given once for all, or for an answer, which the call then gives. */
	asks?: 'permission' | 'answer';
	/** Milliseconds that a call may take, where that is not `usualTimeoutMs`. */
	timeoutMs?: number;
	/**
	 * Takes whatever the model sent. Input that does not fit, and what an AppError says, are error results, for the model
	 * reads those. Rejects with the signal's reason where the turn was stopped before, and with what a bug throws.
	 */
	run(input: unknown, context: ToolContext): Promise<ToolResult>;
	/** Tells what `run` will do with this input; the error result that it will give where it can do nothing. Of each tool that asks. */
	preview?(input: unknown, context: ToolContext): Promise<CallPreview | ToolResult>;
}

/** Milliseconds that a call may take. */
export const usualTimeoutMs = 60_000;

/** A tool in the registry. */
export interface ToolEntry {
	/** As in `Tool`. */
	name: string;
	/** The heading that it stands under among the tools to choose from. */
	group: string;
	/** The name on screen. */
	label: string;
	/** The name in the list of tools to switch on, where that is another. */
	choice?: string;
	/** True if it reads chats that are stored, of which nothing is on the page of a temporary chat. */
	readsChats?: true;
	/** True if it works on the folder of a chat: it is offered only where one is open. */
	ofFolder?: true;
	/** True if it reads results that are kept whole: no choice of users, it is offered with the others wherever a chat has such a result. */
	ofResults?: true;
	/** Sentences for users: what the tool does, and what the model gets of it. */
	about: string;
	load(): Promise<{ createTool: (ports: ToolPorts) => Tool }>;
}

/** A schema of an object with these fields. */
type Fields = v.ObjectSchema<v.ObjectEntries, undefined>;

/**
 * A tool whose own `run` is only called with input that fits `input`, the schema that `inputSchema` tells the model. Other fields than those
 * of the schema do not fit.
 */
export interface ToolSpec<Schema extends Fields> extends Omit<Tool, 'run' | 'preview'> {
	input: Schema;
	run(input: v.InferOutput<Schema>, context: ToolContext): Promise<ToolResult>;
	preview?(input: v.InferOutput<Schema>, context: ToolContext): Promise<CallPreview | ToolResult>;
}

export function makeTool<Schema extends Fields>({ input: schema, run, preview, ...tool }: ToolSpec<Schema>): Tool {
	/** Has `work` done with input that fits. */
	const withInput =
		<Result>(work: (input: v.InferOutput<Schema>, context: ToolContext) => Promise<Result>) =>
		async (input: unknown, context: ToolContext): Promise<Result | ToolResult> => {
			context.signal.throwIfAborted();
			const given = inputOf(input);
			const parsed = v.safeParse(schema, given, { abortEarly: true });
			const fault = parsed.success ? strangeField(schema, given) : faultOf(parsed.issues[0]);
			if (!parsed.success || fault) return errorResult(`${fault} Nothing was done; correct the input and call ${tool.name} again.`);
			return orErrorResult(() => work(parsed.output, context));
		};
	return { ...tool, run: withInput(run), ...(preview && { preview: withInput(preview) }) };
}

/** The tool as the AI SDK's provider contract hands it to a model. */
export function toFunctionTool({ name, description, inputSchema }: Tool): LanguageModelV4FunctionTool {
	return { type: 'function', name, description, inputSchema };
}

export function errorResult(sentence: string): ToolResult {
	return { output: sentence, isError: true };
}

/** Returns the input that a model sent: some send nothing where there is nothing to say. */
export function inputOf(sent: unknown): unknown {
	return sent === '' ? {} : sent;
}

/** Resolves as `work` does, or with the error result of an AppError, which is for the model to read. */
export async function orErrorResult<Result>(work: () => Promise<Result>): Promise<Result | ToolResult> {
	try {
		return await work();
	} catch (error) {
		if (error instanceof AppError) return errorResult(error.message);
		throw error;
	}
}

/** Names a field of the input that the schema does not have; undefined where there is none. */
function strangeField({ entries }: Fields, input: unknown): string | undefined {
	const strange = Object.keys(input as object).find((name) => !Object.hasOwn(entries, name));
	return strange === undefined ? undefined : `“${shorten(strange, longest)}” in the input is not known.`;
}

/** Describes what is wrong with the input, as a sentence. A long value is cut: the model knows what it sent. */
function faultOf(issue: v.BaseIssue<unknown>): string {
	const path = v.getDotPath(issue);
	const what = path === null ? 'The input' : `“${shorten(path, longest)}” in the input`;
	if (issue.received === 'undefined') return `${what} is missing.`;
	if (issue.type === 'non_empty' || issue.expected === '/\\S/') return `${what} is empty.`;
	if (issue.type === 'max_length') return `${what} has more than ${String(issue.requirement)} characters.`;
	return `${what} is ${shorten(issue.received, longest)}, where ${issue.expected ?? 'something else'} belongs.`;
}

const longest = 60;
