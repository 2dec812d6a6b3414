import { describe, expect, it } from 'vitest';
import { otherTarget } from './links';
import { render } from './render';

describe('the target of a link', () => {
	it.each([
		['https://bank.example', 'https://evil.example/login', 'evil.example'],
		['Log in at https://bank.example now', 'https://evil.example', 'evil.example'],
		['bank.example', 'https://evil.example', 'evil.example'],
		['www.bank.example/login', 'http://evil.example:8080', 'evil.example:8080'],
		['https://ba\u200bnk.example', 'https://evil.example', 'evil.example'],
		['h\u00adttps://bank.example', 'https://evil.example', 'evil.example'],
		['help@bank.example', 'https://evil.example', 'evil.example'],
		['help@bank.example', 'mailto:help@evil.example?subject=x', 'help@evil.example'],
		['https://bank.example@evil.example', 'https://bank.example@evil.example', 'evil.example'],
		['the bank', 'https://bank.example@evil.example', 'evil.example'],
		['https://docs.bank.example', 'https://bank.example', 'bank.example'],
		['https://', 'https://evil.example', undefined],
		['https://bаnk.example', 'https://bank.example', 'bank.example']
	])('[P8] stands beside %j where that leads to %s', (text, address, target) => {
		expect(otherTarget(text, address)).toBe(target);
	});

	it.each([
		['https://bank.example/', 'https://bank.example'],
		['bank.example', 'https://www.bank.example/login'],
		['bank.example', 'https://docs.bank.example'],
		['the bank', 'https://bank.example'],
		['main.rs', 'https://code.example/main.rs'],
		['Node.js', 'https://nodejs.example'],
		['v1.2', 'https://code.example'],
		['e.g. this', 'https://code.example'],
		['help@bank.example', 'mailto:Help@bank.example'],
		['+49 30 1', 'tel:+49301']
	])('is not said again beside %j, which leads to %s', (text, address) => {
		expect(otherTarget(text, address)).toBeUndefined();
	});

	it('[P8] stands after the link, also after one with marks or a picture in it', () => {
		expect(render('[**https**://bank.example](https://evil.example) ![bank.example](https://evil.example/x.png)')).toMatch(
			/<\/a><span class="target"> \(evil\.example\)<\/span> <a [^>]*>bank\.example<\/a><span class="target"> \(evil\.example\)<\/span>/
		);
		expect(render('https://bank.example and [a](https://b.example)')).not.toContain('target"');
	});
});
