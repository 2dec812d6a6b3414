import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { expect, it } from 'vitest';
import { openFence } from './open-fence';

it.each([
	['Hello', ''],
	['```js\nlet a = 1;', '```js\n'],
	['```js\nlet a = 1;\n```\n', ''],
	['~~~~\n```\n~~~', '~~~~\n'],
	['```js\n````', ''],
	['``` `a` is no fence', ''],
	['1. One:\n   ```py\n   a = 1', '```py\n'],
	['```\na\n``` no end', '```\n']
])('[P3] %j ends in code that is opened by %j', (text, line) => {
	expect(openFence(text)).toBe(line);
});

it('[P3] tells of code where what follows is code, and opens it again', () => {
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
