import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { expect, test } from 'vitest';
import { BlockStream } from './blocks';
import { fenceOf, openFence, stretchesOf } from './fenced';

test('a text without a fence is one stretch, as it was written', () => {
	for (const text of ['', 'a', '\n a\n\n# b\n- c\n', '``a``', '```a```', '    ```\n    a\n    ```']) {
		expect(stretchesOf(text)).toEqual(text === '' ? [{ text: '' }] : [{ text }]);
	}
});

test('fences are told apart, without the empty lines next to them', () => {
	expect(stretchesOf('```js\r\na\r\n```\r')).toEqual([{ code: 'a\r', info: 'js' }]);
	expect(stretchesOf('Look:\n\n```js title\nlet a;\n\n```\n\n  Why?\n\n~~~\n```\n~~~~')).toEqual([
		{ text: 'Look:' },
		{ code: 'let a;\n', info: 'js title' },
		{ text: '  Why?' },
		{ code: '```', info: '' }
	]);
});

test('a fence without an end stays text, and so does all that follows', () => {
	const text = 'a\n~~~\nb\n```\nc\n```';
	expect(stretchesOf(text)).toEqual([{ text }]);
	expect(stretchesOf('````\n```\n')).toEqual([{ text: '````\n```\n' }]);
});

test('of very many fences the first are told apart', () => {
	const stretches = stretchesOf('```\na\n```\n'.repeat(10_000));
	expect(stretches).toHaveLength(51);
	expect(stretches.at(-1)).toHaveProperty('text');
});

test('its Markdown is one fence, whatever is in the code', () => {
	for (const code of ['a', '', '```\n# b\n```', '~~~', '`````\n</figure><b>', '\n\n', '  ```']) {
		const stream = new BlockStream();
		stream.set(fenceOf({ code, info: 'ts `a` ~~~' }));
		stream.finish();
		expect(stream.blocks).toHaveLength(1);
		expect(stream.blocks[0]!.html).toMatch(/^<figure class="code"/);
		expect(stream.blocks[0]!.html.match(/<figure/g)).toHaveLength(1);
	}
});

test.each([
	['Hello', ''],
	['```js\nlet a = 1;', '```js\n'],
	['```js\nlet a = 1;\n```\n', ''],
	['~~~~\n```\n~~~', '~~~~\n'],
	['```js\n````', ''],
	['``` `a` is no fence', ''],
	['1. One:\n   ```py\n   a = 1', '```py\n'],
	['1. One:\n   ```py\n   a = 1\n\n2. Two', ''],
	['1. ```bash\n   npm i\n   ```\n2. Next, the', ''],
	['> ```\n> a', ''],
	['  ```js\na\n```\nThat is it, and', ''],
	['```\na\n``` no end', '```\n']
])('[P3] %j ends in code that is opened by %j', (text, line) => {
	expect(openFence(text)).toBe(line);
});

test('[P3] tells of code where what follows is code, and opens it again', () => {
	const isHeading = (text: string) => new MarkdownIt().parse(`${text}# end`, {}).some(({ type, content }) => type === 'inline' && content === 'end');
	const lines = fc.array(fc.constantFrom('a', '', '```', '```js', '~~~', '````', '~~~~ x', '# b'), { maxLength: 12 });
	fc.assert(
		fc.property(lines, (lines) => {
			const text = lines.join('\n');
			const line = openFence(text);
			expect(line === '').toBe(isHeading(`${text}\n`));
			expect(isHeading(line)).toBe(line === '');
		})
	);
});
