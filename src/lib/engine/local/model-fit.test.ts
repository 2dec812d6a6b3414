import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tabMemory } from './context-for';
import { firstModels } from './first-models';
import { isRepositoryId } from './hub-reply';
import { firstChoice, modelFit, recommended } from './model-fit';

const gib = 2 ** 30;
const roomy = { memory: tabMemory(8), space: 100 * gib };

describe('[P1] whether a model fits', () => {
	it('depends on its size, the memory of the tab and the free space, and names what is short', () => {
		expect(modelFit({ bytes: 0.8 * gib }, roomy)).toEqual({ fits: true, contextWindow: 8192 });
		expect(modelFit({ bytes: 0.8 * gib, contextLength: 2048 }, roomy)).toEqual({ fits: true, contextWindow: 2048 });
		expect(modelFit({ bytes: 3 * gib }, roomy)).toMatchObject({ fits: true, contextWindow: 3072 });
		expect(modelFit({ bytes: 4 * gib }, roomy)).toMatchObject({ fits: false, lacks: 'memory', has: 4 * gib });
		expect(modelFit({ bytes: 2 * gib }, { ...roomy, memory: tabMemory(4) })).toMatchObject({ lacks: 'memory', has: 2 * gib });
		expect(modelFit({ bytes: 2 * gib }, { ...roomy, space: gib })).toMatchObject({ fits: false, lacks: 'space', needs: 2 * gib, has: gib });
	});

	it('is only estimated where the memory of the device decides: such a model can be tried', () => {
		expect(modelFit({ bytes: 0.3 * gib }, { ...roomy, memory: tabMemory(0.5) })).toMatchObject({ lacks: 'memory', canBeTried: true });
		expect(modelFit({ bytes: 3.9 * gib }, roomy)).toMatchObject({ lacks: 'memory', canBeTried: false });
		expect(modelFit({ bytes: 0.3 * gib }, { memory: tabMemory(0.5), space: 0.1 * gib })).toMatchObject({ lacks: 'memory', canBeTried: false });
		expect(modelFit({ bytes: 0.3 * gib }, { ...roomy, space: 0.1 * gib })).toMatchObject({ lacks: 'space', canBeTried: false });
	});

	it('is never said of what needs more than there is, and of each that is smaller than one that fits', () => {
		fc.assert(
			fc.property(fc.nat(8 * gib), fc.nat(gib), fc.nat(8 * gib), fc.nat(8 * gib), (bytes, more, memory, space) => {
				const fit = modelFit({ bytes: bytes + more }, { memory, space });
				if (fit.fits) {
					expect(bytes + more).toBeLessThanOrEqual(Math.min(memory, space));
					expect(modelFit({ bytes }, { memory, space }).fits).toBe(true);
				} else expect(fit.needs).toBeGreaterThan(fit.has);
			})
		);
	});
});

describe('[P1] the file to begin with', () => {
	const file = (quantization: string, gibibytes: number) => ({ quantization, bytes: gibibytes * gib });

	it('is the one with the best quantization for its size that fits', () => {
		const files = [file('Q2_K', 1), file('Q4_0', 1.8), file('Q4_K_M', 2), file('Q8_0', 3.5)];
		expect(recommended(files, roomy)).toBe(files[2]);
		expect(recommended(files, { ...roomy, space: 1.9 * gib })).toBe(files[1]);
		expect(recommended(files, { ...roomy, space: 1.5 * gib })).toBe(files[0]);
		expect(recommended(files, { ...roomy, space: 0.5 * gib })).toBeUndefined();
	});

	it('is else the largest that fits', () => {
		const files = [file('Q2_K', 1), file('IQ2_M', 1.2), file('F16', 9)];
		expect(recommended(files, roomy)).toBe(files[1]);
	});
});

it('[P1] the first choice for a device is the largest that takes at most half of its memory', () => {
	expect(firstChoice(firstModels, roomy)?.name).toBe('Llama 3.2 3B');
	expect(firstChoice(firstModels, { ...roomy, memory: tabMemory(4) })?.name).toBe('Llama 3.2 1B');
	expect(firstChoice(firstModels, { ...roomy, space: 0.3 * gib })?.name).toBe('SmolLM2 360M');
	expect(firstChoice(firstModels, { ...roomy, memory: tabMemory(0.5) })).toBeUndefined();
});

it('[P1] the first models stand by size, and are names of repositories', () => {
	expect(firstModels.map(({ bytes }) => bytes)).toEqual(firstModels.map(({ bytes }) => bytes).toSorted((a, b) => a - b));
	for (const { repository, bytes } of firstModels) {
		expect(isRepositoryId(repository), repository).toBe(true);
		expect(modelFit({ bytes }, roomy).fits).toBe(true);
	}
});
