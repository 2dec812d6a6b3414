import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeProvider } from '../../../../tests/contract/provider';
import { startOpenAiServer } from '../../../../tests/fixtures/openai-server.mjs';
import { openRegistry } from '../../../../tests/fixtures/providers';
import type { Provider } from '../../storage/tables/providers';
import { toUsage } from '../turns/model-stream';
import { maxAnswer } from './answer-limits';
import { atServer } from './answer-source';
import { guardedModel } from './guarded-model';
import { openAiCompatible } from './openai-compatible';
import type { Server } from './server-failure';
import type { Reach } from './server-reach';
import { openAt as openServerAt, type Access } from './server-provider';

let fixture: Awaited<ReturnType<typeof startOpenAiServer>>;
beforeAll(async () => {
	fixture = await startOpenAiServer();
});
afterAll(() => fixture.close());

const reach: Reach = { origin: 'http://localhost:4173', isThere: async () => false };
const provider = (apiKey?: string): Provider => ({
	id: 'p1',
	name: 'Box',
	baseUrl: fixture.url,
	createdAt: 0,
	...(apiKey ? { apiKey } : {})
});
const prompt: LanguageModelV4CallOptions['prompt'] = [
	{ role: 'system', content: 'Be brief.' },
	{ role: 'user', content: [{ type: 'text', text: 'Say **this** back to me, 你好.' }] }
];

/** Opens a model as turns have it. */
const openAt = async (server: Server, modelId: string, access: Access) => guardedModel(await openServerAt(openAiCompatible, server, modelId, access));
const open = (modelId: string) => openAt(provider(), modelId, { reach, silenceMs: 1000 });

async function read(model: LanguageModelV4, abortSignal?: AbortSignal): Promise<LanguageModelV4StreamPart[]> {
	const { stream } = await model.doStream({ prompt, ...(abortSignal ? { abortSignal } : {}) });
	const parts: LanguageModelV4StreamPart[] = [];
	for await (const part of stream as unknown as AsyncIterable<LanguageModelV4StreamPart>) parts.push(part);
	return parts;
}

const textIn = (parts: LanguageModelV4StreamPart[], type: 'text-delta' | 'reasoning-delta' = 'text-delta') =>
	parts.map((part) => (part.type === type ? part.delta : '')).join('');

describeProvider('openai-compatible', async () => {
	const apiKey = 'sk-0123456789abcdefghijklmnopqrstuvwxyz';
	const row = { id: 'p1', name: 'Box', baseUrl: fixture.url, createdAt: 0 };
	const root = fixture.url.replace(/\/v1$/, '');
	const gone = await startOpenAiServer();
	await gone.close();
	const listed = (baseUrl: string) => ({ name: 'Box', baseUrl, apiKey });
	return {
		id: 'openai-compatible',
		registry: openRegistry({ keyOf: () => Promise.resolve(apiKey), egress: { silenceMs: 1000 } }),
		lists: {
			server: listed(fixture.url),
			model: 'echo',
			failures: [
				{ server: listed(`${root}/tells-key-in-error/v1`), code: 'server-unauthorised' },
				{ server: listed(`${root}/html/v1`), code: 'server-html' },
				{ server: listed(gone.url), code: 'server-down' }
			]
		},
		talks: atServer(row, 'echo'),
		reasons: atServer(row, 'reasoning'),
		goesOn: atServer(row, 'huge@5'),
		failures: [
			{ source: atServer(row, 'tells-key-in-error'), code: 'server-unauthorised' },
			{ source: atServer({ ...row, baseUrl: gone.url }, 'echo'), code: 'server-down' },
			{ source: atServer(row, '500'), code: 'server-error' },
			{ source: atServer(row, 'breaks-off'), code: 'server-broke-off' },
			{ source: atServer(row, 'error-event'), code: 'server-error' }
		],
		sent: () => fixture.requests.filter(({ path }) => path.endsWith('/chat/completions')).map(({ body }) => body as unknown),
		apiKey
	};
});

test('knows the windows that makers publish, also behind a router’s prefix, and the vocabularies of OpenAI’s models', async () => {
	const { window, vocabulary } = await openRegistry().get('openai-compatible');
	const windows = { 'gpt-4o-mini': 128_000, 'openai/gpt-4.1': 1_047_576, 'gpt-4': 8192, 'o3-mini': 200_000 };
	for (const [model, tokens] of Object.entries(windows)) expect(window(atServer(provider(), model))).toEqual({ stated: { tokens, from: 'name' } });
	expect(window(atServer(provider(), 'my-own'))).toEqual({});
	expect(vocabulary(atServer(provider(), 'openai/gpt-4'))).toEqual({ encoding: 'cl100k_base' });
	expect(vocabulary(atServer(provider(), 'my-own'))).toBeUndefined();
});

describe('an answer', () => {
	test('[S7] says nothing of cached tokens where the server does not', async () => {
		const finish = (await read(await open('echo'))).find((part) => part.type === 'finish');
		expect(finish?.usage.inputTokens).toMatchObject({ total: expect.any(Number), cacheRead: undefined });
	});

	test('sends the model, the whole prompt and nothing that names a library', async () => {
		await read(await open('echo'));
		const { body, headers } = fixture.requests.at(-1)!;
		expect(body).toEqual({
			model: 'echo',
			messages: [
				{ role: 'system', content: 'Be brief.' },
				{ role: 'user', content: 'Say **this** back to me, 你好.' }
			],
			stream: true,
			stream_options: { include_usage: true }
		});
		expect(headers).not.toHaveProperty('authorization');
		expect(headers['user-agent']).not.toMatch(/ai-sdk/);
	});

	test('[S11] an image goes as a data URL; texts without one go as one string', async () => {
		const model = await open('echo');
		const data = { type: 'data' as const, data: new Uint8Array([1, 2]) };
		const photo = { type: 'file' as const, filename: 'a.png', mediaType: 'image/png', data };
		const texts = ['File a.txt', 'What is it?'].map((text) => ({ type: 'text' as const, text }));
		await model.doGenerate({
			prompt: [
				{ role: 'user', content: texts },
				{ role: 'assistant', content: [{ type: 'text', text: 'A file.' }] },
				{ role: 'user', content: [photo, ...texts] }
			]
		});
		expect(fixture.requests.at(-1)!.body.messages).toEqual([
			{ role: 'user', content: 'File a.txt\n\nWhat is it?' },
			{ role: 'assistant', content: 'A file.' },
			{
				role: 'user',
				content: [
					{ type: 'image_url', image_url: { url: 'data:image/png;base64,AQI=' } },
					{ type: 'text', text: 'File a.txt\n\nWhat is it?' }
				]
			}
		]);
	});

	test('a key goes into the Authorization header', async () => {
		await read(await openAt(provider('sk-1'), 'echo', { reach }));
		expect(fixture.requests.at(-1)!.headers).toMatchObject({ authorization: 'Bearer sk-1' });
	});

	test('that is slow but not silent is waited for', async () => {
		expect(textIn(await read(await open('slow-tokens@50')))).toContain('你好');
	});

	test('that calls a tool, though none was offered, keeps its text', async () => {
		const parts = await read(await open('calls-a-tool'));
		expect(textIn(parts)).toBe('Let me look.');
		expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'tool-calls' } });
	});

	test('[R1] that calls with 20 KB, a token at a time, is whole', async () => {
		const call = (await read(await open('long-call'))).find(({ type }) => type === 'tool-call');
		expect(JSON.parse((call as { input: string }).input)).toEqual({ text: 'word '.repeat(4_000) });
	});

	test('can be had whole', async () => {
		const { content } = await (await open('echo')).doGenerate({ prompt });
		expect(content).toMatchObject([{ type: 'text', text: 'Say **this** back to me, 你好.' }]);
	});
});

describe('a server that fails before the answer', () => {
	test.each([
		['html', 'server-html'],
		['401', 'server-unauthorised'],
		['404', 'server-not-found'],
		['no such model', 'server-not-found'],
		['429', 'server-busy'],
		['500', 'server-error'],
		['502', 'server-error'],
		['context-full', 'context-full'],
		['refused', 'parameter-refused'],
		['silent', 'server-slow']
	])('"%s" throws %s', async (scenario, code) => {
		const model = await open(scenario);
		await expect(model.doStream({ prompt })).rejects.toMatchObject({ name: 'AppError', code });
		await expect(model.doGenerate({ prompt })).rejects.toMatchObject({ name: 'AppError', code });
	});

});

describe('a server that fails within the answer', () => {
	test.each([
		['breaks-off', 'server-broke-off', 'This will not be '],
		['no-finish', 'server-broke-off', 'This just ends'],
		['stalls', 'server-slow', 'And then'],
		['error-event', 'server-error', 'So far so good'],
		['bad-json', 'server-nonsense', 'So far '],
		['nonsense', 'server-nonsense', '']
	])('"%s" keeps what came and ends with %s', async (scenario, code, text) => {
		const parts = await read(await open(scenario));
		expect(textIn(parts)).toBe(text);
		expect(parts.filter(({ type }) => type === 'finish' || type === 'error')).toHaveLength(1);
		expect(parts.at(-1)).toMatchObject({ type: 'error', error: { name: 'AppError', code } });
	});
});

describe('[P8] a server that does harm', () => {
	test('and sends requests to another origin gets its words sent nowhere', async () => {
		const before = fixture.requests.length;
		const model = await open('redirects');
		await expect(model.doStream({ prompt })).rejects.toMatchObject({ name: 'AppError', code: 'server-redirects', message: expect.stringContaining('another address') });
		expect(fixture.requests.slice(before)).toHaveLength(1);
	});

	test.each([
		['never-ends', 'text-delta'],
		['thinks-for-ever', 'reasoning-delta']
	] as const)('"%s" is cut off as at a length limit, with what came before', async (scenario, type) => {
		const parts = await read(await open(scenario));
		expect(textIn(parts, type)).toHaveLength(maxAnswer);
		expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'length' } });
	});

	test.each([
		['one-event', 'an event without an end'],
		['one-event-as-json', 'an event of 1.5 MB in a stream that says it is JSON'],
		['calls-tools', 'an event with 18 000 tool calls']
	])('"%s", %s, keeps what came before it', async (scenario) => {
		const parts = await read(await open(scenario));
		expect(textIn(parts)).toBe('So far ');
		expect(parts.at(-1)).toMatchObject({ type: 'error', error: { name: 'AppError', code: 'server-too-much' } });
	});

	test('an event nested 5 000 deep is a sentence', async () => {
		const parts = await read(await open('deep'));
		expect(textIn(parts)).toBe('So far ');
		expect(parts.at(-1)).toMatchObject({ type: 'error', error: { name: 'AppError', code: 'server-nonsense' } });
	});

	test('figures that can not be are taken as not reported', async () => {
		const finish = (await read(await open('odd-figures'))).find((part) => part.type === 'finish')!;
		expect(toUsage(finish.usage)).toEqual({});
		expect(finish.finishReason.unified).toBe('other');
	});

	test('a server that tells the key is not repeated', async () => {
		const key = 'sk-0123456789abcdefghijklmnopqrstuvwxyz';
		const model = await openAt({ ...provider(), apiKey: key }, 'tells-key', { reach });
		const parts = await read(model);
		const said = textIn(parts) + textIn(parts, 'reasoning-delta');
		expect(textIn(parts)).toMatch(/^\[API key\] and .*\[API key\].* and \[API key\]+.*!$/);
		expect(textIn(parts, 'reasoning-delta')).toBe('Her key is [API key].');
		for (let at = 0; at + 10 <= key.length; at++) expect(said).not.toContain(key.slice(at, at + 10));
		const failing = await openAt({ ...provider(), apiKey: key }, 'tells-key-in-error', { reach });
		await expect(failing.doStream({ prompt })).rejects.toMatchObject({ message: expect.not.stringMatching(/[A-Za-z\d+/]{24}/) });
	});
});

describe('an abort', () => {
	test('before the answer throws as it is', async () => {
		const stop = new AbortController();
		setTimeout(() => stop.abort(), 50);
		await expect(read(await open('silent'), stop.signal)).rejects.toSatisfy((error) => error === stop.signal.reason);
	});

	test('of the reader closes the connection', async () => {
		let closed: (() => void) | undefined;
		const closing = new Promise<void>((resolve) => (closed = resolve));
		const watching: typeof fetch = async (input, init) => {
			const response = await fetch(input, init);
			const reader = response.body!.getReader();
			const body = new ReadableStream({
				async pull(controller) {
					const { done, value } = await reader.read();
					if (done) controller.close();
					else controller.enqueue(value);
				},
				async cancel(reason) {
					closed!();
					await reader.cancel(reason);
				}
			});
			return new Response(body, response);
		};
		const model = await openAt(provider(), 'slow-tokens', { reach, fetch: watching });
		const { stream } = await model.doStream({ prompt });
		const reader = stream.getReader();
		await reader.read();
		await reader.cancel();
		await closing;
	});
});

test('an answer of 8 000 tokens of Markdown arrives whole, the same each time', async () => {
	const [first, second] = [await read(await open('huge')), await read(await open('huge'))];
	expect(first.filter(({ type }) => type === 'text-delta').length).toBeGreaterThanOrEqual(8000);
	expect(textIn(first)).toBe(textIn(second));
	expect(textIn(first)).toContain('```ts\n');
});
