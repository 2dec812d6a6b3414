// What the measures open: a copy of the build, so that one made meanwhile changes nothing, with the bench's own pages
// below /bench/, served by the project's server in a process of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'vite';
import { inRoot } from '../../scripts/paths.mjs';

/** @param {string} work @returns {string} the folder that is served */
export const siteFolder = (work) => join(work, 'site');

/** @param {string} work @returns {string} what Vite wrote about the build: each file's name, source and imports */
export const manifestFile = (work) => join(work, 'manifest.json');

const pages = ['append.html', 'field.html', 'long-sessions.html', 'model.html', 'search.html', 'search-fts.html'];

/**
 * Copies the build and builds the bench's pages, with the app's own modules, next to it.
 * @param {string} work
 */
export async function prepareSite(work) {
	cpSync(inRoot('build'), siteFolder(work), { recursive: true });
	cpSync(inRoot('.svelte-kit/output/client/.vite/manifest.json'), manifestFile(work));
	const root = inRoot('tests/bench/pages');
	await build({
		configFile: false,
		logLevel: 'warn',
		root,
		base: '/bench/',
		build: {
			outDir: join(siteFolder(work), 'bench'),
			emptyOutDir: true,
			target: 'esnext',
			// The engine and its WebAssembly are large and known to be.
			chunkSizeWarningLimit: Infinity,
			rolldownOptions: { input: pages.map((page) => join(root, page)) }
		},
		worker: { format: 'es' }
	});
}

/**
 * Serves the site on a port of its own, so an origin of its own.
 * @param {string} work
 * @returns {Promise<{ url: string, kill: () => Promise<void> }>} url ends in a slash; kill: nothing answers there any more
 */
export async function startSite(work) {
	const script = inRoot('scripts/serve.mjs');
	const child = spawn(process.execPath, [script, '--port', '0', '--folder', siteFolder(work)], {
		stdio: ['ignore', 'pipe', 'inherit']
	});
	const stop = () => void child.kill('SIGKILL');
	process.once('exit', stop);
	child.once('exit', () => process.off('exit', stop));
	for await (const line of createInterface({ input: child.stdout })) {
		const url = /http:\/\/127\.0\.0\.1:\d+\//.exec(line)?.[0];
		if (url) return { url, kill: () => kill(child) };
	}
	throw new Error('the server ended before it was ready');
}

/** @param {import('node:child_process').ChildProcess} child */
async function kill(child) {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const gone = once(child, 'exit');
	child.kill('SIGKILL');
	await gone;
}
