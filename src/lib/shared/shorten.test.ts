import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shorten, shortenMiddle, shortenStart } from './shorten';

const max = fc.integer({ min: 1, max: 30 });
const text = fc.string({ unit: 'grapheme' });

describe('shorten', () => {
	it('leaves a text that fits, and ends another in …', () => {
		expect(shorten('tea', 3)).toBe('tea');
		expect(shorten('green tea', 7)).toBe('green…');
		expect(shorten('a👍🏽b', 3)).toBe('a…');
		expect(shorten('tea', 1)).toBe('…');
	});

	it('is never too long, and a beginning of the text', () => {
		fc.assert(
			fc.property(text, max, (text, max) => {
				const short = shorten(text, max);
				if (text.length <= max) return void expect(short).toBe(text);
				expect(short.length).toBeLessThanOrEqual(max);
				expect(short.endsWith('…')).toBe(true);
				expect(text.startsWith(short.slice(0, -1))).toBe(true);
				expect(short.isWellFormed()).toBe(text.isWellFormed());
			})
		);
	});
});

it('shortenStart is the end of a text, not above its length, with whole characters', () => {
	fc.assert(
		fc.property(text, max, (text, max) => {
			const short = shortenStart(text, max);
			if (text.length <= max) return void expect(short).toBe(text);
			expect(short.length).toBeLessThanOrEqual(max);
			expect(short.startsWith('…') && text.endsWith(short.slice(1))).toBe(true);
			expect(short.isWellFormed()).toBe(text.isWellFormed());
		})
	);
});

describe('shortenMiddle', () => {
	it('is a text that fits, or its start and its end, in whole characters', () => {
		expect(shortenMiddle('tea', 3)).toBe('tea');
		expect(shortenMiddle('abcdefgh', 5)).toBe('ab…gh');
		expect(shortenMiddle('a👍bcd👍e', 5)).toBe('a…e');
		fc.assert(
			fc.property(text, fc.integer({ min: 2, max: 30 }), (text, max) => {
				const short = shortenMiddle(text, max);
				if (text.length <= max) return void expect(short).toBe(text);
				const [start, end] = short.split(/…(?=[^…]*$)/);
				expect(short.length).toBeLessThanOrEqual(max);
				expect(text.startsWith(start!) && text.endsWith(end!)).toBe(true);
			})
		);
	});
});
