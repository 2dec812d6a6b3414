import { positionEnd, positionStart, Positions } from './positions';
import type { Postings, Source, TermEntry } from './source';

/** Positions of a term in some documents: those of the one at `index` are from `begins` to before `ends` of it, ascending. */
interface PositionLists {
	begins: Uint32Array;
	ends: Uint32Array;
	positions: Uint32Array;
}

/** The documents that have the first terms of a phrase, ascending, and the positions at which its next term must start, as in `PositionLists`. */
interface PhraseEnds {
	documents: Uint32Array;
	begins: Uint32Array;
	ends: Uint32Array;
	positions: Uint32Array;
}

/**
 * Returns those of some documents of a source, ascending, that have a phrase: one of its first terms, then one of the next where that
 * ends, and so on. The positions of all terms must be loaded; `postings` is a buffer for those of any of them. Takes time by how often
 * the terms are anywhere in the source, since their positions are read whole.
 */
export function matchPhrase(source: Source, phrase: TermEntry[][], documents: Uint32Array, postings: Postings): Uint32Array {
	const into = new Positions(source.columns.length);
	let left = documents;
	let reached: PhraseEnds | undefined;
	for (const entries of phrase) {
		if (left.length === 0) break;
		const [one] = entries;
		const lists = one && entries.length === 1 ? positionsOf(source, one, left, postings, into) : positionsOfAny(source, entries, left, postings, into);
		reached = extend(left, reached, lists);
		left = reached.documents;
	}
	return left;
}

/** Returns the positions of a term in these documents. They are overwritten when `into` is used again. */
function positionsOf(source: Source, entry: TermEntry, documents: Uint32Array, postings: Postings, into: Positions): PositionLists {
	const begins = new Uint32Array(documents.length);
	const ends = new Uint32Array(documents.length);
	const length = source.postings(entry, postings);
	source.positions(entry, postings.counts, into);
	for (let index = 0, posting = 0; index < documents.length && posting < length; posting++) {
		while (index < documents.length && documents[index]! < postings.documents[posting]!) index++;
		if (documents[index] !== postings.documents[posting]) continue;
		begins[index] = posting === 0 ? 0 : into.ends[posting - 1]!;
		ends[index] = into.ends[posting]!;
	}
	return { begins, ends, positions: into.positions };
}

/** Returns the positions of any of the terms in these documents. */
function positionsOfAny(source: Source, entries: TermEntry[], documents: Uint32Array, postings: Postings, into: Positions): PositionLists {
	/** Indexes into `documents`, and 1 more, by number of document; 0 for none. */
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
	const positions = new Uint32Array(sizes.reduce((sum, size) => sum + size, 0));
	for (const entry of entries) {
		const length = source.postings(entry, postings);
		source.positions(entry, postings.counts, into);
		for (let posting = 0; posting < length; posting++) {
			const slot = slots[postings.documents[posting]!]!;
			if (slot === 0) continue;
			const from = posting === 0 ? 0 : into.ends[posting - 1]!;
			for (let at = from; at < into.ends[posting]!; at++) positions[ends[slot - 1]!++] = into.positions[at]!;
		}
	}
	for (let index = 0; index < documents.length; index++) sortRange(positions, begins[index]!, ends[index]!);
	return { begins, ends, positions };
}

/** Extends the matches by the phrase's next term: by its positions that start where a match ends, or by all of them where the phrase begins. */
function extend(documents: Uint32Array, reached: PhraseEnds | undefined, { begins, ends, positions }: PositionLists): PhraseEnds {
	// At most one end for each position.
	const capacity = ends.reduce((sum, end, index) => sum + end - begins[index]!, 0);
	const next: PhraseEnds = {
		documents: new Uint32Array(documents.length),
		begins: new Uint32Array(documents.length),
		ends: new Uint32Array(documents.length),
		positions: new Uint32Array(capacity)
	};
	const { positions: nextStarts } = next;
	let kept = 0;
	let size = 0;
	for (let index = 0; index < documents.length; index++) {
		const begin = size;
		const reachedEnd = reached ? reached.ends[index]! : 0;
		let before = reached ? reached.begins[index]! : 0;
		for (let at = begins[index]!; at < ends[index]!; at++) {
			const position = positions[at]!;
			if (reached) {
				while (before < reachedEnd && reached.positions[before]! < positionStart(position)) before++;
				if (before === reachedEnd) break;
				if (reached.positions[before] !== positionStart(position)) continue;
			}
			nextStarts[size++] = positionEnd(position);
		}
		if (size === begin) continue;
		sortRange(nextStarts, begin, size);
		next.documents[kept] = documents[index]!;
		next.begins[kept] = begin;
		next.ends[kept++] = size;
	}
	return { ...next, documents: next.documents.subarray(0, kept) };
}

/** Sorts the numbers from `from` to before `to`, which are hardly ever out of order. */
function sortRange(numbers: Uint32Array, from: number, to: number): void {
	for (let at = from + 1; at < to; at++) {
		if (numbers[at]! >= numbers[at - 1]!) continue;
		numbers.subarray(from, to).sort();
		return;
	}
}
