import { describe, expect, it } from 'vitest';
import type { Message } from '../conversation/message';
import type { Tip } from '../conversation/tree';
import { afterTurn } from './after-turn';

type Turn = Parameters<typeof afterTurn>[0];

const tip = (id: string): Tip => ({ id, depth: 2, forkId: null, forkDepth: 2, fromId: null });
const beside = (changes: Partial<Turn> = {}): NonNullable<Turn['beside']> => ({ messageId: 'second', ...changes }) as NonNullable<Turn['beside']>;
const turn = (changes: Partial<Turn> = {}): Turn => ({ busy: false, phase: 'done', stored: true, parentId: 'question', messageId: 'first', beside: undefined, ...changes });

/** Things read of a chat: the ids of its messages on the screen, of the ends of its branches, and of those that were deleted. */
function read(messages: string[], { tips = ['first', 'second'], removed = [], isWhole = true, isPaired = false }: { tips?: string[]; removed?: string[]; isWhole?: boolean; isPaired?: boolean } = {}) {
	return { messages: messages.map((id) => ({ id }) as Message), tree: { tips: tips.map(tip), removed }, isWhole, isPaired };
}

describe('afterTurn', () => {
	it.each([
		['runs', turn({ busy: true, phase: 'answering' }), read(['question', 'first']), 'stays'],
		['is done and its answer is read', turn(), read(['question', 'first']), 'over'],
		['is done and its answer is not read yet', turn(), read(['question']), 'stays'],
		['stopped at a limit before another step', turn({ stored: false, messageId: undefined }), read(['question', 'result']), 'over'],
		['was stopped in the middle of its answer', turn({ stored: false }), read(['question']), 'over'],
		['has failed', turn({ phase: 'failed' }), read(['question']), 'stays']
	] as const)('[P3] one answer: a turn that %s', (_, turn, read, expected) => {
		expect(afterTurn(turn, read)).toBe(expected);
	});

	it.each([
		['both stand side by side', {}, read(['question', 'first'], { isPaired: true }), 'stays'],
		['one went back to the question', {}, read(['question']), 'over'],
		['the first said nothing', { messageId: undefined }, read(['question']), 'stays'],
		['the first is read before the list of branches has it', {}, read(['question'], { tips: [] }), 'stays'],
		['one went on below the first', {}, read(['question', 'first', 'next'], { isPaired: true }), 'over'],
		['one went back above the question', {}, read(['earlier']), 'over'],
		['one looks at an earlier state', {}, read(['earlier'], { isWhole: false }), 'stays'],
		['one is gone on with: the second', {}, read(['question', 'second']), 'over'],
		['the second is looked at from its place in the tree', {}, read(['question', 'second'], { isWhole: false }), 'first-alone'],
		['the second is deleted', {}, read(['question', 'first'], { tips: ['first'], removed: ['second'], isPaired: true }), 'first-alone'],
		['the first is deleted', {}, read(['question'], { tips: ['second'], removed: ['first'] }), 'on-from-second'],
		['both are deleted, the second first', {}, read(['question'], { tips: [], removed: ['first', 'second'] }), 'first-alone'],
		['the first has failed and nothing of it is stored', { phase: 'failed', messageId: undefined }, read(['question']), 'stays'],
		['the second still answers', { busy: true }, read(['question', 'first'], { isPaired: true }), 'stays']
	] as const)('[P3] two answers: %s', (_, changes, read, expected) => {
		expect(afterTurn(turn({ beside: beside(), ...changes }), read)).toBe(expected);
	});
});
