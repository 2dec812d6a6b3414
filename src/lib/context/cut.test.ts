import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutEnd, cutMiddle, largest } from './cut';

const texts = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '🌱', '公'), maxLength: 400, size: 'max' });
const isWellFormed = (text: string) => !/\p{Surrogate}/u.test(text);

describe('cutMiddle', () => {
	it('[S8] keeps start and end, and says how much is missing in between', () => {
		const cut = cutMiddle('a'.repeat(50) + 'b'.repeat(50), 70);
		expect(cut).toBe(`${'a'.repeat(24)}\n[… 61 characters left out …]\n${'b'.repeat(15)}`);
	});

	it('[S8] is never longer than allowed, cuts no character in two, and counts what is missing right', () => {
		fc.assert(
			fc.property(texts, fc.integer({ min: 50, max: 450 }), (text, most) => {
				const cut = cutMiddle(text, most);
				expect(cut.length).toBeLessThanOrEqual(most);
				expect(isWellFormed(cut)).toBe(true);
				if (text.length <= most) return void expect(cut).toBe(text);
				const [, start, count, end] = /^([^…]*)\n\[… (\d+) characters left out …\]\n([^…]*)$/.exec(cut)!;
				expect(text.startsWith(start!) && text.endsWith(end!)).toBe(true);
				expect(start!.length + Number(count) + end!.length).toBe(text.length);
			})
		);
	});
});

describe('cutEnd', () => {
	it.each([
		['one\ntwo\nthree', 9, 'one\ntwo\n[… cut]'],
		['one\ntwo\nthree', 7, 'one\ntwo\n[… cut]'],
		['one two three', 9, 'one two\n[… cut]'],
		['onetwothree', 6, 'onetwo\n[… cut]'],
		['one\ntwo', 7, 'one\ntwo']
	])('of %j within %i is %j', (text, most, cut) => expect(cutEnd(text, most)).toBe(cut));

	it('is a start of the text, without half a character, and a line that says that it was cut', () => {
		fc.assert(
			fc.property(texts, fc.nat(450), (text, most) => {
				const cut = cutEnd(text, most);
				expect(isWellFormed(cut)).toBe(true);
				if (text.length <= most) return void expect(cut).toBe(text);
				const start = cut.slice(0, -'\n[… cut]'.length);
				expect(cut.endsWith('\n[… cut]') && text.startsWith(start)).toBe(true);
				expect(start.length).toBeLessThanOrEqual(most);
			})
		);
	});
});

describe('largest', () => {
	it('finds the last number that fits, and asks few times', () => {
		fc.assert(
			fc.property(fc.integer({ min: -1, max: 1000 }), (limit) => {
				let asked = 0;
				expect(largest(0, 1000, (number) => ++asked > 0 && number <= limit)).toBe(Math.max(0, limit));
				expect(asked).toBeLessThan(13);
			})
		);
	});
});
