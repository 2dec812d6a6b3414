// The page that Kit fills in: src/app.html with src/page-script.ts in it, which runs before anything is fetched. A dev server
// takes up what is changed in either when it is started again.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { build } from 'vite';
import { inRoot } from './paths.mjs';

const place = '<!-- page-script.ts -->';
const maxLength = 2500;

/**
 * Writes the page's template.
 * @returns {Promise<{ file: string, hash: `sha256-${string}` }>} hash: that of its script, for the policy; Kit knows of its own only
 */
export async function writePageTemplate() {
	// The notes in it are for who reads the source; the places that are left are of what comes after.
	const page = readFileSync(inRoot('src/app.html'), 'utf8').replace(/\s*<!-- [A-Z][^]*?-->/g, '');
	if (!page.includes(place)) throw new Error('src/app.html has no place for its script');
	const script = await bundle(inRoot('src/page-script.ts'));
	if (script.length > maxLength) throw new Error(`The script in the page has ${script.length} characters, more than ${maxLength}: it is in every page.`);
	const file = inRoot('.svelte-kit/app.html');
	const filled = page.replace(place, () => `<script>${script}</script>`);
	// Several tools read the configuration at once, and each comes here.
	if (!existsSync(file) || readFileSync(file, 'utf8') !== filled) {
		mkdirSync(inRoot('.svelte-kit'), { recursive: true });
		const written = `${file}.${process.pid}`;
		writeFileSync(written, filled);
		renameSync(written, file);
	}
	return { file, hash: `sha256-${createHash('sha256').update(script).digest('base64')}` };
}

/**
 * Returns a script with all that it imports, as one that needs no module.
 * @param {string} input
 */
async function bundle(input) {
	const made = await build({
		configFile: false,
		logLevel: 'warn',
		publicDir: false,
		// Rolldown takes the types away by itself, without a tsconfig.json: what that extends is written by Kit, which reads this template first.
		oxc: false,
		build: { write: false, target: 'esnext', modulePreload: false, rolldownOptions: { input, tsconfig: false, output: { format: 'iife' } } }
	});
	const { output } = /** @type {import('vite').Rolldown.RolldownOutput} */ (made);
	return output[0].code.trim();
}
