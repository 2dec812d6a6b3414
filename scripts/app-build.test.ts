import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashInputs } from './app-build.mjs';

let folder = '';
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'snug-inputs-'));
	mkdirSync(join(folder, 'src/lib'), { recursive: true });
	writeFileSync(join(folder, 'src/a.ts'), 'a');
	writeFileSync(join(folder, 'src/lib/b.ts'), 'b');
	writeFileSync(join(folder, 'package.json'), '{}');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hash = (salt?: string) => hashInputs(folder, ['src', 'static', 'package.json'], salt);

test('the same inputs have the same hash, whatever their times', () => {
	const before = hash();
	writeFileSync(join(folder, 'src/a.ts'), 'a');
	expect(hash()).toBe(before);
	expect(before).toMatch(/^[0-9a-f]{64}$/);
});

test('every change shows: content, a new file, a name, a moved border, a folder that appears, the salt', () => {
	const seen = new Set([hash(), hash('/base')]);
	const change = (path: string, content: string) => {
		writeFileSync(join(folder, path), content);
		seen.add(hash());
	};
	change('src/lib/b.ts', 'B');
	change('src/lib/c.ts', '');
	rmSync(join(folder, 'src/lib/c.ts'));
	change('src/lib/d.ts', '');
	change('package.json', '{"a":1}');
	mkdirSync(join(folder, 'static'));
	change('static/icon.svg', '<svg/>');
	expect(seen.size).toBe(7);
});

test('what is not an input does not count', () => {
	const before = hash();
	writeFileSync(join(folder, 'README.md'), 'new');
	expect(hash()).toBe(before);
});
