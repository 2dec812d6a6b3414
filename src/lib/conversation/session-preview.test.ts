import { expect, it } from 'vitest';
import type { Part } from './message';
import { previewOf } from './session-preview';

const file = (name: string): Part => ({ type: 'file', attachmentId: name, mediaType: 'text/plain', name });

it('is how the text begins, on one line, or what the files are called', () => {
	expect(previewOf({ parts: [file('a.txt'), { type: 'text', text: ' One\n\ttwo ' }] })).toBe('One two');
	expect(previewOf({ parts: [file('a.txt'), file('b.txt'), { type: 'text', text: ' \n' }] })).toBe('a.txt, b.txt');
	expect(previewOf({ parts: [] })).toBe('');
	expect(previewOf({ parts: [{ type: 'text', text: 'tea '.repeat(100) }] })).toBe(`${'tea '.repeat(50).trim()}…`);
});
