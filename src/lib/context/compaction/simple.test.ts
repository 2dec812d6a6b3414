import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineOf, notListed, simple } from './simple';
import { made, messages, returning, saying } from '../../../../tests/fixtures/compaction-sources';

const call = (toolName: string) => ({ type: 'tool-call', toolCallId: 'c', toolName, input: {} }) as const;

describe('lineOf', () => {
	it.each([
		[saying('user', '  What is\n\tthis? '), 'User: What is this?'],
		[saying('user', 'a'.repeat(81)), `User: ${'a'.repeat(79)}…`],
		[saying('user', 'a'.repeat(80)), `User: ${'a'.repeat(80)}`],
		[saying('assistant', 'a'.repeat(101)), `Assistant: ${'a'.repeat(99)}…`],
		[made('assistant', { type: 'reasoning', text: 'Hm' }, call('search'), call('read')), 'Assistant: calls search, read'],
		[made('assistant', call('search'), call('search')), 'Assistant: calls search'],
		[made('assistant', { type: 'text', text: 'Let me look.' }, call('search')), 'Assistant: Let me look. · calls search'],
		[made('user', { type: 'file', attachmentId: 'a', mediaType: 'image/png', name: 'b.png' }), 'User: files b.png'],
		[made('user', { type: 'redacted', at: 1 }), 'User: [redacted]'],
		[made('user', { type: 'unreadable', reason: 'No.' }), 'User: [unreadable]'],
		[made('assistant'), 'Assistant: [nothing]'],
		[returning({ found: 3 }), 'Tool search: {"found":3}'],
		[returning('b'.repeat(90)), `Tool search: ${'b'.repeat(79)}…`],
		[returning('no such file', true), 'Tool search: failed: no such file'],
		[returning(undefined), 'Tool search: [nothing]']
	])('[Z6] is a line a message, as long as its role has it', (message, line) => expect(lineOf(message)).toBe(line));
});

describe('simple', () => {
	it('[Z6] keeps the newest lines, and says how many are not there', () => {
		fc.assert(
			fc.property(messages, fc.nat(3000), (messages, max) => {
				const strategy = simple();
				messages.forEach(strategy.add);
				const lines = messages.map((message) => lineOf(message).replaceAll('[COMPACTION SUMMARY]', '[compaction summary]'));
				const summary = strategy.text(max);
				const [head, ...kept] = summary.split('\n');
				const left = lines.length - kept.length;
				if (lines.join('\n').length <= max) {
					expect(summary).toBe(lines.join('\n'));
				} else if (summary === '') {
					expect(max).toBeLessThan(notListed(99).length);
				} else {
					expect(head).toBe(notListed(left));
					expect(kept).toEqual(lines.slice(left));
					// But for a digit of the first line.
					expect(summary.length + 1 + lines[left - 1]!.length + 1).toBeGreaterThan(max);
				}
			})
		);
	});
});
