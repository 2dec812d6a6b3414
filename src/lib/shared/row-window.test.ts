import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { windowAround } from './row-window';

const viewport = fc.tuple(fc.nat(1_000_000), fc.nat(200)).map(([first, more]) => ({ first, last: first + more }));

describe('the window of rows that is read', () => {
	test('[A12] covers what is drawn, and at least a page of 25 on either side where there is one', () => {
		fc.assert(
			fc.property(viewport, ({ first, last }) => {
				const { offset, limit } = windowAround(first, last);
				expect(offset).toBeLessThanOrEqual(Math.max(0, first - 25));
				expect(offset).toBeGreaterThanOrEqual(0);
				expect(offset + limit).toBeGreaterThan(last + 25);
			})
		);
	});

	test('[A12] is no larger than what is drawn and two pages on either side, wherever in the list', () => {
		fc.assert(
			fc.property(viewport, ({ first, last }) => {
				expect(windowAround(first, last).limit).toBeLessThanOrEqual(last - first + 1 + 4 * 25);
			})
		);
	});

	test('stays the same while first and last stay within their pages', () => {
		expect(windowAround(50, 60)).toEqual(windowAround(64, 74));
		expect(windowAround(50, 60)).not.toEqual(windowAround(49, 60));
	});
});
