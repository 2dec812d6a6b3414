import { describe, expect, it } from 'vitest';
import { openAiEncoding } from './openai-encoding';
import { openAiTokenizer } from './openai-tokens';

describe('[S4] counting for models of OpenAI’s', () => {
	it('knows the encoding by the name', () => {
		const newer = ['gpt-4o', 'gpt-4o-mini-2024-07-18', 'gpt-4.1-nano', 'gpt-5.2', 'GPT-5', 'o1', 'o3-mini', 'o4-mini', 'chatgpt-4o-latest', 'openai/gpt-4o', 'openai/gpt-oss-20b'];
		const older = ['gpt-4', 'gpt-4-turbo', 'gpt-3.5-turbo', 'openai/gpt-4'];
		const others = ['llama-3.1-8b', 'o200', 'mistral/gpt-4', 'my-gpt-4', 'olmo', 'o3x', 'qwen2.5', ''];
		expect(newer.map(openAiEncoding)).toEqual(newer.map(() => 'o200k_base'));
		expect(older.map(openAiEncoding)).toEqual(older.map(() => 'cl100k_base'));
		expect(others.map(openAiEncoding)).toEqual(others.map(() => undefined));
	});

	// The counts that OpenAI publishes for its encodings.
	it('counts as OpenAI does', async () => {
		const examples = ['antidisestablishmentarianism', '2 + 2 = 4', 'お誕生日おめでとう'];
		const newer = await openAiTokenizer('o200k_base');
		const older = await openAiTokenizer('cl100k_base');
		expect(examples.map((text) => newer.count({ text }))).toEqual([6, 7, 8]);
		expect(examples.map((text) => older.count({ text }))).toEqual([6, 7, 9]);
		expect(older.count({ text: 'tiktoken is great!' })).toBe(6);
	});

	it('adds the frame of a message, and reads control tokens as text', async () => {
		const { count, frame } = await openAiTokenizer('o200k_base');
		expect(count({ role: 'user', text: '2 + 2 = 4' })).toBe(7 + 4);
		expect(count({ role: 'assistant', text: '' })).toBe(4);
		expect(count({ text: '<|endoftext|>' })).toBeGreaterThan(3);
		expect(frame).toEqual({ withSystem: 7, withoutSystem: 3, known: true });
	});

	it('takes endless words, such as encoded data', async () => {
		const { count } = await openAiTokenizer('cl100k_base');
		const before = performance.now();
		// Eight of the letter are one token.
		expect(Math.abs(count({ text: 'a'.repeat(80_000) }) / 10_000 - 1)).toBeLessThan(0.02);
		expect(count({ text: ' '.repeat(80_000) })).toBeLessThan(2000);
		expect(performance.now() - before).toBeLessThan(5000);
	});
});
