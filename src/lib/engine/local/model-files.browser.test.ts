import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { tinyGguf } from '../../../../tests/fixtures/tiny-gguf.mjs';
import { systemClock } from '../../shared/clock';
import { newId } from '../../shared/id';
import { Database } from '../../storage/database';
import { Models } from '../../storage/models';
import { ModelFiles, type ModelFilesPorts } from './model-files';
import type { Progress } from './model-writer';

const tiny = tinyGguf();
const db = new Database('model-files-test');
const table = new Models(db);

function open(more: Partial<ModelFilesPorts> = {}) {
	return new ModelFiles({
		table,
		storage: navigator.storage,
		locks: navigator.locks,
		clock: systemClock,
		newId,
		createWorker: () => new Worker(new URL('./model-files-worker.ts', import.meta.url), { type: 'module' }),
		...more
	});
}

const files = open();

/** Those of a tab that is gone are free again. */
const noLocks = { request: (_n: string, _o: unknown, run: (lock: unknown) => unknown) => run({}) } as unknown as LockManager;

const own: ModelFilesPorts['table'] = {
	list: () => table.list(),
	get: (id) => table.get(id),
	put: (model) => table.put(model),
	remove: (id) => table.remove(id)
};

async function folder() {
	return (await navigator.storage.getDirectory()).getDirectoryHandle('models', { create: true });
}

async function names(): Promise<string[]> {
	const found: string[] = [];
	for await (const name of (await folder()).keys()) found.push(name);
	return found.sort();
}

async function put(name: string, content: string) {
	const writable = await (await (await folder()).getFileHandle(name, { create: true })).createWritable();
	await writable.write(content);
	await writable.close();
}

async function clear() {
	for (const name of await names()) await (await folder()).removeEntry(name);
}

/** A file of that many megabytes: a model, and zeros after it. */
function large(megabytes: number) {
	return new File([tiny, ...Array.from({ length: megabytes }, () => new Uint8Array(1_000_000))], 'large.gguf');
}

beforeEach(async () => {
	await expect.poll(() => clear().catch(String), { timeout: 5000 }).toBeUndefined();
	await db.models.clear();
});
afterEach(() => {
	for (const url of urls.splice(0)) URL.revokeObjectURL(url);
});

const urls: string[] = [];
/** An address that is fetched like any other, Range included. */
function addressOf(blob: Blob): string {
	const url = URL.createObjectURL(blob);
	urls.push(url);
	return url;
}

async function hashOf(blob: Blob): Promise<string> {
	const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()));
	return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Starts a download and cancels it at the first sign of progress. */
async function cancelled(source: Parameters<ModelFiles['download']>[0]) {
	const stop = new AbortController();
	await expect(files.download(source, { signal: stop.signal, onProgress: () => stop.abort() })).rejects.toMatchObject(
		{ name: 'AbortError' }
	);
}

describe('ModelFiles, import', () => {
	it('copies a file, hashes it on the way and writes its row', async () => {
		const file = large(30);
		const seen: Progress[] = [];
		const model = await files.import(file, { onProgress: (progress) => seen.push(progress) });
		expect(model).toMatchObject({
			name: 'large',
			bytes: file.size,
			sha256: await hashOf(file),
			architecture: 'llama',
			hasChatTemplate: true
		});
		expect(await files.list()).toEqual([model]);
		expect(await names()).toEqual([`${model.id}.gguf`]);
		expect((await files.open(model.id)).size).toBe(file.size);
		expect(seen.at(-1)).toEqual({ received: file.size, total: file.size });
		expect(seen.length).toBeLessThan(40);
	});

	it('does not keep the same file twice', async () => {
		const first = await files.import(new File([tiny], 'a.gguf'));
		expect(await files.import(new File([tiny], 'b.gguf'))).toEqual(first);
		expect(await names()).toEqual([`${first.id}.gguf`]);
	});

	it('copies nothing of a file that is no model, or cut short, or too large for the disk', async () => {
		await expect(files.import(new File(['<html>'], 'x.gguf'))).rejects.toMatchObject({ code: 'gguf-foreign' });
		await expect(files.import(new File([tiny.slice(0, -1)], 'x.gguf'))).rejects.toMatchObject({
			code: 'gguf-truncated'
		});
		const storage = {
			estimate: async () => ({ usage: 90_000, quota: 100_000 }),
			getDirectory: () => navigator.storage.getDirectory()
		};
		await expect(
			open({ storage: storage as StorageManager }).import(new File([tiny], 'x.gguf'))
		).rejects.toMatchObject({
			code: 'disk-full',
			message: expect.stringMatching(/458 KB.*10 KB/) as string
		});
		expect(await names()).toEqual([]);
	});

	it('leaves nothing behind when cancelled', async () => {
		const stop = new AbortController();
		await expect(
			files.import(large(60), { signal: stop.signal, onProgress: () => stop.abort() })
		).rejects.toMatchObject({ name: 'AbortError' });
		expect(await names()).toEqual([]);
		expect(await files.list()).toEqual([]);
	});
});

describe('ModelFiles, download', () => {
	it('goes on from where a cancel left it', async () => {
		const file = large(100);
		const source = { name: 'Large', url: addressOf(file), bytes: file.size, sha256: await hashOf(file) };
		await cancelled(source);
		const [part] = await files.partials();
		expect(part).toMatchObject({ name: 'Large', url: source.url, total: file.size });
		expect(part!.received).toBeGreaterThan(0);
		expect(part!.received).toBeLessThan(file.size);
		const seen: Progress[] = [];
		const model = await files.download(source, { onProgress: (progress) => seen.push(progress) });
		expect(model).toMatchObject({ id: part!.id, sha256: source.sha256, url: source.url, bytes: file.size });
		expect(seen[0]!.received).toBeGreaterThan(part!.received);
		expect(await files.partials()).toEqual([]);
		expect(await names()).toEqual([`${model.id}.gguf`]);
	});

	it('goes on after a crash of the writer', async () => {
		const file = large(100);
		const source = { name: 'Large', url: addressOf(file), sha256: await hashOf(file) };
		let worker: Worker | undefined;
		const crashing = open({
			createWorker: () =>
				(worker = new Worker(new URL('./model-files-worker.ts', import.meta.url), { type: 'module' }))
		});
		const lock = new AbortController();
		const writing = crashing.download(source, {
			onProgress: ({ received }) => received > 10_000_000 && worker!.terminate(),
			signal: lock.signal
		});
		writing.catch(() => undefined);
		await expect
			.poll(async () => (await files.partials())[0]?.received ?? 0, { timeout: 10_000 })
			.toBeGreaterThan(0);
		// The tab of the writer is gone, and its locks with it; here they can only be gone around.
		worker!.terminate();
		const other = open({ locks: noLocks });
		expect((await other.download(source)).sha256).toBe(source.sha256);
	});

	it('deletes what is not the announced file, and says so', async () => {
		const url = addressOf(new Blob([tiny]));
		await expect(files.download({ name: 'Tiny', url, sha256: 'ab'.repeat(32) })).rejects.toMatchObject({
			code: 'download-mismatch'
		});
		await expect(
			files.download({ name: 'Page', url: addressOf(new Blob(['<html>'.repeat(99)])) })
		).rejects.toMatchObject({ code: 'gguf-foreign' });
		expect(await names()).toEqual([]);
	});

	it('does not download what is here already', async () => {
		const model = await files.import(new File([tiny], 'a.gguf'));
		expect(await files.download({ name: 'A', url: 'http://127.0.0.1:9/', sha256: model.sha256 })).toEqual(model);
	});

	it('lets only one tab at a time work on a model', async () => {
		const source = { name: 'Large', url: addressOf(large(60)) };
		const first = files.download(source);
		await expect(open().download(source)).rejects.toMatchObject({ code: 'model-busy', retryable: true });
		const [part] = await vi.waitFor(async () => {
			const parts = await files.partials();
			expect(parts).toHaveLength(1);
			return parts;
		});
		await expect(files.discard(part!.id)).rejects.toMatchObject({ code: 'model-busy' });
		expect(await files.list()).toEqual([]);
		await first;
		expect((await files.list()).length).toBe(1);
	});

	it('discards a part', async () => {
		await cancelled({ name: 'Large', url: addressOf(large(60)) });
		await files.discard((await files.partials())[0]!.id);
		expect(await names()).toEqual([]);
	});
});

describe('ModelFiles, housekeeping', () => {
	it('removes a model, its row first', async () => {
		const { id } = await files.import(new File([tiny], 'a.gguf'));
		await files.remove(id);
		expect(await files.list()).toEqual([]);
		expect(await names()).toEqual([]);
		await expect(files.open(id)).rejects.toMatchObject({ code: 'model-gone' });
	});

	it.each(['import', 'download'] as const)('writes the row of a file whose %s a crash came between', async (way) => {
		const goes = Promise.withResolvers<void>();
		const put = () => (goes.resolve(), new Promise<never>(() => {}));
		const crashing = open({ table: { ...own, put }, locks: noLocks });
		const file = new File([tiny], 'Tiny.gguf');
		const source = { name: 'Tiny', url: addressOf(file) };
		void (way === 'import' ? crashing.import(file) : crashing.download(source));
		await goes.promise;
		const [model, ...others] = await files.list();
		expect(model).toMatchObject({ name: 'Tiny', bytes: tiny.length, sha256: await hashOf(file), architecture: 'llama' });
		expect(model!.url).toBe(way === 'import' ? undefined : source.url);
		expect(others).toEqual([]);
		expect(await names()).toEqual([`${model!.id}.gguf`]);
		expect(await files.list()).toEqual([model]);
	});

	it('deletes a file whose removal a crash came between, one that is no model, and one that is here already', async () => {
		const removed = await files.import(new File([tiny], 'a.gguf'));
		await table.remove(removed.id);
		await put('damaged.gguf', 'half a model');
		await put('damaged.json', JSON.stringify({ name: 'Damaged', found: 'ab'.repeat(32) }));
		expect(await files.list()).toEqual([]);
		const model = await files.import(new File([tiny], 'b.gguf'));
		await put('twin.gguf', 'the same');
		await put('twin.json', JSON.stringify({ name: 'Twin', found: model.sha256 }));
		await put(`${model.id}.json`, 'a note that a crash left beside its row');
		expect(await files.list()).toEqual([model]);
		await files.list();
		expect(await names()).toEqual([`${model.id}.gguf`]);
	});

	it('deletes what a crash left behind, and nothing else', async () => {
		const model = await files.import(new File([tiny], 'a.gguf'));
		await put('orphan.gguf', 'a model whose row was never written');
		await put('copy.part', 'half an import');
		await put('note.json', '{}');
		await put('cut.part', 'half a download, whose note was cut short');
		await put('cut.json', '{"name":"x","ur');
		await put('kept.part', 'half a download');
		await put('kept.json', JSON.stringify({ name: 'Kept', url: 'http://127.0.0.1:9/', bytes: 100 }));
		expect(await files.list()).toEqual([model]);
		expect(await names()).toEqual([`${model.id}.gguf`, 'kept.json', 'kept.part'].sort());
		expect(await files.partials()).toEqual([
			{ id: 'kept', name: 'Kept', url: 'http://127.0.0.1:9/', bytes: 100, received: 15, total: 100 }
		]);
	});
});
