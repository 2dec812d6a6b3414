import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { putPageLinks } from './page-links.mjs';
import { Halt } from './halt.mjs';
import { inRoot, root } from './paths.mjs';
import { runTool } from './run.mjs';

/** What the build reads. The lock file stands for node_modules. */
const inputs = [
	'src',
	'static',
	'package.json',
	'package-lock.json',
	'svelte.config.js',
	'vite.config.ts',
	'tsconfig.json',
	'scripts/page-links.mjs',
	'scripts/host.mjs',
	'scripts/page-template.mjs',
	'scripts/plain-icons.mjs'
];

/**
 * A hash over the names and contents of files and folders. A name that does not exist counts as such.
 * @param {string} folder
 * @param {string[]} names files or folders in it
 * @param {string} [salt] what else decides the outcome, e.g. an environment variable
 * @returns {string} sha256, hex
 */
export function hashInputs(folder, names, salt = '') {
	const hash = createHash('sha256').update(`${salt}\0`);
	const add = (/** @type {string} */ name) => {
		const path = join(folder, name);
		if (!existsSync(path)) return;
		if (statSync(path).isDirectory()) {
			for (const child of readdirSync(path).sort()) add(`${name}/${child}`);
			return;
		}
		const content = readFileSync(path);
		// The length keeps a file's end and the next one's name apart.
		hash.update(`${name}\0${content.length}\0`).update(content);
	};
	for (const name of names) add(name);
	return hash.digest('hex');
}

/**
 * Builds the app into build/, unless the build there is of these very inputs.
 * @throws {Halt} when the build fails
 */
export async function ensureBuild() {
	const stamp = inRoot('.snug/build-stamp');
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === stampText()) return;
	console.log('Building Snug ...');
	await build({ quiet: true });
}

/**
 * Builds the app into build/.
 * @param {{ quiet?: boolean }} [options] quiet: the build tool's output is shown only when it fails
 * @throws {Halt} when the build fails
 */
export async function build({ quiet = false } = {}) {
	const stamp = inRoot('.snug/build-stamp');
	rmSync(stamp, { force: true });
	const before = hashSources();
	if ((await runTool('vite', ['build', '--logLevel', 'warn'], { quiet })) !== 0) {
		throw new Halt('The build failed; the reason is above.');
	}
	putPageLinks();
	// A file saved while the build ran may or may not be in it: then it counts as not built.
	if (hashSources() !== before) return;
	mkdirSync(inRoot('.snug'), { recursive: true });
	writeFileSync(stamp, stampText());
}

/**
 * The inputs and the outcome: 404.html names every hashed script, so a build made by other means shows.
 * A missing build has an outcome hash too, but no stamp was ever written for it.
 */
function stampText() {
	return `${hashSources()} ${hashInputs(root, ['build/404.html', 'build/service-worker.js'])}\n`;
}

function hashSources() {
	return hashInputs(root, inputs, process.env.SNUG_BASE ?? '');
}
