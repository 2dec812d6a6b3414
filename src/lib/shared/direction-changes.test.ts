import bidiFactory from 'bidi-js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutAtDirectionChanges, rightToLeftCharacters } from './direction-changes';

const bidi = bidiFactory();

/** In a piece, with those that end what is nested too deep, which are not counted. */
const maxTurns = 4200;

/** Counts where a text changes its direction, in a paragraph of any that it may be in; of a short one, that there is no more. */
function turnsIn(text: string): number {
	if (text.length <= maxTurns) return text.length - 1;
	const directions = /[\p{Bidi_Control}\u0590-\u08ff]/u.test(text) ? (['ltr', 'rtl'] as const) : (['ltr'] as const);
	const counts = directions.map((direction) => bidi.getEmbeddingLevels(text, direction).levels.reduce((turns, level, at, levels) => turns + (at > 0 && level !== levels[at - 1] ? 1 : 0), 0));
	return Math.max(...counts);
}

/** A character for each combination of what the pieces, and the algorithm, go by. */
function examples(): string[] {
	const properties = [/\p{L}/u, /\p{Mn}/u, /[\p{Mc}\p{Me}]/u, /\p{Cc}/u, /\p{Cf}/u, /\p{Default_Ignorable_Code_Point}/u, /\p{Script=Inherited}/u, /[\0-\x7f]/u, new RegExp(`[${rightToLeftCharacters}]`, 'u')];
	const found = new Map<string, string>();
	for (let code = 0; code < 0x20000; code++) {
		const character = String.fromCodePoint(code);
		if (!character.isWellFormed() || /\p{Cn}|\p{Bidi_Control}/u.test(character)) continue;
		const type = bidi.getBidiCharTypeName(character);
		// Marks that are newer than the library are taken there for letters: of scripts from right to left, or of all scripts, none is one.
		if (/\p{Mn}/u.test(character) && (/^(R|AL)$/.test(type) || (type === 'L' && /\p{Script=Inherited}/u.test(character)))) continue;
		const key = [type, ...properties.map((property) => property.test(character))].join();
		if (!found.has(key)) found.set(key, character);
	}
	return [...found.values()];
}

describe('cutAtDirectionChanges', () => {
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
		['tabs in what is turned', 'a\t', '\u202b'],
		['lines', '\u05d0\n'],
		['long lines', `${'\u05d0a'.repeat(30)}\n`],
		['sums', '1+', '\u0627'],
		['sums of Arabic', '\u0662+'],
		['numbers of two kinds', '\u06621.'],
		['digits of two kinds', '\u06621'],
		['digits in circles', '1\u2460', '\u05d0'],
		['spacing marks', '\u05d0\u0903'],
		['abbreviations of Syriac', 'a\u070f'],
		['notes between lines', '1\ufff9', '\u05d0'],
		['numbers after a mark of another script', '1!', '\u05d0\u094d'],
		['raised digits', '\u00b2\u2026', '\u05d0'],
		['pairs of brackets', ')(a', '\u06dd\u2460']
	])('[P8] leaves no piece that turns more than 4,000 times, of %s', (_, unit, before = '') => {
		const text = before + unit.repeat(60_000 / unit.length);
		const pieces = cutAtDirectionChanges(text);
		expect(pieces.join('')).toBe(text);
		for (const piece of pieces) expect(turnsIn(piece)).toBeLessThanOrEqual(maxTurns);
		expect(pieces.length).toBeLessThanOrEqual(31);
	});

	it('[P8] leaves no piece that turns more often, of whatever is repeated', () => {
		const kinds = 'a\u0391\u4e00\u05d0\u05d1\u0627\u05b0\u06441\u0662\u06f2\u00b2\u2460\u00bd\u2167+-.,:/%$\u20ac\u066a\u066b\u060c !()\u2026\u201c\t\n\x1f\u0301\u0000\u00ad\u200d\u200e\u200f\u061c\u202a\u202b\u202d\u202e\u202c\u2066\u2067\u2068\u2069\u{1f600}\u{1d7ce}\u06dd';
		const unit = fc.string({ unit: fc.constantFrom(...kinds), minLength: 1, maxLength: 6 });
		fc.assert(
			fc.property(unit, unit, (before, repeated) => {
				const pieces = cutAtDirectionChanges(before + repeated.repeat(8000 / repeated.length));
				for (const piece of pieces) expect(turnsIn(piece), JSON.stringify([before, repeated])).toBeLessThanOrEqual(maxTurns);
			}),
			{ numRuns: 100 }
		);
	});

	it('[P8] leaves no piece that turns more often, of characters of any category and class', () => {
		for (const character of examples()) {
			for (const [before, unit] of [['', `\u05d0${character}`], ['\u05d0', `a${character}`], ['\u05d0', `1${character}`], [`\u05d0${character}`, '1!'], ['\u05d0', character]] as const) {
				const pieces = cutAtDirectionChanges(before + unit.repeat(6000 / unit.length));
				for (const piece of pieces) expect(turnsIn(piece), `${before}, ${unit}: ${character.codePointAt(0)!.toString(16)}`).toBeLessThanOrEqual(maxTurns);
			}
		}
	});

	it('[P8] leaves no piece with more than 4,000 brackets that nothing closes', () => {
		for (const brackets of ['('.repeat(20_000) + ']'.repeat(20_000), '(]'.repeat(20_000), '({'.repeat(20_000)]) {
			const pieces = cutAtDirectionChanges(`\u05d0${brackets}`);
			expect(pieces.length).toBeGreaterThan(4);
			expect(Math.max(...pieces.map((piece) => piece.split(/[({]/).length))).toBeLessThanOrEqual(4002);
		}
		expect(cutAtDirectionChanges(`\u05d0${'([a], {b}) '.repeat(500)}`)).toHaveLength(1);
	});

	it('[P8] cuts at the end of a line, or between words, where there is one', () => {
		const line = `${'\u05d0 a '.repeat(100)}\n`;
		expect(cutAtDirectionChanges(line.repeat(30)).map((piece) => piece.length / line.length)).toEqual([19, 11]);
		expect(cutAtDirectionChanges('\u05d0\u05d0 aa '.repeat(3000)).every((piece) => piece.endsWith(' ') || piece === '')).toBe(true);
	});

	it('leaves whole what turns as often as a text does', () => {
		const texts = [`\u05d0${'a 1.5, 20 '.repeat(20_000)}`, 'word '.repeat(20_000), '\u05e9\u05dc\u05d5\u05dd, '.repeat(20_000), '\u0633\u064e\u0644\u0627\u0645 '.repeat(20_000), `\u05e9\u05dc\u05d5\u05dd ${'\u0928\u092e\u0938\u094d\u0924\u0947, '.repeat(20_000)}`,  `${'\u05e9\u05dc\u05d5\u05dd '.repeat(20)}word 12.5\n`.repeat(400), ''];
		for (const text of texts) expect(cutAtDirectionChanges(text)).toEqual([text]);
	});

	it('changes no text', () => {
		fc.assert(fc.property(fc.string({ unit: fc.constantFrom('a', '\u05d0', ' ', '\n', '\u{10800}', '\u{1f600}', '\u202e'), minLength: 2000, maxLength: 12_000 }), (text) => cutAtDirectionChanges(text).join('') === text && cutAtDirectionChanges(text).every((piece) => piece.isWellFormed())));
	});
});
