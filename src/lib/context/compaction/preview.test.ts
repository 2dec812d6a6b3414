import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { previewOf } from './preview';
import { prose } from '../../../../tests/fixtures/compaction-sources';

const texts = fc.oneof(prose, fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));
const lengths = fc.integer({ min: 1, max: 120 });
const folded = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

describe('previewOf', () => {
	it('[Z6] is the start of the text on one line, not above its length, with … only where something is left out', () => {
		fc.assert(
			fc.property(texts, lengths, (text, max) => {
				const preview = previewOf(text, max);
				const whole = folded(text);
				expect(preview.length).toBeLessThanOrEqual(max);
				if (whole.length <= max && text.length <= max * 3) expect(preview).toBe(whole);
				else expect(whole.startsWith(preview.slice(0, -1)) && preview.endsWith('…')).toBe(true);
			})
		);
	});

	it.each([
		['👩‍🚀👩‍🚀', 6, '👩‍🚀…'],
		['👩‍🚀👩‍🚀', 5, '…'],
		['ae\u0301e\u0301', 4, 'ae\u0301…'],
		[`a${' '.repeat(1000)}b`, 10, 'a…'],
		['one two', 5, 'one…']
	])('cuts %j to %d between characters', (text, max, preview) => expect(previewOf(text, max)).toBe(preview));
});
