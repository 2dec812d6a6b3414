import { DictionaryWriter } from './dictionary';
import { GrowingColumns, rowOf } from './growing-columns';
import { KeyBlocksWriter, type KeyBlock } from './key-blocks';
import { PostingsWriter } from './postings';
import type { SegmentHead } from './segment';
import type { Tail } from './tail';
import { unitsOf } from './units';

/** A segment as it is stored. The blocks of a kind are numbered from 0. */
export interface FrozenParts {
	head: SegmentHead;
	postings: Uint8Array[];
	keys: KeyBlock[];
}

/** Where a document is dropped, in place of its new number. */
export const dropped = 0xffffffff;

/**
 * Makes a segment of what was not removed from the tail, hidden documents included. `numbers` has the new number of each document, or
 * `dropped`. The tail stays as it is.
 */
export function freeze(tail: Tail): { parts: FrozenParts; numbers: Uint32Array } {
	const order = tail.inOrder();
	const numbers = new Uint32Array(tail.columns.length).fill(dropped);
	const columns = new GrowingColumns();
	const keys = new KeyBlocksWriter();
	for (const { key, document } of order) {
		keys.add(key);
		numbers[document] = columns.add(rowOf(tail.columns, document));
	}

	const dictionary = new DictionaryWriter();
	const postings = new PostingsWriter();
	const documents = new Uint32Array(order.length);
	const counts = new Uint32Array(order.length);
	/** By new number, how often the document has the term. */
	const often = new Uint32Array(order.length);
	for (const term of [...tail.terms.keys()].sort()) {
		const list = tail.terms.get(term)!;
		let length = 0;
		for (let index = 0; index < list.length; index += 2) {
			const document = numbers[list[index]!]!;
			if (document === dropped) continue;
			documents[length++] = document;
			often[document] = list[index + 1]!;
		}
		if (length === 0) continue;
		documents.subarray(0, length).sort();
		for (let index = 0; index < length; index++) counts[index] = often[documents[index]!]!;
		const units = unitsOf(term);
		dictionary.add(units, units.length, length, postings.add({ documents, counts }, length));
	}
	return { parts: partsOf(columns, keys, dictionary, postings), numbers };
}

/** A segment from what was written of it. */
export function partsOf(columns: GrowingColumns, keys: KeyBlocksWriter, dictionary: DictionaryWriter, postings: PostingsWriter): FrozenParts {
	const { blocks, firstKeys } = keys.finish();
	const lists = postings.finish();
	const head = { columns: columns.copy(), dictionary: dictionary.finish(), postingsBlocks: lists.length, firstKeys };
	return { head, postings: lists, keys: blocks };
}
