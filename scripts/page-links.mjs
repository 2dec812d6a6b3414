// Takes links out of the pages: of styles of what is fetched later, since the framework links those of every component that a page may ever
// import, and the script that imports such a component links them then, and waits for them; and of scripts that nothing asks for. What is
// left is put in order.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from './paths.mjs';

/** Link to a script that is fetched ahead. */
const preload = /<link href="([^"]+)" rel="modulepreload">/g;

/**
 * Returns a page that preloads also what its scripts import, and what that imports: the framework lists the first two, and each of the others
 * would be asked for once the one before it is there.
 * @param {string} html
 * @param {Record<string, { file: string, imports?: string[] }>} manifest what the bundler wrote
 * @returns {string}
 */
export function withImports(html, manifest) {
	const chunks = Object.values(manifest);
	const links = [...html.matchAll(preload)].map(([link, href = '']) => ({ link, href, chunk: chunks.find(({ file }) => href.endsWith(`/${file}`)) }));
	const last = links.findLast(({ chunk }) => chunk);
	if (!last?.chunk) return html;
	const { link, href, chunk } = last;
	const all = new Set(links.map((each) => each.chunk));
	const { size } = all;
	// A set is walked to its end, also through what is added on the way.
	for (const each of all) {
		for (const name of each?.imports ?? []) {
			const imported = manifest[name];
			if (!imported) throw new Error(`a script imports ${name}, which the bundler's manifest does not have`);
			all.add(imported);
		}
	}
	const missing = [...all].slice(size).map((each) => link.replace(href, href.replace(chunk.file, each?.file ?? '')));
	return html.replace(link, [link, ...missing].join('\n\t\t'));
}

/**
 * Returns a page with only those styles that belong to the scripts it preloads.
 * @param {string} html
 * @param {Record<string, { file: string, css?: string[] }>} manifest what the bundler wrote
 * @returns {string}
 */
export function withFirstStyles(html, manifest) {
	const preloaded = [...html.matchAll(preload)].map(([, href]) => href ?? '');
	const first = Object.values(manifest).flatMap(({ file, css = [] }) => (preloaded.some((href) => href.endsWith(`/${file}`)) ? css : []));
	return html.replace(/\s*<link href="([^"]+)" rel="stylesheet">/g, (link, /** @type {string} */ href) => (first.some((file) => href.endsWith(`/${file}`)) ? link : ''));
}

/**
 * Returns a page that preloads no layout or page that the app has in a file with others, and so never asks for.
 * @param {string} html
 * @param {string} app the script that asks for layouts and pages
 * @returns {string}
 */
export function withoutUnasked(html, app) {
	return html.replace(/\s*<link href="[^"]*\/(nodes\/[^"/]+)" rel="modulepreload">/g, (link, /** @type {string} */ node) => (app.includes(node) ? link : ''));
}

/** Place in app.html of the styles that only the app needs. */
const place = '<!-- styles -->';

/**
 * Returns a page that asks for the styles of the frame, which is painted before the app runs, before any script, and for all others after that
 * frame: its painting would wait for them.
 * @param {string} html
 * @returns {string}
 */
export function inOrder(html) {
	const links = html.match(/\s*<link href="[^"]+" rel="stylesheet">/g) ?? [];
	const isOfFrame = (/** @type {string} */ link) => /\/base\.[^"/]+\.css"/.test(link);
	const [frame, others] = [links.filter(isOfFrame).join(''), links.filter((link) => !isOfFrame(link)).join('')];
	const script = /\s*<link href="[^"]+" rel="modulepreload">/;
	if (frame === '' || !html.includes(place) || !script.test(html)) throw new Error('a page has no place for its styles');
	return links
		.reduce((page, link) => page.replace(link, ''), html)
		.replace(script, (first) => frame + first)
		.replace(place, others.trim());
}

/** Does so to every page of the app in the build: not to those that stand in static/ as they are. */
export function putPageLinks() {
	const manifest = JSON.parse(readFileSync(inRoot('.svelte-kit/output/client/.vite/manifest.json'), 'utf8'));
	const app = readFileSync(inRoot(`build/${manifest['.svelte-kit/generated/client-optimized/app.js'].file}`), 'utf8');
	for (const name of readdirSync(inRoot('build'), { recursive: true, encoding: 'utf8' })) {
		if (!name.endsWith('.html') || existsSync(join(inRoot('static'), name))) continue;
		const path = join(inRoot('build'), name);
		writeFileSync(path, inOrder(withFirstStyles(withImports(withoutUnasked(readFileSync(path, 'utf8'), app), manifest), manifest)));
	}
}
