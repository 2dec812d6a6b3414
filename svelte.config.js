import adapter from '@sveltejs/adapter-static';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pagePolicy } from './src/headers.js';

/** The hash of the script that runs before the app's: Kit knows of its own only. */
const [, early] = /<script>(.*?)<\/script>/s.exec(readFileSync(new URL('src/app.html', import.meta.url), 'utf8')) ?? [];
const earlyHash = /** @type {const} */ (`sha256-${createHash('sha256').update(/** @type {string} */ (early)).digest('base64')}`);

/** @type {import('@sveltejs/kit').Config} */
export default {
	kit: {
		// 404.html is what plain static hosts serve for an unknown path; it is the same page as /shell.
		adapter: adapter({ fallback: '404.html' }),
		// A deep link is answered with the shell, so every address in it must be absolute.
		paths: { relative: false, base: process.env.SNUG_BASE ?? '' },
		// The service worker is registered by view/update, which owns the update flow.
		serviceWorker: { register: false },
		csp: { mode: 'hash', directives: { ...pagePolicy, 'script-src': [...(pagePolicy['script-src'] ?? []), earlyHash] } }
	}
};
