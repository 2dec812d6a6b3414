import type { Derived, Expansion } from './expansion';
import { matchPhrase } from './phrase';
import { leavesOf, phrasesOf, type Leaf, type Phrase, type Query } from './query';
import type { CountedSource, Postings, TermEntry } from './source';

/** Documents that match a query, in no order: entry i is the document `documents[i]` of the source `sources[i]`. */
export interface Matches {
	length: number;
	sources: Uint16Array;
	documents: Uint32Array;
	/** Higher is better. */
	scores: Float64Array;
}

/**
 * Finds the documents that match, scored as MiniSearch 7 scores them with one field and its own settings: BM25+ over the live documents of all
 * sources, summed over the leaves, times how many different terms of the query matched. A phrase has the score of `all` of its
 * parts. `accepts` leaves documents out of the result, but not out of the score.
 */
export async function evaluate(
	sources: readonly CountedSource[],
	query: Query,
	expansion: Expansion,
	accepts?: (source: number) => (document: number) => boolean
): Promise<Matches> {
	await load(sources, query, expansion);
	const scorer = new Scorer(sources, leavesOf(query), expansion);
	const found = sources.map((_, index) => scorer.matches(query, index));
	return gather(found, sources, scorer.maskLength, accepts);
}

/** Reads the blocks that a query needs. Rejects as the sources do. */
export async function load(sources: readonly CountedSource[], query: Query, expansion: Expansion): Promise<void> {
	const leaves = leavesOf(query);
	const inPhrases = phrasesOf(query).flatMap(leavesOf);
	await Promise.all(
		sources.flatMap(({ source }, index) => [
			source.load(expansion.entries(leaves, index)),
			source.loadPositions(expansion.entries(inPhrases, index))
		])
	);
}

/** Documents of one source, ascending, with their scores, and a mask of the query's terms that each matches: `maskLength` numbers. */
interface DocumentSet {
	length: number;
	documents: Uint32Array;
	scores: Float64Array;
	masks: Uint32Array;
}

/** Constants of BM25+ in MiniSearch 7. */
const k = 1.2;
const b = 0.7;
const d = 0.5;

class Scorer {
	/** Number of 32-bit numbers that name the terms which a document matches. */
	readonly maskLength: number;
	private readonly bits = new Map<string, number>();
	private readonly postings: Postings;
	private readonly sums: Float64Array;
	/** 1 for each document that a leaf is scored in, while it is scored in some only. */
	private readonly wanted: Uint8Array;
	private readonly total: number;
	private readonly average: number;
	/** Length norms, by number of words. */
	private readonly norms: Float64Array;
	private readonly idfs = new Map<Derived, number>();

	constructor(
		private readonly sources: readonly CountedSource[],
		leaves: Leaf[],
		private readonly expansion: Expansion
	) {
		for (const { term } of leaves) if (!this.bits.has(term)) this.bits.set(term, this.bits.size);
		this.maskLength = Math.ceil(this.bits.size / 32);
		const maxDocuments = Math.max(0, ...sources.map(({ source }) => source.columns.length));
		this.postings = { documents: new Uint32Array(maxDocuments), counts: new Uint32Array(maxDocuments) };
		this.sums = new Float64Array(maxDocuments);
		this.wanted = new Uint8Array(maxDocuments);
		this.total = sources.reduce((sum, { documents }) => sum + documents, 0);
		this.average = sources.reduce((sum, { words }) => sum + words, 0) / this.total;
		this.norms = Float64Array.from({ length: 1024 }, (_, words) => this.normOf(words));
	}

	matches(query: Query, index: number, within?: DocumentSet): DocumentSet {
		if (query.kind === 'term') return this.leaf(query, index, within);
		if (query.kind === 'phrase') return this.phrase(query, index, within);
		const [first, ...rest] = query.of;
		if (query.kind === 'without') {
			return rest.reduce<DocumentSet>((found, other) => this.subtract(found, this.matches(other, index, found)), this.matches(first, index, within));
		}
		if (query.kind === 'any') {
			return rest.reduce<DocumentSet>((found, other) => this.union(found, this.matches(other, index, within)), this.matches(first, index, within));
		}
		// The rarest first: of the others only what is left has to be scored.
		const [rarest, ...others] = query.of.toSorted((one, other) => this.cost(one, index) - this.cost(other, index));
		return others.reduce<DocumentSet>(
			(found, other) => (found.length === 0 ? found : this.intersect(found, this.matches(other, index, found))),
			this.matches(rarest!, index, within)
		);
	}

	private phrase({ of }: Phrase, index: number, within: DocumentSet | undefined): DocumentSet {
		const found = this.matches({ kind: 'all', of }, index, within);
		if (found.length === 0) return found;
		const phrase = of.map((part) => this.expansion.entries(leavesOf(part), index));
		const documents = matchPhrase(this.sources[index]!.source, phrase, found.documents.subarray(0, found.length), this.postings);
		const kept = this.allocate(documents.length);
		for (let i = 0; kept.length < documents.length; i++) if (found.documents[i] === documents[kept.length]) this.push(kept, found, i);
		return kept;
	}

	/** Returns an upper bound of the postings that are read for a query. */
	private cost(query: Query, index: number): number {
		return leavesOf(query).reduce(
			(sum, leaf) => sum + this.expansion.of(leaf).reduce((sum, { entries }) => sum + (entries[index]?.count ?? 0), 0),
			0
		);
	}

	private leaf(leaf: Leaf, index: number, within: DocumentSet | undefined): DocumentSet {
		const derived = this.expansion.of(leaf).filter(({ entries }) => entries[index] !== undefined);
		const bit = this.bits.get(leaf.term)!;
		const { sums, wanted } = this;
		const size = this.sources[index]!.source.columns.length;
		if (derived.length === 0) return { length: 0, documents: new Uint32Array(0), scores: new Float64Array(0), masks: new Uint32Array(0) };
		let first: Uint32Array | undefined;
		let touched = 0;
		// There may be thousands of terms: none of them may take time by how many documents are wanted.
		if (within) for (let i = 0; i < within.length; i++) wanted[within.documents[i]!] = 1;
		for (const one of derived) {
			const scored = this.score(one, index, within !== undefined);
			touched += scored;
			// One term's postings are in order already.
			if (derived.length === 1) first = this.postings.documents.slice(0, scored);
		}
		if (within) for (let i = 0; i < within.length; i++) wanted[within.documents[i]!] = 0;
		const documents = first ?? nonZero(sums, size, touched);
		const scores = new Float64Array(documents.length);
		const masks = new Uint32Array(documents.length * this.maskLength);
		for (let i = 0; i < documents.length; i++) {
			const document = documents[i]!;
			scores[i] = sums[document]!;
			sums[document] = 0;
			masks[i * this.maskLength + (bit >>> 5)]! |= 1 << (bit & 31);
		}
		return { length: documents.length, documents, scores, masks };
	}

	/** Adds a term's scores to `sums`, and moves the scored documents to the front of the postings; returns how many. */
	private score(derived: Derived, index: number, inWanted: boolean): number {
		const { source } = this.sources[index]!;
		const { deleted, columns } = source;
		const { words } = columns;
		const { postings, sums, norms, wanted } = this;
		const factor = derived.weight * this.idf(derived);
		const { documents, counts } = postings;
		const length = source.postings(derived.entries[index]!, postings);
		let kept = 0;
		for (let i = 0; i < length; i++) {
			const document = documents[i]!;
			if (deleted[document] !== 0 || (inWanted && wanted[document] === 0)) continue;
			const count = counts[i]!;
			const long = words[document]!;
			const norm = long < norms.length ? norms[long]! : this.normOf(long);
			sums[document]! += factor * (d + (count * (k + 1)) / (count + norm));
			documents[kept++] = document;
		}
		return kept;
	}

	private normOf(words: number): number {
		return k * (1 - b + (b * words) / this.average);
	}

	/** Returns the inverse document frequency of a term over the live documents of all sources. */
	private idf(derived: Derived): number {
		let idf = this.idfs.get(derived);
		if (idf === undefined) {
			const frequency = derived.entries.reduce((sum, entry, index) => sum + (entry ? this.documentFrequency(entry, index) : 0), 0);
			idf = Math.log(1 + (this.total - frequency + 0.5) / (frequency + 0.5));
			this.idfs.set(derived, idf);
		}
		return idf;
	}

	private documentFrequency(entry: TermEntry, index: number): number {
		const { source, documents } = this.sources[index]!;
		if (documents === source.columns.length) return entry.count;
		const length = source.postings(entry, this.postings);
		let frequency = 0;
		for (let i = 0; i < length; i++) if (source.deleted[this.postings.documents[i]!] === 0) frequency++;
		return frequency;
	}

	private union(one: DocumentSet, other: DocumentSet): DocumentSet {
		const union = this.allocate(one.length + other.length);
		let i = 0;
		let j = 0;
		while (i < one.length || j < other.length) {
			const a = i < one.length ? one.documents[i]! : Infinity;
			const c = j < other.length ? other.documents[j]! : Infinity;
			if (a <= c) this.push(union, one, i++);
			if (c < a) this.push(union, other, j++);
			else if (c === a) this.addToLast(union, other, j++);
		}
		return union;
	}

	private intersect(one: DocumentSet, other: DocumentSet): DocumentSet {
		const both = this.allocate(Math.min(one.length, other.length));
		for (let i = 0, j = 0; i < one.length && j < other.length; ) {
			const a = one.documents[i]!;
			const c = other.documents[j]!;
			if (a === c) {
				this.push(both, one, i++);
				this.addToLast(both, other, j++);
			} else if (a < c) i++;
			else j++;
		}
		return both;
	}

	private subtract(one: DocumentSet, other: DocumentSet): DocumentSet {
		const left = this.allocate(one.length);
		for (let i = 0, j = 0; i < one.length; i++) {
			while (j < other.length && other.documents[j]! < one.documents[i]!) j++;
			if (other.documents[j] !== one.documents[i] || j >= other.length) this.push(left, one, i);
		}
		return left;
	}

	private allocate(length: number): DocumentSet {
		return {
			length: 0,
			documents: new Uint32Array(length),
			scores: new Float64Array(length),
			masks: new Uint32Array(length * this.maskLength)
		};
	}

	private push(into: DocumentSet, from: DocumentSet, i: number): void {
		const { maskLength } = this;
		const at = into.length++;
		into.documents[at] = from.documents[i]!;
		into.scores[at] = from.scores[i]!;
		for (let word = 0; word < maskLength; word++) into.masks[at * maskLength + word] = from.masks[i * maskLength + word]!;
	}

	/** Adds a score and a mask to the document that was pushed last. */
	private addToLast(into: DocumentSet, from: DocumentSet, i: number): void {
		const { maskLength } = this;
		const at = into.length - 1;
		into.scores[at]! += from.scores[i]!;
		for (let word = 0; word < maskLength; word++) into.masks[at * maskLength + word]! |= from.masks[i * maskLength + word]!;
	}
}

/** Returns the indexes below `size` at which a sum is not 0: at most `touched` of them. */
function nonZero(sums: Float64Array, size: number, touched: number): Uint32Array {
	const found = new Uint32Array(Math.min(size, touched));
	let length = 0;
	for (let document = 0; document < size; document++) if (sums[document] !== 0) found[length++] = document;
	return found.subarray(0, length);
}

function gather(
	found: DocumentSet[],
	sources: readonly CountedSource[],
	maskLength: number,
	accepts?: (source: number) => (document: number) => boolean
): Matches {
	const capacity = found.reduce((sum, { length }) => sum + length, 0);
	const matches: Matches = { length: 0, sources: new Uint16Array(capacity), documents: new Uint32Array(capacity), scores: new Float64Array(capacity) };
	found.forEach(({ length, documents, scores, masks }, index) => {
		const accept = length > 0 ? accepts?.(index) : undefined;
		for (let i = 0; i < length; i++) {
			if (accept && !accept(documents[i]!)) continue;
			const at = matches.length++;
			matches.sources[at] = index;
			matches.documents[at] = documents[i]!;
			matches.scores[at] = scores[i]! * popcount(masks, i * maskLength, maskLength);
		}
	});
	return matches;
}

/** Counts the bits set in `length` numbers from `at` on. */
function popcount(masks: Uint32Array, at: number, length: number): number {
	let sum = 0;
	for (let word = at; word < at + length; word++) {
		for (let rest = masks[word]!; rest !== 0; rest &= rest - 1) sum++;
	}
	return sum;
}
