import type { JSONObject, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SecretRedactor } from '../../shared/redact-secret';
import { limitedAnswer } from './answer-limits';
import { maxSignatures } from './signatures';

type Kind = 'text' | 'reasoning';

/** An answer as the SDK brings it: where the kind changes, the block before it ends. */
function* partsOf(pieces: [Kind, string][]): Generator<LanguageModelV4StreamPart> {
	let open: Kind | undefined;
	for (const [kind, delta] of pieces) {
		if (open && open !== kind) yield { type: `${open}-end`, id: open };
		if (open !== kind) yield { type: `${kind}-start`, id: kind };
		open = kind;
		yield { type: `${kind}-delta`, id: kind, delta };
	}
	if (open) yield { type: `${open}-end`, id: open };
	const none = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
	const usage = { inputTokens: none, outputTokens: { total: undefined, text: undefined, reasoning: undefined } };
	yield { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage };
}

const streamOf = (parts: Iterable<LanguageModelV4StreamPart>) =>
	new ReadableStream<LanguageModelV4StreamPart>({
		start(controller) {
			for (const part of parts) controller.enqueue(part);
			controller.close();
		}
	});

async function read(stream: ReadableStream<LanguageModelV4StreamPart>): Promise<LanguageModelV4StreamPart[]> {
	const parts: LanguageModelV4StreamPart[] = [];
	for await (const part of stream as unknown as AsyncIterable<LanguageModelV4StreamPart>) parts.push(part);
	return parts;
}

const secret = fc.stringMatching(/^sk-[A-Za-z0-9]{20,60}$/);
const around = fc.string({ maxLength: 20, unit: 'binary' });

test('[P8] a key in pieces never comes out, whatever comes between them', async () => {
	await fc.assert(
		fc.asyncProperty(
			secret,
			fc.record({ text: fc.tuple(around, around), reasoning: fc.tuple(around, around) }),
			fc.array(fc.tuple(fc.constantFrom<Kind>('text', 'reasoning'), fc.integer({ min: 1, max: 12 })), { maxLength: 60 }),
			async (key, { text, reasoning }, cuts) => {
				const whole = { text: text.join(key), reasoning: reasoning.join(key) };
				const at = { text: 0, reasoning: 0 };
				const ends: [Kind, number][] = [['text', Infinity], ['reasoning', Infinity]];
				const pieces = [...cuts, ...ends].map(([kind, length]): [Kind, string] => [kind, whole[kind].slice(at[kind], (at[kind] += length))]);
				const parts = await read(limitedAnswer(streamOf(partsOf(pieces)), key));
				for (const kind of ['text', 'reasoning'] as const) {
					const said = parts.map((part) => ((part.type === 'text-delta' || part.type === 'reasoning-delta') && part.id === kind ? part.delta : '')).join('');
					expect(said).not.toContain(key);
					expect(said).toBe(new SecretRedactor(key).redact(whole[kind]));
				}
				expect(parts.at(-1)?.type).toBe('finish');
			}
		)
	);
});

test('[P8] what a server did by itself is no part of its answer, nor is a call whose name is no text', async () => {
	const apiKey = 'sk-abcdefghijklmnopqrstuvwxyz012345';
	const call = { type: 'tool-call', toolCallId: 'c', toolName: 'search', input: '{}' } as const;
	const parts: unknown[] = [
		{ type: 'tool-result', toolCallId: 'c', toolName: 'run', result: { stdout: apiKey } },
		{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: apiKey } },
		{ type: 'source', sourceType: 'url', id: '1', url: `https://example.org/${apiKey}` },
		{ ...call, providerExecuted: true },
		{ ...call, toolName: Object },
		{ ...call, toolCallId: undefined },
		call
	];
	expect(await read(limitedAnswer(streamOf(parts as LanguageModelV4StreamPart[]), apiKey))).toEqual([call]);
});

test('[P8] a call of a tool holds no key, and no name that is endless', async () => {
	const apiKey = 'sk-abcdefghijklmnopqrstuvwxyz012345';
	const call: LanguageModelV4StreamPart = { type: 'tool-call', toolCallId: 'c'.repeat(5000), toolName: apiKey, input: JSON.stringify({ q: `tea ${apiKey}` }) };
	const [told] = await read(limitedAnswer(streamOf([call]), apiKey));
	expect(told).toEqual({ type: 'tool-call', toolCallId: `${'c'.repeat(199)}…`, toolName: '[API key]', input: '{"q":"tea [API key]"}' });
	const escaped: LanguageModelV4StreamPart = { ...call, input: `{"q":"tea \\u0073${apiKey.slice(1)}"}` };
	expect(await read(limitedAnswer(streamOf([escaped]), apiKey))).toMatchObject([{ input: '{"q":"tea [API key]"}' }]);
});

test('[R1] a signature comes with the call, or with the end of the words, that it is of', async () => {
	const sign = (sig: string) => ({ providerMetadata: { maker: { sig } } });
	const call = { type: 'tool-call', toolCallId: 'c', toolName: 'look', input: '{}' } as const;
	const parts: LanguageModelV4StreamPart[] = [
		{ type: 'reasoning-start', id: '1', ...sign('begun') },
		{ type: 'reasoning-delta', id: '1', delta: 'Hm' },
		{ type: 'reasoning-delta', id: '1', delta: '', ...sign('last') },
		{ type: 'reasoning-end', id: '1' },
		{ type: 'reasoning-start', id: '2', ...sign('of no words') },
		{ type: 'reasoning-end', id: '2' },
		{ type: 'text-start', id: '3' },
		{ type: 'text-delta', id: '3', delta: 'Fine', ...sign('said') },
		{ type: 'text-end', id: '3', ...sign('own') },
		{ ...call, ...sign('called') }
	];
	expect(await read(limitedAnswer(streamOf(parts), undefined))).toEqual([
		{ type: 'reasoning-start', id: '1' },
		{ type: 'reasoning-delta', id: '1', delta: 'Hm' },
		{ type: 'reasoning-end', id: '1', ...sign('last') },
		{ type: 'reasoning-start', id: '2' },
		{ type: 'reasoning-end', id: '2', ...sign('of no words') },
		{ type: 'text-start', id: '3' },
		{ type: 'text-delta', id: '3', delta: 'Fine' },
		{ type: 'text-end', id: '3', ...sign('own') },
		{ ...call, ...sign('called') }
	]);
});

test('[P8] signatures have a limit together, no depth, and no key', async () => {
	const apiKey = 'sk-abcdefghijklmnopqrstuvwxyz012345';
	const deep = Array.from({ length: 20 }).reduce<JSONObject>((inner) => ({ inner }), {});
	const signatures: JSONObject[] = [{ deep }, { many: Array.from({ length: 2000 }, () => 1) }, { told: `it is ${apiKey}` }, { long: 'x'.repeat(maxSignatures) }];
	const fits: JSONObject = { long: 'x'.repeat(maxSignatures / 2) };
	const ends = [...signatures, fits, fits, { short: 'x' }].map((maker): LanguageModelV4StreamPart => ({ type: 'reasoning-end', id: '1', providerMetadata: { maker } }));
	const told = await read(limitedAnswer(streamOf(ends), apiKey));
	expect(told.flatMap((part) => ('providerMetadata' in part ? [part.providerMetadata] : []))).toEqual([{ maker: fits }, { maker: { short: 'x' } }]);
});

test('[P8] of signatures in their thousands the first few hundred are kept', async () => {
	const ends = Array.from({ length: 5000 }, (_, at): LanguageModelV4StreamPart => ({ type: 'reasoning-end', id: '1', providerMetadata: { maker: { at } } }));
	const told = await read(limitedAnswer(streamOf(ends), undefined));
	expect(told.flatMap((part) => ('providerMetadata' in part ? [part.providerMetadata] : []))).toEqual(Array.from({ length: 500 }, (_, at) => ({ maker: { at } })));
});

test('[R1] words that could have gone on as a key come before the call, or the signature, that follows them', async () => {
	const apiKey = 'sk-abcdefghijklmnopqrstuvwxyz012345';
	const call = { type: 'tool-call', toolCallId: 'c', toolName: 'look', input: '{}' } as const;
	const end = { type: 'reasoning-end', id: '0', providerMetadata: { maker: { sig: 'c2ln' } } } as const;
	const parts: LanguageModelV4StreamPart[] = [{ type: 'reasoning-delta', id: '0', delta: 'Look at the files' }, end, { type: 'text-delta', id: '1', delta: 'I look at the files' }, call];
	const told = await read(limitedAnswer(streamOf(parts), apiKey));
	expect(told.map((part) => ('delta' in part ? part.delta : part)).join('|')).toBe(`Look at the file|s|${String(end)}|I look at the file|s|${String(call)}`);
});
