import { maxDeviceWindow } from '../../conversation/device-window';
import { contextFor, fits, fixedBytes, maxMemory, memoryFor } from './context-for';

/** A model file that is not here, as far as its size decides about it. `contextLength` is the model's own, in tokens. */
export interface FileToFit {
	bytes: number;
	contextLength?: number;
}

/** The memory that a tab has for a model, and the space that is free in the browser, if it tells that, in bytes. */
export interface Room {
	memory: number;
	space: number | undefined;
}

/**
 * An estimate: the window that the model would get, in tokens, or what there is too little of, in bytes. It `canBeTried` where only the estimate speaks
 * against it; the space is what the browser gives, and no WebAssembly memory can have more than `maxMemory`.
 */
export type Fit = { fits: true; contextWindow: number } | { fits: false; lacks: 'memory' | 'space'; needs: number; has: number; canBeTried: boolean };

/** The shape of models of 3 to 4 billion weights, the largest that fit; the header of a file, which alone has its own, is not here yet. */
const usualShape = { layers: 32, heads: 32, headsKv: 8, keyLength: 128, valueLength: 128 };

/** Estimates whether a file that is not here would fit, by the rules that decide once it is. */
export function modelFit({ bytes, contextLength = maxDeviceWindow }: FileToFit, { memory, space = Infinity }: Room): Fit {
	const shape = { ...usualShape, contextLength };
	if (!fits(shape, bytes, memory)) {
		const canBeTried = bytes + fixedBytes < maxMemory && bytes <= space;
		return { fits: false, lacks: 'memory', needs: memoryFor(shape, bytes), has: memory, canBeTried };
	}
	if (bytes > space) return { fits: false, lacks: 'space', needs: bytes, has: space, canBeTried: false };
	return { fits: true, contextWindow: contextFor(shape, bytes, memory) };
}

/** Returns the model to begin with on this device, of some that stand by size: the largest that surely fits, since it takes no more than half of the memory. */
export function firstChoice<T extends FileToFit>(models: readonly T[], { memory, space = Infinity }: Room): T | undefined {
	return models.findLast(({ bytes }) => bytes <= memory / 2 && bytes <= space);
}

/** Quantizations by how much of a model they leave for their size, the best first. */
const preferred = ['Q4_K_M', 'Q4_K_L', 'UD-Q4_K_XL', 'Q4_K_S', 'Q4_0', 'IQ4_NL', 'IQ4_XS', 'Q5_K_M', 'Q5_K_S', 'Q6_K', 'Q8_0', 'Q3_K_M'];

/** Returns the file to begin with: of those that fit the one that is best for its size, else the largest. */
export function recommended<T extends FileToFit & { quantization?: string }>(files: readonly T[], room: Room): T | undefined {
	const fitting = files.filter((file) => modelFit(file, room).fits);
	for (const quantization of preferred) {
		const found = fitting.find((file) => file.quantization === quantization);
		if (found) return found;
	}
	return fitting.toSorted((a, b) => b.bytes - a.bytes)[0];
}
