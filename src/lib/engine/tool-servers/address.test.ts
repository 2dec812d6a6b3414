import { expect, test } from 'vitest';
import { toolServerAddress } from './address';

test.each([
	['https://example.com/mcp', 'https://example.com/mcp'],
	['https://example.com/mcp/', 'https://example.com/mcp/'],
	['example.com/mcp', 'https://example.com/mcp'],
	['localhost:3000', 'http://localhost:3000/'],
	[' HTTP://LOCALHOST/Models ', 'http://localhost/Models'],
	['https://example.com//evil.example/mcp', 'https://example.com//evil.example/mcp']
])('[R1] the address of a tool server %j is %j: its path stays to the letter', (text, url) => {
	expect(toolServerAddress(text)).toBe(url);
});

test.each(['', 'ftp://example.com', 'javascript:alert(1)', 'https://user:pass@example.com/mcp', 'https://example.com/mcp?key=1', 'https://example.com/mcp#a', 'two words', 'ht!tp://a'])(
	'[R1] %j is no address of a tool server',
	(text) => {
		expect(() => toolServerAddress(text)).toThrow(expect.objectContaining({ code: 'server-address' }));
	}
);
