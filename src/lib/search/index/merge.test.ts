import fc from 'fast-check';
import { expect, it } from 'vitest';
import { flushed, openedSegment } from '../../../../tests/contract/opened-segment';
import { describeSource, stock, type Stock } from '../../../../tests/contract/search-source';
import { noDocument } from './flush';
import { merge, type MergeInput } from './merge';

const noPause = async () => undefined;

/** Some of the documents in a segment, with what is deleted of them. */
function mergedOf({ documents, deleted }: Stock, isIn: (index: number) => boolean): MergeInput {
	const some = documents.filter((_, index) => isIn(index));
	const { parts, numbers } = flushed({ documents: some });
	const deletedNumbers = new Set(some.flatMap(({ key }, number) => (deleted.has(key) ? numbers[number]! : [])));
	return { segment: openedSegment(parts).segment, isDeleted: (number) => deletedNumbers.has(number) };
}

describeSource('a segment that was merged from others', async (stock) => {
	const parts = [0, 1, 2].map((part) => mergedOf(stock, (index) => (index * 7) % 4 === part));
	const last = mergedOf(stock, (index) => (index * 7) % 4 === 3);
	const { parts: first } = await merge(parts, noPause);
	const { parts: all } = await merge([{ segment: openedSegment(first).segment, isDeleted: () => false }, last], noPause);
	expect(all.head.columns.length).toBe(stock.documents.length - stock.deleted.size);
	return openedSegment(all).segment;
});

it('[E7] tells where each document has gone, and drops words that nothing has any more', async () => {
	await fc.assert(
		fc.asyncProperty(stock, fc.integer({ min: 1, max: 4 }), async (stock, count) => {
			const merged = Array.from({ length: count }, (_, part) => mergedOf(stock, (index) => index % count === part));
			const { parts, numbers } = await merge(merged, noPause);
			const { segment } = openedSegment(parts);
			const found = new Set<number>();
			for (const [index, { segment: old, isDeleted }] of merged.entries()) {
				const keys = await old.keys(Array.from({ length: old.columns.length }, (_, number) => number));
				for (const [number, key] of keys.entries()) {
					const now = numbers[index]![number]!;
					expect(now === noDocument).toBe(isDeleted(number));
					if (now === noDocument) continue;
					expect(await segment.keys([now])).toEqual([key]);
					found.add(now);
				}
			}
			expect(found.size).toBe(segment.columns.length);
			for (const { count } of segment.withPrefix('')) expect(count).toBeGreaterThan(0);
			const live = stock.documents.filter(({ key }) => !stock.deleted.has(key));
			const again = mergedOf({ documents: live, deleted: new Set() }, () => true);
			expect(parts.head.dictionary).toEqual(again.segment.head.dictionary);
			expect(parts.positions).toEqual(flushed({ documents: live }).parts.positions);
			expect(parts.head.firstKeys).toEqual(again.segment.head.firstKeys);
		}),
		{ numRuns: 60 }
	);
});

it('[E7] searches get their turn while it works', async () => {
	const documents = Array.from({ length: 4000 }, (_, number) => ({
		key: `m ${number}`,
		sessionId: 's',
		kind: 'message' as const,
		role: 'user' as const,
		depth: number,
		createdAt: number,
		hasCode: false,
		text: Array.from({ length: 40 }, (_, index) => `w${(number * 31 + index * 17) % 5000}`).join(' ')
	}));
	const { segment } = openedSegment(flushed({ documents }).parts);
	let pauses = 0;
	await merge([{ segment, isDeleted: () => false }], async () => void pauses++);
	expect(pauses).toBeGreaterThan(0);
});

it('gives up where a block is gone', async () => {
	const { segment } = openedSegment(flushed({ documents: [] }).parts);
	expect((await merge([{ segment, isDeleted: () => false }], noPause)).parts.head.columns.length).toBe(0);
	const { parts } = flushed({ documents: [{ key: 'a', sessionId: 's', kind: 'title', depth: 0, createdAt: 1, hasCode: false, text: 'rose' }] });
	const gone = openedSegment({ ...parts, postings: [] }).segment;
	await expect(merge([{ segment: gone, isDeleted: () => false }], noPause)).rejects.toThrow('There is no block 0 of postings.');
	const half = openedSegment({ ...parts, positions: [] }).segment;
	await expect(merge([{ segment: half, isDeleted: () => false }], noPause)).rejects.toThrow('There is no block 0 of positions.');
});
