import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startOpenAiServer } from '../../../../tests/fixtures/openai-server.mjs';
import { SecretRedactor } from '../../shared/redact-secret';
import type { Reach } from './server-reach';
import { openAiLike as protocol } from './server-protocol';
import { listModels } from './servers';

let fixture: Awaited<ReturnType<typeof startOpenAiServer>>;
let root: string;
beforeAll(async () => {
	fixture = await startOpenAiServer();
	root = fixture.url.replace(/\/v1$/, '');
});
afterAll(() => fixture.close());

const reach: Reach = { origin: 'http://localhost:4173', isThere: async () => false };
const at = (baseUrl: string, apiKey?: string) => ({ name: 'Box', baseUrl, ...(apiKey ? { apiKey } : {}) });

describe('listModels', () => {
	test('lists ids sorted, and sends a key only where there is one', async () => {
		const { baseUrl, models, traits } = await listModels(at(fixture.url), { protocol, reach });
		expect(baseUrl).toBe(fixture.url);
		expect(models).toContain('echo');
		expect(traits).toEqual({ reasoning: '131072 images tools' });
		expect(models).toEqual(models.toSorted((a, b) => a.localeCompare(b)));
		expect(fixture.requests.at(-1)!.headers).not.toHaveProperty('authorization');

		await listModels(at(fixture.url, 'sk-1'), { protocol, reach });
		expect(fixture.requests.at(-1)!.headers).toMatchObject({ authorization: 'Bearer sk-1' });
	});

	test('finds the models under /v1 and says so', async () => {
		expect((await listModels(at(root), { protocol, reach })).baseUrl).toBe(fixture.url);
		expect(fixture.requests.slice(-2).map(({ path }) => path)).toEqual(['/models', '/v1/models']);
	});

	test.each([
		['html', 'server-html'],
		['401', 'server-unauthorised'],
		['404', 'server-not-found'],
		['429', 'server-busy'],
		['500', 'server-error'],
		['nonsense', 'server-nonsense'],
		['silent', 'server-slow'],
		['breaks-off', 'server-broke-off']
	])('a server that does "%s" is %s', async (scenario, code) => {
		// Only the silent one is waited for: a short limit would be met by any other on a busy machine.
		const silenceMs = scenario === 'silent' ? 200 : undefined;
		await expect(listModels(at(`${root}/${scenario}/v1`), { protocol, reach, silenceMs })).rejects.toMatchObject({ code });
	});

	test('[P8] a server that sends its requests to another origin is refused, and the key goes nowhere', async () => {
		const before = fixture.requests.length;
		await expect(listModels(at(`${root}/redirects/v1`, 'sk-1'), { protocol, reach })).rejects.toMatchObject({ code: 'server-redirects' });
		expect(fixture.requests.slice(before).map(({ headers }) => headers.host)).not.toContainEqual(expect.stringContaining('localhost'));
	});

	test('[P8] a list is read up to a number, an id up to a length, and nothing of it holds the key', async () => {
		const looked = vi.spyOn(SecretRedactor.prototype, 'redact');
		const { models } = await listModels(at(`${root}/many/v1`), { protocol, reach });
		expect(models).toHaveLength(10_000);
		expect(looked).toHaveBeenCalledTimes(10_000);
		looked.mockRestore();
		const key = 'sk-0123456789abcdefghijklmnop';
		expect((await listModels(at(`${root}/odd-names/v1`, key), { protocol, reach })).models).toEqual(['fine']);
	});

	test('[P8] a list nested 5 000 deep, or one that never ends, is a failure with a sentence', async () => {
		expect((await listModels(at(`${root}/deep/v1`), { protocol, reach })).models).toEqual([]);
		await expect(listModels(at(`${root}/long-error/v1`), { protocol, reach })).rejects.toMatchObject({ code: 'server-refused' });
		await expect(listModels(at(`${root}/never-ends/v1`), { protocol, reach })).rejects.toMatchObject({ code: 'server-too-much' });
	});

	test('what is wrong at the given address is what is said', async () => {
		const isThere = async () => true;
		await expect(listModels(at(`${root}/nowhere`), { protocol, reach })).rejects.toMatchObject({ code: 'server-not-found' });
		const closed = { ...at('http://127.0.0.1:9/base'), name: 'Gone' };
		await expect(listModels(closed, { protocol, reach: { ...reach, isThere } })).rejects.toMatchObject({ code: 'server-blocked' });
	});

	test('a closed port is server-down', async () => {
		const gone = await startOpenAiServer();
		await gone.close();
		await expect(listModels(at(gone.url), { protocol, reach })).rejects.toMatchObject({ code: 'server-down', retryable: true });
	});

	test('an abort is no failure', async () => {
		const signal = AbortSignal.timeout(50);
		await expect(listModels(at(`${root}/silent/v1`), { protocol, reach, signal })).rejects.toSatisfy((error) => error === signal.reason);
	});
});
