import { deviceWindow } from '../../conversation/device-window';
import type { Gguf } from './gguf';

/** Number of tokens of a prompt that are worked on at once. Small, since an abort has to wait for one batch. */
export const batchTokens = 64;

const minContext = 512;
const step = 256;
const bytesPerFloat = 4;

/** The engine's code, stacks and scratch space, and the logits of one batch. */
export const fixedBytes = 200 * 2 ** 20;

/** The most that one WebAssembly memory can have here, in bytes. */
export const maxMemory = 4 * 2 ** 30;

type Shape = Pick<Gguf, 'contextLength' | 'layers' | 'heads' | 'headsKv' | 'keyLength' | 'valueLength'>;

/**
 * The context window in tokens that a model of `fileBytes` gets in `memoryBytes`: what the file allows, at most 8192, and
 * no more than fits beside the weights. A token costs its keys and values in every layer (kept as 32-bit floats, which
 * is twice as fast as 16-bit on a CPU) and a column of attention scores and of their softmax for one batch.
 * 0 where not even the weights fit.
 */
export function contextFor(model: Shape, fileBytes: number, memoryBytes: number): number {
	const free = memoryBytes - fileBytes - fixedBytes;
	const affordable = free > 0 ? Math.floor(free / bytesPerToken(model) / step) * step : 0;
	return Math.min(deviceWindow(model.contextLength), affordable);
}

function bytesPerToken(model: Shape): number {
	const cache = model.layers * model.headsKv * (model.keyLength + model.valueLength) * bytesPerFloat;
	const scores = 2 * model.heads * batchTokens * bytesPerFloat;
	return cache + scores;
}

/** The context window of a short conversation, in tokens: a model is not loaded with less. */
export function leastContext({ contextLength }: Shape): number {
	return Math.min(minContext, contextLength);
}

/** The bytes that a model of `fileBytes` needs at least: with its weights, room for a short conversation. */
export function memoryFor(model: Shape, fileBytes: number): number {
	return fileBytes + fixedBytes + leastContext(model) * bytesPerToken(model);
}

/** Tells whether a model has room in `memoryBytes`, with a short conversation. */
export function fits(model: Shape, fileBytes: number, memoryBytes: number): boolean {
	return contextFor(model, fileBytes, memoryBytes) >= leastContext(model);
}

/**
 * Estimates the bytes that a tab may use for a model: half of the device's memory, in GiB as `navigator.deviceMemory` says (browsers
 * that do not say are taken to have 8), and at most what one WebAssembly memory can have.
 */
export function tabMemory(deviceGib = 8): number {
	return Math.min(maxMemory, (deviceGib / 2) * 2 ** 30);
}

/** Estimates the memory that this tab has for a model, in bytes. */
export function memoryHere(): number {
	return tabMemory((navigator as { deviceMemory?: number }).deviceMemory);
}
