import fc from 'fast-check';
import { expect, it } from 'vitest';
import { callInput } from './call-input';

it('is the value that the JSON says', () => {
	fc.assert(fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => void expect(callInput(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)))));
});

it.each(['', 'tea', '{"a":', '['.repeat(200_000), '['.repeat(5000) + ']'.repeat(5000)])('stays the text where it can’t be kept as a value: %.10s', (text) => {
	expect(callInput(text)).toBe(text);
});
