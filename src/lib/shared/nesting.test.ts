import { expect, it } from 'vitest';
import { isNestedDeeper } from './nesting';

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + '1' + ']'.repeat(levels));

it('counts lists and objects, and no plain value', () => {
	for (const plain of [undefined, null, 1, 'tea', true]) expect(isNestedDeeper(plain, 0)).toBe(false);
	expect(isNestedDeeper([], 0)).toBe(true);
	expect(isNestedDeeper({ a: 1, b: [{}] }, 3)).toBe(false);
	expect(isNestedDeeper({ a: 1, b: [{}] }, 2)).toBe(true);
});

it('looks no deeper than it is asked to', () => {
	expect(isNestedDeeper(nested(64), 64)).toBe(false);
	expect(isNestedDeeper(nested(65), 64)).toBe(true);
	let endless: unknown = [];
	for (let level = 0; level < 1_000_000; level++) endless = [endless];
	expect(isNestedDeeper(endless, 100)).toBe(true);
});
