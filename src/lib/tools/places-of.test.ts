import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placesOf } from './places-of';

describe('placesOf', () => {
	it('[P8] has the first two places of a part', () => {
		const word = fc.string({ unit: fc.constantFrom('a', 'b') });
		fc.assert(
			fc.property(word, word.filter((part) => part !== ''), (text, part) => {
				const first = text.indexOf(part);
				const second = first < 0 ? -1 : text.indexOf(part, first + 1);
				expect(placesOf(text, part)).toEqual([first, second].filter((at) => at >= 0));
			})
		);
	});

	it('[P8] takes the time that the text takes, also of a part that nearly fits everywhere', () => {
		const half = 'a'.repeat(120_000);
		const began = performance.now();
		expect(placesOf('a'.repeat(500_000), `${half}b${half}`)).toEqual([]);
		expect(performance.now() - began).toBeLessThan(1000);
	});
});
