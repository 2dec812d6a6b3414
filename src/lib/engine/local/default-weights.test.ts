import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { askOnce, findDefaultWeights } from './default-weights';

let server: Server | undefined;
afterEach(() => server?.close());

async function host(status: number, type: string, body: string): Promise<string> {
	server = createServer((_request, response) => response.writeHead(status, { 'content-type': type }).end(body));
	await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as { port: number };
	return `http://127.0.0.1:${port}/base/`;
}

describe('findDefaultWeights', () => {
	it('reads the manifest and makes its address absolute', async () => {
		const manifest = { name: 'Tiny.gguf', bytes: 12, sha256: 'ab', url: '/weights/Tiny.gguf' };
		const base = await host(200, 'application/json', JSON.stringify(manifest));
		expect(await findDefaultWeights(base)).toEqual({ ...manifest, url: new URL('/weights/Tiny.gguf', base).href });
	});

	it('takes a hash that is not known as none', async () => {
		const base = await host(
			200,
			'application/json',
			JSON.stringify({ name: 'a', bytes: 1, sha256: null, url: 'a.gguf' })
		);
		expect(await findDefaultWeights(base)).toEqual({ name: 'a', bytes: 1, url: `${base}a.gguf` });
	});

	it.each([
		[200, 'application/json', 'null'],
		[200, 'application/json', '{"name":1}'],
		[200, 'application/json', 'not json'],
		[200, 'text/html', '<!doctype html>'],
		[404, 'application/json', '{}']
	])('finds none behind %i %s %j', async (status, type, body) => {
		expect(await findDefaultWeights(await host(status, type, body))).toBeUndefined();
	});

	it('throws where no host answers, or none in time', async () => {
		const base = await host(200, 'text/plain', '');
		server?.close();
		await expect(findDefaultWeights(base)).rejects.toMatchObject({ name: 'ConnectionFailure', kind: 'unreachable' });
		server = createServer(() => undefined);
		await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as { port: number };
		const silent = findDefaultWeights(`http://127.0.0.1:${port}/`, { silenceMs: 100 });
		await expect(silent).rejects.toMatchObject({ name: 'ConnectionFailure', kind: 'slow' });
		server.closeAllConnections();
	});

	it('takes no address that is none of the web', async () => {
		const base = await host(200, 'application/json', JSON.stringify({ name: 'a', bytes: 1, url: 'javascript:alert(1)' }));
		expect(await findDefaultWeights(base)).toBeUndefined();
	});
});

describe('askOnce', () => {
	it('asks a host that answers once', async () => {
		const base = await host(200, 'application/json', JSON.stringify({ name: 'a', bytes: 1, url: 'a.gguf' }));
		let asked = 0;
		server!.on('request', () => asked++);
		const find = askOnce(base, () => 0);
		expect(await find()).toMatchObject({ name: 'a' });
		expect(await find()).toMatchObject({ name: 'a' });
		expect(asked).toBe(1);
	});

	it('takes a silent host for one that offers nothing, and asks it again after half a minute', async () => {
		const base = await host(200, 'text/plain', '');
		const { port } = new URL(base);
		server!.close();
		let now = 0;
		const find = askOnce(base, () => now);
		expect(await find()).toBeUndefined();
		server = createServer((_request, response) =>
			response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ name: 'a', bytes: 1, url: 'a.gguf' }))
		);
		await new Promise<void>((resolve) => server!.listen(Number(port), '127.0.0.1', resolve));
		now = 29_999;
		expect(await find()).toBeUndefined();
		now = 30_000;
		expect(await find()).toMatchObject({ name: 'a' });
	});
});
