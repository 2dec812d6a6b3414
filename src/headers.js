// The headers that belong to the app, said once: for Kit's meta element, the local server, the service worker, and the
// files for other hosts in docs/hosting/.

/** @type {NonNullable<import('@sveltejs/kit').KitConfig['csp']>['directives'] & {}} */
export const pagePolicy = {
	'default-src': ['self'],
	'script-src': ['self', 'wasm-unsafe-eval'],
	// wllama starts its workers from blobs.
	'worker-src': ['self', 'blob:'],
	'style-src': ['self'],
	// Shiki and the virtual list set style attributes; no style element is allowed by it.
	'style-src-attr': ['unsafe-inline'],
	'img-src': ['self', 'data:', 'blob:'],
	// Answers come from any server the user names, on this machine or elsewhere.
	'connect-src': ['self', 'http:', 'https:', 'blob:', 'data:'],
	'object-src': ['none'],
	'base-uri': ['none'],
	'form-action': ['none'],
	// Text becomes HTML only in Svelte's templates, DOMPurify and markdown/sanitize.ts, and an address a script only through shared/trusted-types.ts.
	'require-trusted-types-for': ['script'],
	'trusted-types': ['svelte-trusted-html', 'dompurify', 'snug', 'default']
};

/**
 * The policy as a header, which also binds workers and says who may frame the page. It is the same for every build, so it can't
 * name the hashes of the page's two inline scripts. The policy in the page itself does, and both must allow a script.
 */
const headerPolicy = {
	...pagePolicy,
	'script-src': [.../** @type {string[]} */ (pagePolicy['script-src']), 'unsafe-inline'],
	'frame-ancestors': ['none']
};

/** The policy of the page that previews are shown in (`static/preview.html`, which has it too): the frame in it inherits that, and has no network. */
const previewPolicy = {
	'default-src': ['none'],
	'script-src': ['unsafe-inline'],
	// Workers inherit the policy, and have not even WebRTC.
	'worker-src': ['blob:'],
	'style-src': ['unsafe-inline'],
	'img-src': ['data:'],
	'font-src': ['data:'],
	'media-src': ['data:'],
	'base-uri': ['none'],
	'form-action': ['none']
};

/** @param {Record<string, unknown>} policy */
function serialise(policy) {
	const quoted = (/** @type {string} */ source) => (/^[a-z]+:$/.test(source) ? source : `'${source}'`);
	return Object.entries(policy)
		.map(([name, sources]) => [name, .../** @type {string[]} */ (sources).map(name === 'trusted-types' ? String : quoted)].join(' '))
		.join('; ');
}

/** @type {Record<string, string>} */
const headers = {
	'Content-Security-Policy': serialise(headerPolicy),
	// These three isolate the page, so that WebAssembly may use threads.
	'Cross-Origin-Opener-Policy': 'same-origin',
	'Cross-Origin-Embedder-Policy': 'require-corp',
	'Cross-Origin-Resource-Policy': 'same-origin',
	'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), hid=(), microphone=(self), payment=(), serial=(), usb=()',
	'Referrer-Policy': 'no-referrer',
	'X-Content-Type-Options': 'nosniff',
	'X-DNS-Prefetch-Control': 'off',
	'X-Frame-Options': 'DENY'
};

/** What the preview page has in its own place, besides its policy: the app may frame it. */
const previewHeaders = {
	...headers,
	'Content-Security-Policy': serialise({ ...previewPolicy, 'frame-ancestors': ['self'] }),
	'X-Frame-Options': 'SAMEORIGIN'
};

/** The policy of previews, as their page has it. */
export const previewPolicyText = serialise(previewPolicy);

/**
 * Returns the headers of an answer for `path`. The service worker's own script goes without the embedder policy: under it,
 * the worker could not ask servers that send no CORS headers whether they are there.
 * @param {string} path @returns {Record<string, string>}
 */
export function headersFor(path) {
	if (path.endsWith('/preview.html')) return previewHeaders;
	if (!path.endsWith('/service-worker.js')) return headers;
	const { 'Cross-Origin-Embedder-Policy': _, ...others } = headers;
	return others;
}
