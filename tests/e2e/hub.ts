// A server that answers as Hugging Face does, with one repository under two names, whose files it redirects to as its hosts do.
import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext } from '@playwright/test';

/** The repository that a search finds, and one of the first choices that is the same. */
const repositories = ['owner/Tiny-GGUF', 'bartowski/Llama-3.2-1B-Instruct-GGUF'];

const commit = 'c0ffee'.padEnd(40, '0');

export interface Hub {
	/** The paths that were asked for, in order, with their queries. */
	asked: string[];
	/** The ranges of the requests for a file, undefined for a whole one. */
	ranges: (string | undefined)[];
	/** Lets the next request for a file have no more than these bytes, until its connection breaks. */
	stallAfter(bytes: number): void;
	breakConnection(): void;
	close(): void;
}

interface Files {
	bytes: Buffer;
	/** The hash that it tells, if not the right one. */
	sha256?: string;
}

/** Starts the server, which pages of `context` find in the place of huggingface.co. */
export async function startHub(context: BrowserContext, { bytes, sha256 = createHash('sha256').update(bytes).digest('hex') }: Files): Promise<Hub> {
	const asked: string[] = [];
	const ranges: (string | undefined)[] = [];
	let stallsAt: number | undefined;
	let stalled: ServerResponse | undefined;
	const about = { _id: '65', id: 'owner/Tiny-GGUF', modelId: 'owner/Tiny-GGUF', downloads: 12_345, likes: 3, gated: false, private: false, tags: ['gguf', 'license:apache-2.0'] };
	const file = (rfilename: string, size: number, hash = sha256) => ({ rfilename, size, blobId: commit, lfs: { sha256: hash, size, pointerSize: 134 } });
	const other = 'ab'.repeat(32);
	const siblings = [
		{ rfilename: 'README.md', size: 100, blobId: commit },
		file('Tiny-Q4_K_M.gguf', bytes.length),
		file('Tiny-F16.gguf', 90e9, other),
		file('mmproj-Tiny-F16.gguf', 1000, other),
		...[1, 2].map((part) => file(`Q8_0/Tiny-Q8_0-0000${part}-of-00002.gguf`, 3e9, other))
	];

	const server = createServer((request, response) => {
		const { pathname, search } = new URL(request.url!, 'http://127.0.0.1');
		response.setHeader('access-control-allow-origin', '*');
		if (pathname.startsWith('/cdn/')) return sendFile(request.headers.range, response);
		asked.push(pathname + search);
		if (pathname === '/api/models') return json(response, [about, { id: 'vendor/Gated-GGUF', downloads: 5, gated: 'manual', tags: [] }, { id: '<img src=x>/y' }]);
		const id = repositories.find((id) => pathname === `/api/models/${id}` || pathname === `/${id}/resolve/${commit}/Tiny-Q4_K_M.gguf`);
		if (id && pathname.startsWith('/api/')) return json(response, { ...about, id, sha: commit, siblings, gguf: { total: 1000, architecture: 'llama', context_length: 256 } });
		if (id) return response.writeHead(302, { location: `http://${request.headers.host}/cdn/${sha256}?signature=1` }).end();
		response.writeHead(404).end('{"error":"Repository not found"}');
	});

	function json(response: ServerResponse, value: unknown) {
		response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(value));
	}

	function sendFile(range: string | undefined, response: ServerResponse) {
		ranges.push(range);
		const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
		response.writeHead(from ? 206 : 200, {
			'content-length': bytes.length - from,
			...(from ? { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {})
		});
		if (stallsAt === undefined) return response.end(bytes.subarray(from));
		response.write(bytes.subarray(from, stallsAt));
		stallsAt = undefined;
		stalled = response;
	}

	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const local = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	await context.route('https://huggingface.co/**', async (route) => {
		const { pathname, search } = new URL(route.request().url());
		const answer = await fetch(`${local}${pathname}${search}`, { redirect: 'manual' });
		await route.fulfill({ status: answer.status, headers: Object.fromEntries(answer.headers), body: Buffer.from(await answer.arrayBuffer()) });
	});
	return {
		asked,
		ranges,
		stallAfter: (at) => (stallsAt = at),
		breakConnection: () => stalled?.destroy(),
		close() {
			server.close();
			server.closeAllConnections();
		}
	};
}
