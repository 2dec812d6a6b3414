import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costGrowth } from '../../../tests/fixtures/growth';
import { unseenCharacters } from '../shared/unseen-characters';
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
		['bank.example', 'tel:+1900666', '+1900666'],
		['https://bank.example:99999/login', 'https://evil.example./x', 'evil.example.'],
		['🔒bank.example', 'https://evil.example', 'evil.example'],
		['→bank.example', 'https://evil.example', 'evil.example'],
		['bank.example—Login', 'https://evil.example', 'evil.example'],
		['bank.example=', 'https://evil.example', 'evil.example'],
		['bank\u0332.example', 'https://evil.example', 'evil.example'],
		['my\u2011bank.example', 'https://evil.example', 'evil.example'],
		['bank。example', 'https://evil.example', 'evil.example'],
		['bank_a.example', 'https://evil.example', 'evil.example'],
		['bank.example⁄login', 'https://evil.example', 'evil.example'],
		['//bank.example', 'https://evil.example', 'evil.example'],
		['https:/bank.example', 'https://evil.example', 'evil.example'],
		['ftp://bank.example', 'https://evil.example', 'evil.example'],
		['bank.example\n12', 'https://evil.example', 'evil.example'],
		['192.168.1.1/admin', 'https://evil.example', 'evil.example'],
		['localhost:8080', 'https://evil.example', 'evil.example'],
		['allegro.pl', 'https://evil.example', 'evil.example'],
		['the bank', 'https://:www.bank.example@evil.example', 'evil.example'],
		['bank.example_', 'https://evil.example', 'evil.example'],
		['www.bank.example-', 'https://evil.example', 'evil.example'],
		['_bank_.-example__-', 'https://evil.example', 'evil.example'],
		['bankꓸexample', 'https://evil.example', 'evil.example'],
		['bank\u0701example', 'https://evil.example', 'evil.example'],
		['bank\u0660example', 'https://evil.example', 'evil.example'],
		['bank\u1427example', 'https://evil.example', 'evil.example'],
		...[...'\u00b7\u30fb\u2e33\u16eb\ua78f'].map((dot) => [`bank${dot}example`, 'https://evil.example', 'evil.example']),
		['bank\u2044.example', 'https://evil.example', 'evil.example'],
		['bank\u200a.example', 'https://evil.example', 'evil.example'],
		['bank\u2800.\u2006example', 'https://evil.example', 'evil.example'],
		['+1 800 555', 'tel:+1900666;x=1800555', '+1900666;x=1800555'],
		['\u0669\u0660\u0660', 'tel:+1900666', '+1900666'],
		['555 1234', 'tel:+1900123,5551234', '+1900123,5551234'],
		['555 1234', 'tel:+190012345675551234', '+190012345675551234'],
		['https\u2028://bank\u2028.example/login', 'https://evil.example/', 'evil.example'],
		['bank\u200a\u2060.example', 'https://evil.example', 'evil.example'],
		['call us', 'tel:+49301', '+49301'],
		['030 1234', 'tel:+49301234', '+49301234'],
		['49 30 1234', 'tel:+49301234', '+49301234'],
		['ⅠⅡⅢ', 'tel:666', '666'],
		['\u202e4321555\u202c', 'tel:4321555', '4321555'],
		['\u2067+\u2066555\u2069\u20661234\u2069\u2069', 'tel:+5551234', '+5551234'],
		['|800 555 ○○1', 'tel:8005551', '8005551'],
		['八零零', 'tel:+1900666', '+1900666'],
		['八零零 666', 'tel:666', '666'],
		['\ua4f2\ua4f2 2', 'tel:+1900662', '+1900662'],
		['0800 123', 'tel:+190080080123', '+190080080123'],
		['06', 'tel:*%2306%23', '*#06#'],
		['1 800', 'tel:1800FLOWERS', '1800FLOWERS'],
		['0301', 'tel:0301;phone-context=example.com', '0301;phone-context=example.com'],
		['666', 'tel:%E2%80%AE666', '%E2%80%AE666'],
		['help@bank.example', 'mailto:%E2%80%AEknab@moc.example', '%E2%80%AEknab@moc.example'],
		['mail us', 'mailto:help@bank.example?cc=%E2%80%AEknab@moc.example', 'help@bank.example, %E2%80%AEknab@moc.example']
	])('[P8] stands beside %j where that leads to %s', (text, address, target) => {
		expect(otherTarget(text, address)).toBe(target);
	});

	it.each([
		['https://bank.example/', 'https://bank.example'],
		['bank.example', 'https://www.bank.example/login'],
		['bank.example', 'https://docs.bank.example'],
		['the bank', 'https://bank.example'],
		['main.ts', 'https://code.example/main.ts'],
		['https://code.example/a/b.name?c=d.e', 'https://code.example/a/b.name?c=d.e'],
		['Node.js', 'https://nodejs.example'],
		['v1.2', 'https://code.example'],
		['e.g. this', 'https://code.example'],
		['help@bank.example', 'mailto:Help@bank.example'],
		['Write to help@bank.example.', 'mailto:help@bank.example?subject=x&body=spy@evil.example'],
		['mail us', 'mailto:help+desk@bank.example'],
		['+49 30 1', 'tel:+49301'],
		['bank .example', 'https://evil.example'],
		['+49 (30) 12\u201134', 'tel:+49-30-1234'],
		['＋４９ 30 1', 'tel:+49301'],
		['tel:+49301', 'tel:+49301'],
		['*#06#', 'tel:*%2306%23'],
		['See main.ts, or the bank (bank.example).', 'https://bank.example']
	])('is not said again beside %j, which leads to %s', (text, address) => {
		expect(otherTarget(text, address)).toBeUndefined();
	});

	it('[P8] is the same whatever in the text can not be seen', () => {
		const unseen = new RegExp(`[${unseenCharacters}\\p{Default_Ignorable_Code_Point}]|(?![\\t\\n\\r])\\p{Cc}`, 'u');
		const characters = Array.from({ length: 0xe1000 }, (_, code) => String.fromCodePoint(code)).filter((character) => unseen.test(character));
		for (const between of ['\u2028', '\u2029', '\ufff9', '\ufffa', '\ufffb', '\ufffc', '\f', '\u0085']) expect(characters).toContain(between);
		for (const between of characters) {
			const name = between.codePointAt(0)!.toString(16);
			expect(otherTarget(`bank${between}.example`, 'https://evil.example'), name).toBe('evil.example');
			expect(otherTarget(`help${between}@bank.example`, 'mailto:spy@evil.example'), name).toBe('spy@evil.example');
			if (between === '\0') continue;
			expect(render(`[bank](https://evil.example)${between}.example`), name).toContain(' (evil.example)');
			expect(render(`bank.${between}[example](https://evil.example)`), name).toContain(' (evil.example)');
		}
	}, 30_000);

	it('[P8] is found in the time that the length of the text takes', () => {
		for (const text of ['.'.repeat(300_000), `${'.'.repeat(300_000)}a`, 'a'.repeat(300_000), 'a.'.repeat(150_000), '@'.repeat(300_000), '/'.repeat(300_000), `a${'_'.repeat(300_000)}a`]) {
			expect(() => otherTarget(text, 'https://bank.example')).not.toThrow();
			expect(() => otherTarget(text, 'mailto:help@bank.example')).not.toThrow();
		}
	}, 5000);

	it.each([
		['help@bank.example', 'mailto://help@evil.example', 'help@evil.example'],
		['write to us', 'mailto://a:b', undefined],
		['bank.example', 'mailto://a:99999?cc=spy@evil.example', 'a:99999, spy@evil.example'],
		['help@bank.example', 'mailto:', 'mailto:'],
		['bank.example', 'https://[::1', undefined],
		['bank.example', 'tel://[::1', '//[::1']
	])('[P8] beside %j for the broken address %s is %j', (text, address, target) => {
		expect(otherTarget(text, address)).toBe(target);
	});

	it('[P8] is written in an answer whatever its address is', () => {
		const authorities = ['a:b', 'a:99999', ':', 'a@:1', '[::1', 'x:y', '@', ':@:', '%', '%zz', '[', 'a b', '\ud800', '\0', 'xn--', 'a..b', '?', '#', ''];
		for (const scheme of ['mailto', 'MAILTO', 'tel', 'https', 'HTTP', 'ftp', 'blob', 'file', 'javascript']) {
			for (const address of authorities.flatMap((authority) => [`${scheme}:${authority}`, `${scheme}://${authority}`])) {
				const text = `Words <${address}> [x](${address}) ![x](${address}) [x][y] ${address} go on\n\n[y]: ${address}\n`;
				expect(render(text)).toContain('Words');
			}
		}
	});

	it('[P8] lets every text be rendered', () => {
		const piece = fc.constantFrom(
			...['[', ']', '(', ')', '![', '](', '<', '>', ': ', ' "', '"', '\n', '\n\n', ' ', '**', '`', '|', '%', '@', '.', '_', '-', '\u2044', '\ud800', '\u202e'],
			...['mailto:', 'mailto://', 'tel:', 'https://', 'HTTP://', 'bank.example', 'a:b', ':99999', '[::1', '?cc=', '#', 'xn--']
		);
		const text = fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 40 }).map((pieces) => pieces.join(''));
		fc.assert(
			fc.property(fc.oneof(text, text.map((address) => `[x](<${address}>)`), fc.tuple(text, text).map(([a, b]) => `[${a}](mailto://${b})`)), (text) => {
				render(text);
			}),
			{ numRuns: 2000 }
		);
	}, 30_000);

	it('[P8] stands after the link, also after one with marks or a picture in it', () => {
		expect(render('[**https**://bank.example](https://evil.example) ![bank.example](https://evil.example/x.png)')).toMatch(
			/<\/a><span class="target"> \(evil\.example\)<\/span> <a [^>]*>bank\.example<\/a><span class="target"> \(evil\.example\)<\/span>/
		);
		expect(render('https://bank.example and [a](https://b.example)')).not.toContain('target"');
		expect(render('[bank.example\n12](https://evil.example)')).toContain('(evil.example)');
	});

	it('[P8] is shown with its start and its end beside a link, where it is long', () => {
		const address = `mailto:${Array.from({ length: 2000 }, (_, at) => `someone-${at}@a.example`).join()}`;
		const [, target] = /<span class="target"> \((.*?)\)<\/span>/.exec(render(`[write](${address})`))!;
		expect(target!.replaceAll('<wbr>', '')).toMatch(/^someone-0@a\.example, .*…[^…]*, someone-1999@a\.example$/);
		expect(target!.replaceAll('<wbr>', '').length).toBeLessThanOrEqual(300);
	});

	it('[P8] stands beside links that touch and name a place together', () => {
		const evil = 'https://evil.example/';
		for (const text of [`[bank](${evil})[.example/login](${evil})`, `[bank](${evil})**[.example](${evil})**`, `[bank](${evil})\u200b![.example](${evil})`]) {
			expect(render(text).match(/ \(evil\.example\)/g)).toHaveLength(2);
		}
		expect(render('[ba](tel:+1900)[nk.example](mailto:spy@evil.example)')).toMatch(/ \(\+1900\).* \(spy@evil\.example\)/);
		for (const text of [`[bank](${evil}) [.example](${evil})`, `[bank](${evil})\n[.example](${evil})`, `[one](${evil})[two](${evil})`, `[bank](${evil}) and [b](${evil})`]) {
			expect(render(text)).not.toContain('target"');
		}
	});

	it('[P8] stands beside a link whose text goes on before it or after it', () => {
		const evil = 'https://evil.example/';
		for (const text of [`[bank](${evil}).example`, `[bank](${evil})**.example**/login`, `[bank](${evil})\`.example\``, `see bank.[example](${evil}), please`, `[bank](${evil})\u200a.example`, `bank.example/[login](${evil})`, `[https:](${evil})//bank.example`]) {
			expect(render(text), text).toContain('</a><span class="target"> (evil.example)</span>');
		}
		for (const text of ['[help](mailto:spy@evil.example)@bank.example', 'help@[bank](mailto:spy@evil.example).example', '[help](mailto:spy@evil.example)**＠bank.example**', '0[800](tel:800)', '[800](tel:800)\u2060123', '+[800](tel:800)', '*31#[800](tel:800)', '[800](tel:800)#', '＋[800](tel:800)', '(0)[800](tel:800)', '0–[800](tel:800)', '[800](tel:800)[+1](tel:+1)']) {
			expect(render(text), text).toMatch(/<\/a><span class="target"> \((?:spy@evil\.example|800)\)<\/span>/);
		}
		expect(render(`[bank](${evil}).[example](${evil})`).match(/ \(evil\.example\)/g)).toHaveLength(2);
		// Between letters that are written from right to left, and where text is turned around, links may stand in another order.
		for (const text of [`א [com](${evil})[bank.](${evil}) א`, `ب[example/login](${evil})[bank.](${evil})ب`, `\u202e[com](${evil})[bank.](${evil})\u202c`]) {
			expect(render(text).match(/ \(evil\.example\)/g), text).toHaveLength(2);
		}
		for (const text of [`א [הבנק](${evil}) א`, `ב[אתר](${evil}).`, 'Phone:[+49301](tel:+49301):', 'Tel.[1-800](tel:1800).', '请拨打[0301](tel:0301)联系', '**[\\*#06#](tel:*%2306%23)**', '(see:[+49301](tel:+49301))', '[1-800-TAXI](tel:1-800-TAXI).', '+[bank.example](https://bank.example)*[b](https://b.example)']) {
			expect(render(text), text).not.toContain('target"');
		}
		for (const text of [`(see [the bank](${evil})).`, `Node.js/[bank](${evil})`, `[bank](${evil}), .example`, `bank.example [1](${evil})`, '(https://bank.example/login).', 'Write to [help@bank.example](mailto:help@bank.example).', '(Call [030 1](tel:0301).)', 'https://bank.example,[docs](https://docs.example).']) {
			expect(render(text), text).not.toContain('target"');
		}
	});

	it('[P8] is found in the time of the text where many links touch', () => {
		const text = `${'[a]'.repeat(2000)}[b.example]\n\n[a]: https://a.example\n[b.example]: https://c.example`;
		expect(render(text).match(/ \(a\.example\)/g)).toHaveLength(1000);
	}, 5000);

	it('[P8] is found in the time of the text where one definition stands for many links', () => {
		const titled = (size: number) => `[a]: https://e.example "${'a.bc '.repeat(59).trim()}"\n\n${'[a] '.repeat(size)}`;
		const mail = (size: number) => `[a]: mailto:x?${'to=a&'.repeat(6000)}\n\n${'[a] '.repeat(size)}`;
		for (const text of [titled, mail]) expect(costGrowth(30, text, (text) => render(text))).toBeLessThan(8);
		expect(render(mail(500))).toContain('<p class="plain">');
	});

	it('[P8] is found in the time of the text where letters stand around a number', () => {
		for (const unit of ['a', '中', '́', ' -', '1 ', '\u{1f600}']) {
			const text = (size: number) => `1${unit.repeat(size * 10)}1[1](tel:1)`;
			expect(costGrowth(250, text, (text) => render(text)), unit).toBeLessThan(8);
		}
	});

	it('[P8] does not become many times the text by one definition', () => {
		const definition = `[a]: https://a.example/${'x'.repeat(30_000)}`;
		const text = `${'[a] '.repeat(3000)}\n\n${definition}`;
		expect(render(text).length).toBeLessThan(25 * text.length);
		expect(render(`See [a] and [a].\n\n[a]: https://a.example/${'x'.repeat(500)}`).match(/<a /g)).toHaveLength(2);
	});

	it('[P8] stands in no title that names another place', () => {
		expect(render('[our page](https://evil.example "https://bank.example/login")')).not.toContain('bank.example');
		expect(render('![our page](https://evil.example "bank.example")')).not.toContain('bank.example');
		expect(render('[our page](https://bank.example "Log in at bank.example")')).toContain('title="Log in at bank.example"');
	});
});
