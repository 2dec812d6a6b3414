import fc from 'fast-check';
import { expect, it } from 'vitest';
import { blockBytes, type ListLocation } from './list-blocks';
import { PostingsWriter, readPostings } from './postings';
import type { Postings } from './source';

const roomFor = (length: number): Postings => ({ documents: new Uint32Array(length), counts: new Uint32Array(length) });

const list = fc
	.uniqueArray(fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 2 ** 30 - 1 })), { minLength: 1, maxLength: 40 })
	.chain((documents) =>
		fc.record({
			documents: fc.constant(documents.sort((a, b) => a - b)),
			counts: fc.array(fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 2 ** 31 - 1 })), {
				minLength: documents.length,
				maxLength: documents.length
			})
		})
	);

it('[E7] what has a word is read as it was written', () => {
	fc.assert(
		fc.property(fc.array(list, { maxLength: 20 }), (lists) => {
			const writer = new PostingsWriter();
			const locations = lists.map(({ documents, counts }) =>
				writer.add({ documents: Uint32Array.from(documents), counts: Uint32Array.from(counts) }, documents.length)
			);
			const blocks = writer.finish();
			for (const [index, { documents, counts }] of lists.entries()) {
				const into = roomFor(documents.length);
				expect(readPostings(blocks[locations[index]!.block]!, locations[index]!.offset, documents.length, into)).toBe(documents.length);
				expect([[...into.documents], [...into.counts]]).toEqual([documents, counts]);
			}
		})
	);
});

it('keeps each list whole in one block, and blocks as small as that allows', () => {
	const writer = new PostingsWriter();
	const lengths = [10, 30_000, 20_000, 15_000, 200_000, 5, 65_000, 70_000];
	const everyDocument = { documents: Uint32Array.from({ length: 200_000 }, (_, index) => index), counts: new Uint32Array(200_000).fill(1) };
	const locations: ListLocation[] = lengths.map((length) => writer.add(everyDocument, length));
	const blocks = writer.finish();
	expect(locations.map(({ block }) => block)).toEqual([0, 0, 0, 0, 1, 2, 2, 3]);
	expect(locations.map(({ bytes }) => bytes)).toEqual(lengths);
	for (const [index, block] of blocks.entries()) {
		const inside = locations.filter((location) => location.block === index);
		expect(inside.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(block.byteLength);
		expect(block.buffer.byteLength).toBe(block.byteLength);
		expect(inside.length === 1 || block.byteLength <= blockBytes).toBe(true);
	}
});
