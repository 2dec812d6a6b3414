import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { inRoot } from './paths.mjs';

test('every test that the security page names is there', () => {
	const files = ['src', 'tests', 'scripts']
		.flatMap((folder) => readdirSync(inRoot(folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
		.filter((file) => /\.(test|spec)\.ts$/.test(file));
	const texts = files.map((file) => readFileSync(inRoot(file), 'utf8'));
	const rows = readFileSync(inRoot('docs/security.md'), 'utf8')
		.split('\n')
		.filter((line) => /^\|.*`.*\|$/.test(line))
		.map((line) => line.split('|').at(-2)!);
	const named = rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
	expect(named.length).toBeGreaterThan(40);
	const missing = named.filter((name) =>
		name.endsWith('.ts') ? !files.some((file) => basename(file) === name) : !texts.some((text) => text.includes(name))
	);
	expect(missing).toEqual([]);
});
