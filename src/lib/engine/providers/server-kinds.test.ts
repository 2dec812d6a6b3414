import fc from 'fast-check';
import { expect, it } from 'vitest';
import { howToAllow, serverKinds } from './server-kinds';

it('[P11] what to allow is told as each kind of server takes it', () => {
	const of = (address: string) => howToAllow(new URL(address), 'https://snug.example');
	expect(of('http://localhost:11434/v1')).toContain('OLLAMA_ORIGINS=https://snug.example');
	expect(of('http://localhost:1234/v1')).toContain('CORS in LM Studio');
	expect(of('https://models.example/v1')).toContain('Allow https://snug.example');
});

it('[P11] no name of a host gets out of the quotes of a line', () => {
	fc.assert(
		fc.property(fc.domain(), fc.nat(65_535), (domain, port) => {
			const { origin } = new URL(`https://${domain}:${port}`);
			const lines = serverKinds.flatMap(({ allow }) => allow(origin)).flatMap(({ line }) => line ?? []);
			expect(lines.filter((line) => line.includes(origin)).length).toBe(6);
			expect(origin).not.toMatch(/["'`$\\%\s;|&<>]/);
		})
	);
});
