// Serves the build and the weights on this machine.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream';
import { headersFor } from '../src/headers.js';
import { listen, loopback } from './port.mjs';
import { findDefaultWeights } from './weights.mjs';

/**
 * @typedef {import('node:http').IncomingMessage} Request
 * @typedef {import('node:http').ServerResponse} Response
 * @typedef {import('./weights.mjs').Weights} Weights
 */

/** @param {Request} request @returns {string} the path as it was sent, without the query */
function pathOf(request) {
	return (request.url ?? '/').split('?', 1)[0] ?? '/';
}

/** The headers that the development server sends too. Its own scripts and sockets would not pass the policy. */
export const isolationHeaders = Object.fromEntries(Object.entries(headersFor('/')).filter(([name]) => name.startsWith('Cross-Origin-')));

/**
 * Vite plugin: the development and preview servers isolate too.
 * @returns {import('vite').Plugin}
 */
export function isolation() {
	/** @param {{ middlewares: import('vite').Connect.Server }} server */
	const use = (server) => {
		server.middlewares.use((request, response, next) => {
			const sent = headersFor(pathOf(request));
			for (const [name, value] of Object.entries(isolationHeaders)) if (name in sent) response.setHeader(name, value);
			next();
		});
	};
	return { name: 'snug:isolation', configureServer: use, configurePreviewServer: use };
}

/**
 * Vite plugin: the development server offers the default weights at the same addresses as serve().
 * @returns {import('vite').Plugin}
 */
export function offerWeights() {
	return {
		name: 'snug:weights',
		async configureServer(server) {
			server.middlewares.use(weightsRoute(await findDefaultWeights()));
		}
	};
}

/**
 * Answers `/weights/manifest.json` with `{ name, bytes, sha256, url }`, or `null` when there is no model (an absent one
 * is no failure, and status 404 would be an error line in the browser's console), and the url in it with the file,
 * whole or a Range of it. Everything else goes on to `next`.
 * @param {Weights | null} weights
 * @returns {(request: Request, response: Response, next: () => void) => void}
 */
export function weightsRoute(weights) {
	const url = weights && `/weights/${encodeURIComponent(weights.name)}`;
	const manifest = weights && { name: weights.name.replace(/\.gguf$/i, ''), bytes: weights.bytes, sha256: weights.sha256, url };
	return (request, response, next) => {
		const path = pathOf(request);
		if (path === '/weights/manifest.json') {
			response.setHeader('Cache-Control', 'no-store');
			response.setHeader('Content-Type', 'application/json');
			response.end(JSON.stringify(manifest));
		} else if (weights && path === url) {
			sendWeightsFile(request, response, weights);
		} else {
			next();
		}
	};
}

/** @param {Request} request @param {Response} response @param {Weights} weights */
function sendWeightsFile(request, response, weights) {
	const range = parseRange(request.headers.range, weights.bytes);
	// no-store: the app keeps the file itself; a copy in the HTTP cache would take the space twice.
	response.setHeader('Cache-Control', 'no-store');
	response.setHeader('Accept-Ranges', 'bytes');
	response.setHeader('Content-Type', 'application/octet-stream');
	if (range === 'unsatisfiable') {
		response.writeHead(416, { 'Content-Range': `bytes */${weights.bytes}` }).end();
		return;
	}
	const { start, end } = range ?? { start: 0, end: weights.bytes - 1 };
	if (range) response.setHeader('Content-Range', `bytes ${start}-${end}/${weights.bytes}`);
	response.writeHead(range ? 206 : 200, { 'Content-Length': end - start + 1 });
	sendBytes(request, response, weights.file, { start, end });
}

/** @param {Request} request @param {Response} response @param {string} file @param {{ start?: number, end?: number }} [part] */
function sendBytes(request, response, file, part) {
	if (request.method === 'HEAD') {
		response.end();
		return;
	}
	pipeline(createReadStream(file, part), response, (error) => {
		// The reader may go away at any time; then there is nobody to tell. A file that vanished is worth a line.
		if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') console.error(`${file}: ${error.message}`);
	});
}

/** @type {Record<string, string>} */
const mediaTypes = {
	'.css': 'text/css;charset=utf-8',
	'.gguf': 'application/octet-stream',
	'.html': 'text/html;charset=utf-8',
	'.js': 'text/javascript;charset=utf-8',
	'.json': 'application/json',
	'.png': 'image/png',
	'.svg': 'image/svg+xml',
	'.txt': 'text/plain;charset=utf-8',
	'.wasm': 'application/wasm',
	'.webmanifest': 'application/manifest+json'
};

/**
 * Finds the file that stands for an address in `folder`: itself, a page of that name, or the page of that folder. The disk is
 * read at each request, so that a new build shows without a restart; one user does not notice.
 * @param {string} folder absolute @param {string} path as it was sent
 * @returns {{ file: string, bytes: number, modified: number } | undefined}
 */
function findFile(folder, path) {
	const name = join(folder, decodeURIComponent(path));
	const candidates = path.endsWith('/') ? [join(name, 'index.html')] : [name, `${name}.html`, join(name, 'index.html')];
	for (const file of candidates) {
		if (!file.startsWith(folder + sep)) continue;
		const found = stat(file);
		if (found?.isFile()) return { file, bytes: found.size, modified: Math.floor(found.mtimeMs) };
	}
	return undefined;
}

/** @param {string} file */
function stat(file) {
	try {
		return statSync(file);
	} catch {
		// Not there, or a name that no file can have.
		return undefined;
	}
}

/** @param {Request} request @param {Response} response @param {string} folder @param {string} path @returns {boolean} whether there is one */
function sendBuildFile(request, response, folder, path) {
	const found = findFile(folder, path);
	if (!found) return false;
	const { file, bytes, modified } = found;
	const etag = `W/"${bytes}-${modified}"`;
	response.setHeader('Cache-Control', path.startsWith('/_app/immutable/') ? 'public, max-age=31536000, immutable' : 'no-cache');
	response.setHeader('ETag', etag);
	if (request.headers['if-none-match'] === etag) {
		response.writeHead(304).end();
		return true;
	}
	response.writeHead(200, { 'Content-Type': mediaTypes[extname(file)] ?? 'application/octet-stream', 'Content-Length': bytes });
	sendBytes(request, response, file);
	return true;
}

/**
 * Reads a Range header for one range (RFC 9110, 14.2).
 * @param {string | undefined} header
 * @param {number} bytes the file's size
 * @returns {{ start: number, end: number } | 'unsatisfiable' | null} `end` is the last byte's position; null means the
 *   whole file: no header, or one to be ignored (several ranges, other units, nonsense)
 */
export function parseRange(header, bytes) {
	const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
	if (!match) return null;
	const [, first = '', last = ''] = match;
	if (first === '' && last === '') return null;
	if (first === '') {
		const length = Math.min(Number(last), bytes);
		return length === 0 ? 'unsatisfiable' : { start: bytes - length, end: bytes - 1 };
	}
	const start = Number(first);
	const end = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
	if (last !== '' && Number(last) < start) return null;
	return start >= bytes ? 'unsatisfiable' : { start, end };
}

/**
 * Says whether a request names this server. A page elsewhere can let its own name lead to this machine (DNS rebinding), and
 * would then be of the same origin as what is served to it.
 * @param {string} host the Host header @param {number} port @param {string[]} allowed other names; one without a port stands for all
 */
export function isOwnHost(host, port, allowed) {
	const named = host.toLowerCase();
	const own = ['127.0.0.1', 'localhost', '[::1]'].map((name) => (port === 80 ? name : `${name}:${port}`));
	return own.includes(named) || allowed.some((name) => [named, named.replace(/:\d+$/, '')].includes(name.toLowerCase()));
}

/**
 * Serves a build on loopback until it is closed. No request ends the process.
 * @param {{ folder: string, port: number, weights: Weights | null, allowedHosts?: string[] }} options port 0 lets the system
 *   choose one; allowedHosts are names under which it is reached besides those of this machine
 * @returns {Promise<{ url: string, port: number, close: () => Promise<void> }>}
 * @throws {Halt} when the port cannot be had
 */
export async function serve({ folder, port, weights, allowedHosts = [] }) {
	const root = resolve(folder);
	const sendWeights = weightsRoute(weights);

	/** @param {Request} request @param {Response} response */
	const answer = (request, response) => {
		const path = pathOf(request);
		for (const [name, value] of Object.entries(headersFor(path))) response.setHeader(name, value);
		const say = (/** @type {number} */ status, /** @type {string} */ text) =>
			void response.writeHead(status, { 'Content-Type': 'text/plain;charset=utf-8' }).end(text);
		const { host = '' } = request.headers;
		if (!isOwnHost(host, request.socket.localPort ?? port, allowedHosts)) {
			return say(421, `Snug does not answer under this name. If it is yours, start it with --allow-host ${/^[\w.[\]:-]+$/.test(host) ? host : 'NAME'}\n`);
		}
		if (request.method !== 'GET' && request.method !== 'HEAD') {
			response.writeHead(405, { Allow: 'GET, HEAD' }).end();
			return;
		}
		sendWeights(request, response, () => {
			if (sendBuildFile(request, response, root, path)) return;
			if (isPage(path, request.headers.accept) && sendBuildFile(request, response, root, '/404.html')) return;
			say(404, 'Not found');
		});
	};

	const server = createServer((request, response) => {
		try {
			answer(request, response);
		} catch (error) {
			// Nonsense in the address is the asker's fault, anything else worth a line.
			if (!(error instanceof URIError)) console.error(error);
			if (!response.headersSent) response.writeHead(error instanceof URIError ? 400 : 500);
			response.end();
		}
	});
	await listen(server, port);
	const address = server.address();
	const bound = typeof address === 'object' && address ? address.port : port;
	const close = () =>
		new Promise((/** @type {(value: void) => void} */ resolve) => {
			server.close(() => resolve());
			server.closeAllConnections();
		});
	return { url: `http://${loopback}:${bound}/`, port: bound, close };
}

/**
 * Says whether an address without a file is one of the app's own pages, such as /s/<id>: those are answered with the app.
 * @param {string} path @param {string | undefined} accept the request's Accept header
 */
function isPage(path, accept = '') {
	if (path.startsWith('/_app/') || path.startsWith('/weights/')) return false;
	// A workspace's name may have a dot in it; then only the header tells a page from a missing file.
	return accept.includes('text/html') || !/\.\w+$/.test(path);
}
