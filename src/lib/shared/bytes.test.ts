import { expect, it } from 'vitest';
import { formatBytes } from './bytes';

it.each([
	[0, '0 B'],
	[1, '1 B'],
	[999, '999 B'],
	[1000, '1.0 KB'],
	[1500, '1.5 KB'],
	[9_949, '9.9 KB'],
	[9_950, '10 KB'],
	[999_499, '999 KB'],
	[999_500, '1.0 MB'],
	[98_362_432, '98 MB'],
	[4_700_000_000, '4.7 GB'],
	[2e12, '2.0 TB'],
	[5e15, '5000 TB']
])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));
