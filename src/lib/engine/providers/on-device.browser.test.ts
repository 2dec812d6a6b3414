import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import wasmUrl from '@wllama/wllama/esm/wasm/wllama.wasm?url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeProvider } from '../../../../tests/contract/provider';
import { openRegistry, providerPorts } from '../../../../tests/fixtures/providers';
import { tinyGguf, toolChatMl } from '../../../../tests/fixtures/tiny-gguf.mjs';
import { AppError } from '../../shared/app-error';
import type { LocalModel } from '../../storage/tables/models';
import type { ModelFiles } from '../local/model-files';
import { OnDevice } from '../local/on-device';
import { WllamaEngine } from '../local/wllama-engine';
import { onThisDevice } from './answer-source';
import { onDevice } from './on-device';

const engine = new WllamaEngine(wasmUrl);
const model = onDevice(engine, 'tiny');
const hello: LanguageModelV4CallOptions = { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }] };

function load(options: Parameters<typeof tinyGguf>[0] = {}) {
	return engine.load(local('tiny'), new File([tinyGguf(options)], 'tiny.gguf'));
}

async function partsOf(options: LanguageModelV4CallOptions) {
	const parts: LanguageModelV4StreamPart[] = [];
	const reader = (await model.doStream(options)).stream.getReader();
	for (let read = await reader.read(); !read.done; read = await reader.read()) parts.push(read.value);
	return parts;
}

/** A template that begins every answer with the model's thoughts. */
const thinking =
	"{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n'}}" +
	"{% if message['role'] == 'assistant' and message.reasoning_content %}{{'<think>\n' + message.reasoning_content + '\n</think>\n\n'}}{% endif %}" +
	"{{message['content'] + '<|im_end|>' + '\n'}}{% endfor %}" +
	"{% if add_generation_prompt %}{{ '<|im_start|>assistant\n<think>\n' }}{% endif %}";

const local = (id: string, contextLength = 2048): LocalModel => ({
	id,
	name: `Tiny ${id}`,
	bytes: 1,
	sha256: '',
	architecture: 'llama',
	contextLength,
	hasChatTemplate: true,
	createdAt: 0
});

describeProvider('on-device', async () => {
	const files: Record<string, Uint8Array<ArrayBuffer>> = {
		talks: tinyGguf(),
		reasons: tinyGguf({ chatTemplate: thinking }),
		'goes on': tinyGguf({ sentences: Infinity }),
		broken: tinyGguf({ extra: { 'general.architecture': 'nonsense', 'nonsense.context_length': 64 } })
	};
	const open = (id: string) => {
		const bytes = files[id];
		return bytes ? Promise.resolve(new File([bytes], `${id}.gguf`)) : Promise.reject(new AppError('model-gone', 'The file of the model is gone.'));
	};
	const engine = new WllamaEngine(wasmUrl);
	const asked = vi.spyOn(engine, 'answer');
	const device = new OnDevice(() => Promise.resolve({ files: { open } as unknown as ModelFiles, engine }));
	const source = (id: string) => onThisDevice({ local: local(id) });
	return {
		id: 'on-device',
		registry: openRegistry({ device, models: { list: () => Promise.resolve(Object.keys(files).map((id) => local(id))) } }),
		lists: { server: { name: '', baseUrl: '' }, model: 'Tiny talks', failures: [] },
		talks: source('talks'),
		reasons: source('reasons'),
		goesOn: source('goes on'),
		failures: [
			{ source: source('absent'), code: 'model-gone' },
			{ source: source('broken'), code: 'model-unloadable' },
			{ source: source('talks'), code: 'context-full', question: 'x '.repeat(2000) }
		],
		sent: () => asked.mock.calls.map(([messages]) => messages),
		close: () => engine.unload()
	};
});

describe('the provider of this device', () => {
	const file = (options: Parameters<typeof tinyGguf>[0]) => new File([tinyGguf(options)], 'tiny.gguf');

	it('[R1] tells by the template in its file whether a model takes tools, and reads that once', async () => {
		const opened: string[] = [];
		const files: Record<string, File> = { caller: file({ chatTemplate: toolChatMl }), talks: file({}), plain: file({ chatTemplate: null }) };
		const device = { ...providerPorts().device, file: ({ id }: LocalModel) => (opened.push(id), Promise.resolve(files[id]!)) };
		const provider = await openRegistry({ device }).get('on-device');
		const taken = (id: string) => provider.takesTools(onThisDevice({ local: local(id) }));
		expect([await taken('caller'), await taken('talks'), await taken('plain'), await taken('caller')]).toEqual([true, false, false, true]);
		expect(opened).toEqual(['caller', 'talks', 'plain']);
		expect(await provider.takesTools(onThisDevice({ weights: { name: 'Later', url: 'https://example.org/later.gguf', bytes: 1 } }))).toBe(false);
	});
});

describe('onDevice', () => {
	beforeEach(() => load());
	afterEach(() => engine.unload());

	it('streams one text block between its start and its finish', async () => {
		const parts = await partsOf({ ...hello, maxOutputTokens: 8 });
		const types = parts.map(({ type }) => type);
		expect(types.slice(0, 3)).toEqual(['stream-start', 'response-metadata', 'text-start']);
		expect(new Set(types.slice(3, -2))).toEqual(new Set(['text-delta']));
		expect(types.slice(-2)).toEqual(['text-end', 'finish']);
		expect(parts.at(-1)).toMatchObject({
			finishReason: { unified: 'length', raw: 'length' },
			usage: { outputTokens: { total: 8 } }
		});
	});

	it('counts what it had in memory apart from what was new', async () => {
		await model.doGenerate({ ...hello, maxOutputTokens: 4 });
		const { usage } = await model.doGenerate({ ...hello, maxOutputTokens: 4 });
		const { total, noCache, cacheRead } = usage.inputTokens;
		expect(cacheRead).toBeGreaterThan(0);
		expect(noCache! + cacheRead!).toBe(total);
	});

	it('gives the template each role, and joins neighbours of one role', async () => {
		// This template ends the prompt at once where the roles do not alternate.
		const chatTemplate =
			"{% for m in messages %}{% if m.role not in ['system', 'user', 'assistant'] or (not loop.first and m.role == loop.previtem.role) %}" +
			"{{ raise_exception('roles must alternate') }}{% endif %}{{ m.content }}{% endfor %}";
		await load({ chatTemplate });
		const text = (text: string) => [{ type: 'text' as const, text }];
		const { content } = await model.doGenerate({
			maxOutputTokens: 4,
			prompt: [
				{ role: 'system', content: 'Be brief.' },
				{ role: 'user', content: text('One') },
				{ role: 'user', content: text('Two') },
				{ role: 'assistant', content: text('Three') },
				{ role: 'user', content: text('Four') }
			]
		});
		expect(content).toMatchObject([{ type: 'text' }]);
	});

	it('[S11] tells the model of an image instead of showing it', async () => {
		const asked = vi.spyOn(engine, 'answer');
		const data = { type: 'data' as const, data: new Uint8Array([1]) };
		const photo = { type: 'file' as const, filename: 'photo.png', mediaType: 'image/png', data };
		const { warnings } = await model.doGenerate({
			maxOutputTokens: 1,
			prompt: [{ role: 'user', content: [photo, { type: 'text', text: 'What is it?' }] }]
		});
		expect(asked.mock.calls[0]![0]).toEqual([{ role: 'user', content: "[image photo.png, which this model can't see]\n\nWhat is it?" }]);
		expect(warnings).toEqual([{ type: 'unsupported', feature: 'file' }]);
		asked.mockRestore();
	});

	it('warns of what it leaves out', async () => {
		const tools = [{ type: 'function' as const, name: 'x', inputSchema: {} }];
		const { warnings } = await model.doGenerate({
			...hello,
			maxOutputTokens: 1,
			tools,
			responseFormat: { type: 'json' }
		});
		expect(warnings).toEqual([
			{ type: 'unsupported', feature: 'tools' },
			{ type: 'unsupported', feature: 'responseFormat' }
		]);
	});

	it('[R1] gives a call as a part of its own, with the text around it, and takes its result', async () => {
		const replies = [
			{ after: '<|calls|>', says: 'I look.\n<tool_call>{"name": "look", "arguments": {"at": 1}}</tool_call>\n<tool_call>{"name": "tell", "arguments": {}}</tool_call>' },
			{ after: '<|answers|>', says: 'There it is.' }
		];
		await load({ chatTemplate: toolChatMl, replies });
		const tools = ['look', 'tell'].map((name) => ({ type: 'function' as const, name, inputSchema: { type: 'object' as const } }));
		const asked = await partsOf({ ...hello, tools });
		expect(asked[0]).toEqual({ type: 'stream-start', warnings: [] });
		expect(asked.map(({ type }) => type).filter((type) => type !== 'text-delta')).toEqual(['stream-start', 'response-metadata', 'text-start', 'text-end', 'tool-call', 'tool-call', 'finish']);
		const calls = asked.filter((part) => part.type === 'tool-call');
		expect(calls).toMatchObject([{ toolName: 'look', input: '{"at":1}' }, { toolName: 'tell', input: '{}' }]);
		expect(new Set(calls.map(({ toolCallId }) => toolCallId)).size).toBe(2);
		expect(asked.at(-1)).toMatchObject({ finishReason: { unified: 'tool-calls' } });

		const output = { type: 'text' as const, value: 'Here.' };
		const { content, finishReason } = await model.doGenerate({
			tools,
			prompt: [
				...hello.prompt,
				{ role: 'assistant', content: [{ type: 'text', text: 'I look.' }, ...calls.map(({ type, toolCallId, toolName, input }) => ({ type, toolCallId, toolName, input: JSON.parse(input) as unknown }))] },
				{ role: 'tool', content: calls.map(({ toolCallId, toolName }) => ({ type: 'tool-result' as const, toolCallId, toolName, output })) }
			]
		});
		expect(content).toEqual([{ type: 'text', text: 'There it is.' }]);
		expect(finishReason.unified).toBe('stop');
	});

	it('[R1] tells a call from what was thought before it', async () => {
		const says = 'Shall I <tool_call>? Yes.\n</think>\n\n<tool_call>{"name": "look", "arguments": {}}</tool_call>';
		// After the mark of thoughts, and for the marks of calls, which the template has to name.
		await load({ chatTemplate: `${thinking}{% if tools %}{% for call in messages[0].tool_calls or [] %}<tool_call></tool_call>{% endfor %}{% endif %}`, replies: [{ after: '\n', says }] });
		const { content } = await model.doGenerate({ ...hello, tools: [{ type: 'function', name: 'look', inputSchema: {} }] });
		expect(content).toMatchObject([{ type: 'reasoning', text: expect.stringContaining('Shall I <tool_call>? Yes.') as string }, { type: 'tool-call', toolName: 'look' }]);
	});

	it('[S7] sends each call as a message of its own with its result, and tools only where they are offered', async () => {
		const registry = openRegistry();
		const provider = await registry.get('on-device');
		const source = onThisDevice({ local: local('caller') });
		const call = (toolCallId: string) => ({ type: 'tool-call' as const, toolCallId, toolName: 'look', input: { at: toolCallId } });
		const result = (toolCallId: string) => ({ type: 'tool-result' as const, toolCallId, toolName: 'look', output: { type: 'json' as const, value: { of: toolCallId } } });
		const prompt: LanguageModelV4CallOptions['prompt'] = [
			...hello.prompt,
			{ role: 'assistant', content: [{ type: 'text', text: 'I look.' }, call('a'), call('b')] },
			{ role: 'tool', content: [result('a'), result('b')] },
			{ role: 'assistant', content: [{ type: 'text', text: 'There.' }] }
		];
		const tools = [{ type: 'function' as const, name: 'look', inputSchema: {} }];
		const [one, two] = ['000000001', '000000002'];
		expect(await provider.requestBody(source, { prompt, tools })).toEqual({
			messages: [
				{ role: 'user', content: 'Hello' },
				{ role: 'assistant', content: 'I look.', call: { id: one, name: 'look', input: { at: 'a' } } },
				{ role: 'tool', content: '{"of":"a"}', callId: one },
				{ role: 'assistant', content: '', call: { id: two, name: 'look', input: { at: 'b' } } },
				{ role: 'tool', content: '{"of":"b"}', callId: two },
				{ role: 'assistant', content: 'There.' }
			],
			tools: [{ name: 'look', inputSchema: {} }]
		});
		expect(await provider.requestBody(source, { prompt })).toEqual([
			{ role: 'user', content: 'Hello' },
			{ role: 'assistant', content: 'I look.\n\nThere.' }
		]);
	});

	it('makes a failure a part of the stream', async () => {
		const long: LanguageModelV4CallOptions = {
			prompt: [{ role: 'user', content: [{ type: 'text', text: 'x '.repeat(2000) }] }]
		};
		const parts = await partsOf(long);
		expect(parts.at(-2)).toMatchObject({ type: 'error', error: { code: 'context-full' } });
		expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'error' } });
		engine.unload();
		await expect(model.doGenerate(hello)).rejects.toMatchObject({ code: 'model-not-loaded' });
	});
});
