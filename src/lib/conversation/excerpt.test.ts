import { expect, it } from 'vitest';
import { excerptOf } from './excerpt';

it.each([
	['short', 10, 'short'],
	['  one\n\ttwo\u0000three ', 20, 'one two three'],
	['one\u2028two \u200b three\ufffc', 20, 'one two three'],
	['exactly 10', 10, 'exactly 10'],
	['one more word', 10, 'one more…'],
	['one more word', 9, 'one more…'],
	['comma, then', 8, 'comma…'],
	['unbreakableword', 10, 'unbreakab…'],
	['a unbreakableword', 10, 'a unbreak…'],
	['👩‍🚀👩‍🚀👩‍🚀👩‍🚀', 3, '👩‍🚀👩‍🚀…'],
	['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
	[`So ${'\u0e33'.repeat(100)}`, 10, 'So…'],
	[`a${'\u0301'.repeat(100)}`, 10, '…'],
	['', 10, '']
])('%j in %d is %j', (text, max, excerpt) => expect(excerptOf(text, max)).toBe(excerpt));

it('looks no further than it must', () => {
	const started = performance.now();
	expect(excerptOf('word '.repeat(1_000_000), 12)).toBe('word word…');
	expect(performance.now() - started).toBeLessThan(1000);
});
