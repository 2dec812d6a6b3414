import { describe, expect, it } from 'vitest';
import { CodeHtml } from './code-html';
import { languages, nameOf } from './languages';

const codeHtml = new CodeHtml();

async function highlight(code: string, language: string): Promise<string> {
	const name = nameOf(language)!;
	await codeHtml.load(name, (await languages[name]()).default);
	return (await codeHtml.of(code, name))!;
}

const plain = (html: string) =>
	html
		.replace(/<\/?span[^>]*>/g, '')
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&amp;', '&');

describe('CodeHtml', () => {
	it('colours by custom properties and changes no character', async () => {
		const code = 'const a: Map<string, number> = new Map(); // <b>&amp;</b>\n\n\tif (a && b) {}\n';
		const html = await highlight(code, 'TS');
		expect(plain(html)).toBe(code);
		expect(html).toContain('<span style="color:var(--code-token-keyword)">const</span>');
		expect(html).toContain('&lt;b&gt;&amp;amp;');
	});

	it('carries what a line opens over to the lines after it', async () => {
		const code = `/*\n${'comment\n'.repeat(50)}*/ let x;`;
		const html = await highlight(code, 'js');
		expect(plain(html)).toBe(code);
		expect(html.split('var(--code-token-comment)').length - 1).toBe(52);
	});

	it('[P3] leaves code plain that would have more elements than a page draws in good time', async () => {
		const row = `${'1,'.repeat(40)}\n`;
		expect((await highlight(row.repeat(100), 'ts')).split('<span').length).toBeGreaterThan(7_500);
		expect(await highlight(row.repeat(1200), 'ts')).toBeNull();
	}, 30_000);

	it('[P8] names what could not be seen in code, and keeps it', async () => {
		const code = 'if (user != "x\u202e \u2066// admin\u2069 \u2066") {}';
		const html = await highlight(code, 'js');
		expect(plain(html)).toBe(code);
		expect(html).toContain('<span class="unseen" title="U+202E">\u202e</span>');
	});

	it('[P8] names what could not be seen at the start of a token, and no more of it than a text may have', async () => {
		expect(await highlight('f("b\u200d" + 1\u200d)', 'js')).toMatch(/title="U\+200D".*title="U\+200D"/);
		const html = await highlight('a;\u200b'.repeat(400).replaceAll('\u200ba', '\u200b\na'), 'js');
		expect(html.split('class="unseen"').length - 1).toBe(300);
		expect(html.split('\ufffd').length - 1).toBe(100);
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
	])(
		'knows %s',
		async (language, code) => {
			const html = await highlight(code, language);
			expect(plain(html)).toBe(code);
			expect(html).toContain('var(--code-token-');
		},
		30_000
	);
});

it('knows no language by a name that is none', () => {
	expect(['klingon', '__proto__', 'constructor', ''].map(nameOf)).toEqual([null, null, null, null]);
});
