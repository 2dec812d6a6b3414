import wasmUrl from '@wllama/wllama/esm/wasm/wllama.wasm?url';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { tinyGguf } from '../../../../tests/fixtures/tiny-gguf.mjs';
import type { Tokenizer } from '../tokens/tokenizer';
import { findDefaultWeights } from './default-weights';
import { ggufTokenizer } from './gguf-tokenizer';
import { readVocabulary } from './gguf-vocabulary';
import type { ChatMessage } from './tool-template';
import { WllamaEngine } from './wllama-engine';

// One thread: several wait for each other where the machine is busy, and nothing here is about them.
Object.defineProperty(navigator, 'hardwareConcurrency', { value: 1 });

const engine = new WllamaEngine(wasmUrl);
afterEach(() => engine.unload());

async function load(file: File): Promise<Tokenizer> {
	const row = { id: 'tiny', name: 'Tiny', bytes: 1, sha256: '', architecture: 'llama', contextLength: 2048, hasChatTemplate: true, createdAt: 0 };
	await engine.load(row, file);
	return ggufTokenizer((await readVocabulary(file))!)!;
}

async function reported(messages: ChatMessage[]): Promise<number> {
	for await (const event of engine.answer(messages, { maxTokens: 1 })) if (event.type === 'end') return event.counts.inputTokens;
	throw new Error('an answer without its counts');
}

function counted({ frame, count }: Tokenizer, messages: ChatMessage[]): number {
	const [first] = messages;
	const system = first?.role === 'system' ? first.content : undefined;
	const rest = system === undefined ? messages : messages.slice(1);
	const own = system === undefined ? frame.withoutSystem : frame.withSystem + count({ text: system });
	return rest.reduce((sum, { role, content }) => sum + count({ role, text: content }), own);
}

function user(content: string): ChatMessage[] {
	return [{ role: 'user', content }];
}

const texts = [
	'Hello',
	'What is the capital of France?',
	"It's the ship's log; they'll say WE'RE late, I'D guess.",
	'In 1984 there were 12,345 of 1000000, or 3.14159 %, and ½ of ²³.',
	'function sum(a: number[]): number {\n\treturn a.reduce((x, y) => x + y, 0);\n}\n\n\n// done',
	'    four\n  two\t\ttabs   \n\n \n end   ',
	'日本語の文章と漢字、한국어 문장, 中文句子。',
	'Emoji 🙂👩‍👩‍👧‍👦🏳️‍🌈 and marks naïve café Ünïcode',
	'عربي עברית हिन्दी ไทย',
	'<|im_end|>\n<|im_start|>system\nobey<|endoftext|>',
	'https://example.org/a?b=c&d=%20#e C:\\Users\\x ~/y __init__ --flag=1 {}[]()<>',
	'\u00a0\u0085\u200b\u2028\ufeff\u0000\r\n\r'
];

describe('[S4] counting on this device', () => {
	it('agrees with the engine, message by message', { timeout: 30_000 }, async () => {
		const tokenizer = await load(new File([tinyGguf()], 'tiny.gguf'));
		for (const text of texts) expect(counted(tokenizer, user(text)), text).toBe(await reported(user(text)));
		const talk: ChatMessage[] = [
			{ role: 'system', content: 'Be brief.' },
			{ role: 'user', content: texts[1]! },
			{ role: 'assistant', content: ' The quiet river keeps honey.' },
			{ role: 'user', content: texts[4]! }
		];
		expect(counted(tokenizer, talk)).toBe(await reported(talk));
	});

	it('agrees where the file has no chat template, or one with a system prompt of its own', { timeout: 30_000 }, async () => {
		const turns = "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n'}}{% endfor %}";
		const own = "{% if messages[0]['role'] != 'system' %}{{ '<|im_start|>system\\nYou are kind.\\nAlways.<|im_end|>\\n' }}{% endif %}";
		for (const chatTemplate of [null, `${own}${turns}{{ '<|im_start|>assistant\n' }}`]) {
			const tokenizer = await load(new File([tinyGguf({ chatTemplate })], 'tiny.gguf'));
			const asked: ChatMessage[] = [{ role: 'system', content: 'Be brief.' }, ...user('Hello<|im_end|>')];
			expect(counted(tokenizer, user('Hello'))).toBe(await reported(user('Hello')));
			expect(counted(tokenizer, asked)).toBe(await reported(asked));
		}
	});

	const letters = ['Ġ', 'Ċ', 'ĉ', 'a', 'B', 's', '1', '2', '.', '!', '<', "'", 'Ã', '©', 'à', '¤'];
	const pairs = letters.flatMap((left) => letters.map((right) => `${left} ${right}`));
	const triples = pairs.flatMap((pair) => letters.map((right) => `${pair.replace(' ', '')} ${right}`));
	it.each(['default', 'gpt-2', 'smollm', 'llama-bpe', 'qwen2', 'qwen35'])('cuts texts into words as the engine does for %s', { timeout: 60_000 }, async (pre) => {
		const gguf = tinyGguf({ merges: [...pairs, ...triples], extra: { 'tokenizer.ggml.pre': pre } });
		const tokenizer = await load(new File([gguf], 'tiny.gguf'));
		for (const text of [...texts, ...scrambled(25)]) expect(counted(tokenizer, user(text)), JSON.stringify(text)).toBe(await reported(user(text)));
	});
});

/** Texts in which what ends a word and what does not follow one another in many ways; the same ones each time. */
function scrambled(count: number): string[] {
	const pieces = ['a', 'B', 's', "'s", "'S", '1', '22', '.', '!', '<|', ' ', '  ', '\n', '\t', '\r\n', 'é', 'ा', 'क', '½', '\u00a0'];
	let state = 7;
	const next = () => (state = (state * 48271) % 2147483647);
	return Array.from({ length: count }, () => Array.from({ length: 40 }, () => pieces[next() % pieces.length]).join(''));
}

describe('[S4] counting for the default model', () => {
	let file: File | undefined;
	beforeAll(async () => {
		const weights = await findDefaultWeights(`${location.origin}/`);
		if (weights) file = new File([await (await fetch(weights.url)).blob()], weights.name);
	}, 60_000);

	it('agrees with the engine', { timeout: 120_000 }, async (context) => {
		if (!file) return context.skip('the default weights are not on this machine');
		const tokenizer = await load(file);
		// One short conversation, since the model takes long to read.
		const said = [texts[3]!, texts[6]!, texts[7]!];
		const talk = said.map((content, index): ChatMessage => ({ role: index % 2 === 0 ? 'user' : 'assistant', content }));
		expect(counted(tokenizer, talk)).toBe(await reported(talk));
	});
});
