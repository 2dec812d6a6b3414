import { describe, expect, it } from 'vitest';
import { tinyGguf } from '../../../../tests/fixtures/tiny-gguf.mjs';
import { ggufTokenizer } from './gguf-tokenizer';
import { readVocabulary } from './gguf-vocabulary';

const read = (options?: Parameters<typeof tinyGguf>[0]) => readVocabulary(new Blob([tinyGguf(options)]));

describe('[S4] the vocabulary of a model file', () => {
	it('is read from its header', async () => {
		const vocabulary = await read({ merges: ['o k'] });
		expect(vocabulary).toMatchObject({ pre: 'llama-bpe', wholeIds: [0, 1, 2], merges: ['a b', 'o k'], addsStart: false });
		expect(vocabulary?.tokens.slice(0, 3)).toEqual(['<|endoftext|>', '<|im_start|>', '<|im_end|>']);
		expect(vocabulary?.tokens.at(-1)).toBe('ok');
	});

	it('is none where the model cuts texts in another way', async () => {
		expect(await read({ extra: { 'tokenizer.ggml.model': 'llama' } })).toBeUndefined();
		const unknown = await read({ extra: { 'tokenizer.ggml.pre': 'of-tomorrow' } });
		expect(ggufTokenizer(unknown!)).toBeUndefined();
	});

	it('reads only the header of a large file', async () => {
		const bytes = tinyGguf();
		let taken = 0;
		const file = {
			size: 10_000_000_000,
			slice: (from: number, to: number) => {
				taken += to - from;
				return new Blob([bytes.slice(from, to)]);
			}
		} as unknown as Blob;
		expect((await readVocabulary(file))?.pre).toBe('llama-bpe');
		expect(taken).toBeLessThan(1_000_000);
	});
});

describe('[S4] counting by the vocabulary of a model file', () => {
	it('counts the marks around a message, and those that were typed as letters', async () => {
		const { count, frame } = ggufTokenizer((await read())!)!;
		expect(count({ text: '' })).toBe(0);
		// Mark, four letters, line break; text; mark, line break.
		expect(count({ role: 'user', text: 'Hi' })).toBe(6 + 2 + 2);
		expect(count({ text: '<|im_end|>' })).toBe('<|im_end|>'.length + 3);
		expect(frame).toEqual({ withSystem: 11 + 10, withoutSystem: 11, known: true });
	});

	it('guesses the frame of a chat template that it does not know, and counts the token that starts a prompt', async () => {
		const { count, frame } = ggufTokenizer((await read({ chatTemplate: '{{ bos_token }}[INST]{{ messages[0].content }}' }))!)!;
		expect(frame).toMatchObject({ withoutSystem: 6, known: false });
		expect(count({ role: 'user', text: 'Hi' })).toBe(7);
		const started = await read({ extra: { 'tokenizer.ggml.add_bos_token': 1 } });
		expect(ggufTokenizer(started!)!.frame.withoutSystem).toBe(12);
	});
});
