import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { headersFor, previewPolicyText } from '../src/headers.js';
import { inRoot } from './paths.mjs';

const embedder = 'Cross-Origin-Embedder-Policy';
const read = (name: string) => readFileSync(inRoot(`docs/hosting/${name}`), 'utf8');

// Each file says what `headersFor` says: the embedder policy everywhere but on the service worker, who may frame a page and its policy otherwise for the page of
// previews, all others everywhere.
const differing = ['Content-Security-Policy', 'X-Frame-Options'];
const others = Object.entries(headersFor('/service-worker.js')).filter(([name]) => !differing.includes(name));
const [pages, previews] = ['/', '/preview.html'].map((path) => differing.map((name): [string, string] => [name, headersFor(path)[name]!])) as [[string, string][], [string, string][]];
const embedderPolicy = headersFor('/')[embedder]!;

test('[P8] the page of previews has the policy that its headers have, where a host sends none', () => {
	expect(readFileSync(inRoot('static/preview.html'), 'utf8')).toContain(`content="${previewPolicyText}"`);
	expect(headersFor('/preview.html')['Content-Security-Policy']).toBe(`${previewPolicyText}; frame-ancestors 'self'`);
});

test('[P8] the headers for hosts that read a _headers file are those of the app', () => {
	const rules = new Map<string, string[]>();
	for (const line of read('_headers').split('\n')) {
		if (/^\//.test(line)) rules.set(line, []);
		else if (/^ {2}\S/.test(line)) [...rules.values()].at(-1)!.push(line.trim());
	}
	expect(rules.get('/*')!.filter((rule) => !rule.startsWith('Cache-Control'))).toEqual(others.map(([name, value]) => `${name}: ${value}`));
	expect(rules.get('/_app/immutable/*')).toContain(`${embedder}: ${embedderPolicy}`);
	expect([...rules.keys()].filter((path) => 'service-worker.js'.startsWith(path.slice(1)))).toEqual(['/']);
	for (const [path, lines] of rules) {
		if (path === '/*') continue;
		const own = path === '/preview.html' ? previews : pages;
		expect(lines, path).toEqual(expect.arrayContaining([`${embedder}: ${embedderPolicy}`, ...own.map(([name, value]) => `${name}: ${value}`)]));
	}
	expect(rules.has('/preview.html')).toBe(true);
});

test('[P8] the headers for nginx are those of the app', () => {
	const text = read('nginx.conf');
	const found = [...text.matchAll(/^\tadd_header (\S+) "(.*)" always;$/gm)].map(([, name, value]) => [name, value]);
	const variables = [
		['Content-Security-Policy', '$snug_policy'],
		['X-Frame-Options', '$snug_framed'],
		[embedder, '$snug_embedder']
	];
	expect(found.filter(([name]) => name !== 'Cache-Control').sort()).toEqual([...others, ...variables].sort());
	const written = (name: string, value: string) => (name === 'X-Frame-Options' ? value : `"${value}"`);
	for (const [name, value] of pages) expect(text).toContain(`\tdefault ${written(name, value)};`);
	for (const [name, value] of previews) expect(text).toContain(`\t~/preview\\.html$ ${written(name, value)};`);
	expect(text).toContain(`default ${embedderPolicy};`);
	expect(text).toContain('~/service-worker\\.js$ "";');
});

test('[P8] the headers for Caddy are those of the app', () => {
	const text = read('Caddyfile');
	const found = [...text.matchAll(/^\t\t(\S+) "(.*)"$/gm)].map(([, name, value]) => [name, value]);
	expect(found).toEqual([...others, ...previews, ...pages]);
	expect(text).toContain('@previews path */preview.html\n\theader @previews {');
	expect(text).toContain(`@isolated not path */service-worker.js\n\theader @isolated ${embedder} ${embedderPolicy}`);
});
