import { DictionaryWriter } from './dictionary';
import { GrowingColumns, rowOf } from './growing-columns';
import { KeyBlocksWriter, type KeyBlock } from './key-blocks';
import { PlacesWriter } from './places';
import { PostingsWriter } from './postings';
import type { SegmentHead } from './segment';
import type { Tail } from './tail';
import { unitsOf } from './units';

/** A segment as it is stored. The blocks of a kind are numbered from 0. */
export interface FrozenParts {
	head: SegmentHead;
	postings: Uint8Array[];
	places: Uint8Array[];
	keys: KeyBlock[];
}

/** Number of a document that is dropped, in place of its new one. */
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
	const places = new PlacesWriter();
	const documents = new Uint32Array(order.length);
	const counts = new Uint32Array(order.length);
	/** By new number, how often the document has the term. */
	const often = new Uint32Array(order.length);
	/** By new number, where its places begin in the list of the term. */
	const begin = new Uint32Array(order.length);
	for (const term of [...tail.terms.keys()].sort()) {
		const lists = tail.terms.get(term)!;
		let length = 0;
		let at = 0;
		for (let index = 0; index < lists.postings.length; index += 2) {
			const document = numbers[lists.postings[index]!]!;
			const count = lists.postings[index + 1]!;
			if (document !== dropped) {
				documents[length++] = document;
				often[document] = count;
				begin[document] = at;
			}
			at += count;
		}
		if (length === 0) continue;
		documents.subarray(0, length).sort();
		for (let index = 0; index < length; index++) {
			const document = documents[index]!;
			counts[index] = often[document]!;
			places.add(lists.places, begin[document]!, begin[document]! + often[document]!);
		}
		const units = unitsOf(term);
		dictionary.add(units, units.length, length, { postings: postings.add({ documents, counts }, length), places: places.end() });
	}
	return { parts: partsOf({ columns, keys, dictionary, postings, places }), numbers };
}

/** Writers of a segment's parts. */
export interface Writers {
	columns: GrowingColumns;
	keys: KeyBlocksWriter;
	dictionary: DictionaryWriter;
	postings: PostingsWriter;
	places: PlacesWriter;
}

/** A segment from what was written of it. */
export function partsOf({ columns, keys, dictionary, postings, places }: Writers): FrozenParts {
	const { blocks, firstKeys } = keys.finish();
	const lists = { postings: postings.finish(), places: places.finish() };
	const head = {
		columns: columns.copy(),
		dictionary: dictionary.finish(),
		postingsBlocks: lists.postings.length,
		placesBlocks: lists.places.length,
		firstKeys
	};
	return { head, ...lists, keys: blocks };
}
