import { expect, test } from 'vitest';
import { formatDuration } from './duration';

test.each([
	[0, '1 s'],
	[8400, '8 s'],
	[59_600, '1 min 0 s'],
	[125_000, '2 min 5 s']
])('%d ms are %s', (milliseconds, words) => {
	expect(formatDuration(milliseconds)).toBe(words);
});
