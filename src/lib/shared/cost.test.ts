import { expect, test } from 'vitest';
import { formatCost } from './cost';

test.each([
	[undefined, '–'],
	[0, '$0.00'],
	[0.00001, '< $0.0001'],
	[0.0042, '$0.0042'],
	[1.366, '$1.37']
])('[R2] a cost of %s is shown as %s', (usd, shown) => {
	expect(formatCost(usd)).toBe(shown);
});
