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
		['https://', 'https://evil.example', 'evil.example'],
		['https://bаnk.example', 'https://bank.example', 'bank.example'],
		['https://bаnk.example', 'https://xn--bnk-5cd.example', 'xn--bnk-5cd.example'],
		['ｂａｎｋ．ｅｘａｍｐｌｅ', 'https://evil.example', 'evil.example'],
		['your bank (bank.example), not evil.example', 'https://evil.example', 'evil.example'],
		['write to help@bank.example, please', 'https://evil.example', 'evil.example'],
		['\u202eelpmaxe.knab', 'https://evil.example', 'evil.example'],
		['the \u2066bank', 'https://evil.example', 'evil.example'],
		['Write to us', 'mailto:help@bank.example?CC=spy@evil.example', 'help@bank.example, spy@evil.example'],
		['write to help@bank.example', 'mailto:help@evil.example', 'help@evil.example'],
		['bank.example', 'mailto:help@evil.example', 'help@evil.example'],
		['0800 123 456', 'tel:+1900666', '+1900666'],
		['bank.example', 'tel:+1900666', '+1900666']
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
		['Write to help@bank.example.', 'mailto:help@bank.example?subject=x&body=spy@evil.example'],
		['mail us', 'mailto:help+desk@bank.example'],
		['+49 30 1', 'tel:+49301'],
		['030 1234', 'tel:+49301234'],
		['See main.rs, or the bank (bank.example).', 'https://bank.example'],
		['call us', 'tel:+49301']
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
