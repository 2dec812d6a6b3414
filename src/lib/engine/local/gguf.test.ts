import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tinyGguf } from '../../../../tests/fixtures/tiny-gguf.mjs';
import { AppError } from '../../shared/app-error';
import { readGguf } from './gguf';

const tiny = tinyGguf();

async function codeOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
	const error: unknown = await readGguf(new Blob([bytes])).then(
		() => undefined,
		(error: unknown) => error
	);
	if (error === undefined) return 'none';
	if (!(error instanceof AppError)) throw error;
	return error.code;
}

const ascii = (text: string) => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;

describe('readGguf', () => {
	it('reads what loading and describing a model needs', async () => {
		expect(await readGguf(new Blob([tiny]))).toMatchObject({
			architecture: 'llama',
			name: 'Tiny',
			contextLength: 2048,
			layers: 2,
			embeddingLength: 64,
			heads: 4,
			headsKv: 2,
			keyLength: 16,
			valueLength: 16,
			controlTokens: ['<|endoftext|>', '<|im_start|>', '<|im_end|>'],
			quantization: 'F32'
		});
	});

	it('reads a header that is longer than the first window', async () => {
		const extra = { 'general.description': 'long '.repeat(60_000) };
		expect((await readGguf(new Blob([tinyGguf({ extra })]))).contextLength).toBe(2048);
	});

	it('reads only the header, not the weights', async () => {
		let read = 0;
		const file = new Blob([tiny, new Uint8Array(8_000_000)]);
		const source = {
			size: file.size,
			slice(start?: number, end?: number) {
				const slice = file.slice(start, end);
				read += slice.size;
				return slice;
			}
		};
		await readGguf(source);
		expect(read).toBeLessThan(400_000);
	});

	it('refuses every prefix of a valid file as incomplete', async () => {
		const header = 24_000;
		await fc.assert(
			fc.asyncProperty(
				fc.oneof(fc.integer({ min: 4, max: header }), fc.integer({ min: header, max: tiny.length - 1 })),
				async (length) => {
					expect(await codeOf(tiny.slice(0, length))).toBe('gguf-truncated');
				}
			)
		);
		for (let length = 0; length < 4; length++) expect(await codeOf(tiny.slice(0, length))).toBe('gguf-foreign');
	});

	it('answers random bytes with nothing but an AppError', async () => {
		await fc.assert(
			fc.asyncProperty(fc.uint8Array({ maxLength: 4096 }), fc.boolean(), async (bytes, magic) => {
				const file = new Uint8Array(bytes);
				if (magic) file.set(tiny.subarray(0, Math.min(8, file.length)));
				expect(await codeOf(file)).toMatch(/^gguf-/);
			})
		);
	});

	it('survives a valid file with any bytes of its header changed', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.tuple(fc.nat(12_000), fc.nat(255)), { minLength: 1, maxLength: 8 }),
				async (changes) => {
					const file = tiny.slice();
					for (const [at, value] of changes) file[at] = value;
					expect(await codeOf(file)).toMatch(/^gguf-|^none$/);
				}
			),
			{ numRuns: 300 }
		);
	});

	it.each([
		['<!doctype html><title>Not found</title>', 'a web page'],
		['PK\x03\x04 and so on', 'ZIP'],
		['\x40\0\0\0\0\0\0\0{"__metadata__":{}}', 'safetensors'],
		['version https://git-lfs.github.com/spec/v1', 'Git LFS'],
		['{"error":"gated"}', 'JSON']
	])('names what a foreign file is: %j', async (start, named) => {
		const failed = readGguf(new Blob([ascii(start)]));
		await expect(failed).rejects.toMatchObject({
			code: 'gguf-foreign',
			message: expect.stringContaining(named) as string
		});
	});

	it.each([
		['a part of a split model', { 'split.count': 3 }],
		['an image projector', { 'general.architecture': 'clip' }],
		['an embedding model', { 'general.architecture': 'nomic-bert' }],
		['an adapter', { 'general.type': 'adapter' }]
	])('refuses %s', async (_what, extra) => {
		expect(await codeOf(tinyGguf({ extra }))).toBe('gguf-unsupported');
	});

	it.each<[string, number | bigint]>([
		['none', 0],
		['half a token', 2048.5],
		['more than a number can say', 2n ** 53n]
	])('refuses a context length of %s', async (_what, length) => {
		expect(await codeOf(tinyGguf({ extra: { 'llama.context_length': length } }))).toBe('gguf-damaged');
	});

	it('refuses a name of an architecture that is longer than any', async () => {
		const named = (name: string) => codeOf(tinyGguf({ extra: { 'general.architecture': name, [`${name}.context_length`]: 2048 } }));
		expect(await named('x'.repeat(100))).toBe('none');
		expect(await named('x'.repeat(101))).toBe('gguf-damaged');
	});

	describe('of a vocabulary', () => {
		const file = (token: string, type: number, count: number) => {
			const extra = { 'tokenizer.ggml.tokens': Array<string>(count).fill(token), 'tokenizer.ggml.token_type': Array<number>(count).fill(type) };
			return tinyGguf({ extra });
		};

		it.each([
			['control tokens', '<|a|>', 3],
			['marks that users defined', '[a]', 4]
		])('[P8] keeps 100 000 %s, and refuses more', async (_what, token, type) => {
			const { controlTokens } = await readGguf(new Blob([file(token, type, 100_000)]));
			expect(controlTokens).toHaveLength(100_000);
			expect(await codeOf(file(token, type, 100_001))).toBe('gguf-damaged');
		});

		it('keeps of what users defined only what has brackets around it', async () => {
			const tokens = ['<a>', '[é]', '<>', '<a', 'a>', '[', '', '<🙂]', 'words'];
			const extra = { 'tokenizer.ggml.tokens': tokens, 'tokenizer.ggml.token_type': tokens.map(() => 4) };
			expect((await readGguf(new Blob([tinyGguf({ extra })]))).controlTokens).toEqual(['<a>', '[é]', '<🙂]']);
		});

		it('[P8] refuses more than a million tokens', async () => {
			const key = 'tokenizer.ggml.tokens';
			const claiming = async (count: number) => {
				const file = tiny.slice();
				// After the key are the types of the list and of its items.
				const at = new TextDecoder('latin1').decode(file).indexOf(key) + key.length + 8;
				new DataView(file.buffer).setBigUint64(at, BigInt(count), true);
				return String(await readGguf(new Blob([file])).catch((error: unknown) => error));
			};
			expect(await claiming(1_000_001)).toContain('it claims 1000001 tokens');
			expect(await claiming(1_000_000)).not.toContain('it claims');
		});
	});

	it('refuses other versions and big-endian files', async () => {
		for (const version of [1, 4, 0x03000000]) {
			const file = tiny.slice();
			new DataView(file.buffer).setUint32(4, version, true);
			expect(await codeOf(file)).toBe('gguf-unsupported');
		}
	});
});
