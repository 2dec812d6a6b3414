import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { tinyGguf } from '../../../../tests/fixtures/tiny-gguf.mjs';
import { AppError } from '../../shared/app-error';
import { downloadModel, type DownloadNote, type DownloadPorts } from './download-model';
import { ModelWriter, type Sink } from './model-writer';

const model = tinyGguf();
const sha256 = createHash('sha256').update(model).digest('hex');

/** A file in memory; `room` is how many bytes it takes before the disk is full. */
class MemorySink implements Sink {
	bytes = new Uint8Array(2 ** 20);
	size = 0;
	constructor(public room = Infinity) {}
	getSize = () => this.size;
	flush = () => {};
	truncate = (size: number) => void (this.size = size);
	read(into: Uint8Array, { at }: { at: number }): number {
		const part = this.bytes.subarray(at, Math.min(this.size, at + into.length));
		into.set(part);
		return part.length;
	}
	write(bytes: Uint8Array, { at }: { at: number }): number {
		if (at + bytes.length > this.room) throw new DOMException('full', 'QuotaExceededError');
		this.bytes.set(bytes, at);
		this.size = Math.max(this.size, at + bytes.length);
		return bytes.length;
	}
}

let server: Server | undefined;
afterEach(() => {
	server?.closeAllConnections();
	server?.close();
});

/** A server whose n-th request is answered by the n-th handler, and later ones by the last. */
async function serve(...handlers: ((request: IncomingMessage, response: ServerResponse) => void)[]) {
	const ranges: (string | undefined)[] = [];
	server = createServer((request, response) => {
		ranges.push(request.headers.range);
		handlers[Math.min(ranges.length, handlers.length) - 1]!(request, response);
	});
	await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as { port: number };
	return { url: `http://127.0.0.1:${port}/model.gguf`, ranges };
}

/** Answers like a good static host, up to `until`, where the connection breaks. */
function file({ until = model.length, etag = '"1"', body = model } = {}) {
	return (request: IncomingMessage, response: ServerResponse) => {
		const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
		response.writeHead(from > 0 ? 206 : 200, {
			etag,
			'content-length': body.length - from,
			...(from > 0 ? { 'content-range': `bytes ${from}-${body.length - 1}/${body.length}` } : {})
		});
		if (until >= body.length) response.end(body.subarray(from));
		else response.write(body.subarray(from, until), () => setTimeout(() => response.destroy(), 20));
	};
}

const status = (code: number) => (_: IncomingMessage, response: ServerResponse) =>
	void response.writeHead(code).end('no');

async function download(
	url: string,
	rest: Partial<DownloadNote> = {},
	{
		sink = new MemorySink(),
		signal = new AbortController().signal,
		...more
	}: Partial<DownloadPorts> & { sink?: MemorySink; signal?: AbortSignal } = {}
) {
	const notes: DownloadNote[] = [];
	const writer = new ModelWriter(sink, 'Tiny');
	await writer.resume();
	const ports: DownloadPorts = {
		fetch,
		saveNote: (note) => notes.push(note),
		requireSpace: async () => {},
		waits: [1, 1, 1],
		...more
	};
	const done = downloadModel({ name: 'Tiny', url, ...rest }, writer, ports, signal);
	const error = await done.then(
		() => undefined,
		(error: unknown) => error
	);
	return { sink, error, hash: error === undefined ? await done : undefined, note: notes.at(-1)! };
}

function content(sink: MemorySink) {
	return Buffer.from(sink.bytes.subarray(0, sink.size));
}

describe('downloadModel', () => {
	it('downloads, checks size and hash, and notes what the server said', async () => {
		const { url } = await serve(file());
		const { sink, hash, note } = await download(url, { bytes: model.length, sha256 });
		expect(hash).toBe(sha256);
		expect(content(sink).equals(model)).toBe(true);
		expect(note).toMatchObject({ total: model.length, version: '"1"' });
	});

	it('takes up a broken connection by itself, again and again while it gets on', async () => {
		const cuts = [1000, 50_000, 100_000, 150_000, 200_000, 300_000].map((until) => file({ until }));
		const { url, ranges } = await serve(...cuts, file());
		const { hash } = await download(url, { sha256 });
		expect(hash).toBe(sha256);
		expect(ranges.at(-1)).toMatch(/^bytes=[1-9]\d*-$/);
	});

	it('gives up after a few fruitless tries, and goes on from there another time', async () => {
		const { url, ranges } = await serve(
			file({ until: 200_000 }),
			status(503),
			status(503),
			status(503),
			status(503),
			file()
		);
		const first = await download(url);
		expect(first.error).toMatchObject({ code: 'download-server', retryable: true });
		expect(first.sink.size).toBe(200_000);
		const second = await download(url, first.note, { sink: first.sink });
		expect(second.hash).toBe(sha256);
		expect(ranges.at(-1)).toBe('bytes=200000-');
	});

	it('starts over where the server ignores the range', async () => {
		const { url } = await serve(file({ until: 100_000 }), (request, response) => {
			delete request.headers.range;
			file()(request, response);
		});
		expect((await download(url)).hash).toBe(sha256);
	});

	it('starts over where the file has changed on the server', async () => {
		const changed = tinyGguf({ seed: 2 });
		const { url } = await serve(file({ until: 100_000 }), file({ etag: '"2"', body: changed }));
		const { sink } = await download(url);
		expect(content(sink).equals(changed)).toBe(true);
	});

	it('starts over where the part is longer than the file', async () => {
		const sink = new MemorySink();
		sink.write(new Uint8Array(600_000), { at: 0 });
		const { url } = await serve(status(416), file());
		expect((await download(url, {}, { sink })).hash).toBe(sha256);
	});

	it('needs no request where only the last step was missing', async () => {
		const sink = new MemorySink();
		sink.write(model, { at: 0 });
		const { url, ranges } = await serve(status(500));
		expect((await download(url, { total: model.length }, { sink })).hash).toBe(sha256);
		expect(ranges).toEqual([]);
	});

	it('keeps what came before a cancel', async () => {
		const stop = new AbortController();
		const { url } = await serve(file({ until: 100_000 }), (_request, response) => {
			response.writeHead(206, { 'content-range': `bytes 100000-${model.length - 1}/${model.length}` });
			response.flushHeaders();
			setTimeout(() => stop.abort(), 20);
		});
		const { error, sink } = await download(url, {}, { signal: stop.signal });
		expect(error).toMatchObject({ name: 'AbortError' });
		expect(sink.size).toBe(100_000);
	});

	it('counts a connection that has gone silent as broken', async () => {
		const silent = (_: IncomingMessage, response: ServerResponse) =>
			void response.writeHead(200, { 'content-length': 5 }).flushHeaders();
		const { url } = await serve(silent, file());
		expect((await download(url, {}, { silenceMs: 100 })).hash).toBe(sha256);
	});

	it('tells a web page from a model as soon as it comes', async () => {
		// The rest never comes: whoever waited for the whole page would wait for ever.
		const { url } = await serve((_, response) => void response.write('<!doctype html>'.padEnd(100_000)));
		const { error } = await download(url, {}, { silenceMs: 60_000 });
		expect(error).toMatchObject({ code: 'gguf-foreign' });
	});

	it.each([
		[401, 'download-refused'],
		[403, 'download-refused'],
		[404, 'download-missing']
	])('says so at once where the status is %i', async (code, expected) => {
		const { url, ranges } = await serve(status(code));
		expect((await download(url)).error).toMatchObject({ code: expected, retryable: false });
		expect(ranges.length).toBe(1);
	});

	it('refuses other bytes than were announced', async () => {
		const { url } = await serve(file());
		expect((await download(url, { sha256: 'ab'.repeat(32) })).error).toMatchObject({ code: 'download-mismatch' });
		expect((await download(url, { bytes: 5 })).error).toMatchObject({ code: 'download-mismatch' });
	});

	it('says when no server is there', async () => {
		const { url } = await serve(file());
		server?.close();
		expect((await download(url)).error).toMatchObject({ code: 'download-broken', retryable: true });
	});

	it('asks for room before it writes, and says when the disk is full', async () => {
		const { url } = await serve(file());
		const requireSpace = () => Promise.reject(new AppError('disk-full', 'No room.'));
		const refused = await download(url, {}, { requireSpace });
		expect(refused.error).toMatchObject({ code: 'disk-full' });
		expect(refused.sink.size).toBe(0);
	});

	it.each(['throws', 'tells the number of an error'] as const)('keeps what it has where the disk is full, which %s, and goes on from there', async (way) => {
		const { url, ranges } = await serve(file());
		const sink = new MemorySink(way === 'throws' ? 100_000 : Infinity);
		const { write } = sink;
		// As Chromium tells it: an error's number, without its sign.
		if (way !== 'throws') sink.write = (bytes, options) => (options.at + bytes.length > 100_000 ? 2 ** 32 - 8 : write.call(sink, bytes, options));
		const full = await download(url, {}, { sink });
		expect(full.error).toMatchObject({ code: 'disk-full', retryable: true });
		expect(ranges).toHaveLength(1);
		const received = sink.size;
		expect(received).toBeGreaterThan(0);
		sink.room = Infinity;
		sink.write = write;
		expect((await download(url, full.note, { sink })).error).toBeUndefined();
		expect(ranges.at(-1)).toBe(`bytes=${received}-`);
		expect(content(sink)).toEqual(Buffer.from(model));
	});
});
