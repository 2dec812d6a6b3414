import { ByteWriter } from './byte-writer';
import type { Postings } from './source';

/**
 * How postings are stored: for each document (the distance to the one before) << 1, with 1 added where the term is in it
 * once, then how often where that is not once; all as varints. Numbers of documents are below 2³⁰.
 *
 * The lists of a segment are packed into blocks, which are what is read of it at a time: a list is whole in one block, and one
 * that is bigger than a block has a bigger block of its own.
 */

/** About how many bytes a block has. */
export const blockBytes = 64 * 1024;

/** Where a list is: its block, and from which byte to which. */
export interface ListPlace {
	block: number;
	offset: number;
	bytes: number;
}

/** Packs lists into blocks, in the order in which they come. */
export class PostingsWriter {
	private readonly full: Uint8Array[] = [];
	private readonly open = new ByteWriter();

	/** Adds the first `length` postings, in which documents ascend. */
	add({ documents, counts }: Postings, length: number): ListPlace {
		const { open } = this;
		const offset = open.length;
		let previous = 0;
		for (let index = 0; index < length; index++) {
			const document = documents[index]!;
			const count = counts[index]!;
			const once = count === 1 ? 1 : 0;
			open.varint((((document - previous) << 1) | once) >>> 0);
			if (!once) open.varint(count);
			previous = document;
		}
		if (offset > 0 && open.length > blockBytes) {
			this.full.push(open.bytes.slice(0, offset));
			open.bytes.copyWithin(0, offset, open.length);
			open.length -= offset;
			return { block: this.full.length, offset: 0, bytes: open.length };
		}
		return { block: this.full.length, offset, bytes: open.length - offset };
	}

	/** All blocks. */
	finish(): Uint8Array[] {
		return this.open.length > 0 ? [...this.full, this.open.copy()] : this.full;
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
		let often = bytes[at++]!;
		if (often > 127) {
			often &= 127;
			let shift = 7;
			let byte: number;
			do {
				byte = bytes[at++]!;
				often |= (byte & 127) << shift;
				shift += 7;
			} while (byte > 127);
		}
		counts[index] = often;
	}
	return count;
}
