import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutAtTurns } from './turning-text';

describe('cutAtTurns', () => {
	it.each([
		['letters', '\u05d0a'],
		['digits', '\u05d01'],
		['digits of Arabic', '\u0627\u0660'],
		['numbers', '\u05d01!2!'],
		['numbers alone', '1!', '\u05d0'],
		['numbers after a mark', '1!', '\u200f'],
		['numbers between blanks', '1.5 ', '\u05d0'],
		['digits of Arabic after letters', 'a\u0660'],
		['digits of Arabic alone', '\u0660!', 'a'],
		['signs of numbers of Arabic', 'a\u06dd'],
		['symbols', '\u05d0\u24d0'],
		['marks', 'a\u200f'],
		['isolates', '\u2067a\u2069'],
		['tabs', '\u05d0\t'],
		['lines', `${'\u05d0a'.repeat(30)}\n`]
	])('[P8] leaves no piece that turns more than 2,000 times, of %s', (_, unit, before = '') => {
		const text = before + unit.repeat(60_000 / unit.length);
		const pieces = cutAtTurns(text);
		expect(pieces.join('')).toBe(text);
		expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(8001);
		expect(pieces.length).toBeLessThanOrEqual(31);
	});

	it('[P8] cuts at the end of a line, or between words, where there is one', () => {
		const line = `${'\u05d0 a '.repeat(100)}\n`;
		expect(cutAtTurns(line.repeat(30)).map((piece) => piece.length / line.length)).toEqual([10, 10, 10]);
		expect(cutAtTurns('\u05d0\u05d0 aa '.repeat(3000)).every((piece) => piece.endsWith(' ') || piece === '')).toBe(true);
	});

	it('leaves whole what turns as often as a text does', () => {
		const texts = [`\u05d0${'a 1.5, 20 '.repeat(20_000)}`, 'word '.repeat(20_000), '\u05e9\u05dc\u05d5\u05dd, '.repeat(20_000), '\u0633\u064e\u0644\u0627\u0645 '.repeat(20_000), `${'\u05e9\u05dc\u05d5\u05dd '.repeat(20)}word 12.5\n`.repeat(400), ''];
		for (const text of texts) expect(cutAtTurns(text)).toEqual([text]);
	});

	it('changes no text', () => {
		fc.assert(fc.property(fc.string({ unit: fc.constantFrom('a', '\u05d0', ' ', '\n', '\u{10800}', '\u{1f600}', '\u202e'), minLength: 2000, maxLength: 12_000 }), (text) => cutAtTurns(text).join('') === text && cutAtTurns(text).every((piece) => piece.isWellFormed())));
	});
});
