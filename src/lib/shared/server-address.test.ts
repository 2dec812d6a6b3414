import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLocalNetwork, isLoopback, normaliseBaseUrl } from './server-address';
import { serverLabel } from './server-label';

describe('normaliseBaseUrl', () => {
	test.each([
		['localhost:11434', 'http://localhost:11434'],
		['localhost:11434/v1/', 'http://localhost:11434/v1'],
		['  http://localhost:1234/v1  ', 'http://localhost:1234/v1'],
		['192.168.1.20:8080/v1', 'http://192.168.1.20:8080/v1'],
		['workstation:8000', 'http://workstation:8000'],
		['nas.local/v1', 'http://nas.local/v1'],
		['[::1]:8080', 'http://[::1]:8080'],
		['openrouter.ai/api/v1', 'https://openrouter.ai/api/v1'],
		['http://example.org/v1', 'http://example.org/v1'],
		['https://api.example.org/v1/chat/completions', 'https://api.example.org/v1'],
		['https://api.example.org/v1/models/', 'https://api.example.org/v1'],
		['https://models.example.org/inference', 'https://models.example.org/inference'],
		['https://example.org', 'https://example.org'],
		// Not with a letter of Latin-1: URL.canParse of Node 20 refuses those once it is optimised.
		['https://Łuk.example/v1', 'https://xn--uk-wqa.example/v1']
	])('%s becomes %s', (text, url) => expect(normaliseBaseUrl(text)).toBe(url));

	test.each(['', '   ', 'ftp://example.org', 'file:///etc', 'http://', 'two words', 'mailto:me@example.org', 'ht!tp:/x y', 'ht!tp:/x', 'a b/v1', 'http://a,b/v1', 'javascript:alert(1)', `http://a/${'/'.repeat(100_000)}x`])(
		'%j is no address',
		(text) => expect(() => normaliseBaseUrl(text)).toThrow(expect.objectContaining({ code: 'server-address' }))
	);

	test.each(['https://me:secret@example.org', 'https://example.org/v1?key=secret', 'https://example.org/#x'])(
		'%s is refused, not trimmed silently, and not repeated',
		(text) => {
			expect(() => normaliseBaseUrl(text)).toThrow(expect.objectContaining({ code: 'server-address' }));
			expect(() => normaliseBaseUrl(text)).not.toThrow(/secret/);
		}
	);

	test('normalising twice changes nothing', () => {
		const pieces = fc.array(fc.constantFrom('/', 'v1', '/models', '/chat/completions', '/chat', 'models', '//', 'api'));
		const hosts = fc.constantFrom('localhost:1', 'example.org', 'http://10.0.0.1', 'https://[::1]:8443', 'box');
		fc.assert(
			fc.property(hosts, pieces, (host, path) => {
				const once = normaliseBaseUrl(`${host}/${path.join('')}`);
				expect(normaliseBaseUrl(once)).toBe(once);
				expect(once).not.toMatch(/\/$/);
			})
		);
	});
});

test.each([
	['http://localhost', true, true],
	['http://app.localhost', true, true],
	['http://127.1.2.3', true, true],
	['http://[::1]', true, true],
	['http://[fd12::1]', false, true],
	['http://[fe80::1]', false, true],
	['http://172.16.0.1', false, true],
	['http://172.32.0.1', false, false],
	['http://100.100.1.1', false, true],
	['http://100.128.1.1', false, false],
	['http://10.evil.example', false, false],
	['http://127.0.0.1.example.org', false, false],
	['http://[2001:db8::1]', false, false],
	['http://fd.example.org', false, false]
])('%s: this machine %s, local network %s', (url, loopback, local) => {
	expect([isLoopback(new URL(url)), isLocalNetwork(new URL(url))]).toEqual([loopback, local]);
});

test.each([
	['Ollama', 'http://localhost:11434/v1', 'Ollama (localhost:11434)'],
	['api.example.org', 'https://api.example.org/v1', 'api.example.org'],
	['localhost:11434', 'https://evil.example/v1', 'localhost:11434 (evil.example)'],
	['Box', 'no address', 'Box (no address)']
])('[P8] a server named %s at %s is shown as %s', (name, baseUrl, label) => expect(serverLabel({ name, baseUrl })).toBe(label));
