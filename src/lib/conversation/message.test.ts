import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addUsage, textOf, type Usage } from './message';

describe('textOf', () => {
	it('joins text parts and leaves out the rest', () => {
		expect(
			textOf({
				parts: [
					{ type: 'reasoning', text: 'Hm.' },
					{ type: 'text', text: 'One' },
					{ type: 'tool-call', toolCallId: 'c', toolName: 'search', input: {} },
					{ type: 'tool-result', toolCallId: 'c', toolName: 'search', output: 'found', isError: false },
					{ type: 'file', attachmentId: 'a', mediaType: 'text/plain', name: 'a.txt' },
					{ type: 'text', text: 'Two' }
				]
			})
		).toBe('One\n\nTwo');
	});

	it('is empty for a message without text', () => expect(textOf({ parts: [] })).toBe(''));
});

describe('addUsage', () => {
	const usage = fc.record(
		{ inputTokens: fc.nat(), outputTokens: fc.nat(), cacheReadTokens: fc.nat(), cacheWriteTokens: fc.nat(), costUsd: fc.nat() },
		{ requiredKeys: [] }
	);

	it('[E9] keeps a count absent that neither side reports, and a reported zero', () => {
		expect(addUsage({ inputTokens: 3 }, { inputTokens: 4, outputTokens: 0 })).toEqual({ inputTokens: 7, outputTokens: 0 });
	});

	it('[E9] sums field by field, in any order, and changes neither side', () => {
		fc.assert(
			fc.property(usage, usage, (a, b) => {
				const before = structuredClone([a, b]);
				const sum = addUsage(a, b);
				expect(addUsage(b, a)).toEqual(sum);
				expect([a, b]).toEqual(before);
				for (const field of Object.keys({ ...a, ...b }) as (keyof Usage)[]) {
					expect(sum[field]).toBe((a[field] ?? 0) + (b[field] ?? 0));
				}
				expect(Object.keys(sum).sort()).toEqual(Object.keys({ ...a, ...b }).sort());
			})
		);
	});
});
