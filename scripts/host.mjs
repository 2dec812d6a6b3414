// Serves the build and the weights on this machine. The only script that needs an installed package (sirv).
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { pipeline } from 'node:stream';
import sirv from 'sirv';
import { listen, loopback } from './port.mjs';
import { findDefaultWeights } from './weights.mjs';

/**
 * @typedef {import('node:http').IncomingMessage} Request
 * @typedef {import('node:http').ServerResponse} Response
 * @typedef {import('./weights.mjs').Weights} Weights
 */

/**
 * Headers that isolate the page, so that WebAssembly may use threads. The service worker adds the same ones to what it
 * serves, for hosts that cannot set headers.
 */
export const isolationHeaders = {
	'Cross-Origin-Opener-Policy': 'same-origin',
	'Cross-Origin-Embedder-Policy': 'require-corp',
	'Cross-Origin-Resource-Policy': 'same-origin'
};

/**
 * Sets the isolation headers. The service worker's own script goes without the embedder policy: under it, the worker
 * could not ask servers that send no CORS headers whether they are there.
 * @param {string} path @param {Response} response
 */
function isolate(path, response) {
	for (const [name, value] of Object.entries(isolationHeaders)) {
		if (name === 'Cross-Origin-Embedder-Policy' && path.endsWith('/service-worker.js')) continue;
		response.setHeader(name, value);
	}
}

/** @param {Request} request @returns {string} the path as it was sent, without the query */
function pathOf(request) {
	return (request.url ?? '/').split('?', 1)[0] ?? '/';
}

/**
 * Vite plugin: the development and preview servers isolate too.
 * @returns {import('vite').Plugin}
 */
export function isolation() {
	/** @param {{ middlewares: import('vite').Connect.Server }} server */
	const use = (server) => {
		server.middlewares.use((request, response, next) => {
			isolate(pathOf(request), response);
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
			sendFile(request, response, weights);
		} else {
			next();
		}
	};
}

/**
 * By hand, because sirv misreads `bytes=0-0` and `bytes=-N`, and keeps the file open when the reader goes away.
 * @param {Request} request @param {Response} response @param {Weights} weights
 */
function sendFile(request, response, weights) {
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
	if (request.method === 'HEAD') {
		response.end();
		return;
	}
	pipeline(createReadStream(weights.file, { start, end }), response, (error) => {
		// The reader may go away at any time; then there is nobody to tell. A file that vanished is worth a line.
		if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') console.error(`${weights.file}: ${error.message}`);
	});
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
 * Serves a build on loopback until it is closed.
 * @param {{ folder: string, port: number, weights: Weights | null }} options port 0 lets the system choose one
 * @returns {Promise<{ url: string, port: number, close: () => Promise<void> }>}
 * @throws {Halt} when the port cannot be had
 */
export async function serve({ folder, port, weights }) {
	const sendWeights = weightsRoute(weights);
	// `dev` reads the disk at each request, so that a new build shows without a restart; one person does not notice.
	const sendBuild = sirv(folder, {
		dev: true,
		etag: true,
		setHeaders: (response, path) => {
			const immutable = path.startsWith('/_app/immutable/');
			response.setHeader('Cache-Control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
		}
	});
	const server = createServer((request, response) => {
		const path = pathOf(request);
		isolate(path, response);
		if (request.method !== 'GET' && request.method !== 'HEAD') {
			response.writeHead(405, { Allow: 'GET, HEAD' }).end();
			return;
		}
		const notFound = () => void response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found');
		const sendShell = () => {
			request.url = '/404.html';
			sendBuild(request, response, notFound);
		};
		const next = isPage(path, request.headers.accept) ? sendShell : notFound;
		sendWeights(request, response, () => sendBuild(request, response, next));
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
