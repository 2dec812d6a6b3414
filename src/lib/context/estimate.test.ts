import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calls, gives, says, shows } from '../../../tests/fixtures/conversations';
import type { Part } from '../conversation/message';
import { estimateCounter, estimateMessage, estimateTokens, factorFrom } from './estimate';

const texts = fc.oneof(
	fc.string(),
	fc.string({ unit: 'grapheme' }),
	fc.constantFrom('let x = [1, 2];\n\t\treturn x;', '公园散步', '    ', '🌱🌱')
);

const user = (...parts: Part[]) => estimateMessage({ role: 'user', parts });

describe('an estimate of tokens', () => {
	it.each([
		// As o200k_base and cl100k_base count them, the mean of both.
		['prose', 'I went to the market yesterday and bought a few apples, because my sister asked me to bake. '.repeat(9), 181],
		['code', "export function textOf(message) {\n\treturn message.parts.map((part) => part.text).join('\\n');\n}\n".repeat(9), 207],
		['digits', '17 4711 90125 3.14159 '.repeat(9), 117],
		['Chinese', '今天天气很好，我们一起去公园散步吧。'.repeat(9), 158],
		['Russian', 'Вчера я ходил на рынок и купил несколько яблок. '.repeat(9), 172]
	])('is within a third of what %s takes', (_, text, tokens) => {
		expect(estimateTokens(text) / tokens).toBeGreaterThan(2 / 3);
		expect(estimateTokens(text) / tokens).toBeLessThan(4 / 3);
	});

	it('grows with the text: what two pieces take, the whole takes, within a token', () => {
		fc.assert(
			fc.property(texts, texts, (a, b) => {
				const [both, one, other] = [estimateTokens(a + b), estimateTokens(a), estimateTokens(b)];
				expect(both).toBeGreaterThanOrEqual(Math.max(one, other - 1));
				expect(Math.abs(both - one - other)).toBeLessThanOrEqual(1);
			})
		);
	});

	it('is 0 for nothing and above 0 for anything', () => {
		expect(estimateTokens('')).toBe(0);
		fc.assert(fc.property(fc.string({ minLength: 1 }), (text) => estimateTokens(text) > 0));
	});

	it('takes time in proportion to a hostile text', () => {
		const timeOf = (text: string) => {
			const begun = performance.now();
			estimateTokens(text);
			return performance.now() - begun;
		};
		// Twelve times as long where it is four times as long: what grows with the square takes sixteen times.
		for (const unit of [' ', 'a', '\n\t', '公', '🌱', '{"']) {
			const short = Math.min(...[1, 2, 3].map(() => timeOf(unit.repeat(125_000))));
			const long = Math.min(...[1, 2, 3].map(() => timeOf(unit.repeat(500_000))));
			expect(long, JSON.stringify(unit)).toBeLessThan(12 * Math.max(short, 5));
		}
	});
});

describe('an estimate of a message', () => {
	it('has a frame, and counts what is sent of it: no reasoning', () => {
		expect(user()).toBe(5);
		expect(user({ type: 'reasoning', text: 'Hm. '.repeat(99) })).toBe(5);
		expect(user(says('Hello there'))).toBe(5 + estimateTokens('Hello there'));
	});

	it('counts calls and results as text or JSON', () => {
		expect(user(calls('1', { at: 7 }))).toBe(5 + estimateTokens('look_up') + estimateTokens('{"at":7}'));
		expect(user(gives('1', 'plain'))).toBe(5 + estimateTokens('plain'));
		expect(user(gives('1', { rows: [1] }))).toBe(5 + estimateTokens('{"rows":[1]}'));
		expect(user(gives('1', undefined))).toBe(5);
	});

	it('counts an image flat, and another file only where its length is told', () => {
		const file: Part = { type: 'file', attachmentId: 'f', mediaType: 'text/plain', name: 'f.txt' };
		expect(user(shows('a.png'))).toBe(805);
		expect(user(file)).toBe(5);
		expect(estimateMessage({ role: 'user', parts: [file] }, (id) => (id === 'f' ? 70 : 0))).toBe(75);
		// The files of a result are not sent.
		expect(estimateMessage({ role: 'tool', parts: [file, { ...file, mediaType: 'image/png' }] }, () => 70)).toBe(5);
	});

	it('counts the marker of what is gone, but for a system prompt, which says nothing then', () => {
		const redacted: Part = { type: 'redacted', at: 1 };
		expect(user(redacted)).toBe(5 + estimateTokens('[redacted]'));
		expect(estimateMessage({ role: 'system', parts: [redacted] })).toBe(5);
	});
});

describe('a counter by estimates', () => {
	it('multiplies by what was learnt and rounds up', () => {
		const count = estimateCounter(1.5);
		expect(count.kind).toBe('estimate');
		expect(count.text('')).toBe(0);
		expect(count.text('a')).toBe(2);
		expect(count.message({ id: 'm', role: 'user', parts: [] })).toBe(8);
	});

	it('learns from all samples together, and from none that it is right', () => {
		expect(factorFrom([])).toBe(1);
		expect(factorFrom([{ raw: 0, actual: 9 }])).toBe(1);
		expect(factorFrom([{ raw: 100, actual: 150 }, { raw: 300, actual: 250 }])).toBe(1);
		expect(factorFrom([{ raw: 1000, actual: 1300 }, { raw: 10, actual: 2 }])).toBeCloseTo(1.289, 3);
		expect(factorFrom([{ raw: 1, actual: 1000 }])).toBe(3);
		expect(factorFrom([{ raw: 1000, actual: 1 }])).toBe(0.3);
	});
});
