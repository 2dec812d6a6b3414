import { addUsage, isStep, sizeOf, type Message } from '../conversation/message';
import { homeWorkspace, type Session } from '../conversation/session';
import { previewOf } from '../conversation/session-preview';
import { withoutRemoved } from '../conversation/paths';
import type { Tree } from '../conversation/tree';
import { readable } from './row-checks';

/** A session row rebuilt from its messages, of which there is at least one, with what can be read of a broken row. */
export function rebuiltSession(id: string, row: unknown, tree: Tree | undefined, messages: Message[]): Session {
	const first = messages.find(({ role }) => role === 'user') ?? messages[0]!;
	const times = messages.map(({ createdAt }) => createdAt);
	const [createdAt, updatedAt] = minMax(times);
	const made: Session = {
		id,
		key: `web:${homeWorkspace}:${createdAt}`,
		title: '',
		titledBy: 'snug',
		workspace: homeWorkspace,
		surface: 'web',
		preview: previewOf(first),
		provider: '',
		model: messages.findLast(({ model }) => model)?.model ?? '',
		status: 'interrupted',
		stopReason: '',
		steps: messages.filter(isStep).length,
		messageCount: 0,
		bytes: 0,
		usage: messages.reduce((sum, { usage }) => addUsage(sum, usage ?? {}), {}),
		filesTouched: [],
		pinned: 0,
		archived: 0,
		createdAt,
		updatedAt
	};
	return { ...made, ...readable('sessions', row), id, ...countsOf(tree, messages) };
}

/** Counts what a session row counts; its files' sizes are not known here. */
export function countsOf(tree: Tree | undefined, messages: Message[]): Pick<Session, 'messageCount' | 'bytes'> {
	return {
		messageCount: withoutRemoved(tree, messages).length,
		bytes: messages.reduce((sum, message) => sum + sizeOf(message), 0)
	};
}

/** The smallest and the largest: arguments are limited. */
function minMax(numbers: number[]): [number, number] {
	return numbers.reduce<[number, number]>(([low, high], number) => [Math.min(low, number), Math.max(high, number)], [Infinity, -Infinity]);
}
