import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextFor, fits, tabMemory } from './context-for';

const small = { contextLength: 8192, layers: 30, heads: 9, headsKv: 3, keyLength: 64, valueLength: 64 };
const large = { contextLength: 131_072, layers: 32, heads: 32, headsKv: 8, keyLength: 128, valueLength: 128 };
const gib = 2 ** 30;

describe('contextFor', () => {
	it('gives a small model all it can use, and no model more than 8192 tokens', () => {
		expect(contextFor(small, 0.1 * gib, 4 * gib)).toBe(8192);
		expect(contextFor({ ...small, contextLength: 2048 }, 0.1 * gib, 4 * gib)).toBe(2048);
		expect(contextFor({ ...small, contextLength: 131_072 }, 0.1 * gib, 4 * gib)).toBe(8192);
	});

	it('shortens the window where memory is short', () => {
		expect(contextFor(large, 2 * gib, 4 * gib)).toBe(6912);
		expect(contextFor(large, 3.5 * gib, 4 * gib)).toBe(1024);
		expect(contextFor(large, 4 * gib, 4 * gib)).toBe(0);
	});

	it('never plans for more than the memory, and grows with it', () => {
		fc.assert(
			fc.property(fc.nat(8 * gib), fc.nat(8 * gib), fc.nat(gib), (file, memory, more) => {
				const context = contextFor(large, file, memory);
				expect(file + context * 32 * 8 * 256 * 4).toBeLessThanOrEqual(Math.max(file, memory));
				expect(contextFor(large, file, memory + more)).toBeGreaterThanOrEqual(context);
			})
		);
	});
});

describe('fits', () => {
	it('refuses a model that leaves no room for a conversation', () => {
		expect(fits(large, 3.5 * gib, tabMemory())).toBe(true);
		expect(fits(large, 3.9 * gib, tabMemory())).toBe(false);
		expect(fits(large, 2 * gib, tabMemory(4))).toBe(false);
	});

	it('accepts a model whose own window is short', () => {
		expect(fits({ ...small, contextLength: 256 }, 1, gib)).toBe(true);
	});
});
