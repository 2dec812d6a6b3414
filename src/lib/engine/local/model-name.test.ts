import { expect, it } from 'vitest';
import { modelName } from './model-name';

it('[P10] a model is named by its file, in words', () => {
	expect(modelName('Qwen2.5-0.5B-Instruct-Q4_K_M')).toBe('Qwen2.5 0.5B Instruct · Q4_K_M');
	expect(modelName('smollm2-135m-instruct.q8_0')).toBe('smollm2 135m instruct · Q8_0');
	expect(modelName('gemma_3-UD-IQ2_XXS')).toBe('gemma 3 · UD-IQ2_XXS');
	expect(modelName('Phi-4-BF16')).toBe('Phi 4 · BF16');
	for (const other of ['tiny', 'My own model', 'Q4_K_M', '-Q8_0', 'Llama-3.2-1B', '']) expect(modelName(other)).toBe(other);
});
