import type { Message, Part } from '../conversation/message';

/**
 * Messages that are sent together or not at all [A9]: an assistant message with tool calls and the tool messages that
 * follow it at once; any other message is a unit by itself.
 */
export interface Unit {
	/** Its indexes in the path; `end` is the one behind it. */
	start: number;
	end: number;
	/** True if every call has its result and every result its call. */
	whole: boolean;
	/**
	 * The sendable parts of each message: its parts without calls and results that have lost each other. Undefined where
	 * nothing is left: a tool message without a result, or an assistant message that only called.
	 */
	sendable: (Part[] | undefined)[];
}

/** The units of a path, oldest first. Where it has gaps in depth, what follows a gap does not belong to what is before. */
export function unitsOf(path: readonly Message[]): Unit[] {
	const units: Unit[] = [];
	for (let start = 0; start < path.length; ) {
		const end = endOf(path, start);
		const first = path[start]!;
		const sendable = hasTools(first) ? sendableOf(path.slice(start, end)) : [first.parts];
		const whole = sendable.every((parts, index) => parts?.length === path[start + index]!.parts.length);
		units.push({ start, end, whole, sendable });
		start = end;
	}
	return units;
}

/** The messages of the units of which nothing is excluded. */
export function withoutExcluded(path: readonly Message[], excludes: ReadonlySet<string>): Message[] {
	return unitsOf(path)
		.map(({ start, end }) => path.slice(start, end))
		.filter((unit) => !unit.some(({ id }) => excludes.has(id)))
		.flat();
}

function endOf(path: readonly Message[], start: number): number {
	const { role, parts, depth } = path[start]!;
	let end = start + 1;
	if (role !== 'assistant' || !parts.some(({ type }) => type === 'tool-call')) return end;
	while (path[end]?.role === 'tool' && path[end]!.depth === depth + end - start) end++;
	return end;
}

function hasTools({ role, parts }: Message): boolean {
	return role === 'tool' || parts.some(({ type }) => type === 'tool-call' || type === 'tool-result');
}

function sendableOf([first, ...others]: Message[]): (Part[] | undefined)[] {
	const calls = first!.role === 'assistant' ? idsIn([first!], 'tool-call') : new Set<string>();
	const answered = new Set([...idsIn(others, 'tool-result')].filter((id) => calls.has(id)));
	// Of two calls, or results, with one id, the first counts.
	const callsLeft = new Set(answered);
	const resultsLeft = new Set(answered);
	return [first!, ...others].map((message, index) => {
		const { role, parts } = message;
		const kept = parts.filter((part) => {
			if (part.type === 'tool-call') return index === 0 && callsLeft.delete(part.toolCallId);
			return part.type !== 'tool-result' || (index > 0 && resultsLeft.delete(part.toolCallId));
		});
		if (role === 'tool') return kept.some(({ type }) => type === 'tool-result') ? kept : undefined;
		return kept.length === parts.length || kept.some(({ type }) => type !== 'reasoning') ? kept : undefined;
	});
}

function idsIn(messages: Message[], type: 'tool-call' | 'tool-result'): Set<string> {
	return new Set(messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === type ? [part.toolCallId] : []))));
}
