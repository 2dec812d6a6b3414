import { ListBlocks, type ListPlace } from './list-blocks';

/**
 * Encodes the position of a word in a text: a number that says which of the text's smallest parts it begins with, and how many it covers (`Token`). A
 * phrase is a row of places of which each begins where the one before ends. That is right for the first 2²⁵ parts of a text.
 */
export function placeOf(first: number, parts: number): number {
	return first * span + parts;
}

export function firstOf(place: number): number {
	return place >>> 7;
}

/** The part that comes next. */
export function afterOf(place: number): number {
	return (place >>> 7) + (place & (span - 1));
}

/** No word covers so many parts: with all of its parts it is no longer than two terms. */
const span = 128;

/**
 * Room for the places of one term, document by document, in the order of its postings: those of a posting are `places` from
 * where those before end, or 0, to before `ends` of it, in the order of the text.
 */
export class Places {
	readonly ends: Uint32Array;
	/** Replaced by a bigger one as it grows. */
	places = new Uint32Array(1024);

	/** For as many documents as the source has. */
	constructor(documents: number) {
		this.ends = new Uint32Array(documents);
	}

	/** Writes where the places of each posting end, which counts tell; makes room for all, and returns how many these are. */
	reserve(counts: Uint32Array, length: number): number {
		let end = 0;
		for (let index = 0; index < length; index++) this.ends[index] = end += counts[index]!;
		if (end > this.places.length) this.places = new Uint32Array(Math.max(end, this.places.length * 2));
		return end;
	}
}

/**
 * Writes places: for each (the distance of its first part to that of the one before in the document, or to 0) << 1, with 1 added where it
 * covers one part, then how many where it covers more; all as varints. How many a document has is in its posting.
 */
export class PlacesWriter {
	private readonly blocks = new ListBlocks();

	/** Adds places of one document, from `from` to before `to` of what is given. */
	add(places: readonly number[], from: number, to: number): void {
		const { open } = this.blocks;
		let previous = 0;
		for (let index = from; index < to; index++) {
			const place = places[index]!;
			const first = firstOf(place);
			const parts = place & (span - 1);
			open.varint((((first - previous) << 1) | (parts === 1 ? 1 : 0)) >>> 0);
			if (parts !== 1) open.varint(parts);
			previous = first;
		}
	}

	/** Adds those of one document as they are written elsewhere. */
	copy(bytes: Uint8Array, from: number, to: number): void {
		this.blocks.open.append(bytes, from, to);
	}

	/** Ends the list of one term, which is all that was added since the last one, and returns its place. */
	end(): ListPlace {
		return this.blocks.end();
	}

	finish(): Uint8Array[] {
		return this.blocks.finish();
	}
}

/** Reads the list that begins at `offset`, of a term that is in `length` documents so often. */
export function readPlaces(bytes: Uint8Array, offset: number, counts: Uint32Array, length: number, into: Places): void {
	into.reserve(counts, length);
	const { ends, places } = into;
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
			places[index++] = placeOf(first, value & 1 ? 1 : bytes[at++]!);
		}
	}
}

/** Writes where the bytes of each posting end, of the list that `readPlaces` reads. */
export function endsOfPlaces(bytes: Uint8Array, offset: number, counts: Uint32Array, length: number, ends: Uint32Array): void {
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
