import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { roleBudget } from './role-budget';
import { speakerOf } from './said';
import { messages, returning, saying } from '../../../../tests/fixtures/compaction-sources';
import { contentOf } from './transcript';
import type { Message } from '../../conversation/message';

function summaryOf(messages: Message[], max: number): string {
	const strategy = roleBudget();
	messages.forEach(strategy.add);
	return strategy.text(max);
}

/** Whole, each with a number by which it is found again. */
const numbered = fc
	.array(fc.tuple(fc.constantFrom('user', 'assistant', 'tool'), fc.integer({ min: 1, max: 400 })), { maxLength: 40 })
	.map((list) =>
		list.map(([role, length], index) => {
			const text = `<${index}>${String.fromCharCode(97 + (index % 26)).repeat(length)}</${index}>`;
			return role === 'tool' ? returning(text) : saying(role as 'user' | 'assistant', text);
		})
	);

/** Parses a summary into what it has of each message, by role. */
function keptIn(summary: string): { role: string; index: number; isWhole: boolean; text: string }[] {
	return (summary === '' ? [] : summary.split('\n\n')).map((text) => {
		const [, role, index] = /^(User|Assistant|Tool search): [^]*<\/(\d+)>$/.exec(text)!;
		return { role: role!.split(' ')[0]!.toLowerCase(), index: Number(index), isWhole: text.includes(`<${index}>`), text };
	});
}

describe('roleBudget', () => {
	it('[Z6] keeps the newest of each role, whole but for the oldest of them, in the order of the conversation', () => {
		fc.assert(
			fc.property(numbered, fc.nat(6000), (messages, max) => {
				const kept = keptIn(summaryOf(messages, max));
				expect(kept.map(({ index }) => index)).toEqual(kept.map(({ index }) => index).sort((a, b) => a - b));
				for (const role of ['user', 'assistant', 'tool']) {
					const own = kept.filter((entry) => entry.role === role);
					const all = messages.flatMap((message, index) => (message.role === role ? [index] : []));
					expect(own.map(({ index }) => index)).toEqual(all.slice(all.length - own.length));
					expect(own.slice(1).every(({ isWhole }) => isWhole)).toBe(true);
					const [oldest] = own;
					if (oldest && !oldest.isWhole) expect(oldest.text.replace(/^.*?: …/, '').length).toBeGreaterThanOrEqual(40);
				}
			}),
			{ numRuns: 500 }
		);
	});

	it('[Z6] gives no role more than its share where all want theirs: tool least, user middle, assistant most', () => {
		fc.assert(
			fc.property(fc.integer({ min: 500, max: 20_000 }), fc.nat(2000), (max, length) => {
				const told = (index: number) => `<${index}>${'x'.repeat(length)}</${index}>`;
				const round = [saying('user', told(0)), saying('assistant', told(1)), returning(told(2))];
				const rounds = Array.from({ length: Math.ceil(max / (length + 20)) }, () => round).flat();
				const kept = keptIn(summaryOf(rounds, max));
				const size = (role: string) => kept.filter((entry) => entry.role === role).reduce((sum, { text }) => sum + text.length + 2, 0);
				for (const [role, share] of [['tool', 0.15], ['user', 0.3], ['assistant', 0.55]] as const) {
					expect(size(role)).toBeLessThanOrEqual(max * share);
					// But for a rest of less than 40 characters, and its label.
					expect(size(role)).toBeGreaterThan(max * share - 60);
				}
			})
		);
	});

	it('[Z6] gives a share that is not needed to the others, the assistant first', () => {
		const user = saying('user', `<0>${'u'.repeat(900)}</0>`);
		const assistant = saying('assistant', `<1>${'a'.repeat(900)}</1>`);
		expect(keptIn(summaryOf([user], 1000)).map(({ isWhole }) => isWhole)).toEqual([true]);
		const [first, second] = keptIn(summaryOf([user, assistant], 1000));
		expect(second!.text.length).toBeGreaterThan(680);
		expect(first!.text.length).toBeLessThanOrEqual(300);
	});

	it('has all that was said where there is room', () => {
		fc.assert(
			fc.property(messages, (messages) => {
				const all = messages.flatMap((message) => {
					const content = contentOf(message, Infinity);
					return content === '' ? [] : [`${speakerOf(message)}: ${content}`];
				});
				expect(summaryOf(messages, 1_000_000)).toBe(all.join('\n\n').replaceAll('[COMPACTION SUMMARY]', '[compaction summary]'));
			})
		);
	});
});
