import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../shared/app-error';
import type { LocalModel } from '../../storage/tables/models';
import type { Gpu } from './find-gpu';
import type { Loaded } from './load-model';
import { WllamaEngine } from './wllama-engine';

// No machine of the tests has a graphics processor that the engine could use, so how it fails is played.
const attempts: (Gpu | undefined)[] = [];
let fail: (gpu: Gpu | undefined) => AppError | undefined;
vi.mock('./load-model', async (original) => ({
	...(await original<object>()),
	loadModel: (model: LocalModel, _file: File, _url: string, _stallAfter: number, _signal: AbortSignal, gpu?: Gpu) => {
		attempts.push(gpu);
		const failure = fail(gpu);
		if (failure) return Promise.reject(failure);
		return Promise.resolve({ model, info: gpu ? { gpu: gpu.name } : {}, ended: new AbortController(), wllama: { exit: () => undefined } } as unknown as Loaded);
	}
}));

const card = { name: 'A card' };
const row = { id: 'a' } as LocalModel;
const file = new File([], 'a.gguf');
let engine: WllamaEngine;

beforeEach(() => {
	attempts.length = 0;
	fail = () => undefined;
	engine = new WllamaEngine('', undefined, () => Promise.resolve(card));
});

describe('[P1] a graphics processor', () => {
	it('is used where there is one', async () => {
		expect(await engine.load(row, file)).toEqual({ gpu: 'A card' });
		expect(attempts).toEqual([card]);
	});

	it('that fails to load a model leaves it to the processor, then and later', async () => {
		fail = (gpu) => gpu && new AppError('out-of-memory', 'No.');
		expect(await engine.load(row, file)).toEqual({});
		expect(await engine.load(row, file)).toEqual({});
		expect(attempts).toEqual([card, undefined, undefined]);
		expect(engine.state).toMatchObject({ status: 'ready' });
	});

	it('is not taken for the reason where the processor fails too, nor where the file is', async () => {
		fail = () => new AppError('model-unloadable', 'No.');
		await expect(engine.load(row, file)).rejects.toMatchObject({ code: 'model-unloadable' });
		fail = () => new AppError('model-too-large', 'No.');
		await expect(engine.load(row, file)).rejects.toMatchObject({ code: 'model-too-large' });
		fail = () => undefined;
		await engine.load(row, file);
		expect(attempts).toEqual([card, undefined, card, card]);
	});
});
