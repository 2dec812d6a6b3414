import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ListLocation } from './list-blocks';
import { positionEnd, endsOfPositions, positionStart, packPosition, Positions, PositionsWriter, readPositions } from './positions';

const first = fc.oneof(fc.nat({ max: 200 }), fc.nat({ max: 2 ** 25 - 1 }));
/** Positions in the order of a text, several of one start among them. */
const ofDocument = fc
	.array(fc.tuple(first, fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 127 }))), { minLength: 1, maxLength: 30 })
	.map((positions) => positions.sort(([a], [b]) => a - b).map(([first, parts]) => packPosition(first, parts)));
const ofTerm = fc.array(ofDocument, { minLength: 1, maxLength: 10 });

it('a packed position has its start and its end', () => {
	fc.assert(
		fc.property(first, fc.integer({ min: 1, max: 127 }), (first, parts) => {
			expect([positionStart(packPosition(first, parts)), positionEnd(packPosition(first, parts))]).toEqual([first, first + parts]);
		})
	);
});

it('[E7] where words are is read as it was written, and as it was copied', () => {
	fc.assert(
		fc.property(fc.array(ofTerm, { maxLength: 12 }), (terms) => {
			const writer = new PositionsWriter();
			const lists = terms.map((documents): ListLocation => {
				for (const positions of documents) writer.add([0, ...positions, 0], 1, positions.length + 1);
				return writer.end();
			});
			const blocks = writer.finish();
			expectRead(terms, lists, blocks);

			const copier = new PositionsWriter();
			const copies = terms.map((documents, index): ListLocation => {
				const { block, offset, bytes } = lists[index]!;
				const ends = new Uint32Array(documents.length);
				endsOfPositions(blocks[block]!, offset, countsOf(documents), documents.length, ends);
				expect(ends.at(-1)).toBe(offset + bytes);
				for (const [posting, end] of ends.entries()) copier.copy(blocks[block]!, posting === 0 ? offset : ends[posting - 1]!, end);
				return copier.end();
			});
			expectRead(terms, copies, copier.finish());
		})
	);
});

function countsOf(documents: number[][]): Uint32Array {
	return Uint32Array.from(documents, ({ length }) => length);
}

function expectRead(terms: number[][][], lists: ListLocation[], blocks: Uint8Array[]): void {
	const into = new Positions(10);
	for (const [index, documents] of terms.entries()) {
		const { block, offset } = lists[index]!;
		readPositions(blocks[block]!, offset, countsOf(documents), documents.length, into);
		const read = documents.map((_, posting) => [...into.positions.slice(posting === 0 ? 0 : into.ends[posting - 1], into.ends[posting])]);
		expect(read).toEqual(documents);
	}
}
