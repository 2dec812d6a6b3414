import adapter from '@sveltejs/adapter-static';

/** @type {import('@sveltejs/kit').Config} */
export default {
	kit: {
		// 404.html is what plain static hosts serve for an unknown path; it is the same page as /shell.
		adapter: adapter({ fallback: '404.html' }),
		// A deep link is answered with the shell, so every address in it must be absolute.
		paths: { relative: false, base: process.env.SNUG_BASE ?? '' },
		// The service worker is registered by view/update, which owns the update flow.
		serviceWorker: { register: false },
		csp: {
			mode: 'hash',
			directives: {
				'default-src': ['self'],
				'script-src': ['self', 'wasm-unsafe-eval'],
				// wllama starts its workers from blobs.
				'worker-src': ['self', 'blob:'],
				'style-src': ['self'],
				// Shiki and the virtual list set style attributes; no style element is allowed by it.
				'style-src-attr': ['unsafe-inline'],
				'img-src': ['self', 'data:', 'blob:'],
				// Answers come from any server the person names, on this machine or elsewhere.
				'connect-src': ['self', 'http:', 'https:', 'blob:', 'data:'],
				'object-src': ['none'],
				'base-uri': ['none'],
				'form-action': ['none']
			}
		}
	}
};
