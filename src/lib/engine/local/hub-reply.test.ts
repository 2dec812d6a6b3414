import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressOf } from './hub';
import { isRepositoryId, maxFiles, maxRepositories, readFound, readRepositoryReply } from './hub-reply';

const sha = 'c0ffee'.padEnd(40, '0');
const sha256 = 'ab'.repeat(32);
const sibling = (rfilename: string, size = 1000, hash = sha256) => ({ rfilename, size, blobId: sha, lfs: { sha256: hash, size, pointerSize: 134 } });
const reply = (siblings: unknown[], more: object = {}) => ({ _id: '1', id: 'owner/Model-GGUF', sha, downloads: 7, gated: false, tags: ['gguf', 'license:apache-2.0'], siblings, ...more });
const read = (siblings: unknown[], more?: object) => readRepositoryReply(reply(siblings, more), 'owner/Model-GGUF');

describe('[P1] the answer to a search', () => {
	it('says of each repository its downloads, its licence and whether an account is needed', () => {
		const found = readFound([
			{ id: 'Qwen/Qwen2.5-1.5B-Instruct-GGUF', downloads: 12_345, tags: ['gguf', 'license:apache-2.0'], gated: false },
			{ id: 'google/gemma-3-1b-it-qat-q4_0-gguf', downloads: 3, tags: ['license:gemma'], gated: 'manual' },
			{ id: 'owner/bare' }
		]);
		expect(found).toEqual([
			{ id: 'Qwen/Qwen2.5-1.5B-Instruct-GGUF', downloads: 12_345, license: 'apache-2.0', needsAccount: false },
			{ id: 'google/gemma-3-1b-it-qat-q4_0-gguf', downloads: 3, license: 'gemma', needsAccount: true },
			{ id: 'owner/bare', downloads: 0, needsAccount: false }
		]);
	});

	it('[P8] is left out as far as it names no repository, and has an end', () => {
		const names = ['', 'bare', '../../etc', 'a/..', './b', 'a/b/c', 'a/b?c', 'a/b#c', 'a b/c', 'a/\u202eb', 'a/b%2f', '.hidden/name', `a/${'b'.repeat(97)}`, 'a/b..c'];
		for (const id of names) expect(isRepositoryId(id), id).toBe(false);
		expect(readFound([...names.map((id) => ({ id })).slice(0, 10), null, 7, { id: 1 }, { id: 'a/b', downloads: -1, tags: 'x' }])).toEqual([{ id: 'a/b', downloads: 0, needsAccount: false }]);
		expect(readFound(Array.from({ length: 1000 }, (_, at) => ({ id: `a/b${at}` })))).toHaveLength(maxRepositories);
		expect(readFound([{ id: 'a/b', tags: ['license:<b>', `license:${'x'.repeat(61)}`, 'license:mit'] }])).toMatchObject([{ license: 'mit' }]);
		for (const other of [null, {}, 'x', 1]) expect(readFound(other)).toBeUndefined();
	});
});

describe('[P1] a repository', () => {
	it('has its models by size, with quantization and hash, and none that only belong to one', () => {
		const files = [sibling('Model-Q8_0.gguf', 3000), sibling('README.md'), sibling('mmproj-Model-F16.gguf'), sibling('Model.imatrix.gguf'), sibling('sub/Model-Q4_K_M.gguf', 2000)];
		expect(read(files, { gguf: { context_length: 32_768, architecture: 'qwen2' } })).toEqual({
			id: 'owner/Model-GGUF',
			downloads: 7,
			license: 'apache-2.0',
			needsAccount: false,
			commit: sha,
			contextLength: 32_768,
			files: [
				{ path: 'sub/Model-Q4_K_M.gguf', name: 'Model-Q4_K_M', bytes: 2000, sha256, quantization: 'Q4_K_M' },
				{ path: 'Model-Q8_0.gguf', name: 'Model-Q8_0', bytes: 3000, sha256, quantization: 'Q8_0' }
			],
			split: [],
			left: 0
		});
	});

	it('has a model in several files once, with the size of all', () => {
		const parts = [1, 2, 3].map((part) => sibling(`Q8_0/Large-Q8_0-0000${part}-of-00003.gguf`, 5e9));
		expect(read(parts)).toMatchObject({ files: [], split: [{ name: 'Large-Q8_0', parts: 3, bytes: 15e9 }] });
	});

	it('[P8] is none where the answer is of another one, or names no state of its files', () => {
		expect(readRepositoryReply(reply([]), 'owner/other')).toBeUndefined();
		expect(read([], { sha: 'main' })).toBeUndefined();
		expect(read([], { siblings: {} })).toBeUndefined();
		for (const other of [null, [], 'x']) expect(readRepositoryReply(other, 'owner/Model-GGUF')).toBeUndefined();
	});

	it('[P8] leaves out files without a hash or a size that can be, and paths that lead elsewhere', () => {
		const bad = [
			{ rfilename: 'No-Q4_0.gguf', size: 5 },
			sibling('Short-Q4_0.gguf', 5, 'abc'),
			sibling('Negative-Q4_0.gguf', -5),
			sibling('Half-Q4_0.gguf', 1.5),
			sibling('Huge-Q4_0.gguf', 2 ** 52),
			sibling('../Up-Q4_0.gguf'),
			sibling('a/./Dot-Q4_0.gguf'),
			sibling('/Root-Q4_0.gguf'),
			sibling('a\\Back-Q4_0.gguf'),
			sibling('Line\n-Q4_0.gguf'),
			sibling('Half-pair\ud800-Q4_0.gguf'),
			sibling(`${'x'.repeat(1001)}.gguf`)
		];
		expect(read(bad)).toMatchObject({ files: [], split: [], left: 0 });
	});

	it('[P8] shows names on one line, cut, without what turns the words around them, and not all of thousands', () => {
		const [file] = read([sibling(`Nice\u202e${'x'.repeat(500)}-Q4_0.gguf`)])!.files;
		expect(file!.name).toMatch(/^Nice x+…$/);
		expect(file!.name.length).toBeLessThanOrEqual(120);
		expect(read(Array.from({ length: 500 }, (_, at) => sibling(`Model-${at}-Q4_0.gguf`)))).toMatchObject({ left: 500 - maxFiles });
	});
});

it('[P8] what Hugging Face says twice is there once', () => {
	expect(readFound([{ id: 'a/b' }, { id: 'c/d' }, { id: 'a/b' }])!.map(({ id }) => id)).toEqual(['a/b', 'c/d']);
	const twice = read([sibling('Model-Q4_0.gguf'), sibling('Model-Q4_0.gguf'), ...['', '\u202e', '\u200b'].map((unseen) => sibling(`Large${unseen}-00001-of-00002.gguf`))])!;
	expect(twice.files.map(({ path }) => path)).toEqual(['Model-Q4_0.gguf']);
	expect(twice.split).toHaveLength(1);
});

describe('[P8] whatever Hugging Face answers', () => {
	const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('a/b', '../x', 'x.gguf', 'x-00001-of-00002.gguf', `${'.'.repeat(3)}/x.gguf`, '\u202ex.gguf', sha, sha256));
	const anything = fc.anything({ withNullPrototype: true });
	const lfs = fc.oneof(anything, fc.record({ size: fc.oneof(fc.integer(), fc.double()), sha256: text }), fc.record({ size: fc.nat(), sha256: fc.constant(sha256) }));
	const entries = fc.array(fc.oneof(anything, fc.record({ rfilename: text, lfs })), { maxLength: 20 });
	const repository = fc.record(
		{ id: fc.oneof(text, fc.constant('a/b')), sha: fc.oneof(text, fc.constant(sha)), downloads: fc.oneof(anything, fc.nat()), tags: fc.oneof(anything, fc.array(text)), gated: anything, gguf: anything, siblings: fc.oneof(entries, anything) },
		{ requiredKeys: [] }
	);

	it('is read within limits, and leads nowhere but into its repository', () => {
		fc.assert(
			fc.property(fc.oneof(repository, anything), (answer) => {
				for (const { id, license } of readFound([answer]) ?? []) {
					expect(isRepositoryId(id)).toBe(true);
					expect(license ?? '').toMatch(/^[\w.+-]{0,60}$/);
				}
				const found = readRepositoryReply(answer, 'a/b');
				for (const file of found?.files ?? []) {
					const { url, sha256: hash, bytes } = addressOf(found!, file);
					const address = new URL(url);
					expect(address.origin).toBe('https://huggingface.co');
					expect(address.pathname.startsWith(`/a/b/resolve/${sha}/`)).toBe(true);
					expect(decodeURIComponent(address.pathname.slice(`/a/b/resolve/${sha}/`.length))).toBe(file.path);
					expect(address.search + address.hash).toBe('');
					expect(hash).toBe(sha256);
					expect(bytes).toBeGreaterThan(0);
				}
			}),
			{ numRuns: 500 }
		);
	});
});
