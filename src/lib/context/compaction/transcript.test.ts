import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { made, message, prose, returning, saying } from '../../../../tests/fixtures/compaction-sources';
import { piecesOf, transcriptOf } from './transcript';

describe('transcriptOf', () => {
	it('[S6] says who said what, what was called with what, and which files there were, but no reasoning', () => {
		expect(transcriptOf(saying('user', ' Where is it? '))).toBe('User: Where is it?');
		expect(transcriptOf(returning({ at: 'src/a.ts' }))).toBe('Tool search: {"at":"src/a.ts"}');
		expect(transcriptOf(returning('gone', true))).toBe('Tool search: failed: gone');
		const answer = made(
			'assistant',
			{ type: 'reasoning', text: 'Hm.' },
			{ type: 'text', text: 'Let me look.' },
			{ type: 'tool-call', toolCallId: 'c', toolName: 'read_file', input: { path: 'a.ts' } },
			{ type: 'file', attachmentId: 'a', mediaType: 'image/png', name: 'plan.png' }
		);
		expect(transcriptOf(answer)).toBe('Assistant: Let me look.\n\n[calls read_file {"path":"a.ts"}]\n\n[file plan.png]');
		expect(transcriptOf(made('user', { type: 'redacted', at: 1 }))).toBe('User: [redacted]');
		expect(transcriptOf(made('assistant', { type: 'reasoning', text: 'Hm.' }))).toBe('');
	});

	it('[S6] cuts what a tool returned at 2000 characters, and nothing that was said', () => {
		expect(transcriptOf(returning('a'.repeat(2001)))).toBe(`Tool search: ${'a'.repeat(1999)}…`);
		expect(transcriptOf(returning('a'.repeat(2000)))).toBe(`Tool search: ${'a'.repeat(2000)}`);
		expect(transcriptOf(saying('user', 'a'.repeat(9000)))).toHaveLength(9006);
	});

	it('closes fences that are open, also where it cut', () => {
		expect(transcriptOf(saying('user', '~~~\na'))).toBe('User: ~~~\na\n~~~');
		expect(transcriptOf(returning(`\`\`\`\`\n${'a\n'.repeat(2000)}`))).toMatch(/…\n````$/);
	});

	it('renders the tag so that it passes for none', () => {
		expect(transcriptOf(saying('user', '[COMPACTION SUMMARY]'))).toBe('User: [compaction summary]');
	});
});

describe('piecesOf', () => {
	const lines = fc.array(fc.oneof(message.map(transcriptOf), prose, fc.string({ unit: 'grapheme', maxLength: 300 })), { maxLength: 20 });
	const lengths = fc.integer({ min: 2, max: 1500 });

	it('[S6] loses nothing but what stands between, and no piece is above the length', () => {
		fc.assert(
			fc.property(lines, lengths, (lines, max) => {
				const pieces = piecesOf(lines, max);
				for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(max);
				// What stands between can't be told from the line ends of a line itself: there are as many of them, or more.
				const [packed, whole] = [pieces.join(''), lines.join('')];
				expect(packed.replaceAll('\n', '')).toBe(whole.replaceAll('\n', ''));
				expect(packed.split('\n').length).toBeGreaterThanOrEqual(whole.split('\n').length);
			})
		);
	});

	it('[S6] splits no message that fits, and makes as few pieces as hold them in their order', () => {
		fc.assert(
			fc.property(fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 30 }), fc.integer({ min: 50, max: 200 }), (lengths, max) => {
				const lines = lengths.map((length, index) => String.fromCharCode(65 + index).repeat(length));
				const pieces = piecesOf(lines, max);
				expect(pieces.flatMap((piece) => piece.split('\n\n'))).toEqual(lines);
				for (const [index, piece] of pieces.slice(1).entries()) {
					expect(pieces[index]!.length + 2 + piece.split('\n\n')[0]!.length).toBeGreaterThan(max);
				}
			})
		);
	});

	it('splits at a line end or a space, and never inside a character', () => {
		expect(piecesOf(['one two three\nfour five'], 16)).toEqual(['one two three\n', 'four five']);
		expect(piecesOf(['one two three four'], 10)).toEqual(['one two ', 'three four']);
		expect(piecesOf(['👩‍🚀'.repeat(4)], 12)).toEqual(['👩‍🚀'.repeat(2), '👩‍🚀'.repeat(2)]);
	});

	it('takes time in proportion to the text', () => {
		const started = performance.now();
		expect(piecesOf(['x'.repeat(2_000_000)], 1000)).toHaveLength(2000);
		expect(piecesOf(Array.from({ length: 50_000 }, () => 'word'), 1_000_000)).toHaveLength(1);
		expect(performance.now() - started).toBeLessThan(1500);
	});
});
