import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costGrowth } from '../../../tests/fixtures/growth';
import { BlockStream, maxBlock } from './blocks';
import { codeHead, render } from './render';

function htmlOf(stream: BlockStream): string {
	return stream.blocks.map((block) => block.html).join('');
}

/** Completes the text and all that its later blocks define in its earlier ones. */
function finish(stream: BlockStream): void {
	stream.finish();
	while (stream.resolveNext() > 0);
}

const words = fc.constantFrom('a', 'b c', '*em*', '**x', '`c`', '[foo]', '[bar][foo]', '![i](http://h/i.png)', 'http://x.y', '|', '1.', '\\', '<b>', '$$', '$a', 'b$', '\\[', '\\]', '\\(', '\\)', '[^1]', 'w[^foo]', '</summary>', '</details>');
const lineStart = fc.constantFrom(
	...['', '', '', ' ', '  ', '   ', '    ', '\t', '> ', '>', '> > ', '- ', '* ', '  - ', '1. ', '2) ', '# ', '###', '    - ', '>  - '],
	...['```', '````', '~~~', '```js', '  ```', '> ```', '- ```', '---', '===', '***', '| a | b |', '|---|---|', '-|-'],
	...['$$', '$$', '\\[', '\\]', '  $$', '    $$', '- $$', '> \\['],
	...['[foo]: /url', '[foo]: http://u', '> [bar]: http://v', '- [foo]:', "'tit", 'le\'', '"t', 'x"', '[foo', '](', ']: http://z'],
	...['[^1]: ', '[^foo]: ', '  [^1]: http://n', '- [ ] ', '1. [x] ', '<details>', '<details open>', '<details><summary>s</summary>', '<summary>', '</details>', '> </details>']
);
const line = fc.tuple(lineStart, fc.array(words, { maxLength: 2 })).map(([start, rest]) => start + rest.join(' '));
const ending = fc.constantFrom('\n', '\n', '\n', '\n\n', '\n  \n', '\r\n', '\r', ' \n');
const markdown = fc
	.array(fc.tuple(line, ending), { maxLength: 14 })
	.chain((lines) => fc.constantFrom(lines.map(([text, end]) => text + end).join(''), lines.map(([text, end]) => text + end).join('').trimEnd()));
const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 30 });

function pieces(text: string, sizes: number[]): string[] {
	const result: string[] = [];
	for (let at = 0, index = 0; at < text.length; index++) {
		const end = at + sizes[index % sizes.length]!;
		result.push(text.slice(at, end));
		at = end;
	}
	return result;
}

describe('render', () => {
	it('makes links of whole URLs only', () => {
		expect(render('https://a.example/b, //a.example/b, a.example')).toContain('</a>, //a.example/b, a.example');
	});

	it('[P8] looks for URLs in the time of the text', () => {
		for (const unit of ['``https://a.b/', '`//a.b/', '(https://a.b:', 'mailto:a@b.c/']) {
			expect(costGrowth(120, (size) => unit.repeat(size), (text) => render(text)), unit).toBeLessThan(8);
		}
	});
});

describe('a preview', () => {
	it('[P3] [P8] is offered where the code is whole and no longer than can be drawn', () => {
		const isOffered = (html: string) => html.includes('class="preview"');
		for (const language of ['html', 'svg', 'SVG', 'mermaid']) expect(isOffered(render(`\`\`\`${language}\na\n\`\`\``)), language).toBe(true);
		for (const language of ['', 'xml', 'js', 'constructor']) expect(isOffered(render(`\`\`\`${language}\na\n\`\`\``)), language).toBe(false);
		expect(isOffered(codeHead('html'))).toBe(false);
		expect(isOffered(codeHead('html', 'a'.repeat(200_000)))).toBe(true);
		expect(isOffered(codeHead('html', 'a'.repeat(200_001)))).toBe(false);
	});
});

describe('forms of an answer', () => {
	const textOf = (html: string) => html.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ').trim();

	it('[P3] are details with all that is written in them, also without a summary or an end', () => {
		expect(render('<details><summary>A <b>b</b></summary>c</details>')).toBe('<details>\n<summary>A b</summary>\n<p>c</p>\n</details>\n');
		expect(textOf(render('<details>\na\n\n```\n</details>\n```\n\nb\n</details>\n\nc'))).toBe('Details a textWrap linesDownloadCopy&lt;/details&gt; b c');
		expect(textOf(render('<details open>\n<summary>s\n\na\n\n- b'))).toBe('s a b');
		for (const text of ['<details', 'a <details>', '    <details>', '<details onclick="a">', '</details>']) expect(render(text)).not.toContain('<details>');
	});

	it('[P3] are notes, which stand for a reference only where both are there', () => {
		expect(render('a[^1]\n\n[^1]: b')).toContain('class="to-note"');
		for (const text of ['a[^1]', 'a[^2]\n\n[^1]: b', '`[^1]`\n\n[^1]: b', '[^"<b>]: x']) expect(render(text)).not.toContain('to-note');
		expect(render('[the bank](https://evil.example)[^1]\n\n[^1]: b')).toContain('(evil.example)');
	});

	it('[P3] are boxes at the start of items, nowhere else', () => {
		expect(render('- [x] a\n- [ ] b').match(/role="img" aria-label="(Not done|Done)"/g)).toHaveLength(2);
		for (const text of ['- [x]', '[x] a', '- a [x]', '- [y] a', '- [x](http://a.example)']) expect(render(text)).not.toContain('role="img"');
	});

	it('[P8] are read in the time of the text, however often they begin', () => {
		const units = ['<details>\n', '<details>\n</details>\n', '<summary>\n', '[^1]: a\n', '[^1]', '- [ ] a\n', '<details>\n```\n', '</details>\n'];
		for (const unit of units) expect(costGrowth(300, (size) => `<details>\n${unit.repeat(size)}`, (text) => render(text)), unit).toBeLessThan(8);
	});
});

describe('the length of what is laid out at once', () => {
	it('[P8] is 300 characters of a word, whatever the word is made of, and the text stays the same', () => {
		const word = 'A'.repeat(250);
		for (const text of [word.repeat(4), `${word}*${word}*${word}`, `${word}\`${word}\`${word}`, `[${word}${word}](https://a.example)${word}`, `# ${word}${word}`, `${'> '.repeat(99)}${word}${word}`]) {
			const html = render(text);
			for (const piece of html.replace(/<(?!wbr)[^>]*>/g, '').split(/<wbr>|[ \n]/)) expect(piece.length, text).toBeLessThanOrEqual(300);
			expect(html.replaceAll('<wbr>', '').match(/A/g)).toHaveLength(text.match(/A/g)!.length);
		}
		for (const text of [word, `${word} ${word}`, `\`\`\`\n${word}\n${word}\n\`\`\``]) expect(render(text)).not.toContain('<wbr>');
	});

	it('[P8] is 500 figures of a block', () => {
		expect(render('- ```\n'.repeat(400)).match(/<figure/g)).toHaveLength(400);
		expect(render('- ```\n'.repeat(1000))).toContain('<p class="plain">');
	});

	it.each([
		['letters by their references', 'a&#1488;'.repeat(2500)],
		['marks of direction in an image', `![${'a&rlm;'.repeat(2500)}](b)`],
		['letters beside links', `${'[r] '.repeat(60)}\n\n[r]: <mailto:${'%D7%90a'.repeat(2500)},b>`],
		['combining marks by their names', `a${'&tdot;'.repeat(31)}`],
		['combining marks that are struck through', `a${`~~${'\u0301'.repeat(30)}~~${'\u0301'.repeat(30)}`}`]
	])('[P8] counts what a paragraph is drawn as: %s', (_, text) => {
		expect(render(text)).toContain('<p class="plain">');
		expect(render(text.slice(0, 20))).not.toContain('class="plain"');
	});
});

describe('BlockStream', () => {
	it('[P8] shows an open fence in the time of its text', () => {
		const fences = (size: number) => `\`\`\`\n${' '.repeat(size * 16)}${'x'.repeat(size)}`;
		const cost = costGrowth(250, fences, (text) => {
			const stream = new BlockStream();
			stream.append(text);
			return stream.open;
		});
		expect(cost).toBeLessThan(8);
	});

	it('[P8] counts the figures of what is settled', () => {
		const stream = new BlockStream();
		stream.append('```\n```\n\n    a\n\nb\n\n```\nc');
		stream.finish();
		expect(stream.figures).toBe(3);
	});

	it('makes of a text in any pieces what the whole text makes at once', () => {
		fc.assert(
			fc.property(markdown, cuts, (text, sizes) => {
				const stream = new BlockStream();
				for (const piece of pieces(text, sizes)) stream.append(piece);
				finish(stream);
				expect(htmlOf(stream)).toBe(render(text));
			}),
			{
				numRuns: 1500,
				examples: [
					['> > a\n    $$\n>  - $$\n>  - \n', [1]],
					['[foo\n===\n]: http://z\n', [1]]
				]
			}
		);
	}, 30_000);

	it('[P3] goes on after an end that was none, with the blocks that it had', () => {
		fc.assert(
			fc.property(markdown, cuts, (text, sizes) => {
				const stream = new BlockStream();
				let sofar = '';
				for (const piece of pieces(text, sizes)) {
					const before = new BlockStream();
					before.set(sofar);
					const keys = stream.blocks.slice(0, before.blocks.length).map(({ key }) => key);
					stream.set((sofar += piece));
					expect(stream.blocks.slice(0, keys.length).map(({ key }) => key)).toEqual(keys);
					finish(stream);
					expect(htmlOf(stream)).toBe(render(sofar));
				}
			}),
			{ numRuns: 500 }
		);
	}, 30_000);

	it('[P8] has no more names for what can not be seen than the whole text may have', () => {
		const text = ('`' + 'a\u200b'.repeat(50) + '` [b][c]\n\n```\n' + 'a\u200b'.repeat(50) + '\n```\n\n').repeat(50) + '[c]: http://c.example';
		const stream = new BlockStream();
		for (let at = 0; at < text.length; at += 97) {
			stream.append(text.slice(at, at + 97));
			void stream.open;
		}
		finish(stream);
		expect(htmlOf(stream)).toBe(render(text));
		expect(htmlOf(stream).split('class="unseen"').length - 1).toBe(300);
		expect(htmlOf(stream).split('\ufffd').length - 1).toBe(4700);
	});

	it('renders a settled block once and never replaces it before the end', () => {
		fc.assert(
			fc.property(markdown, cuts, (text, sizes) => {
				const stream = new BlockStream();
				let before = stream.blocks;
				for (const piece of pieces(text, sizes)) {
					stream.append(piece);
					before.forEach((block, index) => expect(stream.blocks[index]).toBe(block));
					before = stream.blocks;
				}
				finish(stream);
				expect(stream.blocks.map((block) => block.key)).toEqual([...new Set(stream.blocks.map((block) => block.key))]);
			})
		);
	});

	it('shows at every moment what the text so far makes, but for a last line of nothing but marks', () => {
		fc.assert(
			fc.property(markdown, cuts, (text, sizes) => {
				const stream = new BlockStream();
				let sofar = '';
				for (const piece of pieces(text.replace(/\r\n?/g, '\n').replace(/\[/g, '('), sizes)) {
					stream.append(piece);
					sofar += piece;
					const open = stream.open;
					if (open?.kind === 'fence') continue;
					const visible = sofar.replace(/(^|\n)[ \t]*([-=]+|[*+_>#`~|]+)[ \t]*$/, '$1');
					if (visible === sofar) expect(htmlOf(stream) + (open?.html ?? '')).toBe(render(sofar));
				}
			})
		);
	});

	it('shows of an open fence its lines so far, only ever longer', () => {
		const stream = new BlockStream();
		const source = 'Before\n\n  ```ts\n  const a = 1;\n\n    ``\n  const b = `x`;\n  ```\nAfter';
		let shown = '';
		for (const char of source) {
			stream.append(char);
			if (stream.open?.kind !== 'fence') continue;
			expect(stream.open.text.startsWith(shown)).toBe(true);
			expect(stream.open.language).toBe('ts');
			shown = stream.open.text;
		}
		expect(shown).toBe('const a = 1;\n\n  ``\nconst b = `x`;\n');
		finish(stream);
		expect(htmlOf(stream)).toBe(render(source));
	});

	it('settles headings, rules and closed fences with their last line, paragraphs with a blank one', () => {
		const stream = new BlockStream();
		const count = (delta: string) => {
			stream.append(delta);
			return stream.blocks.length;
		};
		expect(count('# One')).toBe(0);
		expect(count('\n')).toBe(1);
		expect(count('text\n')).toBe(1);
		expect(count('\n')).toBe(2);
		expect(count('```\ncode\n')).toBe(2);
		expect(count('```\n')).toBe(3);
		expect(count('- a\n\n')).toBe(3);
		expect(count('  b\n\n')).toBe(3);
		expect(count('end')).toBe(3);
		expect(count('\n')).toBe(4);
	});

	it('resolves at the end a link whose definition came later, under the same key', () => {
		const stream = new BlockStream();
		stream.append('See [the page][p].\n\n');
		stream.append('Other.\n\n');
		const [first, second] = stream.blocks;
		stream.append('[p]: https://example.org');
		finish(stream);
		expect(stream.blocks[0]!.key).toBe(first!.key);
		expect(stream.blocks[0]!.html).toContain('href="https://example.org"');
		expect(stream.blocks[1]).toBe(second);
	});

	it('[P8] resolves one block after the other, none before the end, and takes nothing back where the text goes on', () => {
		const stream = new BlockStream();
		let text = '';
		for (let index = 0; index < 3; index++) stream.set((text += 'One\ntwo [x].\n\nWithout.\n\n'));
		stream.set((text += '[x]: https://example.org\n\nAlso [x].\n\n'));
		const links = () => htmlOf(stream).split('href=').length - 1;
		expect(stream.resolveNext()).toBe(0);
		stream.finish();
		expect(links()).toBe(1);
		for (const count of [2, 3, 4]) {
			const before = stream.blocks;
			expect(stream.resolveNext()).toBeGreaterThanOrEqual(2);
			expect(links()).toBe(count);
			expect(stream.blocks.filter((block, index) => block !== before[index])).toHaveLength(1);
		}
		expect(stream.resolveNext()).toBe(0);
		const before = stream.blocks;
		stream.set((text += 'More.\n\n'));
		before.forEach((block, index) => expect(stream.blocks[index]).toBe(block));
	});

	it('starts over, with new keys, when the text is replaced', () => {
		const stream = new BlockStream();
		stream.set('one\n\ntwo\n\n');
		const keys = stream.blocks.map((block) => block.key);
		stream.set('one\n\nthree\n\n');
		expect(htmlOf(stream)).toBe(render('one\n\nthree\n\n'));
		expect(stream.blocks.some((block) => keys.includes(block.key))).toBe(false);
		finish(stream);
		stream.set('one\n\nthree\n\nfour');
		finish(stream);
		expect(htmlOf(stream)).toBe(render('one\n\nthree\n\nfour'));
	});

	it('does work in proportion to the text, however long the answer is', () => {
		const quarters = workByQuarter(answer(32_000));
		const ratio = quarters[3]! / quarters[0]!;
		console.info(`parsed characters, last quarter against first: ${ratio.toFixed(3)}`);
		expect(ratio).toBeLessThan(1.2);
	});

	it('never parses an open fence again', () => {
		const stream = new BlockStream();
		stream.append('```js\n');
		const before = stream.parsed;
		for (let index = 0; index < 5000; index++) {
			stream.append('let x = 1;\n');
			expect(stream.open?.kind).toBe('fence');
		}
		expect(stream.parsed).toBe(before);
	});

	it.each(['>', '- ', '> - ', '1. '])('loses no word that is nested very deep, in %j', (mark) => {
		for (let depth = 40; depth < 160; depth++) {
			const stream = new BlockStream();
			stream.append(`${mark.repeat(depth)}word`);
			finish(stream);
			expect(htmlOf(stream), `${depth}`).toContain('word');
		}
	});

	it('shows a block beyond all measure as plain text, in good time', () => {
		for (const char of ['[', '*', '>', '![', '`', 'a|\n']) {
			const stream = new BlockStream();
			const start = performance.now();
			stream.append(char.repeat(1_000_000 / char.length));
			void stream.open;
			finish(stream);
			const time = performance.now() - start;
			console.info(`1 MB of ${JSON.stringify(char)}: ${time.toFixed(0)} ms`);
			expect(htmlOf(stream).length).toBeGreaterThan(maxBlock);
			expect(time).toBeLessThan(10_000);
		}
	}, 60_000);
});

/** An answer of about `length` characters with the usual mixture of blocks. */
function answer(length: number): string {
	const section = [
		'## A heading\n\nA paragraph with *emphasis*, `code` and a [link](https://example.org/page) in it, long enough to wrap.\n\n',
		'- first point, with some words\n- second point\n  - nested\n- third\n\n',
		'```ts\nexport function add(a: number, b: number): number {\n\treturn a + b;\n}\n```\n\n',
		'| name | value |\n|---|---:|\n| one | 1 |\n| two | 2 |\n\n> A quotation\n> of two lines\n\n'
	].join('');
	return section.repeat(Math.ceil(length / section.length));
}

function workByQuarter(text: string): number[] {
	const stream = new BlockStream();
	const marks = [0];
	for (let at = 0; at < text.length; at += 4) {
		stream.append(text.slice(at, at + 4));
		void stream.open;
		if (at + 4 >= (text.length * marks.length) / 4) marks.push(stream.parsed);
	}
	return marks.slice(1).map((mark, index) => mark - marks[index]!);
}
