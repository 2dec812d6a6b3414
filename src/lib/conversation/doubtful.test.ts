import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { doubtfulIn, markDoubtful } from './doubtful';

const values = fc.array(fc.constantFrom('42', '420', 'src/a.ts', '(x|y)', '$1', 'https://a.b/?c=[d]', 'é1', ''), { maxLength: 6 });
const text = fc
	.array(fc.oneof(values.map((some) => some.join(' ')), fc.string({ maxLength: 8 })), { maxLength: 6 })
	.map((parts) => parts.join(' '));

describe('doubtfulIn', () => {
	test.each([
		['There are 42 files.', ['42'], ['42']],
		['There are 420 files.', ['42'], []],
		['See ./src/a.ts, or not.', ['src/a.ts', 'src/b.ts'], ['src/a.ts']],
		['src/a.tsx', ['src/a.ts'], []],
		['', ['42', ''], []]
	])('[S6] finds in %j of %j the values %j', (text, doubtful, found) => expect(doubtfulIn(text, doubtful)).toEqual(found));

	it('[P8] takes all values for there where each is the start of the next and everywhere, and looks no further', () => {
		const values = [...Array.from({ length: 300 }, (_, at) => '.'.repeat(at + 1)), 'z9', ''];
		expect(doubtfulIn('.'.repeat(99_000), values)).toEqual(values.slice(0, -1));
		expect(doubtfulIn('.'.repeat(10), values)).toEqual(values.slice(0, 10));
	});

	it('[P8] begins in no word', () => {
		const values = Array.from({ length: 300 }, (_, at) => 'a'.repeat(at + 1));
		expect(doubtfulIn(`${'a'.repeat(99_000)} z9`, [...values, 'z9'])).toEqual(['z9']);
	});
});

describe('markDoubtful', () => {
	it('[P8] takes the time of the text, however many values there are and however alike they begin', () => {
		const values = Array.from({ length: 10_000 }, (_, at) => `w${at}`);
		const alike = Array.from({ length: 500 }, (_, at) => `${'/'.repeat(200)}${at}`);
		for (const [text, doubtful] of [['w'.repeat(400_000), values], ['word and '.repeat(11_000), values], ['/'.repeat(1000), alike]] as const) {
			expect(doubtfulIn(text, doubtful)).toEqual([]);
			expect(markDoubtful(text, doubtful)).toEqual([{ text, doubtful: false }]);
		}
	}, 5000);

	it('[P8] marks a thousand, and leaves the rest of the text as it is', () => {
		const text = '42 '.repeat(2000);
		const pieces = markDoubtful(text, ['42']);
		expect(pieces.filter(({ doubtful }) => doubtful)).toHaveLength(1000);
		expect(pieces.map((piece) => piece.text).join('')).toBe(text);
	});

	it('[S6] takes nothing from the text and adds nothing', () => {
		fc.assert(
			fc.property(text, values, (text, values) => {
				expect(
					markDoubtful(text, values)
						.map((piece) => piece.text)
						.join('')
				).toBe(text);
			})
		);
	});

	it('[S6] marks doubtful values only, and some of them wherever there are any', () => {
		fc.assert(
			fc.property(text, values, (text, values) => {
				const marked = markDoubtful(text, values).filter(({ doubtful }) => doubtful);
				for (const piece of marked) expect(values).toContain(piece.text);
				expect(marked.length > 0).toBe(doubtfulIn(text, values).length > 0);
			})
		);
	});

	it('[S6] marks the longer of two values that begin alike', () => {
		expect(markDoubtful('see a/b/c', ['a/b', 'a/b/c'])).toEqual([
			{ text: 'see ', doubtful: false },
			{ text: 'a/b/c', doubtful: true }
		]);
	});
});
