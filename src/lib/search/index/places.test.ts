import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ListPlace } from './list-blocks';
import { afterOf, endsOfPlaces, firstOf, placeOf, Places, PlacesWriter, readPlaces } from './places';

const first = fc.oneof(fc.nat({ max: 200 }), fc.nat({ max: 2 ** 25 - 1 }));
/** In the order of a text, several at one part among them. */
const ofDocument = fc
	.array(fc.tuple(first, fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 127 }))), { minLength: 1, maxLength: 30 })
	.map((places) => places.sort(([a], [b]) => a - b).map(([first, parts]) => placeOf(first, parts)));
const ofTerm = fc.array(ofDocument, { minLength: 1, maxLength: 10 });

it('a place tells where it begins and what comes next', () => {
	fc.assert(
		fc.property(first, fc.integer({ min: 1, max: 127 }), (first, parts) => {
			expect([firstOf(placeOf(first, parts)), afterOf(placeOf(first, parts))]).toEqual([first, first + parts]);
		})
	);
});

it('[E7] where words are is read as it was written, and as it was copied', () => {
	fc.assert(
		fc.property(fc.array(ofTerm, { maxLength: 12 }), (terms) => {
			const writer = new PlacesWriter();
			const lists = terms.map((documents): ListPlace => {
				for (const places of documents) writer.add([0, ...places, 0], 1, places.length + 1);
				return writer.end();
			});
			const blocks = writer.finish();
			expectRead(terms, lists, blocks);

			const copier = new PlacesWriter();
			const copies = terms.map((documents, index): ListPlace => {
				const { block, offset, bytes } = lists[index]!;
				const ends = new Uint32Array(documents.length);
				endsOfPlaces(blocks[block]!, offset, countsOf(documents), documents.length, ends);
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

function expectRead(terms: number[][][], lists: ListPlace[], blocks: Uint8Array[]): void {
	const into = new Places(10);
	for (const [index, documents] of terms.entries()) {
		const { block, offset } = lists[index]!;
		readPlaces(blocks[block]!, offset, countsOf(documents), documents.length, into);
		const read = documents.map((_, posting) => [...into.places.slice(posting === 0 ? 0 : into.ends[posting - 1], into.ends[posting])]);
		expect(read).toEqual(documents);
	}
}
