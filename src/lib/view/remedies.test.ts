import { describe, expect, it } from 'vitest';
import { canBeExamined, remediesOf } from './remedies';

describe('remediesOf', () => {
	it('[P11] gives each failure its own remedy', () => {
		expect(remediesOf('server-unauthorised')).toEqual(['key', 'doctor', 'model']);
		expect(remediesOf('server-blocked')).toEqual(['doctor', 'model']);
		expect(remediesOf('server-slow')).toEqual(['doctor']);
		expect(remediesOf('server-not-found')).toEqual(['model']);
		expect(remediesOf('server-error')).toEqual(['model']);
		expect(remediesOf('server-busy')).toEqual(['model']);
		expect(remediesOf('context-full')).toEqual(['model']);
		expect(remediesOf('parameter-refused')).toEqual(['settings', 'model']);
		expect(remediesOf('disk-full')).toEqual(['space']);
	});

	it('[P11] leaves what may pass to another try', () => {
		for (const code of ['server-broke-off', 'bug', 'toString', '']) expect(remediesOf(code)).toEqual([]);
	});

	it('[P11] has a server examined that can’t be connected to, but not one that is busy or was not named', () => {
		for (const code of ['server-down', 'server-not-found', 'server-refused', 'server-unauthorised']) expect(canBeExamined(code), code).toBe(true);
		for (const code of ['server-busy', 'server-address', 'key-unfit', 'bug']) expect(canBeExamined(code), code).toBe(false);
	});
});
