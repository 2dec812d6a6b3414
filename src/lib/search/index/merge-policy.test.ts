import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pickMerge } from './merge-policy';

it('[E5] there are few segments, none is too large, and no document is written often, however many come', () => {
	fc.assert(
		fc.property(fc.array(fc.integer({ min: 1, max: 9000 }), { minLength: 1, maxLength: 400 }), (sizes) => {
			let segments: { documents: number; deleted: number }[] = [];
			let written = 0;
			let total = 0;
			for (const documents of sizes) {
				segments.push({ documents, deleted: 0 });
				total += documents;
				for (let picked = pickMerge(segments, false); picked; picked = pickMerge(segments, false)) {
					expect(picked.length).toBeGreaterThan(1);
					const merged = picked.reduce((sum, index) => sum + segments[index]!.documents, 0);
					written += merged;
					segments = [...segments.filter((_, index) => !picked!.includes(index)), { documents: merged, deleted: 0 }];
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

it('[E5] a segment that is mostly deleted is rewritten first', () => {
	const segments = [
		{ documents: 5000, deleted: 10 },
		{ documents: 100, deleted: 51 }
	];
	expect(pickMerge(segments, true)).toEqual([1]);
	expect(pickMerge(segments.slice(0, 1), false)).toBeUndefined();
});

it('[E5] no deleted document stays when there is nothing else to do, however large its segment is', () => {
	const segments = [
		{ documents: 5000, deleted: 0 },
		{ documents: 131_072, deleted: 1 },
		{ documents: 100, deleted: 1 }
	];
	expect(pickMerge(segments, true)).toEqual([1]);
	expect(pickMerge(segments.map((segment) => ({ ...segment, deleted: 0 })), true)).toBeUndefined();
	expect(pickMerge(segments, false)).toBeUndefined();
});

it('[E5] a small segment that is deleted is rewritten when there is nothing else to do, a large one at once', () => {
	expect(pickMerge([{ documents: 1, deleted: 1 }], true)).toEqual([0]);
	expect(pickMerge([{ documents: 1023, deleted: 1023 }], false)).toBeUndefined();
	expect(pickMerge([{ documents: 1500, deleted: 1024 }], false)).toEqual([0]);
});
