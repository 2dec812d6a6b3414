import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { readHubRepository, searchHub } from './hub';

let server: Server | undefined;
afterEach(() => {
	server?.close();
	server?.closeAllConnections();
});

/** A real server in the place of Hugging Face: what would go there goes to it. */
async function hub(answer: RequestListener) {
	server = createServer(answer);
	await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const asked: string[] = [];
	const fetch = (url: URL | RequestInfo, init?: RequestInit) => {
		asked.push(String(url as URL));
		return globalThis.fetch(String(url as URL).replace('https://huggingface.co', `http://127.0.0.1:${port}`), init);
	};
	return { asked, egress: { fetch: fetch as typeof globalThis.fetch } };
}

describe('[P1] Hugging Face', () => {
	it('is asked for GGUF files by the words alone, the most downloaded first', async () => {
		const { asked, egress } = await hub((_request, response) => response.end('[{"id":"a/b","downloads":2}]'));
		expect(await searchHub('qwen & c/ö', egress)).toEqual([{ id: 'a/b', downloads: 2, needsAccount: false }]);
		const url = new URL(asked[0]!);
		expect(url.origin + url.pathname).toBe('https://huggingface.co/api/models');
		expect([...url.searchParams]).toEqual([
			['search', 'qwen & c/ö'],
			['filter', 'gguf'],
			['sort', 'downloads'],
			['direction', '-1'],
			['limit', '20'],
			['expand[]', 'downloads'],
			['expand[]', 'gated'],
			['expand[]', 'tags']
		]);
	});

	it('is asked for a repository only by a name that is one', async () => {
		const { asked, egress } = await hub((_request, response) => response.end(JSON.stringify({ id: 'a/b', sha: '0'.repeat(40), siblings: [] })));
		await expect(readHubRepository('../../x', egress)).rejects.toMatchObject({ code: 'hub-missing' });
		expect(await readHubRepository('a/b', egress)).toMatchObject({ id: 'a/b', files: [] });
		expect(asked).toEqual(['https://huggingface.co/api/models/a/b?blobs=true']);
	});

	it.each([
		[404, '', 'hub-missing', false],
		[401, '', 'hub-missing', false],
		[429, '', 'hub-busy', true],
		[503, '', 'hub-failed', true],
		[307, '', 'hub-nonsense', false],
		[200, '<!doctype html>', 'hub-nonsense', false],
		[200, '{"error":"no"}', 'hub-nonsense', false],
		[200, ' '.repeat(5 * 2 ** 20), 'hub-nonsense', false]
	])('is explained in a sentence where it answers %i', async (status, body, code, retryable) => {
		const { egress } = await hub((_request, response) => response.writeHead(status, status === 307 ? { location: '/elsewhere' } : {}).end(body));
		await expect(readHubRepository('a/b', egress)).rejects.toMatchObject({ name: 'AppError', code, retryable });
	});

	it('is explained where it is not there, or silent', async () => {
		const { egress } = await hub(() => undefined);
		await expect(searchHub('x', { ...egress, silenceMs: 50 })).rejects.toMatchObject({ code: 'hub-unreachable', message: expect.stringContaining('in time') as string });
		server!.closeAllConnections();
		server!.close();
		await expect(searchHub('x', egress)).rejects.toMatchObject({ code: 'hub-unreachable', retryable: true });
	});

	it('is left alone once the search is given up', async () => {
		const { egress } = await hub(() => undefined);
		const stop = new AbortController();
		const search = searchHub('x', { ...egress, signal: stop.signal });
		stop.abort();
		await expect(search).rejects.toMatchObject({ name: 'AbortError' });
	});
});
