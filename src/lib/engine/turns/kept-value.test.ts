import fc from 'fast-check';
import { expect, it } from 'vitest';
import { callInput, callOutput } from './kept-value';

/** Returns JSON of so many lists, one within the other. */
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

it('is the value that the JSON says', () => {
	fc.assert(
		fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
			const written = JSON.stringify(value);
			expect(callInput(written)).toEqual(JSON.parse(written));
			expect(callOutput(value)).toBe(value);
		})
	);
});

it.each(['', 'tea', '{"a":', '['.repeat(200_000), nested(5000)])('stays the text where it can’t be kept as a value: %.10s', (text) => {
	expect(callInput(text)).toBe(text);
});

it('[P2] what is so deep, or so much, that no file of rows takes it is kept as text', () => {
	for (const levels of [1, 64]) expect([callInput(nested(levels)), callOutput(JSON.parse(nested(levels)))]).toEqual([JSON.parse(nested(levels)), JSON.parse(nested(levels))]);
	const list = (length: number) => JSON.stringify(Array.from({ length }, () => ({})));
	for (const [length, isKept] of [[99_998, true], [100_001, false]] as const) expect([callInput(list(length)), callOutput(JSON.parse(list(length)))].map((kept) => typeof kept === 'object')).toEqual([isKept, isKept]);
	for (const levels of [65, 97, 100]) expect([callInput(nested(levels)), callOutput(JSON.parse(nested(levels)))]).toEqual([nested(levels), nested(levels)]);
});
