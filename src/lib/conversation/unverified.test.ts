import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { unverifiedIn, markUnverified } from './unverified';

const values = fc.array(fc.constantFrom('42', '420', 'src/a.ts', '(x|y)', '$1', 'https://a.b/?c=[d]', 'é1', ''), { maxLength: 6 });
const text = fc
	.array(fc.oneof(values.map((some) => some.join(' ')), fc.string({ maxLength: 8 })), { maxLength: 6 })
	.map((parts) => parts.join(' '));

describe('unverifiedIn', () => {
	test.each([
		['There are 42 files.', ['42'], ['42']],
		['There are 420 files.', ['42'], []],
		['See ./src/a.ts, or not.', ['src/a.ts', 'src/b.ts'], ['src/a.ts']],
		['src/a.tsx', ['src/a.ts'], []],
		['', ['42', ''], []]
	])('[S6] finds in %j of %j the values %j', (text, unverified, found) => expect(unverifiedIn(text, unverified)).toEqual(found));

	it('[P8] takes all values for there where each is the start of the next and everywhere, and looks no further', () => {
		const values = [...Array.from({ length: 300 }, (_, at) => '.'.repeat(at + 1)), 'z9', ''];
		expect(unverifiedIn('.'.repeat(99_000), values)).toEqual(values.slice(0, -1));
		expect(unverifiedIn('.'.repeat(10), values)).toEqual(values.slice(0, 10));
	});

	it('[P8] begins in no word', () => {
		const values = Array.from({ length: 300 }, (_, at) => 'a'.repeat(at + 1));
		expect(unverifiedIn(`${'a'.repeat(99_000)} z9`, [...values, 'z9'])).toEqual(['z9']);
	});
});

describe('markUnverified', () => {
	it('[P8] takes the time of the text, however many values there are and however alike they begin', () => {
		const values = Array.from({ length: 10_000 }, (_, at) => `w${at}`);
		const alike = Array.from({ length: 500 }, (_, at) => `${'/'.repeat(200)}${at}`);
		for (const [text, unverified] of [['w'.repeat(400_000), values], ['word and '.repeat(11_000), values], ['/'.repeat(1000), alike]] as const) {
			expect(unverifiedIn(text, unverified)).toEqual([]);
			expect(markUnverified(text, unverified)).toEqual([{ text, unverified: false }]);
		}
	}, 5000);

	it('[P8] marks a thousand, and leaves the rest of the text as it is', () => {
		const text = '42 '.repeat(2000);
		const pieces = markUnverified(text, ['42']);
		expect(pieces.filter(({ unverified }) => unverified)).toHaveLength(1000);
		expect(pieces.map((piece) => piece.text).join('')).toBe(text);
	});

	it('[S6] takes nothing from the text and adds nothing', () => {
		fc.assert(
			fc.property(text, values, (text, values) => {
				expect(
					markUnverified(text, values)
						.map((piece) => piece.text)
						.join('')
				).toBe(text);
			})
		);
	});

	it('[S6] marks unverified values only, and some of them wherever there are any', () => {
		fc.assert(
			fc.property(text, values, (text, values) => {
				const marked = markUnverified(text, values).filter(({ unverified }) => unverified);
				for (const piece of marked) expect(values).toContain(piece.text);
				expect(marked.length > 0).toBe(unverifiedIn(text, values).length > 0);
			})
		);
	});

	it('[S6] marks the longer of two values that begin alike', () => {
		expect(markUnverified('see a/b/c', ['a/b', 'a/b/c'])).toEqual([
			{ text: 'see ', unverified: false },
			{ text: 'a/b/c', unverified: true }
		]);
	});
});
