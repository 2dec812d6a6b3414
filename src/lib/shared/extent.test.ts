import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exceeds } from './extent';

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + '1' + ']'.repeat(levels));
const values = Number.MAX_SAFE_INTEGER;

it('counts the levels of lists and objects, and no plain value', () => {
	for (const plain of [undefined, null, 1, 'tea', true]) expect(exceeds(plain, { levels: 0, values })).toBe(false);
	expect(exceeds([], { levels: 0, values })).toBe(true);
	expect(exceeds({ a: 1, b: [{}] }, { levels: 3, values })).toBe(false);
	expect(exceeds({ a: 1, b: [{}] }, { levels: 2, values })).toBe(true);
	expect(exceeds(nested(64), { levels: 64, values })).toBe(false);
	expect(exceeds(nested(65), { levels: 64, values })).toBe(true);
});

it('counts each value, also those that others are in', () => {
	const count = (value: unknown): number => 1 + (typeof value === 'object' && value !== null ? Object.values(value).reduce((sum: number, one) => sum + count(one), 0) : 0);
	fc.assert(
		fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
			expect(exceeds(value, { levels: 100, values: count(value) })).toBe(false);
			expect(exceeds(value, { levels: 100, values: count(value) - 1 })).toBe(true);
		})
	);
});

it('looks no further than it has to', () => {
	let endless: unknown = [];
	for (let level = 0; level < 1_000_000; level++) endless = [endless];
	expect(exceeds(endless, { levels: 100, values })).toBe(true);
	let looked = 0;
	const wide = Array.from({ length: 1000 }, () => Object.defineProperty({}, 'a', { enumerable: true, get: () => ++looked }));
	expect(exceeds([wide, wide], { levels: 100, values: 1500 })).toBe(true);
	expect(looked).toBeLessThan(1500);
	expect(exceeds(Array.from({ length: 100 }), { levels: 1, values: 99 })).toBe(true);
});
