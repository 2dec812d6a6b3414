import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { costGrowth } from '../../../../../tests/fixtures/growth';
import { closing } from './closing';
import { stillOpen } from './raw-html';
import { body } from '../../../../../tests/fixtures/bodies';

const oracle = new MarkdownIt({ html: true });

/** Tells whether a heading after `text` is one at top level. */
function headingAfter(text: string, mark = ''): boolean {
	const tokens = oracle.parse(`${text}\n\n${mark}## Next\n`, {});
	const at = tokens.findLastIndex((token) => token.type === 'heading_open');
	return at >= 0 && tokens[at]!.level === 0 && tokens[at + 1]!.content === 'Next';
}

it('[P8] takes the time that the text takes, however many items a line begins', () => {
	for (const text of ['* '.repeat(200_000) + 'x', '- '.repeat(200_000) + '_', '* '.repeat(100_000) + 'x' + ' *'.repeat(100_000), '-\t'.repeat(200_000)]) {
		expect(typeof closing(text)).toBe('string');
	}
}, 20_000);

it.each<[string, (size: number) => string]>([
	['items and blank lines', (n) => `${'- '.repeat(n)}x\n${'\n'.repeat(n)}bye`],
	['items, a quotation and blank lines of it', (n) => `${'- '.repeat(n)}> x\n${`\n`.repeat(n)}`],
	['quotations and items, and blank lines', (n) => `${'> - '.repeat(n)}x\n${'>\n'.repeat(n)}`],
	['items, and a line with their indent', (n) => `${'- '.repeat(n)}x\n${' '.repeat(2 * n)}x`],
	['items after tabs, and a line of tabs', (n) => `${'-\t'.repeat(n)}x\n${'\t'.repeat(n)}x`],
	['items, and lines of each indent', (n) => `${'- '.repeat(n)}x\n${Array.from({ length: Math.sqrt(n) }, (_, i) => ' '.repeat(2 * i)).join('x\n')}`],
	['items, and lines that go on with their paragraph', (n) => `${'- '.repeat(n)}x\n${'x\n'.repeat(n)}`],
	['a fence of many marks, and lines in it', (n) => `${'`'.repeat(n)}\n${'`\n'.repeat(n)}`],
	['elements, and end tags of others', (n) => `${'<b>'.repeat(n)}\n\n${'</i>'.repeat(n)}`],
	['elements under others, and their end tags', (n) => `${'<b>'.repeat(n)}${'<i>'.repeat(n)}${'</b>'.repeat(n)}`],
	['runs of backticks, each longer than the last', (n) => Array.from({ length: Math.sqrt(n) * 2 }, (_, i) => '`'.repeat(i)).join(' ')]
])('[P8] takes the time that the text takes, also of %s', (_, text) => {
	expect(costGrowth(1000, text, closing)).toBeLessThan(8);
}, 120_000);

describe('closing', () => {
	it.each([
		['plain', ''],
		['```ts\nlet a;', '\n```'],
		['~~~~\n```\n~~~\n', '~~~~'],
		['- a\n\n  ```\n  nested', ''],
		['- a\n\n```\nnot nested', '\n```'],
		['> ```\nnot quoted', ''],
		['    ```\ncode', ''],
		['a ``` b', ''],
		['``` a`b', ''],
		['<!-- a', '\n-->'],
		['<script>\n\nlet a;', '\n</script>'],
		['<PRE>\n', '</pre>'],
		['<![CDATA[ x', '\n]]>'],
		['<?php', '\n?>'],
		['<!DOCTYPE', '\n>'],
		['<details>\n<summary>x</summary>\n\ntext', '\n\n</details>'],
		['text <details> text\n', '\n</details>'],
		['<div><b>\n', '\n</b>\n</div>'],
		['`<details>` \\<div> <https://a.b>', ''],
		['```\n<details>\n```', ''],
		['<br> <img src=x> <p>', ''],
		['> <!-- quoted', '\n\n<!-- -->'],
		['<div title="', '\n\n<!-- \'"> -->\n</div>'],
		['<script>\n</style>', '\n\n</script>'],
		['```\n<!--', '\n```'],
		// White space that is neither a space nor a tab is text like any other.
		['\u00a0```', ''],
		['```\n\f```', '\n```'],
		['\\``<b>`', ''],
		['', '']
	])('adds to %j exactly what it lacks', (text, expected) => {
		expect(closing(text)).toBe(expected);
	});

	it('[P8] takes a code span to end with as many backticks as it begins with, however many these are', () => {
		const ticks = '`'.repeat(10_000);
		expect(closing(`\`${ticks}<b>${ticks}`)).toBe('\n\n</b>');
		expect(closing(`${ticks}<b>${ticks}`)).toBe('');
	});

	it('makes any text one after which a heading is a heading', () => {
		fc.assert(
			fc.property(body, (text) => {
				expect(headingAfter(text + closing(text))).toBe(true);
				expect(headingAfter(text + closing(text), '<!-- mark -->\n')).toBe(true);
			}),
			{ numRuns: 1500 }
		);
	}, 30_000);

	it('ends a block only if a heading would not be one without it', () => {
		fc.assert(
			fc.property(body, (text) => {
				const added = closing(text).slice(text.endsWith('\n') ? 0 : 1);
				expect(/^[^\n]/.test(added)).toBe(!headingAfter(text));
			}),
			{ numRuns: 1500 }
		);
	}, 30_000);

	it('lets nothing stay open a second time', () => {
		fc.assert(
			fc.property(body, (text) => {
				expect(closing(`${text + closing(text)}\n\n`)).toBe('');
			}),
			{ numRuns: 800 }
		);
	}, 30_000);

	it('takes time in proportion to the text', () => {
		for (const piece of ['<!--', '<a b="', '`', '``a', '<', '> ', '- ', '<b>', '<script>', '\\', 'a\n', '<?', "<a '"]) {
			const text = piece.repeat(200_000 / piece.length);
			const start = performance.now();
			closing(text);
			expect(performance.now() - start, piece).toBeLessThan(3000);
		}
	}, 60_000);
});

describe('stillOpen', () => {
	it('reads HTML as browsers do where that decides what stays open', () => {
		expect(stillOpen('<script>"<div>"</script><b>')).toEqual(['</b>']);
		expect(stillOpen('<script><!-- </div>')).toEqual(['</script>']);
		expect(stillOpen('<!--><i>')).toEqual(['</i>']);
		expect(stillOpen('<a title="<b>">x</a>')).toEqual([]);
		expect(stillOpen('</div><br></br>')).toEqual([]);
	});
});
