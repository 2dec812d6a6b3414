import { afterOf, firstOf, Places } from './places';
import type { Postings, Source, TermEntry } from './source';

/** Places of some documents: of the one at `index`, those from `begins` to before `ends` of it, ascending. */
interface Placed {
	begins: Uint32Array;
	ends: Uint32Array;
	places: Uint32Array;
}

/** The documents in which a row of terms may go on, ascending, and the parts of the text at which, as in `Placed`. */
interface Reached {
	documents: Uint32Array;
	begins: Uint32Array;
	ends: Uint32Array;
	parts: Uint32Array;
}

/**
 * Those of some documents of a source, ascending, that have a row of terms: one of the first terms, then one of the next where that
 * ends, and so on. The places of all terms must be loaded, and `postings` is room for those of any of them. Takes time by how often the terms
 * are anywhere in the source: their places are read whole.
 */
export function inRow(source: Source, row: TermEntry[][], documents: Uint32Array, postings: Postings): Uint32Array {
	const into = new Places(source.columns.length);
	let left = documents;
	let reached: Reached | undefined;
	for (const entries of row) {
		if (left.length === 0) break;
		const [one] = entries;
		const placed = one && entries.length === 1 ? placesOf(source, one, left, postings, into) : placesOfAny(source, entries, left, postings, into);
		reached = goOn(left, reached, placed);
		left = reached.documents;
	}
	return left;
}

/** Returns the positions of a term in these documents. They are overwritten when `into` is used again. */
function placesOf(source: Source, entry: TermEntry, documents: Uint32Array, postings: Postings, into: Places): Placed {
	const begins = new Uint32Array(documents.length);
	const ends = new Uint32Array(documents.length);
	const length = source.postings(entry, postings);
	source.places(entry, postings.counts, into);
	for (let index = 0, posting = 0; index < documents.length && posting < length; posting++) {
		while (index < documents.length && documents[index]! < postings.documents[posting]!) index++;
		if (documents[index] !== postings.documents[posting]) continue;
		begins[index] = posting === 0 ? 0 : into.ends[posting - 1]!;
		ends[index] = into.ends[posting]!;
	}
	return { begins, ends, places: into.places };
}

/** Returns the positions of any of the terms in these documents. */
function placesOfAny(source: Source, entries: TermEntry[], documents: Uint32Array, postings: Postings, into: Places): Placed {
	/** By number of any document, its index in `documents` and 1 more. */
	const slots = new Uint32Array(source.columns.length);
	for (let index = 0; index < documents.length; index++) slots[documents[index]!] = index + 1;
	const sizes = new Uint32Array(documents.length);
	for (const entry of entries) {
		const length = source.postings(entry, postings);
		for (let posting = 0; posting < length; posting++) {
			const slot = slots[postings.documents[posting]!]!;
			if (slot > 0) sizes[slot - 1]! += postings.counts[posting]!;
		}
	}
	const begins = new Uint32Array(documents.length);
	for (let index = 1; index < documents.length; index++) begins[index] = begins[index - 1]! + sizes[index - 1]!;

	const ends = begins.slice();
	const places = new Uint32Array(sizes.reduce((sum, size) => sum + size, 0));
	for (const entry of entries) {
		const length = source.postings(entry, postings);
		source.places(entry, postings.counts, into);
		for (let posting = 0; posting < length; posting++) {
			const slot = slots[postings.documents[posting]!]!;
			if (slot === 0) continue;
			const from = posting === 0 ? 0 : into.ends[posting - 1]!;
			for (let at = from; at < into.ends[posting]!; at++) places[ends[slot - 1]!++] = into.places[at]!;
		}
	}
	for (let index = 0; index < documents.length; index++) sortPiece(places, begins[index]!, ends[index]!);
	return { begins, ends, places };
}

/** Returns the positions that the phrase has reached after one more part: from those places at which it goes on, or all of them where it begins. */
function goOn(documents: Uint32Array, reached: Reached | undefined, { begins, ends, places }: Placed): Reached {
	// In each document at most as many as there are places.
	const room = ends.reduce((sum, end, index) => sum + end - begins[index]!, 0);
	const next: Reached = {
		documents: new Uint32Array(documents.length),
		begins: new Uint32Array(documents.length),
		ends: new Uint32Array(documents.length),
		parts: new Uint32Array(room)
	};
	const { parts } = next;
	let kept = 0;
	let size = 0;
	for (let index = 0; index < documents.length; index++) {
		const begin = size;
		const reachedEnd = reached ? reached.ends[index]! : 0;
		let before = reached ? reached.begins[index]! : 0;
		for (let at = begins[index]!; at < ends[index]!; at++) {
			const place = places[at]!;
			if (reached) {
				while (before < reachedEnd && reached.parts[before]! < firstOf(place)) before++;
				if (before === reachedEnd) break;
				if (reached.parts[before] !== firstOf(place)) continue;
			}
			parts[size++] = afterOf(place);
		}
		if (size === begin) continue;
		sortPiece(parts, begin, size);
		next.documents[kept] = documents[index]!;
		next.begins[kept] = begin;
		next.ends[kept++] = size;
	}
	return { ...next, documents: next.documents.subarray(0, kept) };
}

/** Sorts what is from `from` to before `to`, which is hardly ever out of order. */
function sortPiece(numbers: Uint32Array, from: number, to: number): void {
	for (let at = from + 1; at < to; at++) {
		if (numbers[at]! >= numbers[at - 1]!) continue;
		numbers.subarray(from, to).sort();
		return;
	}
}
