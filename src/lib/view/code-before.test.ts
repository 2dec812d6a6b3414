import { expect, it } from 'vitest';
import type { Message } from '../conversation/message';
import { codeBefore } from './code-before';

/** A path of a question and answers that each go on from the one before. */
function path(...answers: string[]): Message[] {
	return ['Write code.', ...answers].map((text, at) => ({ id: `m${at}`, parentId: at === 0 ? null : `m${at - 1}`, role: at === 0 ? 'user' : 'assistant', parts: [{ type: 'text', text }] }) as unknown as Message);
}

it('[P3] an answer goes on with the code that those before it have left open', () => {
	expect(codeBefore('m2', path('```js\nlet pears;', 'let plums;'))).toBe('```js\n');
	expect(codeBefore('m2', path('```js\nlet pears;', 'let plums;\n```\n'))).toBe('');
	expect(codeBefore('m0', path('Hello'))).toBe('');
});

it('[P8] of many long answers in a row only the nearest are read', () => {
	const long = 'x '.repeat(60_000);
	expect(codeBefore('m2', path('```js\n', long))).toBe('```js\n');
	expect(codeBefore('m3', path('```js\n', long, long))).toBe('');
	const read: string[] = [];
	const watched = path(...Array.from({ length: 100 }, () => long)).map((message) => Object.defineProperty({ ...message }, 'parts', { get: () => (read.push(message.id), message.parts) }) as Message);
	codeBefore('m100', watched);
	expect(new Set(read).size).toBe(2);
});

it('[P8] a line that opens code is not carried on where it is long', () => {
	expect(codeBefore('m2', path(`\`\`\`js ${'x'.repeat(100)}\n`, 'let pears;'))).not.toBe('');
	expect(codeBefore('m1', path(`\`\`\`${'x'.repeat(1000)}\n`))).toBe('');
});
