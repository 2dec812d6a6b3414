import adapter from '@sveltejs/adapter-static';
import { writePageTemplate } from './scripts/page-template.mjs';
import { pagePolicy } from './src/headers.js';

const template = await writePageTemplate();

/** @type {import('@sveltejs/kit').Config} */
export default {
	kit: {
		// 404.html is what plain static hosts serve for an unknown path; it is the same page as /shell.
		adapter: adapter({ fallback: '404.html' }),
		files: { appTemplate: template.file },
		// A deep link is answered with the shell, so every address in it must be absolute.
		paths: { relative: false, base: process.env.SNUG_BASE ?? '' },
		// The service worker is registered by view/update, which owns the update flow.
		serviceWorker: { register: false },
		csp: { mode: 'hash', directives: { ...pagePolicy, 'script-src': [...(pagePolicy['script-src'] ?? []), ...template.hashes] } }
	}
};
