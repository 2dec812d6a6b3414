import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startOpenAiServer } from '../../../../tests/fixtures/openai-server.mjs';
import { openRegistry } from '../../../../tests/fixtures/providers';
import { findLocalServers } from './local-servers';

let fixture: Awaited<ReturnType<typeof startOpenAiServer>>;
let root: string;
beforeAll(async () => {
	fixture = await startOpenAiServer();
	root = fixture.url.replace(/\/v1$/, '');
});
afterAll(() => fixture.close());

const protocol = 'openai-compatible';

test('findLocalServers returns what is there, asking all four at once', async () => {
	const asked: string[] = [];
	// The usual ports belong to whoever runs the tests, so they are led to the fixture.
	const places: Record<string, string> = { 11434: '', 1234: '/silent', 8080: '/401', 8000: '/html' };
	const redirected: typeof fetch = (input, init) => {
		const { port, pathname } = new URL(String(input));
		asked.push(port);
		return fetch(`${root}${places[port]}${pathname}`, init);
	};
	const found = findLocalServers(openRegistry({ egress: { fetch: redirected } }), { silenceMs: 200 });
	await vi.waitFor(() => expect(asked).toEqual(['11434', '1234', '8080', '8000']));
	expect(await found).toEqual([
		{ protocol, name: 'Ollama', baseUrl: 'http://localhost:11434/v1', models: expect.arrayContaining(['echo']) },
		{ protocol, name: 'llama.cpp', baseUrl: 'http://localhost:8080/v1', models: [], failure: expect.objectContaining({ code: 'server-unauthorised' }) }
	]);
});

test('findLocalServers tells of an Ollama that does not allow this page, and of nothing else without CORS', async () => {
	const refused: typeof fetch = () => Promise.reject(new TypeError('Failed to fetch'));
	const found = await findLocalServers(openRegistry({ reach: { origin: 'http://localhost:4173', isThere: async () => true }, egress: { fetch: refused } }));
	expect(found.map(({ name, failure }) => [name, failure?.code])).toEqual([
		['Ollama', 'server-blocked'],
		['LM Studio', 'server-blocked']
	]);
});
