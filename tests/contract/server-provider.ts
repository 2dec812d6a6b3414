import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelParameters } from '../../src/lib/conversation/model-parameters';
import { toWords, type ModelTraits } from '../../src/lib/conversation/model-traits';
import { atServer } from '../../src/lib/engine/providers/answer-source';
import { toCallSettings } from '../../src/lib/engine/turns/call-settings';
import { toUsage } from '../../src/lib/engine/turns/model-stream';
import { AppError } from '../../src/lib/shared/app-error';
import type { Egress } from '../../src/lib/shared/egress';
import { figures, type startProtocolServer } from '../fixtures/protocol-server.mjs';
import { openRegistry } from '../fixtures/providers';
import { describeProvider } from './provider';

/** A provider of one hosted service, and a server of ours that speaks its protocol. */
export interface HostedService {
	id: string;
	start: () => ReturnType<typeof startProtocolServer>;
	/** The path of the base URL. */
	path: string;
	key: { header: string; prefix?: string };
	/** Headers of every request beside the key's. */
	headers?: Record<string, string>;
	/** Things that the list says of the model `rich`. */
	traits?: ModelTraits;
	/** Windows that are known by the names of models. */
	windows: Record<string, number>;
	/** An error that says that the account has nothing left; undefined where it has none of its own. */
	noCredit?: [status: number, body: unknown];
	/** The window that it names when a prompt is too long. */
	window: number | 'less';
	/** US dollars that an answer costs, where it says so. */
	costUsd?: number;
	/** Options of a call and what the body has for them; without them it has no more than `body`. */
	body: { plain: unknown; image: unknown; set: [Partial<LanguageModelV4CallOptions>, Record<string, unknown>] };
}

/** A value of each parameter. */
const parameters: Required<ModelParameters> = { temperature: 0.5, topP: 0.5, maxTokens: 77, reasoningEffort: 'low', stop: ['END'], seed: 7 };

const apiKey = 'key-0123456789abcdefghijklmnopqrstuvwxyz';
const tools: NonNullable<LanguageModelV4CallOptions['tools']> = ['look', 'listen', 'tell'].map((name) => ({ type: 'function', name, inputSchema: { type: 'object', properties: {}, additionalProperties: true } }));
const prompt: LanguageModelV4CallOptions['prompt'] = [
	{ role: 'system', content: 'Be brief.' },
	{ role: 'user', content: [{ type: 'text', text: 'Say this, 你好.' }] }
];

/** Bodies of answers with status 200 that are not the protocol of any server, or are another's. */
const strangeStreams = [
	'',
	'<html>',
	...[
		'1',
		'null',
		'[]',
		'{}',
		'{"type":',
		'[DONE]',
		'{"type":"x"}',
		'{"type":"error"}',
		'{"type":"error","error":null}',
		'{"error":5}',
		'{"error":[]}',
		'{"error":{"message":{"a":1}}}',
		'{"message":"x"}',
		'{"choices":null}',
		'{"choices":[{"index":0,"delta":{"content":"hi"}}]}',
		'{"candidates":[{"content":null}]}',
		'{"type":"message_start","message":null}',
		'{"type":"content_block_stop","index":5}',
		'{"type":"content_block_start","index":"__proto__","content_block":{"type":"text","text":"x"}}',
		'{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}',
		'{"type":"response.failed","response":null}',
		'{"type":"response.incomplete","response":{}}',
		'{"type":"response.output_text.delta","item_id":"__proto__","delta":"x"}',
		'{"type":"response.function_call_arguments.delta","item_id":"x","output_index":-1,"delta":"x"}'
	].map((data) => `data: ${data}\n\n`)
];

/** Tests that hold for the provider of every hosted service, beside those of `describeProvider`. */
export function describeHostedService(service: HostedService): void {
	const { id, path } = service;
	let server: Awaited<ReturnType<HostedService['start']>>;
	beforeAll(async () => {
		server = await service.start();
	});
	afterAll(() => server.close());

	const row = (below = '') => ({ id: 'p1', name: 'Box', baseUrl: `${server.origin}${below && `/at-${below}`}${path}`, createdAt: 0, protocol: id });
	const open = (model: string, egress: Egress = { silenceMs: 1000 }, key = apiKey) =>
		openRegistry({ keyOf: () => Promise.resolve(key), egress }).open(atServer(row(), model), new AbortController().signal);

	async function read(model: string, { offered = tools, ...options }: Partial<LanguageModelV4CallOptions> & { offered?: typeof tools } = {}, egress?: Egress): Promise<LanguageModelV4StreamPart[]> {
		const { stream } = await (await open(model, egress)).doStream({ prompt, ...(offered.length > 0 && { tools: offered }), ...options });
		const parts: LanguageModelV4StreamPart[] = [];
		for await (const part of stream as unknown as AsyncIterable<LanguageModelV4StreamPart>) parts.push(part);
		return parts;
	}
	const textIn = (parts: LanguageModelV4StreamPart[], type: 'text-delta' | 'reasoning-delta' = 'text-delta') => parts.map((part) => (part.type === type ? part.delta : '')).join('');
	const endOf = (parts: LanguageModelV4StreamPart[]) => {
		const end = parts.at(-1);
		if (end?.type !== 'finish') throw new Error(`The answer ended with ${JSON.stringify(end)}.`);
		return end;
	};
	const callsIn = (parts: LanguageModelV4StreamPart[]) => parts.flatMap((part) => (part.type === 'tool-call' ? [{ name: part.toolName, id: part.toolCallId, input: JSON.parse(part.input) as unknown }] : []));
	/** Everything that an answer says. */
	const saidIn = (parts: LanguageModelV4StreamPart[]) => ({ text: textIn(parts), reasoning: textIn(parts, 'reasoning-delta'), calls: callsIn(parts), end: endOf(parts).finishReason.unified, usage: toUsage(endOf(parts).usage) });

	async function failureOf(work: Promise<unknown>): Promise<AppError> {
		const failure = await work.then(() => undefined, (error: unknown) => error);
		expect(failure).toBeInstanceOf(AppError);
		for (let at = 0; at + 12 <= apiKey.length; at++) expect((failure as AppError).message).not.toContain(apiKey.slice(at, at + 12));
		return failure as AppError;
	}

	it.each(strangeStreams)('tells a stream that is not the protocol from a bug of Snug’s: %s', async (body) => {
		const answers: Egress = { silenceMs: 1000, fetch: () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } })) };
		const read = async () => {
			const { stream } = await (await open('echo', answers)).doStream({ prompt });
			for await (const part of stream as unknown as AsyncIterable<LanguageModelV4StreamPart>) if (part.type === 'error') throw part.error;
		};
		const failure = await read().then(() => undefined, (error: unknown) => error);
		// Some of these are an answer without words, which the turn says.
		if (failure !== undefined) expect((failure as AppError).code).toMatch(/^(server-|answer-)/);
	});

	describeProvider(id, async () => {
		const gone = await service.start();
		await gone.close();
		const at = (model: string) => atServer(row(), model);
		const listed = (below: string) => ({ ...row(below), apiKey });
		const away = { ...row(), baseUrl: `${gone.origin}${path}` };
		return {
			id,
			registry: openRegistry({ keyOf: () => Promise.resolve(apiKey), egress: { silenceMs: 1000 } }),
			lists: {
				server: listed(''),
				model: 'echo',
				failures: [
					{ server: { ...listed(''), apiKey: 'wrong-key' }, code: 'server-unauthorised' },
					{ server: listed('html'), code: 'server-html' },
					{ server: listed('redirects'), code: 'server-redirects' },
					{ server: { ...away, apiKey }, code: 'server-down' }
				]
			},
			talks: at('echo'),
			reasons: at('reasoning'),
			goesOn: at('goes-on'),
			failures: [
				{ source: at('404'), code: 'server-not-found' },
				{ source: atServer(away, 'echo'), code: 'server-down' },
				{ source: at('breaks-off'), code: 'server-broke-off' },
				{ source: at('ends-early'), code: 'server-broke-off' },
				{ source: at('stalls'), code: 'server-slow' },
				{ source: at('silent'), code: 'server-slow' },
				{ source: at('redirects'), code: 'server-redirects' }
			],
			sent: () => server.requests.filter(({ method }) => method === 'POST').map(({ body }) => body as unknown),
			apiKey
		};
	});

	describe(`the service ${id}`, { timeout: 30_000 }, () => {
		it('lists what its models can, and only those that answer', async () => {
			const provider = await openRegistry().get(id);
			const { models, traits } = await provider.listModels({ ...row(), apiKey });
			expect(models).toContain('rich');
			expect(models.filter((model) => /embed|whisper/.test(model))).toEqual([]);
			expect(traits?.rich).toBe(service.traits && toWords(service.traits));
			const { headers, search } = server.requests.at(-1)!;
			expect(headers).toMatchObject({ ...service.headers, [service.key.header]: `${service.key.prefix ?? ''}${apiKey}` });
			expect(search).not.toContain('key');
		});

		it('knows the windows that makers publish for their models', async () => {
			const provider = await openRegistry().get(id);
			for (const [model, tokens] of Object.entries(service.windows)) expect(provider.window(atServer(row(), model))).toEqual({ stated: { tokens, from: 'name' } });
			expect(provider.window(atServer(row(), 'my-own'))).toEqual({});
		});

		it('sends each parameter that it takes to one of its models at least, and no other to any', async () => {
			const provider = await openRegistry().get(id);
			const bodyWith = async (model: string, parameters: ModelParameters) => JSON.stringify(await provider.requestBody(atServer(row(), model), { prompt, ...toCallSettings(parameters) }));
			const sent = new Set<string>();
			for (const model of ['echo', ...Object.keys(service.windows)]) {
				const plain = await bodyWith(model, {});
				for (const [name, value] of Object.entries(parameters)) if ((await bodyWith(model, { [name]: value })) !== plain) sent.add(name);
			}
			expect(sent).toEqual(new Set(provider.parameters));
		});

		it('says of itself all that a form asks for', async () => {
			const { label, servers } = await openRegistry().get(id);
			expect(label).not.toBe('');
			expect(servers).toMatchObject({ baseUrl: expect.stringMatching(/^https:\/\/[^/]+\/.*[^/]$/) as string, key: { isNeeded: true, from: { url: expect.stringMatching(/^https:/) as string } } });
		});

		it('streams reasoning, text and two calls of tools at once', async () => {
			const parts = await read('rich');
			expect(saidIn(parts)).toEqual({
				text: 'It is **four** – 你好 👋.',
				reasoning: 'Two and two: 四.',
				calls: [
					{ name: 'look', id: 'call_a', input: { where: 'left 你' } },
					{ name: 'listen', id: 'call_b', input: { for: 3 } }
				],
				end: 'tool-calls',
				usage: {
					inputTokens: figures.input,
					outputTokens: figures.output,
					cacheReadTokens: figures.cached,
					...(id === 'anthropic' && { cacheWriteTokens: 0 }),
					...(service.costUsd !== undefined && { costUsd: service.costUsd })
				}
			});
		});

		it('says the same wherever its bytes are cut', async () => {
			const bytes: Uint8Array[] = [];
			const keeping: typeof fetch = async (input, init) => {
				const response = await fetch(input, init);
				bytes.push(new Uint8Array(await response.clone().arrayBuffer()));
				return response;
			};
			const whole = saidIn(await read('rich', {}, { fetch: keeping }));
			const [all] = bytes as [Uint8Array];
			const cutAt = async (cuts: number[]) => {
				const edges = [0, ...[...new Set(cuts)].sort((a, b) => a - b), all.length];
				const pieces = edges.slice(1).map((edge, index) => all.slice(edges[index], edge));
				const body = new ReadableStream({ pull: (controller) => (pieces.length > 0 ? controller.enqueue(pieces.shift()) : controller.close()) });
				const answering = () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
				expect(saidIn(await read('rich', {}, { fetch: answering }))).toEqual(whole);
			};
			await cutAt(Array.from(all.keys()).slice(1));
			await fc.assert(fc.asyncProperty(fc.array(fc.nat(all.length - 1), { maxLength: 20 }), cutAt), { numRuns: 60 });
		});

		it('tells what an answer took also where that comes late, and nothing where it is not told', async () => {
			expect(toUsage(endOf(await read('late-usage')).usage)).toMatchObject({ inputTokens: figures.input, outputTokens: figures.output, cacheReadTokens: figures.cached });
			const parts = await read('no-usage');
			expect(textIn(parts)).toBe('Fine.');
			const { inputTokens = 0, outputTokens = 0, costUsd } = toUsage(endOf(parts).usage);
			expect([inputTokens, outputTokens, costUsd]).toEqual([0, 0, undefined]);
		});

		it('ends at the length limit, and with a refusal, as such', async () => {
			expect(endOf(await read('cut-off')).finishReason.unified).toBe('length');
			const refused = await read('refuses');
			expect(textIn(refused)).toBe('I would ');
			expect(endOf(refused).finishReason.unified).toBe('content-filter');
		});

		it('sends the prompt and only the parameters that were set, and the key in its header alone', async () => {
			await read('echo', { offered: [] });
			const plain = server.requests.at(-1)!;
			expect(plain.body).toEqual(service.body.plain);
			expect(plain.headers).toMatchObject({ ...service.headers, [service.key.header]: `${service.key.prefix ?? ''}${apiKey}` });
			expect(JSON.stringify([plain.path, plain.search, plain.body])).not.toContain(apiKey);
			expect(plain.headers['user-agent']).not.toMatch(/ai-sdk/);
			const [options, set] = service.body.set;
			await read('echo', { offered: [], ...options });
			expect(server.requests.at(-1)!.body).toEqual({ ...(service.body.plain as object), ...set });
		});

		it('[S11] sends an image', async () => {
			const data = { type: 'data' as const, data: new Uint8Array([1, 2, 3]) };
			await read('echo', { prompt: [{ role: 'user', content: [{ type: 'file', filename: 'a.png', mediaType: 'image/png', data }, { type: 'text', text: 'What is it?' }] }] });
			expect(JSON.stringify(server.requests.at(-1)!.body)).toContain(JSON.stringify(service.body.image).slice(1, -1));
		});

		it.each([
			['429', 'server-busy', true, 'Box is busy. Try again in a moment.'],
			['500', 'server-error', true, /^Box had an error \(50[02]\)/],
			['529', 'server-busy', true, 'Box is overloaded. Try again in a moment.'],
			['404', 'server-not-found', false, /^Box has no such model/],
			['400', 'server-refused', false, 'Box refused the request (400): “Because”. Choose another model, or check the server.'],
			['context-full', 'context-full', true, /^Too long/],
			['tells-key-in-error', 'server-refused', false, /You sent/]
		])('says %s as %s', async (model, code, retryable, message) => {
			const failure = await failureOf(read(model));
			expect(failure).toMatchObject({ code, retryable });
			if (typeof message === 'string') expect(failure.message).toBe(message);
			else expect(failure.message).toMatch(message);
			if (code === 'context-full') expect(failure).toMatchObject({ window: service.window });
		});

		it('says that there is no credit, so that nobody tries again', async () => {
			if (!service.noCredit) return;
			const [status, body] = service.noCredit;
			const answering = () => Promise.resolve(new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } }));
			expect(await failureOf(read('echo', {}, { fetch: answering }))).toMatchObject({ code: 'server-refused', retryable: false, message: expect.stringContaining('Add credit') as string });
		});

		it('[P8] asks below its base URL only, whatever a model is named', async () => {
			for (const model of ['../../elsewhere', '..%2f..%2felsewhere', '/elsewhere?a', '//elsewhere.example/a']) await read(model).catch((failure: unknown) => expect(failure).toBeInstanceOf(AppError));
			expect(server.requests.filter((request) => !request.path.startsWith(path))).toEqual([]);
		});

		it('says a wrong key, and that there is none', async () => {
			const ask = async (key: string) => failureOf((await open('echo', {}, key)).doStream({ prompt }) as Promise<unknown>);
			expect(await ask('wrong-key')).toMatchObject({ code: 'server-unauthorised', message: expect.stringMatching(/^Box did not accept the API key \(401\)/) as string });
			expect(await ask('')).toMatchObject({ code: 'server-unauthorised', message: expect.stringMatching(/^Box asks for an API key \(401\)/) as string });
			expect(server.requests.at(-1)!.headers).not.toHaveProperty(service.key.header);
		});

		it('keeps what came before an error in its stream', async () => {
			const parts = await read('error-event');
			expect(textIn(parts)).toBe('So far so good');
			expect(parts.at(-1)).toMatchObject({ type: 'error', error: { name: 'AppError', code: expect.stringMatching(/^server-(busy|error)$/) as string, retryable: true } });
		});

		it('[P8] never repeats the key: in text, in reasoning, or in what a tool is called with', async () => {
			const parts = await read('tells-key');
			expect(textIn(parts)).toBe('[API key] it is!');
			const said = JSON.stringify([textIn(parts), textIn(parts, 'reasoning-delta'), callsIn(parts)]);
			for (let at = 0; at + 10 <= apiKey.length; at++) expect(said).not.toContain(apiKey.slice(at, at + 10));
		});
	});
}
