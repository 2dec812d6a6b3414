import wasmUrl from '@wllama/wllama/esm/wasm/wllama.wasm?url';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../../tests/fixtures/database';
import { tinyGguf } from '../../../../tests/fixtures/tiny-gguf.mjs';
import { systemClock } from '../../shared/clock';
import { newId } from '../../shared/id';
import { Models } from '../../storage/models';
import { ModelFiles } from './model-files';
import { OnDevice } from './on-device';
import { WllamaEngine } from './wllama-engine';

const tiny = tinyGguf();

/** A device with nothing on it, and what it went through. */
function openDevice() {
	const engine = new WllamaEngine(wasmUrl);
	onTestFinished(() => engine.unload());
	const files = new ModelFiles({
		table: new Models(openDatabase()),
		storage: navigator.storage,
		locks: navigator.locks,
		clock: systemClock,
		newId,
		createWorker: () => new Worker(new URL('./model-files-worker.ts', import.meta.url), { type: 'module' })
	});
	const device = new OnDevice(async () => ({ files, engine }));
	const phases: string[] = [];
	device.subscribe(() => device.state.phase !== phases.at(-1) && phases.push(device.state.phase));
	return { device, files, phases };
}

/** An address that is fetched like any other, of a model with that many megabytes of zeros after it. */
function addressOf(megabytes = 0): { url: string; name: string } {
	const url = URL.createObjectURL(new Blob([tiny, ...Array.from({ length: megabytes }, () => new Uint8Array(1_000_000))]));
	onTestFinished(() => URL.revokeObjectURL(url));
	return { url, name: 'Tiny' };
}

const open = new AbortController().signal;

afterEach(async () => {
	const root = await navigator.storage.getDirectory();
	const clear = () => root.removeEntry('models', { recursive: true }).catch(({ name }: Error) => name);
	// For a moment after a cancel, the browser still holds the file that was being written.
	await expect.poll(clear, { timeout: 5000 }).toSatisfy((error) => error === undefined || error === 'NotFoundError');
});

describe('OnDevice', () => {
	it('imports a file, loads it and answers', async () => {
		const { device, files, phases } = openDevice();
		const model = await device.import(new File([tiny], 'tiny.gguf'));
		expect(await files.list()).toEqual([model]);
		expect(device.state).toEqual({ phase: 'idle' });
		const { engine } = await device.ready({ local: model }, open);
		expect(device.state).toMatchObject({ phase: 'ready', modelId: model.id });
		const { value } = await engine.answer([{ role: 'user', content: 'Hi' }], { maxTokens: 5 }).next();
		expect(value).toMatchObject({ type: 'text' });
		expect(phases).toEqual(['importing', 'idle', 'loading', 'ready']);
	});

	it('fetches the weights at hand once for all who ask, and loads them once', async () => {
		const { device, files, phases } = openDevice();
		const weights = { ...addressOf(10), bytes: tiny.length + 10_000_000 };
		const source = { weights };
		const all = [device.ready(source, open), device.ready(source, open), device.fetch(weights)] as const;
		expect(device.state).toEqual({ phase: 'fetching', url: weights.url, name: 'Tiny', received: 0, total: weights.bytes });
		await Promise.all(all);
		expect(await files.list()).toHaveLength(1);
		expect(phases).toEqual(['fetching', 'idle', 'loading', 'ready']);
	});

	it('assembles what it needs again after that failed', async () => {
		let tries = 0;
		const device = new OnDevice(() => (++tries === 1 ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve({ files: openDevice().files, engine: new WllamaEngine(wasmUrl) })));
		await expect(device.partials()).rejects.toThrow('Failed to fetch');
		expect(await device.partials()).toEqual([]);
		expect(tries).toBe(2);
	});

	it('loads nothing that is loaded already', async () => {
		const { device, phases } = openDevice();
		const model = await device.import(new File([tiny], 'tiny.gguf'));
		await Promise.all([device.load(model), device.load(model)]);
		await device.load(model);
		expect(phases.filter((phase) => phase === 'loading')).toHaveLength(1);
	});

	it('writes one file at a time', async () => {
		const { device } = openDevice();
		const writing = device.fetch(addressOf(30));
		const busy = expect.objectContaining({ code: 'model-busy' }) as Error;
		expect(() => device.fetch(addressOf())).toThrow(busy);
		expect(() => device.import(new File([tiny], 'tiny.gguf'))).toThrow(busy);
		await writing;
	});

	it('names a model by its address where it has no other name, and refuses what is no address', async () => {
		const { device } = openDevice();
		expect(() => device.fetch({ url: 'tiny model' })).toThrow(expect.objectContaining({ code: 'model-address' }) as Error);
		const names = { 'models/Tiny%20One.gguf?download=true': 'Tiny One', '100%.gguf': '100%', '': '127.0.0.1:9' };
		for (const [path, name] of Object.entries(names)) {
			const fetched = device.fetch({ url: `http://127.0.0.1:9/${path}` });
			expect(device.state).toMatchObject({ phase: 'fetching', name });
			device.cancel();
			await expect(fetched).rejects.toMatchObject({ name: 'AbortError' });
			expect(device.state).toEqual({ phase: 'idle' });
		}
	});

	it('keeps the part of a cancelled download, to go on with or to discard', async () => {
		const { device } = openDevice();
		const address = addressOf(100);
		const cancelled = device.fetch(address);
		const stop = device.subscribe(() => device.state.phase === 'fetching' && device.state.received > 0 && device.cancel());
		await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' });
		stop();
		const [part] = await device.partials();
		expect(part).toMatchObject({ name: 'Tiny', url: address.url });
		await device.discard(part!);
		expect(await device.partials()).toEqual([]);
	});

	it('stops fetching for a turn that was stopped', async () => {
		const { device } = openDevice();
		const abort = new AbortController();
		const weights = { ...addressOf(100), bytes: 0 };
		const opening = device.ready({ weights }, abort.signal);
		device.subscribe(() => device.state.phase === 'fetching' && device.state.received > 0 && abort.abort());
		await expect(opening).rejects.toMatchObject({ name: 'AbortError' });
		expect(device.state).toEqual({ phase: 'idle' });
	});

	it('goes on writing what a stopped turn did not wait for', async () => {
		const { device, files } = openDevice();
		const model = await device.import(new File([tiny], 'tiny.gguf'));
		const abort = new AbortController();
		const fetched = device.fetch(addressOf(30));
		const opening = device.ready({ local: model }, abort.signal);
		abort.abort();
		await expect(opening).rejects.toBe(abort.signal.reason);
		await fetched;
		expect(await files.list()).toHaveLength(2);
	});

	it('tells a turn that its model was cancelled elsewhere', async () => {
		const { device } = openDevice();
		const opening = device.ready({ weights: { ...addressOf(30), bytes: 0 } }, open);
		device.cancel();
		await expect(opening).rejects.toMatchObject({ name: 'AppError', code: 'model-cancelled', retryable: true });
	});

	it('unloads a model that is removed', async () => {
		const { device, files } = openDevice();
		const model = await device.import(new File([tiny], 'tiny.gguf'));
		await device.load(model);
		await device.remove(model);
		expect(device.state).toEqual({ phase: 'idle' });
		expect(await files.list()).toEqual([]);
		await expect(device.load(model)).rejects.toMatchObject({ code: 'model-gone' });
		expect(device.state).toEqual({ phase: 'idle' });
	});
});
