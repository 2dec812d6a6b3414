import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dueForMerge } from './tiers';

it('[E5] there are few segments, none is too large, and no document is written often, however many come', () => {
	fc.assert(
		fc.property(fc.array(fc.integer({ min: 1, max: 9000 }), { minLength: 1, maxLength: 400 }), (sizes) => {
			let segments: { documents: number; dead: number }[] = [];
			let written = 0;
			let total = 0;
			for (const documents of sizes) {
				segments.push({ documents, dead: 0 });
				total += documents;
				for (let due = dueForMerge(segments, false); due; due = dueForMerge(segments, false)) {
					expect(due.length).toBeGreaterThan(1);
					const merged = due.reduce((sum, index) => sum + segments[index]!.documents, 0);
					written += merged;
					segments = [...segments.filter((_, index) => !due!.includes(index)), { documents: merged, dead: 0 }];
				}
			}
			expect(segments.reduce((sum, { documents }) => sum + documents, 0)).toBe(total);
			expect(Math.max(...segments.map(({ documents }) => documents))).toBeLessThanOrEqual(131_072);
			expect(segments.length).toBeLessThanOrEqual(16 + total / 32_768);
			expect(written).toBeLessThanOrEqual(6 * total);
		}),
		{ numRuns: 200 }
	);
});

it('[E5] a segment that is mostly dead is written again', () => {
	expect(dueForMerge([{ documents: 5000, dead: 10 }, { documents: 100, dead: 51 }], true)).toEqual([1]);
	expect(dueForMerge([{ documents: 5000, dead: 10 }, { documents: 100, dead: 50 }], true)).toBeUndefined();
});

it('[E5] a small segment that is dead is written again when nothing else is to do, a large one at once', () => {
	expect(dueForMerge([{ documents: 1, dead: 1 }], true)).toEqual([0]);
	expect(dueForMerge([{ documents: 1023, dead: 1023 }], false)).toBeUndefined();
	expect(dueForMerge([{ documents: 1500, dead: 1024 }], false)).toEqual([0]);
});
