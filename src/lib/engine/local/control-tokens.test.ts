import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { controlTokenEscape } from './control-tokens';

describe('controlTokenEscape', () => {
	it('leaves no control token in any text, and drops nothing but joiners to get the text back', () => {
		const token = fc.string({ unit: fc.constantFrom('<', '|', '>', 'a', 'é', '🙂'), minLength: 2, maxLength: 4 });
		const text = fc.string({ unit: fc.constantFrom('<', '|', '>', 'a', 'é', '🙂', ' '), maxLength: 40 });
		fc.assert(
			fc.property(fc.array(token, { maxLength: 4 }), text, (tokens, text) => {
				const real = tokens.filter((token) => [...token].length > 1);
				const escaped = controlTokenEscape(real)(text);
				for (const token of real) expect(escaped.includes(token)).toBe(false);
				expect(escaped.replaceAll('\u200d', '')).toBe(text);
			})
		);
	});

	it('leaves other text as it is', () => {
		const escape = controlTokenEscape(['<|im_end|>']);
		expect(escape('a < b | c <|im_en')).toBe('a < b | c <|im_en');
		expect(escape('<|im_end|>')).toBe('<\u200d|im_end|>');
	});

	it('[P8] takes the time that the text takes, however many tokens a file has that begin alike', () => {
		const tokens = Array.from({ length: 200_000 }, (_, number) => `<|${number}|>`);
		const text = 'a <|x <|7|>'.repeat(2000);
		expect(controlTokenEscape(tokens)(text)).toBe('a <|x <\u200d|7|>'.repeat(2000));
	});
});
