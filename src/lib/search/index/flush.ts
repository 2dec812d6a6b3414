import { DictionaryWriter } from './dictionary';
import { GrowingColumns, rowOf } from './growing-columns';
import { KeyBlocksWriter, type KeyBlock } from './key-blocks';
import { PositionsWriter } from './positions';
import { PostingsWriter } from './postings';
import type { SegmentHead } from './segment';
import type { Tail } from './tail';
import { unitsOf } from './units';

/** A segment as it is stored. The blocks of a kind are numbered from 0. */
export interface SegmentParts {
	head: SegmentHead;
	postings: Uint8Array[];
	positions: Uint8Array[];
	keys: KeyBlock[];
}

/** New number of a document that is left out; also the end of a list of documents, since it is above all others. */
export const noDocument = 0xffffffff;

/**
 * Flushes a tail into a segment: all that was not removed from it, with documents of sessions in the trash. `numbers` has the new number of each
 * document, or `noDocument`. The tail stays as it is.
 */
export function flush(tail: Tail): { parts: SegmentParts; numbers: Uint32Array } {
	const order = tail.inKeyOrder();
	const numbers = new Uint32Array(tail.columns.length).fill(noDocument);
	const columns = new GrowingColumns();
	const keys = new KeyBlocksWriter();
	for (const { key, document } of order) {
		keys.add(key);
		numbers[document] = columns.add(rowOf(tail.columns, document));
	}

	const dictionary = new DictionaryWriter();
	const postings = new PostingsWriter();
	const positions = new PositionsWriter();
	const documents = new Uint32Array(order.length);
	const counts = new Uint32Array(order.length);
	/** Frequencies of the term, by new number. */
	const frequencies = new Uint32Array(order.length);
	/** Indexes of its first positions in the list of the term, by new number. */
	const begin = new Uint32Array(order.length);
	for (const term of [...tail.terms.keys()].sort()) {
		const lists = tail.terms.get(term)!;
		let length = 0;
		let at = 0;
		for (let index = 0; index < lists.postings.length; index += 2) {
			const document = numbers[lists.postings[index]!]!;
			const count = lists.postings[index + 1]!;
			if (document !== noDocument) {
				documents[length++] = document;
				frequencies[document] = count;
				begin[document] = at;
			}
			at += count;
		}
		if (length === 0) continue;
		documents.subarray(0, length).sort();
		for (let index = 0; index < length; index++) {
			const document = documents[index]!;
			counts[index] = frequencies[document]!;
			positions.add(lists.positions, begin[document]!, begin[document]! + frequencies[document]!);
		}
		const units = unitsOf(term);
		dictionary.add(units, units.length, length, { postings: postings.add({ documents, counts }, length), positions: positions.end() });
	}
	return { parts: partsOf({ columns, keys, dictionary, postings, positions }), numbers };
}

/** Writers of a segment's parts. */
export interface SegmentWriters {
	columns: GrowingColumns;
	keys: KeyBlocksWriter;
	dictionary: DictionaryWriter;
	postings: PostingsWriter;
	positions: PositionsWriter;
}

/** Finishes the writers of a segment. */
export function partsOf({ columns, keys, dictionary, postings, positions }: SegmentWriters): SegmentParts {
	const { blocks, firstKeys } = keys.finish();
	const lists = { postings: postings.finish(), positions: positions.finish() };
	const head = {
		columns: columns.copy(),
		dictionary: dictionary.finish(),
		postingsBlocks: lists.postings.length,
		positionsBlocks: lists.positions.length,
		firstKeys
	};
	return { head, ...lists, keys: blocks };
}
