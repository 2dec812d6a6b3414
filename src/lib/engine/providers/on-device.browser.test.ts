import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import wasmUrl from '@wllama/wllama/esm/wasm/wllama.wasm?url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeProvider } from '../../../../tests/contract/provider';
import { openRegistry } from '../../../../tests/fixtures/providers';
import { tinyGguf } from '../../../../tests/fixtures/tiny-gguf.mjs';
import { AppError } from '../../shared/app-error';
import type { LocalModel } from '../../storage/models';
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
