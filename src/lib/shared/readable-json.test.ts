import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readableJson } from './readable-json';

function nested(depth: number, value: unknown): unknown {
	return depth === 0 ? value : [nested(depth - 1, value)];
}

it('writes JSON on lines, and nothing for what has none', () => {
	expect(readableJson({ a: [1, '{"x":[,]}\\"'], b: {} })).toBe(JSON.stringify({ a: [1, '{"x":[,]}\\"'], b: {} }, null, 2));
	expect(readableJson(undefined)).toBeUndefined();
	expect(readableJson({ b: 1 }, (key, inner) => (key === 'b' ? 2 : inner))).toBe('{\n  "b": 2\n}');
});

it('[P8] is no more than a few times as long as the value, however deep that is nested, and is the value', () => {
	fc.assert(
		fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(90), (value, depth) => {
			const deep = nested(depth, value);
			const json = readableJson(deep)!;
			expect(json.length).toBeLessThanOrEqual(Math.max(2000, 4 * JSON.stringify(deep).length));
			expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(deep)));
		})
	);
	const numbers = nested(90, Array(100_000).fill(1));
	expect(readableJson(numbers)).toBe(JSON.stringify(numbers));
});

it('[P8] is on one line where it would be very long', () => {
	const wide = Array.from({ length: 200_000 }, () => ({}));
	expect(readableJson(wide)).toBe(JSON.stringify(wide));
	const text = ['"\\'.repeat(1_000_000)];
	expect(readableJson(text)).toBe(JSON.stringify(text));
});
