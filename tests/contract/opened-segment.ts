import { BlockCache } from '../../src/lib/search/index/block-cache';
import { flush, type SegmentParts } from '../../src/lib/search/index/flush';
import { Segment, type BlockKind } from '../../src/lib/search/index/segment';
import { Tail } from '../../src/lib/search/index/tail';
import { termsOf, type Stock } from './search-source';

/** A segment as it is opened from what is stored. `asked` tells which blocks were read. */
export function openedSegment(parts: SegmentParts, { deleted = (_: number): boolean => false, cache = new BlockCache(1_000_000) } = {}) {
	const { head, ...stored } = structuredClone(parts);
	const bits = new Uint8Array(Math.ceil(head.columns.length / 8));
	for (let number = 0; number < head.columns.length; number++) if (deleted(number)) bits[number >> 3]! |= 1 << (number & 7);
	const asked: string[] = [];
	const read = async (kind: BlockKind, numbers: number[]) => {
		const blocks: unknown[] = stored[kind];
		return new Map(
			numbers.map((number) => {
				if (!(number in blocks)) throw new Error(`There is no block ${number} of ${kind}.`);
				asked.push(`${kind} ${number}`);
				return [number, structuredClone(blocks[number])] as const;
			})
		);
	};
	return { segment: new Segment(head, bits, { read }, cache), asked };
}

/** Flushes a tail with these documents. Deleted ones are in it. */
export function flushed({ documents }: Pick<Stock, 'documents'>) {
	const tail = new Tail();
	for (const document of documents) tail.add(document, termsOf(document.text));
	return flush(tail);
}
