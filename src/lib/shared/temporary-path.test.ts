import { expect, test } from 'vitest';
import { pathInTemporary } from './temporary-path';

test.each([
	['/temporary', '/'],
	['/temporary/', '/'],
	['/temporary/s/01900000', '/s/01900000'],
	['/temporary/s/01900000/', '/s/01900000'],
	['/', undefined],
	['/temporary-plans', undefined],
	['/temporary/s', undefined],
	['/temporary/settings', undefined],
	['/s/temporary', undefined],
	['/w/temporary', undefined]
])('%s draws %s', (path, drawn) => {
	expect(pathInTemporary(path)).toBe(drawn);
});
