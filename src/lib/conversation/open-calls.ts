import type { Message, Part } from './message';

export type ToolCall = Extract<Part, { type: 'tool-call' }>;

/** Returns the last message of a path that is no result: the one that calls, where something is called. */
export function callerOf<M extends Pick<Message, 'role'>>(path: readonly M[]): M | undefined {
	return path.findLast(({ role }) => role !== 'tool');
}

/** The output of a call that was not run, since the user wrote on while it, or one beside it, waited for them. */
export const passedBy = 'The user sent another message before deciding on every call. This one was not run.';

/**
 * Returns the calls of the answer at the end of a path that have no result yet, neither in the answer, since some providers run tools of
 * their own, nor in the results after it; the first of several of one id, as a file may have them. Where the user has written since, there are none.
 */
export function openCallsOf(path: readonly Pick<Message, 'role' | 'parts'>[]): ToolCall[] {
	const at = path.findLastIndex(({ role }) => role !== 'tool');
	const answer = path[at];
	if (answer?.role !== 'assistant') return [];
	const answered = new Set(path.slice(at).flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : []))));
	return answer.parts.filter((part) => part.type === 'tool-call').filter(({ toolCallId }) => !answered.has(toolCallId) && answered.add(toolCallId));
}
