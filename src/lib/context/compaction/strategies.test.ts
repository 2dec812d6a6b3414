import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { summaryTag } from '../../conversation/boundary';
import { maxKept } from './newest';
import { messages, returning, saying } from '../../../../tests/fixtures/compaction-sources';
import { costGrowth } from '../../../../tests/fixtures/growth';
import { strategyOf } from './strategies';

const names = ['simple', 'code-aware', 'role-budget'] as const;

describe.each(names)('%s', (name) => {
	const lengths = fc.oneof(fc.nat(200), fc.nat(5000), fc.constant(1_000_000));

	it('[Z6] is never longer than asked, never has the tag, and is the same for the same messages', () => {
		fc.assert(
			fc.property(messages, lengths, (messages, max) => {
				const [one, other] = [strategyOf(name), strategyOf(name)];
				for (const message of messages) {
					one.add(message);
					other.add(structuredClone(message));
				}
				const summary = one.text(max);
				expect(summary.length).toBeLessThanOrEqual(max);
				expect(summary).not.toContain(summaryTag);
				expect(other.text(max)).toBe(summary);
				expect(one.text(max)).toBe(summary);
			}),
			{ numRuns: 300 }
		);
	});

	it('[Z6] renders the tag that a message quotes so that it passes for none', () => {
		const strategy = strategyOf(name);
		strategy.add(saying('user', `I saw ${summaryTag} there`));
		expect(strategy.text(1000)).toBe('User: I saw [compaction summary] there');
	});

	it('[Z6] costs in proportion to the messages, and keeps the newest', () => {
		const code = `${'Some words, '.repeat(20)}\n\`\`\`ts\n${'let a = 1;\n'.repeat(10)}\`\`\`\nand more.`;
		const chat = (size: number) =>
			Array.from({ length: size }, (_, index) => {
				if (index % 3 === 2) return returning({ index, rows: ['a', 'b'] });
				return saying(index % 3 === 0 ? 'user' : 'assistant', `${index} ${index % 6 === 1 ? code : 'wörd '.repeat(60)}`);
			});
		const summaryOf = (messages: ReturnType<typeof chat>) => {
			const strategy = strategyOf(name);
			messages.forEach(strategy.add);
			return strategy.text(20_000);
		};
		expect(costGrowth(2500, chat, summaryOf)).toBeLessThan(8);
		const summary = summaryOf(chat(10_000));
		expect(summary).toContain('9999');
		expect(summary.length).toBeGreaterThan(15_000);
	});

	it('forgets what cannot come to be in a summary', () => {
		const strategy = strategyOf(name);
		for (let index = 0; index < 30; index++) strategy.add(saying('user', `${index}\n\`\`\`\n${'x'.repeat(maxKept / 10)}\n\`\`\``));
		expect(strategy.text(maxKept * 10).length).toBeLessThanOrEqual(maxKept + 100);
		strategy.add(saying('user', 'x'.repeat(maxKept * 2)));
		strategy.add(saying('assistant', `\`\`\`\n${'x\n'.repeat(maxKept)}\`\`\``));
		expect(strategy.text(2000)).toContain(name === 'code-aware' ? `[code left out: ${maxKept} lines]` : 'Assistant: ');
	});
});
