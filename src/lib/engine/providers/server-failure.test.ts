import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../shared/app-error';
import { ConnectionFailure } from '../../shared/egress';
import type { ServerBusy } from '../../shared/server-busy';
import { toServerError, type Server } from './server-failure';
import { UnfitAnswer } from './server-fetch';
import type { Reach } from './server-reach';
import { openAiLike as protocol } from './server-protocol';

const server: Server = { name: 'My box', baseUrl: 'http://localhost:9999/v1', apiKey: 'sk-very-secret' };
const reach: Reach = { origin: 'http://localhost:4173', isThere: async () => false };

const answered = (status: number, body: unknown = '', headers: Record<string, string> = {}) =>
	toServerError(new UnfitAnswer(status, typeof body === 'string' ? body : JSON.stringify(body), new Headers(headers)), server, { protocol, reach });

describe('nothing came back', () => {
	const unreachable = new ConnectionFailure('unreachable', { cause: new TypeError('Failed to fetch') });
	const explain = (baseUrl: string, page: Partial<Reach> = {}) =>
		toServerError(unreachable, { ...server, baseUrl }, { protocol, reach: { ...reach, ...page } });

	test('server-down where nothing is there, or where that cannot be told', async () => {
		for (const isThere of [async () => false, async () => undefined]) {
			const failure = await explain('http://localhost:9999/v1', { isThere });
			expect(failure).toMatchObject({ code: 'server-down', retryable: true });
			expect(failure.message).toBe('Can’t reach My box at localhost:9999. Start it or check the address, then try again.');
		}
	});

	test('server-down on the local network, seen from a public page, also names the permission', async () => {
		const { message } = await explain('http://localhost:9999/v1', { origin: 'https://snug.example' });
		expect(message).toContain('local network');
	});

	test.each([
		['http://localhost:11434/v1', 'OLLAMA_ORIGINS=https://snug.example'],
		['http://localhost:1234/v1', 'CORS in LM Studio'],
		['https://api.example.org/v1', 'Allow https://snug.example in the server’s CORS settings']
	])('server-blocked at %s says how to allow the page', async (baseUrl, how) => {
		const failure = await explain(baseUrl, { origin: 'https://snug.example', isThere: async () => true });
		expect(failure.code).toBe('server-blocked');
		expect(failure.message).toContain(how);
	});

	test('server-insecure for mixed content, but not on this machine', async () => {
		const origin = 'https://snug.example';
		expect((await explain('http://192.168.1.2:8080', { origin })).code).toBe('server-insecure');
		expect((await explain('http://127.0.0.1:8080', { origin })).code).toBe('server-down');
		expect((await explain('https://192.168.1.2:8080', { origin })).code).toBe('server-down');
	});

	test.each(['unreachable', 'broke-off'] as const)('[P11] without a network “%s” is nobody’s fault, but of a server that needs none', async (kind) => {
		const explainAt = (baseUrl: string) => toServerError(new ConnectionFailure(kind), { ...server, baseUrl }, { protocol, reach: { ...reach, isOffline: () => true } });
		expect(await explainAt('https://api.example.org/v1')).toMatchObject({ code: 'offline', retryable: true, message: 'You were offline. Try again once you are connected.' });
		for (const near of ['http://localhost:9999/v1', 'http://127.0.0.1:1', 'http://192.168.1.2:8080', 'http://10.0.0.2', 'http://[fd00::1]', 'http://nas.local', 'http://nas']) {
			expect((await explainAt(near)).code, near).toBe(kind === 'unreachable' ? 'server-down' : 'server-broke-off');
		}
	});

	test('is found however deep the SDK wraps it', async () => {
		const wrapped = new Error('outer', { cause: new Error('inner', { cause: unreachable }) });
		expect((await toServerError(wrapped, server, { protocol, reach })).code).toBe('server-down');
	});
});

describe('an answer that is none', () => {
	test('[P11] 403 is not told as the fault of the key alone', async () => {
		expect((await answered(403, { error: { message: 'No.' } })).message).toBe('My box refuses this (403): “No”. The API key may not be allowed to do this: check it.');
		const { message } = await toServerError(new UnfitAnswer(403, ''), { name: 'My box', baseUrl: server.baseUrl }, { protocol, reach });
		expect(message).toBe('My box refuses this (403). It may ask for an API key or not allow this page.');
	});

	test('[P11] a server that is busy says from when on it can be asked again', async () => {
		const retryAt = async (header?: string) => ((await answered(429, '', header === undefined ? {} : { 'retry-after': header })) as Partial<ServerBusy>).retryAt;
		const now = Date.now();
		expect((await retryAt('7'))! - now).toBeGreaterThanOrEqual(7000);
		expect((await retryAt(new Date(now + 60_000).toUTCString()))! - now).toBeGreaterThan(50_000);
		for (const header of [undefined, '0', '-5', '86400', 'soon']) expect(await retryAt(header), header).toBeUndefined();
	});

	test.each([
		[401, 'server-unauthorised', false],
		[403, 'server-unauthorised', false],
		[404, 'server-not-found', false],
		[429, 'server-busy', true],
		[408, 'server-slow', true],
		[400, 'server-refused', false],
		[422, 'server-refused', false],
		[402, 'server-refused', false],
		[500, 'server-error', true],
		[503, 'server-error', true],
		[200, 'server-nonsense', false]
	])('status %i is %s', async (status, code, retryable) => {
		expect(await answered(status, { error: { message: 'Because.' } })).toMatchObject({ code, retryable });
	});

	test.each([200, 400, 401, 404, 429, 500])('an error for status %i has no cause, since what the server said may hold the API key', async (status) => {
		const failure = await answered(status, { error: { message: `You sent ${server.apiKey}.` } });
		expect(failure.cause).toBeUndefined();
		expect(failure.message).not.toContain(server.apiKey);
	});

	test('a web page is server-html, known by its type or its start', async () => {
		expect((await answered(200, 'hello', { 'content-type': 'text/html' })).code).toBe('server-html');
		expect((await answered(200, '\n<!DOCTYPE html><title>x</title>')).code).toBe('server-html');
	});

	test.each([
		[{ error: { message: "This model's maximum context length is 4096 tokens.", code: 'context_length_exceeded' } }],
		[{ error: { message: 'the request exceeds the available context size', type: 'exceed_context_size_error', code: 400 } }],
		[{ message: 'prompt is too long: 9000 tokens > 8192 maximum' }]
	])('context-full: %j', async (body) => expect((await answered(400, body)).code).toBe('context-full'));

	test.each([
		[400, 'registry.example/library/tiny:latest does not support tools'],
		[404, 'No endpoints found that support tool use.'],
		[400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
		[500, 'tools param requires --jinja flag'],
		[400, '`tool calling` is not supported with this model'],
		[400, 'Function calling is not enabled for models/tiny'],
		[400, "Unsupported parameter: 'tools' is not supported with this model."]
	])('tools-refused: %i %s', async (status, message) => {
		expect(await answered(status, { error: { message } })).toMatchObject({ code: 'tools-refused', message: expect.stringContaining('Switch the tools') as string });
	});

	test.each([
		[400, 'temperature must be at most 2'],
		[400, "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."],
		[422, '`top_p` must be in (0, 1]'],
		[400, "Unsupported parameter: 'stop' is not supported with this model."],
		[400, 'max_output_tokens: 1000000 > 64000']
	])('[P11] parameter-refused: %i %s', async (status, message) => {
		expect(await answered(status, { error: { message } })).toMatchObject({ code: 'parameter-refused', message: expect.stringContaining('Change that in the model settings') as string });
	});

	test.each(['The stop was reached', 'messages: roles must alternate'])('[P11] %s is about no parameter', async (message) => {
		expect(await answered(400, { error: { message } })).toMatchObject({ code: 'server-refused' });
	});

	test('says about how long to wait, which is still true when it is read later', async () => {
		for (const soon of ['7', new Date(Date.now() + 30_000).toUTCString(), 'whenever']) {
			expect((await answered(429, '', { 'retry-after': soon })).message).toBe('My box is busy. Try again in a moment.');
		}
		for (const later of ['120', '86400']) expect((await answered(429, '', { 'retry-after': later })).message).toBe('My box is busy. Try again later.');
	});

	test('an empty account is not a busy server', async () => {
		const body = { error: { message: 'You have no credit left', type: 'insufficient_quota', code: 'insufficient_quota' } };
		expect(await answered(429, body)).toMatchObject({ code: 'server-refused', retryable: false });
	});

	test('asks for a key where there is none', async () => {
		const error = new UnfitAnswer(401, '');
		const keyless = await toServerError(error, { name: '', baseUrl: server.baseUrl }, { protocol, reach });
		expect(keyless.message).toBe('localhost:9999 asks for an API key (401). Enter the key.');
		const listing = await toServerError(error, { name: '', baseUrl: server.baseUrl }, { protocol, reach, keyPlace: 'above' });
		expect(listing.message).toBe('localhost:9999 asks for an API key (401). Enter the key above.');
	});

	test.each([[{ error: 'plain' }], [{ error: { message: 'plain' } }], [{ message: 'plain' }], [{ detail: 'plain.' }], ['plain']])(
		'finds the words of the server in %j',
		async (body) => expect((await answered(422, body)).message).toContain('(422): “plain”.')
	);

	test('shows no page and no long text of the server', async () => {
		expect((await answered(502, '<html><h1>Bad Gateway</h1></html>')).message).toBe('My box had an error (502). Try again in a moment.');
		expect((await answered(400, 'x '.repeat(5000))).message.length).toBeLessThan(320);
	});

	test('whatever the server says, the message is one line without the key', async () => {
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 200, max: 599 }), fc.string(), fc.string(), async (status, before, after) => {
				const { message } = await answered(status, { error: { message: `${before}${server.apiKey}\n\u202e${after}` } });
				expect(message).not.toContain(server.apiKey);
				expect(message).not.toMatch(/\p{C}/u);
			})
		);
	});
});

test('an error inside the stream counts like the status that it names', async () => {
	const explain = (error: object) => toServerError(error, server, { protocol, reach });
	expect(await explain({ message: 'The GPU fell off the bus.' })).toMatchObject({ code: 'server-error' });
	expect(await explain({ message: 'Slow down', code: 429 })).toMatchObject({ code: 'server-busy' });
	expect(await explain({ message: 'exceeds the context window', code: 400 })).toMatchObject({ code: 'context-full' });
});

test('an AppError stays as it is; aborts and bugs are thrown as they are', async () => {
	const known = new AppError('disk-full', 'The disk is full.');
	expect(await toServerError(known, server, { protocol, reach })).toBe(known);
	for (const error of [new DOMException('stop', 'AbortError'), new TypeError('x is undefined'), 'a reason']) {
		await expect(toServerError(error, server, { protocol, reach })).rejects.toBe(error);
	}
});
