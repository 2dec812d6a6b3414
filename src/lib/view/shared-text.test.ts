import { expect, test } from 'vitest';
import { sharedText } from './shared-text';

function formOf(fields: Record<string, string>): FormData {
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) form.set(name, value);
	return form;
}

test('[P10] a title and an address come with what is shared, each once', () => {
	expect(sharedText(formOf({ title: 'A page', text: ' Read this ', url: 'https://example.org/a' }))).toBe('A page\nRead this\nhttps://example.org/a');
	expect(sharedText(formOf({ title: 'Read', text: 'Read this: https://example.org/a', url: 'https://example.org/a' }))).toBe('Read this: https://example.org/a');
	expect(sharedText(formOf({ title: 'A page' }))).toBe('A page');
	expect(sharedText(formOf({}))).toBe('');
});

test('[P8] what is shared has nothing in it that can’t be seen, so that nobody sends what they did not read', () => {
	expect(sharedText(formOf({ title: 'A\u200b page', text: 'Sum up my notes.\u{e0041}\u{e0042}\u202e', url: '\u{e0043}' }))).toBe('A page\nSum up my notes.');
});

test('[P8] a long line is looked for in what is shared in no time, also where it nearly fits everywhere', () => {
	const half = 'a'.repeat(100_000);
	const [line, text] = [`${half}b${half}`, 'a'.repeat(700_000)];
	const began = performance.now();
	expect(sharedText(formOf({ title: line, text, url: line }))).toBe(`${line}\n${text}\n${line}`);
	expect(sharedText(formOf({ title: line, text: `${text}${line}` }))).toBe(`${text}${line}`);
	expect(performance.now() - began).toBeLessThan(1000);
});
