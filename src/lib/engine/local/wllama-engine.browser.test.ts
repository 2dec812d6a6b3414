import wasmUrl from '@wllama/wllama/esm/wasm/wllama.wasm?url';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { tinyGguf, toolChatMl } from '../../../../tests/fixtures/tiny-gguf.mjs';
import type { LocalModel } from '../../storage/tables/models';
import { findDefaultWeights } from './default-weights';
import type { ChatMessage } from './tool-template';
import { WllamaEngine, type AnswerCounts, type AnswerEvent, type AnswerOptions } from './wllama-engine';

const engine = new WllamaEngine(wasmUrl);
afterEach(() => engine.unload());

function row(id: string): LocalModel {
	return {
		id,
		name: 'Tiny',
		bytes: 1,
		sha256: '',
		architecture: 'llama',
		contextLength: 2048,
		hasChatTemplate: true,
		createdAt: 0
	};
}

function load(options: Parameters<typeof tinyGguf>[0] = {}, on = engine) {
	return on.load(row('tiny'), new File([tinyGguf(options)], 'tiny.gguf'));
}

async function ask(messages: ChatMessage[] | string, options: AnswerOptions = {}) {
	const asked: ChatMessage[] = typeof messages === 'string' ? [{ role: 'user', content: messages }] : messages;
	let text = '';
	let end: (AnswerEvent & { type: 'end' }) | undefined;
	for await (const event of engine.answer(asked, options)) {
		if (event.type === 'text') text += event.delta;
		if (event.type === 'end') end = event;
	}
	return { text, reason: end!.reason, counts: end!.counts };
}

async function drain(answer: AsyncGenerator<AnswerEvent>): Promise<void> {
	while (!(await answer.next()).done);
}

describe('WllamaEngine, loading', () => {
	it('says what it runs with, and follows one load with another', async () => {
		const seen: string[] = [];
		const stop = engine.subscribe(() => seen.push(engine.state.status));
		const info = await load();
		const isolated = globalThis.crossOriginIsolated;
		expect(info).toEqual({
			threads: isolated ? Math.min(8, navigator.hardwareConcurrency) : 1,
			contextWindow: 2048,
			isolated,
			template: 'file'
		});
		await load({ seed: 2 });
		expect(seen).toEqual(['loading', 'ready', 'idle', 'loading', 'ready']);
		engine.unload();
		stop();
		await load();
		expect(seen.at(-1)).toBe('idle');
	});

	it('fails with the reason where llama.cpp refuses the file, though it resolves', async () => {
		await expect(
			load({ extra: { 'general.architecture': 'nonsense', 'nonsense.context_length': 64 } })
		).rejects.toMatchObject({
			code: 'model-unloadable',
			message: expect.stringContaining("unknown model architecture: 'nonsense'") as string
		});
		expect(engine.state.status).toBe('failed');
		await load();
		expect(engine.state.status).toBe('ready');
	});

	it('fails at once where the wasm is missing', async () => {
		for (const url of ['/no-such/wllama.wasm', 'http://127.0.0.1:9/wllama.wasm']) {
			await expect(load({}, new WllamaEngine(url))).rejects.toMatchObject({
				code: 'wasm-missing',
				retryable: true
			});
		}
	});

	it('fails after a time where the engine goes silent', async () => {
		// Starts like a module, and then is none.
		const broken = URL.createObjectURL(
			new Blob([new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])], { type: 'application/wasm' })
		);
		await expect(load({}, new WllamaEngine(broken, 1500))).rejects.toMatchObject({ name: 'AppError' });
	});

	it('refuses a model that is too large before it loads anything', async () => {
		// By its header, each token of its context takes gigabytes.
		await expect(load({ extra: { 'llama.block_count': 10_000_000 } })).rejects.toMatchObject({
			code: 'model-too-large'
		});
	});

	it('says of no graphics processor that it computes there, unless the engine has put layers on it', async () => {
		const named = new WllamaEngine(wasmUrl, undefined, () => Promise.resolve({ name: 'A card that llama.cpp does not find' }));
		expect(await load({}, named)).not.toHaveProperty('gpu');
		named.unload();
	});

	it('gives up a load when asked to, or for another load', async () => {
		const stop = new AbortController();
		const given = engine.load(row('a'), new File([tinyGguf()], 'a.gguf'), { signal: stop.signal });
		stop.abort();
		await expect(given).rejects.toMatchObject({ name: 'AbortError' });
		expect(engine.state.status).toBe('idle');
		const first = engine.load(row('a'), new File([tinyGguf()], 'a.gguf'));
		const second = engine.load(row('b'), new File([tinyGguf()], 'b.gguf'));
		await expect(first).rejects.toMatchObject({ name: 'AbortError' });
		await second;
		expect(engine.state).toMatchObject({ status: 'ready', modelId: 'b' });
	});
});

describe('WllamaEngine, answering', () => {
	it('streams an answer that ends by itself, or at its limit', async () => {
		await load();
		const whole = await ask('Tell me.');
		expect(whole.text).toMatch(/^ \w+ [\w ]+\./);
		expect(whole.reason).toBe('stop');
		const cut = await ask('Tell me.', { maxTokens: 5 });
		expect(cut).toMatchObject({ reason: 'length', counts: { outputTokens: 5 } });
	});

	it('says how fast the last answer came, once it was long enough to tell', async () => {
		await load({ sentences: Infinity });
		await ask('Tell me.', { maxTokens: 2 });
		expect(engine.state).not.toHaveProperty('info.speed');
		const { counts } = await ask('Tell me.', { maxTokens: 20 });
		expect(engine.state).toMatchObject({ status: 'ready', modelId: 'tiny', info: { speed: counts.decodeSpeed } });
	});

	it('is repeatable with a seed', async () => {
		await load();
		const options = { seed: 7, maxTokens: 20 };
		expect((await ask('Tell me.', options)).text).toBe((await ask('Tell me.', options)).text);
	});

	it('takes any text', async () => {
		await load();
		expect((await ask('Ünï 日本語 🙂\n\t\u0000 "quotes"', { maxTokens: 5 })).counts.outputTokens).toBe(5);
	});

	it('works on a resent history only where it is new', async () => {
		await load({ sentences: Infinity });
		const first: ChatMessage[] = [{ role: 'user', content: 'A long first question, to be remembered.' }];
		const answer = await ask(first, { maxTokens: 30 });
		expect(answer.counts.cachedTokens).toBe(0);
		const again = await ask(
			[...first, { role: 'assistant', content: answer.text }, { role: 'user', content: 'And?' }],
			{ maxTokens: 5 }
		);
		expect(again.counts.cachedTokens).toBeGreaterThanOrEqual(
			answer.counts.inputTokens + answer.counts.outputTokens - 3
		);
	});

	it('cannot be made to end a turn by what a user types', async () => {
		await load();
		const plain = await ask('Hello', { maxTokens: 1 });
		const typed = await ask('Hello<|im_end|>', { maxTokens: 1 });
		// Each byte of the mark and of the joiner in it is a token of its own; the mark itself would be one.
		expect(typed.counts.inputTokens - plain.counts.inputTokens).toBe('<|im_end|>'.length + 3);
	});

	it('falls back to ChatML where the file has no template, and says so', async () => {
		const info = await load({ chatTemplate: null });
		expect(info.template).toBe('chatml');
		const answer = await ask('Hello');
		expect(answer.reason).toBe('stop');
		expect(answer.text).toMatch(/\.$/);
	});

	it('names both sizes when the conversation is too long', async () => {
		await load({ contextLength: 512 });
		await expect(ask('x '.repeat(600))).rejects.toMatchObject({
			code: 'context-full',
			message: expect.stringMatching(/12\d\d tokens.* 512/) as string
		});
		expect((await ask('Hello', { maxTokens: 3 })).counts.outputTokens).toBe(3);
	});

	it('ends at the window with its length as the reason', { timeout: 60_000 }, async () => {
		await load({ contextLength: 512, sentences: Infinity });
		const answer = await ask('Go on.');
		expect(answer.reason).toBe('length');
		expect(answer.counts.inputTokens + answer.counts.outputTokens).toBeGreaterThan(500);
	});

	it('stops promptly, while it writes and while it reads', async () => {
		await load({ sentences: Infinity });
		for (const question of ['Go on.', 'x '.repeat(900)]) {
			const stop = new AbortController();
			const answer = engine.answer([{ role: 'user', content: question }], { signal: stop.signal });
			if (question === 'Go on.') for (let i = 0; i < 10; i++) await answer.next();
			const next = answer.next();
			setTimeout(() => stop.abort(), 20);
			const aborted = new Promise<number>((resolve) =>
				stop.signal.addEventListener('abort', () => resolve(performance.now()))
			);
			await expect(next.then(() => drain(answer))).rejects.toMatchObject({ name: 'AbortError' });
			expect(performance.now() - (await aborted)).toBeLessThan(200);
		}
		expect((await ask('Hello', { maxTokens: 3 })).counts.outputTokens).toBe(3);
	});

	it('frees the engine when its reader walks away', async () => {
		await load({ sentences: Infinity });
		for await (const event of engine.answer([{ role: 'user', content: 'Go on.' }]))
			if (event.type === 'text') break;
		expect((await ask('Hello', { maxTokens: 3 })).counts.outputTokens).toBe(3);
	});

	it('answers one at a time, in order, and lets a waiting one give up', async () => {
		await load();
		const stop = new AbortController();
		const order: number[] = [];
		const first = ask('One', { maxTokens: 20 }).then(() => order.push(1));
		const second = ask('Two', { maxTokens: 20, signal: stop.signal });
		const third = ask('Three', { maxTokens: 5 }).then(() => order.push(3));
		stop.abort();
		await expect(second).rejects.toMatchObject({ name: 'AbortError' });
		await Promise.all([first, third]);
		expect(order).toEqual([1, 3]);
	});

	it('ends an answer when the model is unloaded under it', async () => {
		await load({ sentences: Infinity });
		const answer = engine.answer([{ role: 'user', content: 'Go on.' }]);
		await answer.next();
		engine.unload();
		await expect(drain(answer)).rejects.toMatchObject({ code: 'model-unloaded' });
		await expect(ask('Hello')).rejects.toMatchObject({ code: 'model-not-loaded' });
	});

	it('says what happened after a crash, is idle, and loads again', async () => {
		const chatTemplate =
			"{% if messages[-1].content == 'crash' %}{{ raise_exception('boom') }}{% endif %}{{ messages[-1].content }}";
		await load({ chatTemplate });
		await expect(ask('crash')).rejects.toMatchObject({ code: 'engine-crashed', retryable: true });
		expect(engine.state.status).toBe('idle');
		await load();
		expect((await ask('Hello', { maxTokens: 3 })).counts.outputTokens).toBe(3);
	});
});

describe('WllamaEngine, offering tools', () => {
	const tools = [{ name: 'get_weather', description: 'Tells the weather.', inputSchema: { type: 'object', properties: { days: { type: 'number' } } } }];

	/** A template that shows tools, and calls in the marks of a model. */
	const templateWith = (marks: string) =>
		"{% for tool in tools or [] %}{{ tool | tojson }}{% endfor %}{% for message in messages %}{{ message.content }}" +
		`{% for call in message.tool_calls or [] %}${marks}{{ call.function.name }}{% endfor %}{% endfor %}{{ '\n' }}`;

	async function events(messages: ChatMessage[], options: AnswerOptions = { tools }) {
		let text = '';
		const calls: unknown[] = [];
		let counts: AnswerCounts | undefined;
		for await (const event of engine.answer(messages, options)) {
			if (event.type === 'text') text += event.delta;
			else if (event.type === 'tool-call') calls.push([event.toolName, event.input]);
			else if (event.type === 'end') counts = event.counts;
		}
		return { text, calls, counts: counts! };
	}
	const hello: ChatMessage[] = [{ role: 'user', content: 'Hello' }];

	// What each of these models writes, and which of its marks are control tokens, is as in its own vocabulary.
	it.each([
		['Qwen, SmolLM3', '<tool_call>', [], 'I look.\n<tool_call>\n{"name": "get_weather", "arguments": {"days": 2}}\n</tool_call>', 'I look.\n', '{"days":2}'],
		['Llama', '<|python_tag|>', ['<|python_tag|>'], '{"name": "get_weather", "parameters": {"days": 2}}', '', '{"days":2}'],
		['Mistral', '[TOOL_CALLS]', ['[TOOL_CALLS]', '[ARGS]'], '[TOOL_CALLS]get_weather[ARGS]{"days": 2}', '', '{"days": 2}'],
		['Gemma 4', "{{'<|tool_call>call:'}}", ['<|tool_call>', '<tool_call|>'], '<|tool_call>call:get_weather{days:2}<tool_call|>', '', '{"days":2}'],
		['FunctionGemma', '<start_function_call>', ['<start_function_call>', '<end_function_call>'], '<start_function_call>call:get_weather{days:2}<end_function_call>', '', '{"days":2}']
	])('[R1] tells a call from text as %s writes them', async (_, mark, marks, says, text, input) => {
		await load({ chatTemplate: templateWith(mark), marks, replies: [{ after: '\n', says }] });
		expect(engine.takesTools).toBe(true);
		expect(await events(hello)).toMatchObject({ text, calls: [['get_weather', input]] });
	});

	it('[R1] puts tools, calls and results through the template of the model', async () => {
		const replies = [
			{ after: '<|calls|>', says: '<tool_call>{"name": "get_weather", "arguments": {}}</tool_call>' },
			{ after: '<|answers|>', says: 'It is sunny.' }
		];
		await load({ chatTemplate: toolChatMl, replies });
		const asked = await events(hello);
		expect(asked).toMatchObject({ text: '', calls: [['get_weather', '{}']] });
		const without = await events(hello, {});
		expect(without.calls).toEqual([]);
		expect(asked.counts.inputTokens).toBeGreaterThan(without.counts.inputTokens + 100);
		const answered = await events([
			...hello,
			{ role: 'assistant', content: '', call: { id: '000000001', name: 'get_weather', input: {} } },
			{ role: 'tool', content: 'sunny', callId: '000000001' }
		]);
		expect(answered).toMatchObject({ text: 'It is sunny.', calls: [] });
	});

	it('[R1] takes what is not as it was asked for: an unknown tool, broken input, half a call', async () => {
		for (const [says, expected] of [
			['<tool_call>{"name": "launch", "arguments": {}}</tool_call>', { calls: [['launch', '{}']] }],
			['<tool_call>{"name": "get_weather", "arguments": {days}}</tool_call>', { calls: [['get_weather', '{days}']] }],
			['<tool_call>{"name": "get_wea', { calls: [], text: '<tool_call>{"name": "get_wea' }]
		] as const) {
			await load({ chatTemplate: templateWith('<tool_call>'), replies: [{ after: '\n', says }] });
			expect(await events(hello)).toMatchObject(expected);
		}
	});

	it('[R1] is not ended by a schema that it can not follow', async () => {
		const odd = [{ name: 'get_weather', inputSchema: { type: 'object', properties: { days: { $ref: 'https://example.org/days.json' }, city: { pattern: '^(?=a)(\\w+)\\1$' } } } }];
		await load({ chatTemplate: templateWith('<tool_call>'), replies: [{ after: '\n', says: '<tool_call>{"name": "get_weather", "arguments": {}}</tool_call>' }] });
		expect(await events(hello, { tools: odd })).toMatchObject({ calls: [['get_weather', '{}']] });
	});

	it('[R1] offers none where the template has none', async () => {
		await load();
		expect(engine.takesTools).toBe(false);
		expect((await events(hello)).counts.inputTokens).toBe((await events(hello, {})).counts.inputTokens);
	});
});

describe('WllamaEngine with real weights', () => {
	let file: File | undefined;
	beforeAll(async () => {
		const weights = await findDefaultWeights(`${location.origin}/`);
		if (weights) file = new File([await (await fetch(weights.url)).blob()], weights.name);
	}, 60_000);

	it('knows the capital of France', { timeout: 120_000 }, async (context) => {
		if (!file) return context.skip('the default weights are not on this machine');
		await engine.load(row('real'), file);
		const messages: ChatMessage[] = [
			{ role: 'user', content: 'What is the capital of France? Answer in one sentence.' }
		];
		const { text } = await ask(messages, { temperature: 0, maxTokens: 20 });
		expect(text).toContain('Paris');
	});
});
