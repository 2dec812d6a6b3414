import { describe, expect, it } from 'vitest';
import { highlight, maxCode, nameOf } from './highlight';

const plain = (html: string) =>
	html
		.replace(/<\/?span[^>]*>/g, '')
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&amp;', '&');

describe('highlight', () => {
	it('colours by custom properties and changes no character', async () => {
		const code = 'const a: Map<string, number> = new Map(); // <b>&amp;</b>\n\n\tif (a && b) {}\n';
		const html = (await highlight(code, 'TS'))!;
		expect(plain(html)).toBe(code);
		expect(html).toContain('<span style="color:var(--code-token-keyword)">const</span>');
		expect(html).toContain('&lt;b&gt;&amp;amp;');
	});

	it('carries what a line opens over to the lines after it', async () => {
		const code = `/*\n${'comment\n'.repeat(50)}*/ let x;`;
		const html = (await highlight(code, 'js'))!;
		expect(plain(html)).toBe(code);
		expect(html.split('var(--code-token-comment)').length - 1).toBe(52);
	});

	it('leaves unknown languages and very long code alone', async () => {
		expect(await highlight('x', 'klingon')).toBeNull();
		expect(await highlight('x', '__proto__')).toBeNull();
		expect(await highlight('x', '')).toBeNull();
		expect(await highlight('x'.repeat(maxCode + 1), 'js')).toBeNull();
	});

	it.each([
		['python', 'def f(x):\n    return x'],
		['sh', 'for f in *; do echo "$f"; done'],
		['c++', 'template <class T> T f(T x) { return x; }'],
		['html', '<p class="a">x</p><script>let a</script>'],
		['rust', 'fn main() { println!("x"); }'],
		['ruby', 'def f; puts "x"; end'],
		['php', '<?php echo $x;'],
		['sql', 'SELECT * FROM t WHERE a = 1'],
		['swift', 'func f() -> Int { return 1 }'],
		['yaml', 'a: 1']
	])('knows %s', async (language, code) => {
		const html = (await highlight(code, language))!;
		expect(plain(html)).toBe(code);
		expect(html).toContain('var(--code-token-');
		expect(nameOf(language)).not.toBeNull();
	});
});
