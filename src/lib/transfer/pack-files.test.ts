import { unzipSync } from 'fflate';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packFiles } from './pack-files';

/** Bytes of a length that repeat nothing for long. */
const bytesOf = (length: number, seed: number) => Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 8) * seed) & 255);

it('[R3] an archive has every byte of every file', async () => {
	const names = fc.stringMatching(/^[a-zé]{1,9}(\/[a-z]{1,5})?$/);
	await fc.assert(
		fc.asyncProperty(fc.dictionary(names, fc.tuple(fc.nat(600_000), fc.nat(255)), { maxKeys: 4, noNullPrototype: true }), async (lengths) => {
			const files = Object.entries(lengths).map(([path, [length, seed]]) => ({ path, bytes: bytesOf(length, seed) }));
			const packed = await packFiles(files.map(({ path, bytes }) => ({ path, content: () => Promise.resolve(new Blob([bytes])) })));
			expect(packed.type).toBe('application/zip');
			const found = files.length > 0 ? unzipSync(new Uint8Array(await packed.arrayBuffer())) : {};
			expect(Object.keys(found).sort()).toEqual(files.map(({ path }) => path).sort());
			for (const { path, bytes } of files) expect(Buffer.compare(found[path]!, bytes), path).toBe(0);
		}),
		{ numRuns: 30 }
	);
});

it('[R3] a file that can’t be read is no file of an archive', async () => {
	await expect(packFiles([{ path: 'a', content: () => Promise.reject(new Error('gone')) }])).rejects.toThrow('gone');
});
