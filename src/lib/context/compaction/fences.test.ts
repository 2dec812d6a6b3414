import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, expect, it, test } from 'vitest';
import { costGrowth } from '../../../../tests/fixtures/growth';
import { closeFence, mayHaveFence, splitFences, type Fence } from './fences';

const oracle = new MarkdownIt({ html: false });

/** Returns the first and last line of each fence. */
function expectedIn(text: string): [number, number][] {
	return oracle.parse(text, {}).flatMap(({ type, map }) => (type === 'fence' ? [map!] : []));
}

function foundIn(text: string): [number, number][] {
	let line = 0;
	return splitFences(text).flatMap(({ kind, text }) => {
		const from = line;
		line += text.match(/\r\n|\r|\n|[^\r\n]$/g)!.length;
		return kind === 'fence' ? [[from, line] as [number, number]] : [];
	});
}

function fencesIn(text: string): Fence[] {
	return splitFences(text).filter((block) => block.kind === 'fence');
}

const start = fc.constantFrom('', '', '', ' ', '  ', '   ', '    ', '\t', ' \t');
const marks = fc.constantFrom(
	...['```', '````', '`````', '~~~', '~~~~', '``', '~~', '```js', '~~~ `a`', '``` a`b', '```ts {1}', '``` ', '~~~~\t', '~~~`', '```~']
);
const words = fc.constantFrom('', '', 'a', 'b `c`', '# x', '***', '---', '\\');
const ending = fc.constantFrom('\n', '\n', '\n\n', '\r\n', '\r');
const line = fc.tuple(start, fc.oneof(marks, words)).map((pieces) => pieces.join(''));
const topLevel = fc.array(fc.tuple(line, ending), { maxLength: 12 }).map((lines) => lines.flat().join(''));

describe('splitFences', () => {
	it('[Z6] finds the fences of CommonMark at top level, whatever the fence', () => {
		fc.assert(
			fc.property(topLevel, (text) => {
				expect(foundIn(text)).toEqual(expectedIn(text));
			}),
			{ numRuns: 3000 }
		);
	}, 30_000);

	it.each([
		'- a\n\n  ```js\n  b\n  ```\nc',
		'- ```\n  a\n  ```\nb\n```\nc\n```',
		'- ```\n  a\nb',
		'1. a\n   - b\n\n     ~~~\n     c\n\n     d\n     ~~~\n',
		'10. a\n\n    ```\n    b\n    ```\n',
		'- - ```\n    a\n    ```\n',
		'- a\n\n      ```\n      not a fence\n',
		'-     ```\n',
		'-\n  ```\n  a\n  ```\n',
		'- a\n\nb\n\n    ```\n',
		'* * *\n    ```\n',
		'-\ta\n\n\t```\n\tb\n\t```\n'
	])('finds fences in list items: %j', (text) => expect(foundIn(text)).toEqual(expectedIn(text)));

	it('loses nothing', () => {
		fc.assert(
			fc.property(fc.oneof(topLevel, fc.string(), fc.string({ unit: fc.constantFrom('`', '~', '\n', '\r', ' ', '-', '1.') })), (text) => {
				expect(splitFences(text).map((block) => block.text).join('')).toBe(text);
				if (!mayHaveFence(text)) expect(fencesIn(text)).toEqual([]);
			})
		);
	});

	it('tells the language, the lines of code, and the closing fence that is missing', () => {
		expect(fencesIn('```ts title\na\n\nb\n```')).toMatchObject([{ language: 'ts', lines: 3, closing: '' }]);
		expect(fencesIn('~~~~\n~~~')).toMatchObject([{ language: '', lines: 1, closing: '~~~~' }]);
		expect(fencesIn('- ```\n  a\nb')).toMatchObject([{ lines: 1, closing: '  ```' }]);
	});

	it('takes time in proportion to the text', () => {
		for (const piece of ['`', '```\n', '~~~ x\n', '- ', '- - ', '* * ', '\t', '\n', '1. a\n', '\r', '``` `\n', '  - a\n']) {
			const text = piece.repeat(100_000 / piece.length);
			const started = performance.now();
			splitFences(text);
			expect(performance.now() - started, piece).toBeLessThan(1500);
		}
	}, 30_000);
});

test.each(['- ', '* ', '1. ', '-\t', '- * ', '+ '])('[P8] takes the time that the text takes where a line begins many items: %j', (items) => {
	for (const end of ['```', '---', 'x', ' ']) {
		expect(costGrowth(1000, (size) => `${items.repeat(size)}${end}`, splitFences), end).toBeLessThan(8);
	}
}, 60_000);

describe('closeFence', () => {
	it('makes any text one after which a line is prose', () => {
		fc.assert(
			fc.property(topLevel, (text) => {
				const closed = closeFence(text);
				expect(closed.startsWith(text)).toBe(true);
				expect(splitFences(`${closed}\nAfter`).at(-1)).toMatchObject({ kind: 'prose', text: expect.stringMatching(/After$/) as string });
			})
		);
	});

	it('adds nothing where nothing is open', () => expect(closeFence('```\na\n```\nb')).toBe('```\na\n```\nb'));
});
