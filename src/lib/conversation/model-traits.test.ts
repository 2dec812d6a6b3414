import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromWords, toWords, traitsOf } from './model-traits';

test.each([
	['OpenRouter', { context_length: 131_072, architecture: { input_modalities: ['text', 'image'] }, supported_parameters: ['tools', 'seed'] }, '131072 images tools'],
	['vLLM', { max_model_len: 8192 }, '8192'],
	['LM Studio', { type: 'vlm', max_context_length: 32_768, capabilities: ['tool_use'] }, '32768 images tools'],
	['llama.cpp', { meta: { n_ctx_train: 4096 }, capabilities: ['completion', 'multimodal'] }, '4096 images'],
	['Mistral', { max_context_length: 128_000, capabilities: { vision: true, function_calling: true, completion_fim: false } }, '128000 images tools'],
	['OpenAI', { object: 'model', created: 1 }, undefined]
])('[P3] reads what %s says of a model', (_, entry, words) => {
	expect(toWords(traitsOf({ id: 'm', ...entry }))).toBe(words);
});

test('[P8] believes nothing that is no number of tokens, and reads back what it has written', () => {
	for (const context_length of ['8192', -1, 1.5, 1e12, Number.NaN, null, {}]) expect(traitsOf({ context_length })).toEqual({});
	fc.assert(fc.property(fc.jsonValue(), (entry) => {
		const traits = traitsOf(entry);
		expect(fromWords(toWords(traits) ?? '')).toEqual(traits);
	}));
});
