import type { Message, Part } from '../../conversation/message';
import { passedBy, type ToolCall } from '../../conversation/open-calls';
import { valueText } from '../../conversation/part-text';
import type { Clock } from '../../shared/clock';
import { unlessAborted } from '../../shared/unless-aborted';
import type { Checkpoints } from '../../storage/checkpoints';
import type { CallState } from '../../storage/tables/checkpoints';
import type { TurnStore } from '../../storage/turn-store';
import { digestOf, verdictOf } from '../../tools/approvals';
import type { AskUserOutput } from '../../tools/ask-user';
import { errorResult, usualTimeoutMs, type Tool, type ToolContext, type ToolResult } from '../../tools/tool';
import { toTellable } from './large-result';

/** The tools that may be called, and the permissions that the user gave once for all. */
export interface CallableTools {
	tools: readonly Tool[];
	allowed: readonly string[];
}

/** Ports that calls need. */
export interface CallPorts {
	sessionId: string;
	store: Pick<TurnStore, 'result'>;
	checkpoints: Pick<Checkpoints, 'of' | 'begin'>;
	/** Opens what may be called now. */
	openTools: () => Promise<CallableTools>;
	/** The room that is left for results in this turn. */
	room: { characters: number };
	signal: AbortSignal;
	newId: () => string;
	clock: Clock;
}

/** Event of a call: its result, which is a message now. */
export interface ResultEvent {
	type: 'result';
	message: Message;
}

/** The result of a call: what its tool gave, or was told in its place; `denied` as in the part that it becomes. */
export type CallResult = ToolResult & { denied?: true };

/** Returns the part that the result of a call is stored as. */
export function resultPart({ toolCallId, toolName }: ToolCall, { output, isError, denied }: { output: unknown; isError: boolean; denied?: true }): Part {
	return { type: 'tool-result', toolCallId, toolName, output, isError, ...(denied && { denied }) };
}

/** The room for the results of a turn, in UTF-16 units: more than most models read, and little enough for each to be sent again at every step. */
export const roomOfTurn = 1_000_000;

/** Number of calls that run at once. */
const sideBySide = 8;

/** Calls of an answer that have no result yet; results go below `parentId`. */
export interface OpenCalls {
	answerId: string;
	parentId: string;
	calls: readonly ToolCall[];
}

/**
 * Runs what an answer calls. Each result is stored before it is told, in the order of the calls. Calls that only read run side by side; one with
 * an effect runs by itself, when all before it are stored, if the user still allows it by then. At the first one about which the user is to be asked it ends: `waits`. Returns the id
 * of the last message. Throws the signal's reason where the turn is stopped; what was stored until then stays.
 */
export async function* runCalls(turn: CallPorts, { answerId, calls, ...open }: OpenCalls): AsyncGenerator<ResultEvent, { parentId: string; waits: boolean }> {
	const { sessionId, store, signal, newId, clock } = turn;
	let { parentId } = open;
	let callable = await turn.openTools();
	for (const [index, group] of groupsOf(calls, callable.tools).entries()) {
		if (index > 0) callable = await turn.openTools();
		signal.throwIfAborted();
		const running = group.map((call) => runCall({ ...turn, ...callable }, answerId, call));
		// The first one that is stopped ends the turn; nobody waits for the others then.
		for (const one of running) void one.catch(() => undefined);
		for (const [index, call] of group.entries()) {
			const result = await running[index]!;
			if (result === 'waits') return { parentId, waits: true };
			const createdAt = clock();
			const { output, files } = await toTellable(result, call.toolName, createdAt);
			const part = resultPart(call, { ...result, output });
			turn.room.characters -= valueText(output).length;
			const parts = [part, ...files.map(({ part }) => part)];
			const message = await store.result(sessionId, parentId, { id: newId(), role: 'tool', parts, createdAt }, answerId, files.map(({ attachment }) => attachment));
			yield { type: 'result', message };
			parentId = message.id;
		}
	}
	return { parentId, waits: false };
}

/** Divides calls into groups that run at once, in order. */
function groupsOf(calls: readonly ToolCall[], tools: readonly Tool[]): ToolCall[][] {
	const groups: ToolCall[][] = [];
	let isOpen = false;
	for (const call of calls) {
		const { effect = 'read', asks } = find(tools, call) ?? {};
		const reads = effect === 'read' && !asks;
		const last = groups.at(-1);
		if (last && isOpen && reads && last.length < sideBySide) last.push(call);
		else groups.push([call]);
		isOpen = reads;
	}
	return groups;
}

/**
 * Runs one call, or tells the model what there is to be called. One about which the user is to be asked is not run. Throws the signal's reason
 * where the turn is stopped.
 */
async function runCall(turn: CallPorts & CallableTools, answerId: string, call: ToolCall): Promise<CallResult | 'waits'> {
	const { tools, room } = turn;
	const tool = find(tools, call);
	if (!tool) return errorResult(tools.length === 0 ? 'No tool can be called now.' : `There is no such tool. There are: ${tools.map(({ name }) => name).join(', ')}.`);
	if (room.characters <= 0) return errorResult('The tools have given all that one answer may take. Answer with what is known.');
	return tool.asks ? runAsked(turn, answerId, tool, call) : inTime(turn, tool, { answerId, toolCallId: call.toolCallId }, (context) => tool.run(call.input, context));
}

/** Runs a call of a tool that asks, if the user has said yes. */
async function runAsked(turn: CallPorts & CallableTools, answerId: string, tool: Tool, call: ToolCall): Promise<CallResult | 'waits'> {
	const of = { answerId, toolCallId: call.toolCallId };
	const { sessionId, checkpoints, allowed } = turn;
	const state = (await checkpoints.of(sessionId, answerId)).find(({ toolCallId }) => toolCallId === call.toolCallId);
	if (state?.decided === 'denied') return deniedResult(state);
	const preview = await inTime(turn, tool, of, async (context) => tool.preview?.(call.input, context));
	if (preview && 'isError' in preview) return state?.begun ? errorResult(`${interrupted} Once more it gives: ${valueText(preview.output)}`) : preview;
	const verdict = verdictOf(tool, state, { allowed, digest: await digestOf(call, preview), scope: preview?.scope });
	if (verdict !== 'run') return 'waits';
	// What only reads may be done again, and the user's answer stays until the result has it.
	if (tool.effect !== 'read') await checkpoints.begin(sessionId, answerId, call.toolCallId);
	return inTime(turn, tool, of, (context) => tool.run(call.input, { ...context, ...(preview && { shown: preview }), ...(state?.word !== undefined && { answer: state.word }) }));
}

const interrupted = 'This call was interrupted: it may have had its effect, or not.';

/** Returns the result of a call that the user has answered in words, or decided against, and that is not run: the words are for the model. */
export function saidResult(state: CallState): CallResult | undefined {
	if (state.word === undefined) return undefined;
	return state.decided === 'denied' ? deniedResult(state) : { output: { answer: state.word } satisfies AskUserOutput, isError: false };
}

/** Returns the result of a call that waited while the user wrote on. */
export function passedResult(state: CallState | undefined): CallResult {
	if (state?.decided === 'denied') return deniedResult(state);
	if (state?.begun) return errorResult(`${interrupted} The user wrote on without deciding whether to repeat it.`);
	return { ...errorResult(passedBy), denied: true };
}

function deniedResult({ word, begun }: CallState): CallResult {
	const known = begun ? `${interrupted} The user decided not to repeat it.` : 'The user decided against this call. Nothing was done.';
	return { ...errorResult(word === undefined ? known : `${known} They say: ${word}`), ...(!begun && { denied: true }) };
}

/** Does `work` within the time that a tool has. Throws the signal's reason where the turn is stopped. */
async function inTime<Result>({ sessionId, signal }: CallPorts, { timeoutMs = usualTimeoutMs }: Tool, call: NonNullable<ToolContext['call']>, work: (context: ToolContext) => Promise<Result>): Promise<Result | ToolResult> {
	const tooLong = AbortSignal.timeout(timeoutMs);
	const either = AbortSignal.any([signal, tooLong]);
	try {
		return await unlessAborted(work({ sessionId, signal: either, call }), either);
	} catch (error) {
		signal.throwIfAborted();
		if (tooLong.aborted) return errorResult(`It took longer than ${timeoutMs / 1000} seconds and was stopped. Ask for less, or do without it.`);
		reportError(error);
		return errorResult('The tool failed. Do without it.');
	}
}

function find(tools: readonly Tool[], { toolName }: ToolCall): Tool | undefined {
	return tools.find(({ name }) => name === toolName);
}
