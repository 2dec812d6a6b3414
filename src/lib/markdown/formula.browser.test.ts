import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typeset } from './formula';

const markOf = ['$', '$$'] as const;

const usual = [
	'x',
	'E = mc^2',
	'\\int_0^1 f(x)\\,dx = \\lim_{n\\to\\infty} \\sum_{i=1}^n \\frac1n f\\left(\\frac in\\right)',
	'\\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}',
	'\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix} \\begin{vmatrix} 1 \\\\ 2 \\end{vmatrix}',
	'\\begin{cases} 1 & \\text{if } x > 0 \\\\ 0 & \\text{else} \\end{cases}',
	'\\begin{aligned} a &= b \\\\ &= c \\tag{1} \\end{aligned}',
	'\\begin{array}{c|c:c} a & b & c \\\\ \\hline d & e & f \\\\ \\hdashline g & h & i \\end{array}',
	'\\sqrt[3]{1+\\sqrt{1+\\sqrt{1+\\sqrt{1+\\sqrt{1+x}}}}}',
	'\\cfrac{1}{1+\\cfrac{1}{1+\\cfrac{1}{1+\\cfrac{1}{1+\\cfrac{1}{1+x}}}}}',
	'\\hat{x} + \\vec{v} + \\overline{AB} + \\widehat{ABC} + \\underbrace{a+b}_{c} + \\overbrace{a}^{b}',
	'\\mathbb{R} \\mathcal{L} \\mathfrak{g} \\mathscr{H} \\mathbf{v} \\boldsymbol{\\alpha} \\mathrm{d}x \\operatorname{tr} \\mathsf{x} \\mathtt{y}',
	'A \\xrightarrow[b]{a} B \\iff C \\implies D \\not= E \\quad \\bigl( \\Biggr] \\lVert x \\rVert \\lfloor y \\rfloor',
	'\\color{blue} x \\textcolor{red}{y} \\colorbox{yellow}{z} \\boxed{w} \\cancel{5} \\sout{6} \\fcolorbox{red}{blue}{7}',
	'\\begin{CD} A @>a>> B \\\\ @VVV @AAA \\\\ C @= D \\end{CD}',
	'\\oiint \\prod \\bigcup \\binom{n}{k} \\underset{x}{\\operatorname{arg\\,max}} \\prescript{}{}{} x'.replace('\\prescript{}{}{} ', ''),
	'\\langle \\psi | \\phi \\rangle \\bra{a} \\ket{b} \\pmod{7} \\dots \\hbar \\raisebox{1em}{x} \\rule{1em}{1em} \\phantom{x} \\smash{y} \\llap{z}',
	'\\text{Größe } \\Delta \\text{ 漢字}, \\text{a} \\& \\%'
];

const harmful = [
	'\\href{javascript:window.harmed=true}{x}',
	'\\url{https://tracker.example}',
	'\\includegraphics{https://tracker.example/pixel.png}',
	'\\htmlClass{sr-only}{x}',
	'\\htmlId{harmed}{x}',
	'\\htmlStyle{position: fixed; inset: 0}{x}',
	'\\htmlData{a=b}{x}',
	'\\color{url(https://tracker.example)} x',
	'\\text{</span><img src=x onerror=window.harmed=true>}',
	'<script>window.harmed=true</script>',
	'\\verb|<img src=x onerror=window.harmed=true>|',
	'\\rule{1000em}{1000em}',
	'\\raisebox{100em}{x}',
	'\\kern-1000em x'
];

const nested = (open: string, close: string, inner = 'x') => {
	const count = Math.floor((1990 - inner.length) / (open.length + close.length));
	return open.repeat(count) + inner + close.repeat(count);
};
const filled = (piece: string) => piece.repeat(Math.floor(1900 / piece.length));

const slow = {
	'braces in their thousands': '{'.repeat(50_000) + '}'.repeat(50_000),
	'5,000 columns': `\\begin{matrix}${'&'.repeat(5000)}\\end{matrix}`,
	columns: `\\begin{matrix}${filled('&')}\\end{matrix}`,
	'rows and columns': `\\begin{aligned}${filled('a&b\\\\')}\\end{aligned}`,
	braces: nested('{', '}'),
	fractions: nested('\\frac{1}{', '}'),
	roots: nested('\\sqrt{', '}'),
	accents: nested('\\hat{', '}^2'),
	scripts: nested('x^{', '}'),
	'deep brackets': nested('\\left(', '\\right)'),
	matrices: nested('\\begin{pmatrix}', '\\end{pmatrix}'),
	'texts in formulas': nested('\\text{$', '$}'),
	choices: nested('\\mathchoice{', '}{}{}{}'),
	macros: filled('\\KaTeX'),
	'a macro that calls itself': '\\def\\a{\\a\\a}\\a',
	'a macro of a long text': `\\def\\a{${'x'.repeat(900)}}${'\\a'.repeat(500)}`,
	'macros that double': `\\edef\\a{xx}${'\\edef\\a{\\a\\a}'.repeat(140)}`,
	'commands that double': `\\newcommand{\\a}[1]{#1#1}${nested('\\a{', '}').slice(0, 1900)}`,
	'macros under other names': `\\let\\b\\def\\b\\a{${'x'.repeat(900)}}${'\\a'.repeat(400)}`
};

/** Milliseconds that typesetting and laying out a formula take. */
function cost(source: string): number {
	const place = document.body.appendChild(document.createElement('p'));
	const began = performance.now();
	const formula = typeset(source);
	if (formula) place.append(formula.element);
	place.getBoundingClientRect();
	const ms = performance.now() - began;
	place.remove();
	return ms;
}

describe('typeset', () => {
	it.each(usual)('makes elements of a usual formula, with MathML and without its source: %s', (formula) => {
		const { element, elements } = typeset(`$$${formula}$$`)!;
		expect(element.querySelectorAll('math')).toHaveLength(1);
		expect(element.querySelector('annotation')).toBeNull();
		expect(element.querySelector('.katex-html')!.getAttribute('aria-hidden')).toBe('true');
		expect(elements).toBeGreaterThan(element.querySelectorAll('*').length);
	});

	it.each(['$x$', '\\(x\\)', '$$x$$', '\\[x\\]', '$$\nx\n$$', '\\[\nx\n\\]'])('takes the marks away, and sets it as they say: %j', (source) => {
		const { element } = typeset(source)!;
		expect(element.querySelector('.katex-html')!.textContent).toBe('x');
		expect(element.matches('.katex-display')).toBe(!['$x$', '\\(x\\)'].includes(source));
	});

	it('leaves what is no formula as its source', () => {
		for (const source of ['$\\frac{$', '$\\unknown x$', '$}$', '$$\\begin{matrix}$$', '$a & b$']) expect(typeset(source), source).toBeUndefined();
	});

	it.each(harmful)('[P8] makes nothing that runs, asks for something, or is named: %s', (formula) => {
		for (const mark of markOf) {
			const element = typeset(mark + formula + mark)?.element;
			if (!element) continue;
			for (const each of [element, ...element.querySelectorAll('*')]) {
				expect(each.localName).not.toMatch(/^(a|img|image|script|iframe|use|foreignObject|annotation-xml|maction|mglyph)$/);
				for (const { name, value } of each.attributes) {
					expect(name).not.toMatch(/^(on|href|xlink|src|id|data-)/);
					expect(value).not.toMatch(/url|fixed|sr-only/);
				}
			}
		}
		expect('harmed' in window).toBe(false);
	});

	it.each(Object.entries(slow))('[P8] takes no second, laid out: %s', (_, formula) => {
		for (const mark of markOf) expect(cost(mark + formula + mark)).toBeLessThan(1000);
	});

	it('[P8] is nothing, or no more elements than it says, whatever the formula is made of', () => {
		const pieces = ['x', '1', ' ', '{', '}', '{', '}', '^', '_', '&', '\\\\', '\\frac', '\\sqrt', '\\left(', '\\right)', '\\hat', '\\text', '$', '\\begin{matrix}', '\\end{matrix}']
			.concat(['\\over', '\\color{red}', '\\rule{9em}{9em}', '\\kern-9em', '\\llap', '\\href', '\\tag', '\\limits', '\\sum', '%', '#', '<b>', '"', '😀', '\\def\\a']);
		fc.assert(
			fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), fc.constantFrom(...markOf), (formula, mark) => {
				const made = typeset(mark + formula.join('') + mark);
				if (made) expect(made.elements).toBeGreaterThan(made.element.querySelectorAll('*').length);
			}),
			{ numRuns: 500 }
		);
	});
});
