import { describe, expect, test } from 'vitest';
import { parseFlags, parseHosts, parsePort } from './flags.mjs';
import { Halt } from './halt.mjs';
import { isNodeSupported } from './node-version.mjs';

const known = { port: 'string', model: 'string', 'no-open': 'boolean' } as const;
const parse = (...argv: string[]) => parseFlags(argv, known, 'npm start --');

describe('parseFlags', () => {
	test('reads values after a space and after an equals sign, and switches', () => {
		expect(parse('--port', '8080', '--no-open', '--model=a=b.gguf')).toEqual({
			port: '8080',
			'no-open': true,
			model: 'a=b.gguf'
		});
		expect(parse()).toEqual({});
	});

	test.each([
		[['--prot', '1'], /--prot is not known.*npm start -- --help/],
		[['-p', '1'], /-p is not known/],
		[['--constructor'], /--constructor is not known/],
		[['--port'], /--port needs a value/],
		[['--port='], /--port needs a value/],
		[['--model', '--no-open'], /--model needs a value/],
		[['--no-open=yes'], /--no-open takes no value/],
		[['8080'], /"8080" belongs to no flag/]
	])('%j is a sentence, not a guess', (argv, sentence) => {
		expect(() => parse(...argv)).toThrow(Halt);
		expect(() => parse(...argv)).toThrow(sentence);
	});
});

test('parsePort takes 0 to 65535 and nothing else', () => {
	expect(parsePort(undefined, 4747)).toBe(4747);
	expect(parsePort('0', 4747)).toBe(0);
	expect(parsePort('65535', 4747)).toBe(65535);
	for (const text of ['65536', '-1', '1.5', '0x10', 'http', '', ' 80']) {
		expect(() => parsePort(text, 4747)).toThrow(/is not a port/);
	}
});

test('parseHosts takes names of hosts and nothing else', () => {
	expect(parseHosts(undefined)).toEqual([]);
	expect(parseHosts('snug.example, box:8443,[::1]:80')).toEqual(['snug.example', 'box:8443', '[::1]:80']);
	for (const text of ['', 'https://snug.example', 'a,,b', 'a b', '*', 'a/b']) expect(() => parseHosts(text)).toThrow(/is not the name of a host/);
});

test('isNodeSupported follows the build tool: 20.19+, 22.12+, and all after', () => {
	const supported = ['20.19.0', '20.20.2', '22.12.0', '23.0.0', '24.1.0', '26.0.0'];
	const refused = ['18.20.0', '20.18.3', '21.7.0', '22.11.0'];
	expect(supported.filter((version) => !isNodeSupported(version))).toEqual([]);
	expect(refused.filter(isNodeSupported)).toEqual([]);
});
