import type { Message } from '../../conversation/message';
import type { ToolCall } from '../../conversation/open-calls';
import { valueText } from '../../conversation/part-text';
import type { Clock } from '../../shared/clock';
import type { TurnStore } from '../../storage/turn-store';
import { errorResult, usualTimeoutMs, type Tool, type ToolResult } from '../../tools/tool';
import { callOutput } from './kept-value';
import { unlessAborted } from './model-stream';

/** Ports that calls need. */
export interface CallPorts {
	sessionId: string;
	store: Pick<TurnStore, 'result'>;
	tools: readonly Tool[];
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

/** The room for the results of a turn, in UTF-16 units: more than most models read, and little enough for each to be sent again at every step. */
export const roomOfTurn = 1_000_000;

/** Number of calls that run at once. */
const sideBySide = 8;

/**
 * Runs what an answer calls. Each result is stored before it is told, in the order of the calls. Calls that only read run side by side; one with
 * an effect runs by itself, when all before it are stored. Returns the id of the last message. Throws the signal's reason where the turn is
 * stopped; what was stored until then stays.
 */
export async function* runCalls(turn: CallPorts, answerId: string, calls: readonly ToolCall[]): AsyncGenerator<ResultEvent, string> {
	const { sessionId, store, signal, newId, clock } = turn;
	let parentId = answerId;
	for (const group of groupsOf(calls, turn.tools)) {
		signal.throwIfAborted();
		const running = group.map((call) => runCall(turn, call));
		// The first one that is stopped ends the turn; nobody waits for the others then.
		for (const one of running) void one.catch(() => undefined);
		for (const [index, { toolCallId, toolName }] of group.entries()) {
			const { output, isError } = await running[index]!;
			const part = { type: 'tool-result' as const, toolCallId, toolName, output: callOutput(output), isError };
			turn.room.characters -= valueText(part.output).length;
			const message = await store.result(sessionId, parentId, { id: newId(), role: 'tool', parts: [part], createdAt: clock() });
			yield { type: 'result', message };
			parentId = message.id;
		}
	}
	return parentId;
}

/** Divides calls into groups that run at once, in order. */
function groupsOf(calls: readonly ToolCall[], tools: readonly Tool[]): ToolCall[][] {
	const groups: ToolCall[][] = [];
	let isOpen = false;
	for (const call of calls) {
		const reads = (find(tools, call)?.effect ?? 'read') === 'read';
		const last = groups.at(-1);
		if (last && isOpen && reads && last.length < sideBySide) last.push(call);
		else groups.push([call]);
		isOpen = reads;
	}
	return groups;
}

/** Runs one call, or tells the model what there is to be called. Throws the signal's reason where the turn is stopped. */
async function runCall({ sessionId, tools, room, signal }: CallPorts, call: ToolCall): Promise<ToolResult> {
	const tool = find(tools, call);
	if (!tool) return errorResult(tools.length === 0 ? 'No tool can be called now.' : `There is no such tool. There are: ${tools.map(({ name }) => name).join(', ')}.`);
	if (room.characters <= 0) return errorResult('The tools have given all that one answer may take. Answer with what is known.');
	if (tool.asks) return errorResult('The user has not allowed this call. Do without it.');
	const { timeoutMs = usualTimeoutMs } = tool;
	const tooLong = AbortSignal.timeout(timeoutMs);
	const either = AbortSignal.any([signal, tooLong]);
	try {
		return await unlessAborted(tool.run(call.input, { sessionId, signal: either }), either);
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
