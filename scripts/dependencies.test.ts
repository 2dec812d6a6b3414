import { expect, test } from 'vitest';
import { isInstalled } from './dependencies.mjs';

const wanted = {
	packages: {
		'': { version: '0.1.0' },
		'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
		'node_modules/for-macos': { version: '2.0.0', integrity: 'sha512-m', optional: true }
	}
};
const a = wanted.packages['node_modules/a'];

test('an install from this lock file is recognized, with and without what is for other systems', () => {
	expect(isInstalled(wanted, { packages: { 'node_modules/a': a } })).toBe(true);
	expect(isInstalled(wanted, wanted)).toBe(true);
});

test('another version, another content, a missing package or no record is not an install', () => {
	expect(isInstalled(wanted, { packages: { 'node_modules/a': { ...a, version: '1.0.1' } } })).toBe(false);
	expect(isInstalled(wanted, { packages: { 'node_modules/a': { ...a, integrity: 'sha512-b' } } })).toBe(false);
	expect(isInstalled(wanted, { packages: {} })).toBe(false);
	expect(isInstalled(wanted, {})).toBe(false);
});
