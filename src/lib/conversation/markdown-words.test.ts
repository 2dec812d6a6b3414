import { expect, test } from 'vitest';
import { wordsOfMarkdown } from './markdown-words';

test.each([
	['# Apples\n\n- **Boskoop**: sour\n- *Gala*, sweet', 'Apples\n\nBoskoop: sour\nGala, sweet'],
	['> - quoted `code`.', 'quoted code.'],
	['See [the list](https://example.org/a) and ![a picture](b.png).', 'See the list and a picture.'],
	['```js\nlet a = 1;\n```', '\nlet a = 1;\n'],
	['***All*** of ~~it~~', 'All of it']
])('[P10] the words of %j are %j', (markdown, words) => expect(wordsOfMarkdown(markdown)).toBe(words));

test.each(['2**3 and 4**5', '2 * 3 * 4', '__init__', '#hashtag', '-5 degrees', '5 > 3', '`', '**'])('[P10] %j stays as it is', (text) => {
	expect(wordsOfMarkdown(text)).toBe(text);
});

test('[P8] signs without end take their time in proportion', () => {
	const timeOf = (count: number) => {
		const text = '**a ['.repeat(count);
		const began = performance.now();
		for (let at = 0; at < 5; at++) wordsOfMarkdown(text);
		return performance.now() - began;
	};
	timeOf(1000);
	expect(timeOf(20_000) / Math.max(timeOf(2000), 1)).toBeLessThan(50);
});
