import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sentencesOf } from './sentences';

it('cuts a text into its sentences and lines, in order', () => {
	expect(sentencesOf('One is here. Is two?  Three!\nFour\n\nFive.')).toEqual(['One is here.', 'Is two?', 'Three!', 'Four', 'Five.']);
	expect(sentencesOf('今日は晴れです。明日は雨です。')).toEqual(['今日は晴れです。', '明日は雨です。']);
	expect(sentencesOf('It costs 3.50 in all. Fine.')).toEqual(['It costs 3.50 in all.', 'Fine.']);
});

it('leaves out what has neither letter nor digit', () => {
	expect(sentencesOf('---\n***\n👍\nWords')).toEqual(['Words']);
	expect(sentencesOf('')).toEqual([]);
});

it('cuts a long sentence where one pauses, else between words, else between characters', () => {
	const pausing = `${'word '.repeat(30)}end, ${'more '.repeat(30)}`.trim();
	expect(sentencesOf(pausing)).toEqual([`${'word '.repeat(30)}end,`, 'more '.repeat(30).trim()]);
	expect(sentencesOf('word '.repeat(100)).map(({ length }) => length)).toEqual([199, 199, 99]);
	expect(sentencesOf('𝒳'.repeat(150))).toEqual(['𝒳'.repeat(100), '𝒳'.repeat(50)]);
});

it('says all words of any text once, at most 200 units at a time', () => {
	const words = fc.array(fc.oneof(fc.constantFrom('a', 'is', 'bird,', 'kite.', 'Why?', '。', '字'), fc.stringMatching(/^[a-z]{1,500}$/)));
	fc.assert(
		fc.property(words, (all) => {
			const said = sentencesOf(all.join(' '));
			expect(Math.max(0, ...said.map(({ length }) => length))).toBeLessThanOrEqual(200);
			expect(said.join('').replace(/[^\p{L}]/gu, '')).toBe(all.join('').replace(/[^\p{L}]/gu, ''));
		})
	);
});
