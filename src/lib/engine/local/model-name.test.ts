import { expect, it } from 'vitest';
import { modelName, quantizationOf } from './model-name';

it('[P10] a model is named by its file, in words', () => {
	expect(modelName('Qwen2.5-0.5B-Instruct-Q4_K_M')).toBe('Qwen2.5 0.5B Instruct · Q4_K_M');
	expect(modelName('smollm2-135m-instruct.q8_0')).toBe('smollm2 135m instruct · Q8_0');
	expect(modelName('gemma_3-UD-IQ2_XXS')).toBe('gemma 3 · UD-IQ2_XXS');
	expect(modelName('Phi-4-BF16')).toBe('Phi 4 · BF16');
	for (const other of ['tiny', 'My own model', 'Q4_K_M', '-Q8_0', 'Llama-3.2-1B', '']) expect(modelName(other)).toBe(other);
});

it('the quantization of a model is the end of its file’s name', () => {
	for (const [name, quantization] of [
		['Qwen2.5-0.5B-Instruct-Q4_K_M', 'Q4_K_M'],
		['smollm2-135m-instruct.q8_0', 'Q8_0'],
		['gemma-3-1b-it-UD-Q4_K_XL', 'UD-Q4_K_XL'],
		['model-IQ3_XXS', 'IQ3_XXS'],
		['model-TQ1_0', 'TQ1_0'],
		['model-f16', 'F16'],
		['gpt-oss-MXFP4', 'MXFP4'],
		['Llama-3.2-1B', undefined],
		['Q4_K_M', undefined]
	] as const)
		expect(quantizationOf(name)).toBe(quantization);
});
