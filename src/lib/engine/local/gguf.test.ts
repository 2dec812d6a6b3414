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

	it('refuses other versions and big-endian files', async () => {
		for (const version of [1, 4, 0x03000000]) {
			const file = tiny.slice();
			new DataView(file.buffer).setUint32(4, version, true);
			expect(await codeOf(file)).toBe('gguf-unsupported');
		}
	});
});
