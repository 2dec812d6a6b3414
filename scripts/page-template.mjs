// The page that Kit fills in: src/app.html with src/head-script.ts and src/page-script.ts in it, which run before anything is fetched. A dev server
// takes up what is changed in one of them when it is started again.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { build } from 'vite';
import { inRoot } from './paths.mjs';

const scripts = ['head-script.ts', 'page-script.ts'];
const maxLength = 2500;

/**
 * Writes the page's template.
 * @returns {Promise<{ file: string, hashes: `sha256-${string}`[] }>} hashes: those of its scripts, for the policy; Kit knows of its own only
 */
export async function writePageTemplate() {
	// The notes and the indentation in it are for who reads the source; the places that are left are of what comes after.
	let page = readFileSync(inRoot('src/app.html'), 'utf8')
		.replace(/\s*<!-- [A-Z][^]*?-->/g, '')
		.replace(/\n\t*/g, '');
	const codes = [];
	for (const script of scripts) {
		const place = `<!-- ${script} -->`;
		if (!page.includes(place)) throw new Error(`src/app.html has no place for ${script}`);
		const code = await bundle(inRoot(`src/${script}`));
		page = page.replace(place, () => `<script>${code}</script>`);
		codes.push(code);
	}
	const { length } = codes.join('');
	if (length > maxLength) throw new Error(`The scripts in the page have ${length} characters, more than ${maxLength}: they are in every page.`);
	const file = inRoot('.svelte-kit/app.html');
	// Several tools read the configuration at once, and each comes here.
	if (!existsSync(file) || readFileSync(file, 'utf8') !== page) {
		mkdirSync(inRoot('.svelte-kit'), { recursive: true });
		const written = `${file}.${process.pid}`;
		writeFileSync(written, page);
		renameSync(written, file);
	}
	return { file, hashes: codes.map((code) => /** @type {const} */ (`sha256-${createHash('sha256').update(code).digest('base64')}`)) };
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
