import { expect, it } from 'vitest';
import type { Part } from './message';
import { partText, textOfTypes, valueText } from './part-text';

const parts: Part[] = [
	{ type: 'text', text: 'One' },
	{ type: 'reasoning', text: 'Hm.' },
	{ type: 'tool-call', toolCallId: 'c', toolName: 'search', input: { query: 'tea' } },
	{ type: 'tool-result', toolCallId: 'c', toolName: 'search', output: ['green'], isError: false },
	{ type: 'file', attachmentId: 'a', mediaType: 'text/plain', name: 'a.txt' },
	{ type: 'redacted', at: 1 },
	{ type: 'unreadable', reason: 'It is broken.' },
	{ type: 'text', text: 'Two' }
];

it('says each kind of part in its words', () => {
	expect(parts.map(partText)).toEqual(['One', 'Hm.', 'search {"query":"tea"}', '["green"]', 'a.txt', '[redacted]', '[unreadable]', 'Two']);
});

it('joins the parts of the wanted kinds, in order', () => {
	expect(textOfTypes(parts, ['text', 'redacted'])).toBe('One\n\n[redacted]\n\nTwo');
	expect(textOfTypes(parts, [])).toBe('');
});

it('takes a text as it is, and nothing for no words', () => {
	expect(['a "b"', { a: 1 }, undefined, null].map(valueText)).toEqual(['a "b"', '{"a":1}', '', 'null']);
});
