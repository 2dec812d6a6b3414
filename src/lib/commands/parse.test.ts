import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { AppError } from '../shared/app-error';
import { countIn } from './count-in';
import { parseCommand } from './parse';

describe('parseCommand', () => {
	test.each([
		['/new', { name: 'new', argument: '' }],
		['/session A title ', { name: 'session', argument: 'A title' }],
		['/List\n-n 5', { name: 'list', argument: '-n 5' }],
		['/label n1 one/two', { name: 'label', argument: 'n1 one/two' }],
		['/brnch', { name: 'brnch', argument: '' }]
	])('[S3] %j is a command', (text, parsed) => expect(parseCommand(text)).toEqual(parsed));

	test.each(['', '/', '/ new', '//', '// text', '/usr/bin/env', '/new/', '/1', '/-n', ' /new', '\n/new', 'new', 'a /new'])(
		'%j is a message',
		(text) => expect(parseCommand(text)).toBeUndefined()
	);

	it('never takes a text that begins with anything but a slash', () => {
		fc.assert(fc.property(fc.string(), (text) => text.startsWith('/') || parseCommand(text) === undefined));
	});

	it('loses nothing but the space around the argument', () => {
		const name = fc.stringMatching(/^[a-z]{1,12}$/);
		fc.assert(
			fc.property(name, fc.string(), fc.constantFrom(' ', '\n', '  '), (name, argument, space) => {
				expect(parseCommand(`/${name}${space}${argument}`)).toEqual({ name, argument: argument.trim() });
			})
		);
	});
});

describe('countIn', () => {
	test.each([
		['', undefined],
		['20', 20],
		['-n 20', 20],
		['-n20', 20],
		['-n=20', 20]
	])('[A12] reads %j as %s', (argument, count) => expect(countIn(argument, '-n', '/list -n 20')).toBe(count));

	test.each(['0', '-1', '1.5', 'ten', '-n', '-n ten', '5 6', '-x 5', '1e3', '9999999'])('refuses %j and shows how it is written', (argument) => {
		expect(() => countIn(argument, '-n', '/list -n 20')).toThrow(AppError);
		expect(() => countIn(argument, '-n', '/list -n 20')).toThrow('/list -n 20');
	});
});
