import { createServer, request as httpRequest } from 'node:http';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Halt } from './halt.mjs';
import { headersFor } from '../src/headers.js';
import { isOwnHost, parseRange, serve } from './host.mjs';
import { listen, requireFreePort } from './port.mjs';
import type { Weights } from './weights.mjs';

const model = Buffer.from(`GGUF${'0123456789'.repeat(1000)}`);
let folder = '';
let weights: Weights;
let server: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'snug-host-'));
	const files = {
		'build/404.html': '<title>Snug</title>',
		'build/index.html': '<title>Snug</title>',
		'build/service-worker.js': '// worker',
		'build/manifest.webmanifest': '{}',
		'build/_app/version.json': '{}',
		'build/_app/immutable/entry/start.abc.js': '// start',
		'secret.txt': 'secret',
		'my model.gguf': model
	};
	for (const [path, content] of Object.entries(files)) {
		mkdirSync(join(folder, path, '..'), { recursive: true });
		writeFileSync(join(folder, path), content);
	}
	weights = { file: join(folder, 'my model.gguf'), name: 'my model.gguf', bytes: model.length, sha256: null };
	server = await serve({ folder: join(folder, 'build'), port: 0, weights });
});
afterAll(async () => {
	await server.close();
	rmSync(folder, { recursive: true, force: true });
});

const get = (path: string, init?: RequestInit) => fetch(new URL(path, server.url), init);

describe('pages', () => {
	test.each(['/', '/s/0198-abc', '/s/0198-abc?at=5', '/w/notes', '/settings/models', '/search'])(
		'%s is answered with the app, isolated, never from an old cache',
		async (path) => {
			const response = await get(path);
			expect(response.status).toBe(200);
			expect(await response.text()).toBe('<title>Snug</title>');
			expect(response.headers.get('content-type')).toMatch(/^text\/html/);
			expect(response.headers.get('cache-control')).toBe('no-cache');
			expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin');
			expect(response.headers.get('cross-origin-embedder-policy')).toBe('require-corp');
			expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin');
			for (const [name, value] of Object.entries(headersFor('/'))) expect(response.headers.get(name), name).toBe(value);
		}
	);

	test('a workspace whose name has a dot is a page when it is asked for as one', async () => {
		expect((await get('/w/site.org', { headers: { accept: 'text/html,*/*' } })).status).toBe(200);
		expect((await get('/w/site.org')).status).toBe(404);
	});

	test.each(['/_app/immutable/entry/old.js', '/_app/gone', '/weights/other.gguf', '/weights/'])(
		'%s is missing, and says so even when asked for as a page',
		async (path) => {
			const response = await get(path, { headers: { accept: 'text/html' } });
			expect(response.status).toBe(404);
			expect(response.headers.has('cache-control')).toBe(false);
		}
	);

	test('a missing file is not answered with a page', async () => {
		expect((await get('/favicon.ico')).status).toBe(404);
	});

	test('nothing outside the build can be read', async () => {
		for (const path of ['/..%2fsecret.txt', '/%2e%2e/secret.txt', '/_app/..%2f..%2fsecret.txt', '/weights/..%2fsecret.txt']) {
			expect(await (await get(path)).text(), path).not.toBe('secret');
		}
	});

	test('only reading is allowed', async () => {
		expect((await get('/', { method: 'POST', body: 'x' })).status).toBe(405);
		expect((await get('/', { method: 'HEAD' })).status).toBe(200);
	});
});

/** A request as a program sends one, which may say anything in its headers; the status. */
function ask(path: string, headers: Record<string, string>): Promise<number> {
	return new Promise((resolve, reject) => {
		const request = httpRequest({ host: '127.0.0.1', port: server.port, path, headers }, (response) => {
			response.resume().on('end', () => resolve(response.statusCode!));
		});
		request.on('error', reject).end();
	});
}

describe('[P8] what a request says', () => {
	test('a page may not be framed, sniffed or looked up ahead', () => {
		expect(headersFor('/')).toMatchObject({
			'Content-Security-Policy': expect.stringContaining("frame-ancestors 'none'"),
			'Referrer-Policy': 'no-referrer',
			'X-Content-Type-Options': 'nosniff',
			'X-DNS-Prefetch-Control': 'off'
		});
	});

	test.each(['bytes=5-2', 'bytes=-', 'bytes=9-', 'bytes=99999999999999999999-', 'bytes=a-b', 'lines=1-2'])(
		'the range %s of a file of the build does no harm',
		async (range) => {
			expect(await ask('/service-worker.js', { range })).toBe(200);
			expect(await ask('/', {})).toBe(200);
		}
	);

	test.each(['/%', '/%zz', '/%00', '/a%00.js', '//', '/..', '/%2e%2e%2f%2e%2e%2fsecret.txt', `/${'a'.repeat(6000)}`, '*'])(
		'the address %.20s does no harm',
		async (path) => {
			expect([200, 400, 404]).toContain(await ask(path, {}));
			expect(await ask('/', {})).toBe(200);
		}
	);

	test('only names of this machine are answered, so that no page elsewhere can take a name for it', async () => {
		for (const name of ['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST']) {
			expect(await ask('/', { host: `${name}:${server.port}` }), name).toBe(200);
		}
		for (const host of ['evil.example', `evil.example:${server.port}`, '127.0.0.1', 'localhost:1', `127.0.0.1.evil.example:${server.port}`]) {
			for (const path of ['/', '/weights/manifest.json', '/weights/my%20model.gguf']) expect(await ask(path, { host }), host).toBe(421);
		}
	});

	test('a name that a flag allows is answered, with any port unless it has one', () => {
		expect(isOwnHost('snug.example', 4747, ['snug.example'])).toBe(true);
		expect(isOwnHost('snug.example:8443', 4747, ['snug.example'])).toBe(true);
		expect(isOwnHost('snug.example:8443', 4747, ['snug.example:8444'])).toBe(false);
		expect(isOwnHost('localhost', 80, [])).toBe(true);
	});
});

describe('files', () => {
	test('the service worker goes without the embedder policy and is always asked for', async () => {
		const { headers } = await get('/service-worker.js?v=1');
		expect(headers.has('cross-origin-embedder-policy')).toBe(false);
		expect(headers.get('cache-control')).toBe('no-cache');
		expect(headers.get('content-type')).toMatch(/javascript/);
	});

	test('hashed files are kept for good, others are asked for', async () => {
		expect((await get('/_app/immutable/entry/start.abc.js')).headers.get('cache-control')).toMatch(/immutable/);
		expect((await get('/_app/version.json')).headers.get('cache-control')).toBe('no-cache');
		expect((await get('/manifest.webmanifest')).headers.get('cache-control')).toBe('no-cache');
	});

	test('an unchanged file is answered with 304, a new build shows at once', async () => {
		const etag = (await get('/')).headers.get('etag') ?? '';
		expect((await get('/', { headers: { 'if-none-match': etag } })).status).toBe(304);
		writeFileSync(join(folder, 'build/new.txt'), 'new');
		expect(await (await get('/new.txt')).text()).toBe('new');
	});
});

describe('weights', () => {
	const url = '/weights/my%20model.gguf';

	test('the manifest names the file', async () => {
		const response = await get('/weights/manifest.json');
		expect(await response.json()).toEqual({ name: 'my model', bytes: model.length, sha256: null, url });
		expect(response.headers.get('cache-control')).toBe('no-store');
		expect(response.headers.get('cross-origin-embedder-policy')).toBe('require-corp');
	});

	test('without weights the manifest is null, with status 200', async () => {
		const bare = await serve({ folder: join(folder, 'build'), port: 0, weights: null });
		const response = await fetch(new URL('/weights/manifest.json', bare.url));
		expect([response.status, await response.json()]).toEqual([200, null]);
		await bare.close();
	});

	test('the file comes whole, with its length, and is not cached', async () => {
		const response = await get(url);
		expect(response.status).toBe(200);
		expect(response.headers.get('content-length')).toBe(String(model.length));
		expect(response.headers.get('accept-ranges')).toBe('bytes');
		expect(response.headers.get('cache-control')).toBe('no-store');
		expect(Buffer.from(await response.arrayBuffer()).equals(model)).toBe(true);
	});

	test.each([
		['bytes=0-0', 0, 1],
		['bytes=10-19', 10, 20],
		['bytes=9000-', 9000, model.length],
		['bytes=-4', model.length - 4, model.length],
		['bytes=10000-99999', 10000, model.length]
	])('%s is answered with that part', async (range, start, end) => {
		const response = await get(url, { headers: { range } });
		expect(response.status).toBe(206);
		expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${model.length}`);
		expect(Buffer.from(await response.arrayBuffer()).equals(model.subarray(start, end))).toBe(true);
	});

	test('a range behind the end is 416, with the size', async () => {
		const response = await get(url, { headers: { range: `bytes=${model.length}-` } });
		expect(response.status).toBe(416);
		expect(response.headers.get('content-range')).toBe(`bytes */${model.length}`);
	});

	test('a reader that goes away midway does no harm', async () => {
		const abort = new AbortController();
		await get(url, { signal: abort.signal });
		abort.abort();
		expect((await get(url, { headers: { range: 'bytes=0-3' } })).status).toBe(206);
	});

	test('parseRange: what it answers lies in the file, and holds the bytes asked for', () => {
		const position = fc.nat({ max: 200 });
		fc.assert(
			fc.property(position, position, fc.integer({ min: 1, max: 100 }), (first, last, bytes) => {
				const range = parseRange(`bytes=${first}-${last}`, bytes);
				if (last < first) expect(range).toBeNull();
				else if (first >= bytes) expect(range).toBe('unsatisfiable');
				else expect(range).toEqual({ start: first, end: Math.min(last, bytes - 1) });
			})
		);
		for (const header of [undefined, '', 'bytes=-', 'bytes=a-b', 'items=0-1', 'bytes=0-1,3-4']) {
			expect(parseRange(header, 10)).toBeNull();
		}
		expect(parseRange('bytes=-0', 10)).toBe('unsatisfiable');
	});
});

describe('ports', () => {
	test('a port in use is one sentence that names it and what to type', async () => {
		const sentence = new RegExp(`^Port ${server.port} is in use; .*\`npm start -- --port ${server.port + 1}\`\\.$`);
		await expect(requireFreePort(server.port)).rejects.toThrow(Halt);
		await expect(requireFreePort(server.port)).rejects.toThrow(sentence);
		await expect(serve({ folder, port: server.port, weights: null })).rejects.toThrow(sentence);
	});

	test('a free port stays free after the question', async () => {
		const other = createServer();
		await listen(other, 0);
		const address = other.address();
		const port = typeof address === 'object' && address ? address.port : 0;
		await new Promise((resolve) => other.close(resolve));
		await requireFreePort(port);
		await expect(requireFreePort(port)).resolves.toBeUndefined();
	});
});
