import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { inRoot } from './paths.mjs';

const folders: string[] = [];
afterEach(() => {
	for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A copy of the repository as a fresh clone has it once the dependencies are there: Kit has written nothing yet. */
function freshClone(): string {
	const folder = mkdtempSync(join(tmpdir(), 'snug-'));
	folders.push(folder);
	for (const name of ['src', 'scripts', 'package.json', 'tsconfig.json', 'svelte.config.js', 'vite.config.ts']) cpSync(inRoot(name), join(folder, name), { recursive: true });
	symlinkSync(inRoot('node_modules'), join(folder, 'node_modules'));
	return folder;
}

test('the template is written in a fresh clone, where Kit, which reads it first, has written nothing', async () => {
	const folder = freshClone();
	const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', `const { default: config } = await import('./svelte.config.js'); console.log(config.kit.files.appTemplate)`], { cwd: folder });
	const page = readFileSync(stdout.trim(), 'utf8');
	expect(stdout).toContain('.svelte-kit');
	expect(page).toContain('%sveltekit.head%');
	const [inHead = '', inPage = ''] = Array.from(page.matchAll(/<script>([^]*?)<\/script>/g), ([, code]) => code);
	expect(inHead).toContain('snug:preferences');
	expect(inPage.length).toBeGreaterThan(500);
	// What the user prefers counts before anything can be painted.
	expect(page.indexOf(inHead)).toBeLessThan(page.indexOf('<body'));
	expect(page).not.toContain('-script.ts -->');
});
