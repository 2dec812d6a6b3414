// The page that Kit fills in: src/app.html with src/waking.js in it, which runs before anything is fetched.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { minifySync } from 'vite';
import { inRoot } from './paths.mjs';

const place = '<!-- waking.js -->';

/**
 * Writes the page's template.
 * @returns {{ file: string, hash: `sha256-${string}` }} hash: that of its script, for the policy; Kit knows of its own only
 */
export function writePageTemplate() {
	const page = readFileSync(inRoot('src/app.html'), 'utf8');
	// Its names are its own: those at the top of a page's script are every script's.
	const { code: script } = minifySync('waking.js', `(() => {\n'use strict';\n${readFileSync(inRoot('src/waking.js'), 'utf8')}})();`, { module: false });
	if (!page.includes(place)) throw new Error('src/app.html has no place for src/waking.js');
	const file = inRoot('.svelte-kit/app.html');
	mkdirSync(inRoot('.svelte-kit'), { recursive: true });
	writeFileSync(file, page.replace(place, () => `<script>${script}</script>`));
	return { file, hash: `sha256-${createHash('sha256').update(script).digest('base64')}` };
}
