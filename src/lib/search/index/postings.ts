import { ListBlocks, type ListLocation } from './list-blocks';
import type { Postings } from './source';

/**
 * Writes postings: for each document (the delta to the one before) << 1, with 1 added where the term is in it once, then its
 * frequency where that is not 1; all as varints. Numbers of documents are below 2³⁰.
 */
export class PostingsWriter {
	private readonly blocks = new ListBlocks();

	/** Adds the first `length` postings, in which documents ascend, as the list of one term. */
	add({ documents, counts }: Postings, length: number): ListLocation {
		const { open } = this.blocks;
		let previous = 0;
		for (let index = 0; index < length; index++) {
			const document = documents[index]!;
			const count = counts[index]!;
			const once = count === 1 ? 1 : 0;
			open.varint((((document - previous) << 1) | once) >>> 0);
			if (!once) open.varint(count);
			previous = document;
		}
		return this.blocks.end();
	}

	finish(): Uint8Array[] {
		return this.blocks.finish();
	}
}

/** Reads a list of `count` documents that begins at `offset`; returns `count`. */
export function readPostings(bytes: Uint8Array, offset: number, count: number, { documents, counts }: Postings): number {
	let at = offset;
	let document = 0;
	for (let index = 0; index < count; index++) {
		let value = bytes[at++]!;
		if (value > 127) {
			value &= 127;
			let shift = 7;
			let byte: number;
			do {
				byte = bytes[at++]!;
				value |= (byte & 127) << shift;
				shift += 7;
			} while (byte > 127);
		}
		document += value >>> 1;
		documents[index] = document;
		if (value & 1) {
			counts[index] = 1;
			continue;
		}
		let frequency = bytes[at++]!;
		if (frequency > 127) {
			frequency &= 127;
			let shift = 7;
			let byte: number;
			do {
				byte = bytes[at++]!;
				frequency |= (byte & 127) << shift;
				shift += 7;
			} while (byte > 127);
		}
		counts[index] = frequency;
	}
	return count;
}
