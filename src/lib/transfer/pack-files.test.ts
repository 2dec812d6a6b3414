import { unzipSync } from 'fflate';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packFiles } from './pack-files';

it('[R3] an archive has every byte of every file', async () => {
	await fc.assert(
		fc.asyncProperty(fc.dictionary(fc.stringMatching(/^[a-zé]{1,9}(\/[a-z]{1,5})?$/), fc.uint8Array({ maxLength: 300_000, size: 'max' }), { maxKeys: 4, noNullPrototype: true }), async (files) => {
			const packed = await packFiles(Object.entries(files).map(([path, bytes]) => ({ path, content: () => Promise.resolve(new Blob([new Uint8Array(bytes)])) })));
			expect(packed.type).toBe('application/zip');
			if (Object.keys(files).length > 0) expect(Object.entries(unzipSync(new Uint8Array(await packed.arrayBuffer()))).sort()).toEqual(Object.entries(files).map(([path, bytes]) => [path, new Uint8Array(bytes)]).sort());
		}),
		{ numRuns: 30 }
	);
});

it('[R3] a file that can’t be read is no file of an archive', async () => {
	await expect(packFiles([{ path: 'a', content: () => Promise.reject(new Error('gone')) }])).rejects.toThrow('gone');
});
