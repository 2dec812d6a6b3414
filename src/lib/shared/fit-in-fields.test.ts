import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fitInFields, startForField } from './fit-in-fields';

it('[P8] a text of a user fits into a field; one that is made to be slow there does not, nor do many that are together', () => {
	const fit = ['', 'word '.repeat(50_000), 'line\n'.repeat(10_000), '\u05e9\u05dc\u05d5\u05dd word\n'.repeat(900), 'Ha\u0300 👍🏽', '\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22 '.repeat(8000), '\u0928\u092e\u0938\u094d\u0924\u0947 '.repeat(6000), '\u6f22'.repeat(400_000)];
	for (const text of fit) expect(fitInFields([text])).toEqual([true]);
	for (const text of ['a'.repeat(600_000), '\n'.repeat(30_000), '\u05d0a'.repeat(10_000), `\u05d0${'1!'.repeat(10_000)}`, `a${'\u0301'.repeat(100)}`, '\u0e33'.repeat(20_000), '\u1000\u1039'.repeat(10_000), 'a\u2060'.repeat(60_000), 'a\u0301'.repeat(60_000), '1\ufe0f\u20e3'.repeat(20_000), `${'\u0e33'.repeat(60)} `.repeat(3000), '\u8fbb\u{e0100}'.repeat(20_000), `${'\u0eb3'.repeat(1000)} `.repeat(200)]) {
		expect(fitInFields([text])).toEqual([false]);
		expect(fitInFields(['before', text, 'after'])).toEqual([true, false, true]);
	}
	expect(fitInFields(Array.from({ length: 6 }, () => 'line\n'.repeat(4000)))).toEqual([true, true, true, true, false, false]);
	expect(fitInFields(Array.from({ length: 6 }, () => 'a'.repeat(200_000)))).toEqual([true, true, false, false, false, false]);
	expect(fitInFields(Array.from({ length: 6 }, () => '\u05d0a'.repeat(2500)))).toEqual([true, true, false, false, false, false]);
	expect(fitInFields(Array.from({ length: 4 }, (_, at) => (at < 2 ? '\n' : 'a').repeat(200_000)))).toEqual([false, false, false, false]);
});

it('[P8] the start of a text for a field fits into it, and is the text where that does', () => {
	const unit = fc.constantFrom('word ', '\n', '\u05d0a', '\u05d0\u200b', '(', 'a\u0301', `a${'\u0301'.repeat(100)}`, '\u0e33', `${'\u0eb3'.repeat(900)} `);
	fc.assert(
		fc.property(unit, unit, fc.integer({ min: 1, max: 30_000 }), (before, repeated, count) => {
			const text = before + repeated.repeat(count);
			const start = startForField(text);
			expect(fitInFields([start])).toEqual([true]);
			if (fitInFields([text])[0]) expect(start).toBe(text);
		}),
		{ numRuns: 60 }
	);
});
