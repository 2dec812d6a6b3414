import { ListBlocks, type ListLocation } from './list-blocks';

/**
 * Packs the position of a term in a text: the smallest part of the text that it starts with, and its position length, how many of these it
 * covers (`Token`). A phrase is positions of which each starts where the one before ends. Valid for the first 2²⁵ parts of a text.
 */
export function packPosition(start: number, length: number): number {
	return start * lengthLimit + length;
}

export function positionStart(position: number): number {
	return position >>> 7;
}

/** Returns the position that comes next. */
export function positionEnd(position: number): number {
	return (position >>> 7) + (position & (lengthLimit - 1));
}

/** Limit of a position length: with all of its parts a word is no longer than two terms. */
const lengthLimit = 128;

/**
 * A buffer for the positions of one term, document by document, in the order of its postings: those of a posting are from the end of the
 * one before, or 0, to before `ends` of it, in the order of the text.
 */
export class Positions {
	readonly ends: Uint32Array;
	/** Replaced by a bigger one as it grows. */
	positions = new Uint32Array(1024);

	/** `documents` is how many the source has. */
	constructor(documents: number) {
		this.ends = new Uint32Array(documents);
	}

	/** Sets `ends` by the counts of the postings; grows for all positions, and returns how many these are. */
	reserve(counts: Uint32Array, length: number): number {
		let end = 0;
		for (let index = 0; index < length; index++) this.ends[index] = end += counts[index]!;
		if (end > this.positions.length) this.positions = new Uint32Array(Math.max(end, this.positions.length * 2));
		return end;
	}
}

/**
 * Writes positions: for each (the delta of its start to that of the one before in the document, or to 0) << 1, with 1 added where its length
 * is 1, then its length where it is more; all as varints. How many a document has is in its posting.
 */
export class PositionsWriter {
	private readonly blocks = new ListBlocks();

	/** Adds positions of one document, from `from` to before `to` of what is given. */
	add(positions: readonly number[], from: number, to: number): void {
		const { open } = this.blocks;
		let previous = 0;
		for (let index = from; index < to; index++) {
			const position = positions[index]!;
			const first = positionStart(position);
			const covered = position & (lengthLimit - 1);
			open.varint((((first - previous) << 1) | (covered === 1 ? 1 : 0)) >>> 0);
			if (covered !== 1) open.varint(covered);
			previous = first;
		}
	}

	/** Adds those of one document as they are encoded in another list. */
	copy(bytes: Uint8Array, from: number, to: number): void {
		this.blocks.open.append(bytes, from, to);
	}

	/** Ends the list of one term, which is all that was added since the last one, and returns its location. */
	end(): ListLocation {
		return this.blocks.end();
	}

	finish(): Uint8Array[] {
		return this.blocks.finish();
	}
}

/** Reads the list that begins at `offset`, of a term with `length` postings. */
export function readPositions(bytes: Uint8Array, offset: number, counts: Uint32Array, length: number, into: Positions): void {
	into.reserve(counts, length);
	const { ends, positions } = into;
	let at = offset;
	let index = 0;
	for (let posting = 0; posting < length; posting++) {
		const end = ends[posting]!;
		let first = 0;
		while (index < end) {
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
			first += value >>> 1;
			positions[index++] = packPosition(first, value & 1 ? 1 : bytes[at++]!);
		}
	}
}

/** Writes where the bytes of each posting end, of the list that `readPositions` reads. */
export function endsOfPositions(bytes: Uint8Array, offset: number, counts: Uint32Array, length: number, ends: Uint32Array): void {
	let at = offset;
	for (let posting = 0; posting < length; posting++) {
		for (let left = counts[posting]!; left > 0; left--) {
			const coversOne = (bytes[at]! & 1) === 1;
			while (bytes[at++]! > 127);
			if (!coversOne) at++;
		}
		ends[posting] = at;
	}
}
