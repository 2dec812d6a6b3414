import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { installation, isInstalled } from './dependencies.mjs';
import { run } from './run.mjs';

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

test('[P8] a package that is installed runs no code', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'snug-install-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const ran = join(folder, 'ran');
	const write = (path: string, value: object) => writeFileSync(join(folder, path), JSON.stringify(value));
	const scripts = { postinstall: `node -e "require('node:fs').writeFileSync(${JSON.stringify(ran).replaceAll('"', "'")}, '')"` };
	mkdirSync(join(folder, 'part'));
	write('part/package.json', { name: 'part', version: '1.0.0', scripts });
	write('package.json', { name: 'whole', version: '1.0.0', dependencies: { part: 'file:part' } });
	write('package-lock.json', {
		name: 'whole',
		version: '1.0.0',
		lockfileVersion: 3,
		packages: {
			'': { name: 'whole', version: '1.0.0', dependencies: { part: 'file:part' } },
			'node_modules/part': { resolved: 'part', link: true },
			part: { version: '1.0.0', hasInstallScript: true }
		}
	});
	expect(await run('npm', ['--prefix', folder, ...installation.filter((argument) => argument !== '--ignore-scripts')], { quiet: true })).toBe(0);
	expect(existsSync(ran)).toBe(true);
	rmSync(ran);
	expect(await run('npm', ['--prefix', folder, ...installation], { quiet: true })).toBe(0);
	expect(existsSync(join(folder, 'node_modules/part'))).toBe(true);
	expect(existsSync(ran)).toBe(false);
}, 60_000);
