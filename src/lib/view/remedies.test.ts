import { describe, expect, it } from 'vitest';
import { remediesOf } from './remedies';

describe('remediesOf', () => {
	it('[P11] gives each failure its own remedy', () => {
		expect(remediesOf('server-unauthorised')).toEqual(['key', 'model']);
		expect(remediesOf('server-blocked')).toEqual(['cors', 'model']);
		expect(remediesOf('server-not-found')).toEqual(['model']);
		expect(remediesOf('server-error')).toEqual(['model']);
		expect(remediesOf('disk-full')).toEqual(['space']);
	});

	it('[P11] leaves what may pass to another try', () => {
		for (const code of ['server-busy', 'server-slow', 'server-broke-off', 'bug', 'toString', '']) expect(remediesOf(code)).toEqual([]);
	});
});
