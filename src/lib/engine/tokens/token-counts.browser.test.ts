import { describe, expect, it } from 'vitest';
import { tinyGguf } from '../../../../tests/fixtures/tiny-gguf.mjs';
import type { Message } from '../../conversation/message';
import { openRemote } from './remote-tokenizer';
import { TokenCounts } from './token-counts';

const message: Pick<Message, 'id' | 'role' | 'parts'> = { id: 'a', role: 'user', parts: [{ type: 'text', text: '2 + 2 = 4' }] };

describe('TokenCounts with its workers [S4]', () => {
	it('counts for a model on this device', async () => {
		const file = () => Promise.resolve(new File([tinyGguf()], 'tiny.gguf'));
		const counts = new TokenCounts({ timeoutMs: 30_000 });
		const counter = await counts.counterFor({ key: 'tiny', vocabulary: { file } }, [message], ['a+b'], undefined, () => 0);
		expect([counter.kind, counter.message(message), counter.text('a+b'), counter.frame(false)]).toEqual(['exact', 17, 3, 11]);
	});

	it('counts for models of OpenAI’s', async () => {
		const counts = new TokenCounts({ timeoutMs: 30_000 });
		for (const encoding of ['o200k_base', 'cl100k_base'] as const) {
			const counter = await counts.counterFor({ key: encoding, vocabulary: { encoding } }, [message], ['2 + 2 = 4'], undefined, () => 0);
			expect([counter.kind, counter.message(message), counter.text('2 + 2 = 4')]).toEqual(['tokenizer', 11, 7]);
		}
	});

	it('estimates for a file that has no usable vocabulary', async () => {
		const file = () => Promise.resolve(new File([tinyGguf({ extra: { 'tokenizer.ggml.model': 'llama' } })], 'tiny.gguf'));
		const counts = new TokenCounts({ timeoutMs: 30_000 });
		const counter = await counts.counterFor({ key: 'spm', vocabulary: { file } }, [message], [], undefined, () => 0);
		expect(counter.kind).toBe('estimate');
	});
});

describe('openRemote', () => {
	it('comes to nothing where the worker can’t be loaded, fails, or has no tokenizer', async () => {
		const scripts = ['onmessage = () => postMessage({ failed: "no network" })', 'onmessage = () => postMessage({ frame: undefined })'];
		const urls = scripts.map((script) => URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));
		for (const url of [...urls, '/no-such-worker.js']) expect(await openRemote(new Worker(url), 'anything'), url).toBeUndefined();
	});

	it('answers what is asked with nothing once it is closed', async () => {
		const frame = '{ withSystem: 2, withoutSystem: 1, known: true }';
		const script = `onmessage = ({ data }) => { if (data.open) postMessage({ frame: ${frame} }); }`;
		const tokenizer = await openRemote(new Worker(URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))), 'anything');
		const waiting = tokenizer!.count([{ text: 'a' }]);
		tokenizer!.close();
		expect([await waiting, await tokenizer!.count([{ text: 'a' }])]).toEqual([undefined, undefined]);
	});
});
