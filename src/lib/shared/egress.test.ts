import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { send, type Egress, type Purpose } from './egress';

const servers: Server[] = [];
afterEach(() => {
	for (const server of servers.splice(0)) {
		server.close();
		server.closeAllConnections();
	}
});

async function listening(answer: RequestListener): Promise<string> {
	const server = createServer(answer);
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const whole = async (purpose: Purpose, url: string, init?: RequestInit, egress?: Egress) => (await send(purpose, url, init, egress)).text();

describe('[P8] redirects', () => {
	test('of what sends words or a key are refused, also within the host', async () => {
		const asked: string[] = [];
		const url = await listening((request, response) => {
			asked.push(request.url!);
			response.writeHead(307, { location: '/elsewhere' }).end();
		});
		for (const purpose of ['answer', 'model-list', 'tool-server'] as const) {
			await expect(send(purpose, url, { method: 'POST', body: 'secret' })).rejects.toMatchObject({ kind: 'redirected' });
		}
		expect(asked).toEqual(['/', '/', '/']);
	});

	test('of what belongs to the app stay within its host', async () => {
		const other = await listening((_request, response) => response.end('theirs'));
		const url = await listening((request, response) => {
			const target = { '/away': other, '/here': '/there' }[request.url!];
			if (target) response.writeHead(302, { location: target }).end();
			else response.end('ours');
		});
		for (const purpose of ['app-file', 'model-offer'] as const) {
			expect(await whole(purpose, `${url}here`)).toBe('ours');
			await expect(send(purpose, `${url}away`)).rejects.toMatchObject({ kind: 'redirected' });
		}
	});

	test('of a model file lead to where its host keeps it', async () => {
		const other = await listening((_request, response) => response.end('GGUF'));
		const url = await listening((_request, response) => response.writeHead(302, { location: other }).end());
		expect(await whole('model-file', url)).toBe('GGUF');
	});
});

test('[P8] the words of a search for models go to Hugging Face and nowhere else, and follow no redirect', async () => {
	let asked = 0;
	const url = await listening((_request, response) => response.writeHead(302, { location: `/${asked++}` }).end());
	await expect(send('model-search', url)).rejects.toThrow('model-search is asked of https://huggingface.co');
	await expect(send('model-search', 'http://huggingface.co/api/models')).rejects.toThrow('is asked of');
	expect(asked).toBe(0);
	const fetch: typeof globalThis.fetch = (_url, init) => globalThis.fetch(url, init);
	await expect(send('model-search', 'https://huggingface.co/api/models', {}, { fetch })).rejects.toMatchObject({ kind: 'redirected' });
	expect(asked).toBe(1);
});

test('[P8] an answer without an end is read up to its limit', async () => {
	let closed = false;
	const url = await listening((_request, response) => {
		response.on('close', () => (closed = true));
		const more = () => {
			while (response.write('x'.repeat(65_536)));
			response.once('drain', more);
		};
		more();
	});
	await expect(whole('model-list', url)).rejects.toMatchObject({ kind: 'too-large' });
	await expect.poll(() => closed).toBe(true);
});

test('[P8] a host that sends a byte now and then has a deadline', async () => {
	const url = await listening((_request, response) => {
		const timer = setInterval(() => response.write(' '), 20);
		response.on('close', () => clearInterval(timer));
	});
	await expect(whole('model-list', url, {}, { deadlineMs: 300 })).rejects.toMatchObject({ kind: 'slow' });
});

test.each(['file:///etc/passwd', 'data:text/plain,x', 'ftp://example.org', 'blob:http://x/1'])('[P8] nothing is asked of %s', async (url) => {
	await expect(send('model-file', url)).rejects.toThrow('no request goes to');
});
