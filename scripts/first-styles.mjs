// Takes the styles of what is fetched later out of the pages: the framework links those of every component that a page may ever
// import. The script that imports such a component links them then, and waits for them.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from './paths.mjs';

/**
 * Returns a page with only those styles that belong to the scripts it preloads.
 * @param {string} html
 * @param {Record<string, { file: string, css?: string[] }>} manifest what the bundler wrote
 * @returns {string}
 */
export function withFirstStyles(html, manifest) {
	const preloaded = [...html.matchAll(/<link href="([^"]+)" rel="modulepreload">/g)].map(([, href]) => href ?? '');
	const first = Object.values(manifest).flatMap(({ file, css = [] }) => (preloaded.some((href) => href.endsWith(`/${file}`)) ? css : []));
	return html.replace(/\s*<link href="([^"]+)" rel="stylesheet">/g, (link, /** @type {string} */ href) => (first.some((file) => href.endsWith(`/${file}`)) ? link : ''));
}

/** Does so to every page of the build. */
export function linkFirstStyles() {
	const manifest = JSON.parse(readFileSync(inRoot('.svelte-kit/output/client/.vite/manifest.json'), 'utf8'));
	for (const name of readdirSync(inRoot('build'), { recursive: true, encoding: 'utf8' })) {
		if (!name.endsWith('.html')) continue;
		const path = join(inRoot('build'), name);
		writeFileSync(path, withFirstStyles(readFileSync(path, 'utf8'), manifest));
	}
}
