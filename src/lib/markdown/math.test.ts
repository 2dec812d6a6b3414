import { describe, expect, it } from 'vitest';
import { BlockStream } from './blocks';
import { render } from './render';

const text = (html: string) =>
	html.replace(/<br>\n?/g, '\n').replace(/<[^>]*>/g, '').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&').trim();

describe('maths', () => {
	it.each([
		'Then $a\\,b$ and $\\{x_1, x_2\\}$.',
		'So \\(a\\_b * c * d\\) holds, and \\[x\\,\\text{if } y_1*y_2*z\\] too.',
		'$$\\int_0^1 f(x)\\,dx$$',
		'$$\na &= b \\\\\n- c\n+ d\n# e\n= f\n$$',
		'It is:\n\\[\n\\begin{pmatrix}\na & b \\\\\nc & d\n\\end{pmatrix}\n\\]',
		'An $n*m*k$ array, $x$-axis, $2^n$, $3 \\times 4$, $|x|<1$.',
		'$\\$5$ is a formula.'
	])('stays as it was written: %j', (source) => {
		expect(text(render(source))).toBe(source);
		expect(render(source)).not.toMatch(/<(em|strong|h\d|ul|code)/);
	});

	it('[P8] has places to break in its long words', () => {
		const word = '\u0646\u0633'.repeat(1000);
		for (const formula of [`$$${word}$$`, `$$\n${word}\n$$`]) expect(render(formula).split('<wbr>').length).toBeGreaterThan(6);
	});

	it('is not where money is meant', () => {
		expect(render('It costs $5 and *not* $10.')).toContain('<em>not</em>');
		expect(render('**$5** and **US$**')).toBe('<p><strong>$5</strong> and <strong>US$</strong></p>\n');
		expect(render('From $5 (*cheap*) to $6')).toContain('<em>cheap</em>');
		expect(render('$5-$10, \\$a*b*')).toBe('<p>$5-$10, $a<em>b</em></p>\n');
		expect(render('`$a` and *b* `c$`')).toContain('<em>b</em>');
	});

	it('is one element of the page, marks and lines included; what follows its end in a block is text', () => {
		expect(render('A $x$ and \\(y\nz\\).')).toBe('<p>A <span class="math">$x$</span> and <span class="math">\\(y<br>\nz\\)</span>.</p>\n');
		expect(render('$$\na\n$$, *b*')).toBe('<p class="plain"><span class="math">$$\na\n$$</span>, *b*</p>\n');
		expect(render('*a $x$ b*')).toBe('<p><em>a <span class="math">$x$</span> b</em></p>\n');
	});

	it('[P8] stays source in the text of a link, and has the host stand beside one that it touches', () => {
		expect(render('[$\\text{bank.com}$](https://evil.example)')).not.toContain('math');
		for (const touching of ['$\\text{bank.}$[com](https://evil.example)', '[bank](https://evil.example)$\\text{.com}$', '[a](https://evil.example)$x$[b](https://evil.example)']) {
			expect(render(touching)).toContain('(evil.example)');
		}
		expect(render('[an article](https://example.org) on $x$')).not.toContain('(example.org)');
	});

	it('is not what has no end, or a blank line before it', () => {
		expect(render('$$\n*a*\n\n$$')).toContain('<em>a</em>');
		expect(render('\\[ *a*')).toBe('<p>[ <em>a</em></p>\n');
		expect(render('```\n$$\n```\n*a*\n$$')).toContain('<em>a</em>');
	});

	it('comes whole through a stream, whatever its lines look like', () => {
		const source = 'So\n$$\na\n- b\n# c\n---\n```\n$$\n# End\n';
		const stream = new BlockStream();
		for (const char of source) {
			stream.append(char);
			expect(stream.blocks.map(({ html }) => html).join('')).not.toMatch(/<(ul|h\d>c|hr|figure)/);
		}
		stream.finish();
		expect(stream.blocks.map(({ html }) => html).join('')).toBe(render(source));
		expect(render(source)).toContain('a\n- b\n# c\n---\n```\n$$</span></p>');
	});
});
