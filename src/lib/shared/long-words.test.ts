import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutAt, longWordBreaks } from './long-words';

describe('longWordBreaks', () => {
	it('[P8] leaves no word longer than 300 without a break, and no other word with one', () => {
		expect(cutAt('A'.repeat(700)).map(({ length }) => length)).toEqual([300, 300, 100]);
		expect(cutAt('A'.repeat(300))).toHaveLength(1);
		expect(cutAt(`${'A'.repeat(299)} `.repeat(9))).toHaveLength(1);
		expect(longWordBreaks('A'.repeat(200), 200)).toEqual({ breaks: [100], after: 100 });
		expect(longWordBreaks('AA A', 299)).toEqual({ breaks: [1], after: 1 });
	});

	it('cuts through no character', () => {
		const characters = ['A\u0301', '\u{1d400}', '👩\u200d👩\u200d👧', '👍🏽', '🇩🇪', '\u0915\u093e', '1\ufe0f\u20e3'];
		for (const character of characters) {
			const segments = new Set(Array.from(new Intl.Segmenter().segment(character.repeat(500)), ({ index }) => index));
			for (const at of longWordBreaks(character.repeat(500)).breaks) expect(segments, `${character} at ${at}`).toContain(at);
		}
	});

	it('[P8] leaves none without a break that is one character all along', () => {
		for (const text of ['A\u200d'.repeat(3000), '\u{1f1e6}'.repeat(3000), '\ue000'.repeat(3000), 'a\u0301'.repeat(3000)]) {
			const pieces = cutAt(text);
			expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(602);
			expect(pieces.join('').isWellFormed()).toBe(true);
			expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
		}
	});

	it('[P8] breaks a run of halves of characters, too', () => {
		expect(cutAt('\udc00'.repeat(3000)).length).toBeGreaterThan(4);
	});

	it('changes no text', () => {
		fc.assert(fc.property(fc.string({ unit: 'binary', minLength: 200, maxLength: 2000 }), (text) => cutAt(text).join('') === text));
	});
});
