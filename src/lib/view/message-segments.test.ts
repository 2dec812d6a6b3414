import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Part } from '../conversation/message';
import type { ToolCall } from '../conversation/open-calls';
import { textOfTypes } from '../conversation/part-text';
import { countDrawn, searchedTraffic, segmentsOf, trafficText, type ToolResult } from './message-segments';

const call: ToolCall = { type: 'tool-call', toolCallId: 'c', toolName: 'search', input: {} };
const result: ToolResult = { type: 'tool-result', toolCallId: 'c', toolName: 'search', output: 'tea', isError: false };
const part = fc.oneof(
	fc.record({ type: fc.constantFrom('text' as const, 'reasoning' as const), text: fc.string({ minLength: 1 }) }),
	fc.constantFrom<Part>(call, result, { type: 'redacted', at: 1 })
);

it('keeps calls and results in their place, and joins the words between them', () => {
	const said = (text: string): Part => ({ type: 'text', text });
	const unsaid: Part = { type: 'reasoning', text: '', signature: { maker: {} } };
	expect(segmentsOf([{ type: 'reasoning', text: 'Hm' }, unsaid, said('One'), said('Two'), call, unsaid, result, said('Three')])).toEqual([
		{ type: 'words', reasoning: 'Hm', text: 'One\n\nTwo' },
		{ type: 'exchange', call, result },
		{ type: 'words', reasoning: '', text: 'Three' }
	]);
});

it('puts each result to the first call with its id that has none; one without a call stands by itself', () => {
	const other = { ...result, toolCallId: 'd' };
	expect(segmentsOf([other, call, call, result, result, result])).toEqual([
		{ type: 'exchange', result: other },
		{ type: 'exchange', call, result },
		{ type: 'exchange', call, result },
		{ type: 'exchange', result }
	]);
});

it('[P8] of many segments, or long ones, some are drawn at a time; one that grows stays drawn', () => {
	const words = (length: number) => ({ type: 'words' as const, reasoning: '', text: 'x'.repeat(length) });
	const calls = segmentsOf(Array.from({ length: 250 }, () => call));
	expect([0, 1, 2, 3].map((asked) => countDrawn(calls, asked))).toEqual([100, 200, 250, 250]);
	const long = Array.from({ length: 5 }, () => words(60_000));
	expect([0, 1, 2].map((asked) => countDrawn(long, asked))).toEqual([2, 4, 5]);
	expect(countDrawn([words(99_999), words(10)], 0)).toBe(2);
	expect(countDrawn([words(99_999), words(500_000)], 0)).toBe(2);
});

it('leaves out no word; without calls it is one stretch', () => {
	fc.assert(
		fc.property(fc.array(part), (parts) => {
			const segments = segmentsOf(parts);
			const joined = (kind: 'text' | 'reasoning') =>
				segments.flatMap((segment) => (segment.type === 'words' && segment[kind] !== '' ? [segment[kind]] : [])).join('\n\n');
			expect([joined('text'), joined('reasoning')]).toEqual([textOfTypes(parts, ['text']), textOfTypes(parts, ['reasoning'])]);
			const drawn = segments.flatMap((segment) => (segment.type === 'exchange' ? [segment.call, segment.result] : []));
			const traffic = (kind: 'tool-call' | 'tool-result') => parts.filter(({ type }) => type === kind);
			expect(drawn.filter((one) => one?.type === 'tool-call')).toEqual(traffic('tool-call'));
			expect(drawn.filter((one) => one?.type === 'tool-result')).toEqual(traffic('tool-result'));
			if (drawn.length === 0) expect(segments.length).toBeLessThanOrEqual(1);
		})
	);
});

it('shows a text as it is, and anything else as JSON', () => {
	expect(['a "b"', { a: 1 }, undefined].map(trafficText)).toEqual(['a "b"', '{\n  "a": 1\n}', '']);
});

it('[P8] shows what is nested deep without blanks in their thousands', () => {
	let deep: unknown = Array(10_000).fill(1);
	for (let level = 0; level < 90; level++) deep = [deep];
	expect(trafficText(deep).length).toBeLessThan(100_000);
});

it('[P5] is searched at the same places, with words as they begin', () => {
	const value = { code: 'a\nb "c" \\n' };
	const text = trafficText(value);
	expect(searchedTraffic(value, text)).toBe(text.replace('\\nb', '  b'));
	expect(searchedTraffic('a\\nb', 'a\\nb')).toBe('a\\nb');
});
