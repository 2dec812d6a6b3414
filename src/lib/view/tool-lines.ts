import type { Message } from '../conversation/message';
import type { ToolCall } from '../conversation/open-calls';
import type { Decision } from '../storage/tables/checkpoints';

/** State of the line of a call that no result is known of: it is running, waits for the user or those before it, was decided and waits for the others, or nothing came of it. */
export type LineState = 'running' | 'waiting' | Decision | 'no result';

/** The results of a path that are drawn in the lines of their calls, and what becomes of the other calls. */
export interface ToolLines {
	/** The message of a call's result. */
	results: ReadonlyMap<ToolCall, Message>;
	/** States of calls without a result, as far as they are known. */
	states: ReadonlyMap<ToolCall, LineState>;
	/** Messages that are drawn in the lines of another one, by its id, in order. */
	within: ReadonlyMap<string, readonly Message[]>;
	/** The id of the message whose line has the result, by the id of the result's. */
	hosts: ReadonlyMap<string, string>;
	/** Ids of answers that the turn goes on after, or will, once their calls have run. */
	steps: ReadonlySet<string>;
}

/** Says of a path how far it is known. */
interface Extent {
	/** True if a turn goes on at its end. */
	isAnswering: boolean;
	/** True if it ends where the session does. */
	isWhole: boolean;
	/** True if a turn waits for the user there. */
	isWaiting?: boolean;
	/** Decisions of the user about calls there, by their ids. */
	decided?: ReadonlyMap<string, Decision>;
}

/**
 * Returns how the results of a path are drawn: in the lines of their calls. A result that is a message of its own belongs to the first call with
 * its id, of those above it, that has none yet. Its files go with it. A message of several results, or one that was erased, stands by itself.
 */
export function toolLinesOf(path: readonly Message[], { isAnswering, isWhole, isWaiting = false, decided }: Extent): ToolLines {
	const results = new Map<ToolCall, Message>();
	const states = new Map<ToolCall, LineState>();
	const within = new Map<string, Message[]>();
	const hosts = new Map<string, string>();
	const steps = new Set<string>();
	for (let at = 0; at < path.length; ) {
		const answer = path[at++]!;
		const start = at;
		while (path[at]?.role === 'tool') at++;
		if (answer.role !== 'assistant') continue;
		const told = path.slice(start, at);
		const open = new Set(openCalls(answer));
		for (const message of told) {
			const call = callOf(message, open);
			if (!call) continue;
			open.delete(call);
			results.set(call, message);
			hosts.set(message.id, answer.id);
		}
		within.set(
			answer.id,
			told.filter(({ id }) => hosts.has(id))
		);
		const isLast = at === path.length;
		const isRunning = isLast && isAnswering;
		if (told.length > 0 || (isRunning && answer.parts.at(-1)?.type === 'tool-call')) steps.add(answer.id);
		const isKnown = told.every(({ id }) => hosts.has(id)) && (!isLast || isWhole || isRunning);
		// Calls of an answer that is still being written do not run yet.
		if (isKnown && !(isRunning && answer.createdAt === 0)) {
			for (const call of open) states.set(call, isRunning ? 'running' : isLast && isWaiting ? (decided?.get(call.toolCallId) ?? 'waiting') : 'no result');
		}
	}
	return { results, states, within, hosts, steps };
}

/** Returns the calls of an answer that have no result in it; some providers run tools of their own. */
function openCalls({ parts }: Message): ToolCall[] {
	const answered = new Set(parts.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : [])));
	return parts.filter((part) => part.type === 'tool-call').filter(({ toolCallId }) => !answered.has(toolCallId));
}

/** Returns the call that a message is the result of, of these. */
function callOf({ parts: [part, ...others] }: Message, calls: ReadonlySet<ToolCall>): ToolCall | undefined {
	if (part?.type !== 'tool-result' || others.some(({ type }) => type !== 'file')) return undefined;
	return [...calls].find(({ toolCallId }) => toolCallId === part.toolCallId);
}
