import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WordMark } from './marks';
import { densestMark } from './densest-mark';

/** Marks of one letter: a letter of `words` is a word of the query. */
function marksIn(text: string, words = 'abc'): WordMark[] {
	return [...text].flatMap((letter, at): WordMark[] => (words.includes(letter) ? [[at, at + 1, 1 << words.indexOf(letter), 1 << words.indexOf(letter)]] : []));
}

const placeIn = (text: string) => marksIn(text)[densestMark(marksIn(text))]?.[0];
const gap = ' '.repeat(200);

describe('the densest window of a query’s words', () => {
	it.each([
		['is the first word where there is one', 'x a a', 2],
		['is the first word where none stand together', `x a${gap}b${gap}a`, 2],
		['is before the other word, however often the first stands before', `a a a${gap}a a b`, 207],
		['has most words, not most marks', `a a a b${gap}a b c`, 207],
		['is the earlier of two', `a b${gap}b a`, 0],
		['is nowhere where nothing is marked', 'x', undefined]
	])('[P5] %s', (_, text, place) => expect(placeIn(text)).toBe(place));

	it('[P5] counts the words of a mark that is of several', () => {
		expect(
			densestMark([
				[0, 1, 0b1, 0],
				[500, 501, 0b11 | (1 << 31), 0]
			])
		).toBe(1);
	});

	it('[P5] has as many different words as stand within a line of any mark', () => {
		fc.assert(
			fc.property(fc.array(fc.tuple(fc.nat(120), fc.integer({ min: 1, max: 15 })), { maxLength: 40 }), (steps) => {
				let end = 0;
				const marks = steps.map(([step, words]): WordMark => [(end += step + 1), end + 1, words, 0]);
				const bits = (words: number) => [1, 2, 4, 8].filter((bit) => words & bit).length;
				const from = (index: number) => bits(marks.reduce((all, [at, , words]) => (at >= marks[index]![0] && at <= marks[index]![0] + 96 ? all | words : all), 0));
				const counts = marks.map((_, index) => from(index));
				if (marks.length > 0) expect(counts[densestMark(marks)]).toBe(Math.max(...counts));
			})
		);
	});

	it('takes the time that the marks take', () => {
		const marks = Array.from({ length: 200_000 }, (_, at): WordMark => [at * 2, at * 2 + 1, at % 3 === 0 ? -1 : 1, 0]);
		const started = performance.now();
		expect(densestMark(marks)).toBe(0);
		expect(performance.now() - started).toBeLessThan(5000);
	});
});
