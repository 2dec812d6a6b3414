import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shownOf, startOf } from './start-of';

it('[P3] a text is shown whole where only a little of it would be left for a button', () => {
	const text = 'a'.repeat(1005);
	expect(startOf(text, 1000)).toHaveLength(1000);
	expect(shownOf(text, 1000)).toBe(text);
	expect(shownOf('a'.repeat(5000), 1000)).toHaveLength(1000);
});

it('what is shown of a text is its start, and leaves nothing or more than a line', () => {
	fc.assert(
		fc.property(fc.string({ maxLength: 3000 }), fc.integer({ min: 1, max: 1000 }), (text, limit) => {
			const shown = shownOf(text, limit);
			expect(text.startsWith(shown)).toBe(true);
			expect(text.length - shown.length === 0 || text.length - shown.length > 200).toBe(true);
		})
	);
});
