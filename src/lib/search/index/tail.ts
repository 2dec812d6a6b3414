import SearchableMap from 'minisearch/SearchableMap';
import type { Document } from './document';
import { documentsOf, GrowingColumns, rowOf, type ColumnsRow } from './growing-columns';
import type { Places } from './places';
import { codeFlag, roles, type Columns, type Postings, type Source, type TermEntry } from './source';
import type { DocumentTerms } from './words';

/** The documents that have a term. They ascend, since they are added in the order of their numbers. */
interface TermLists {
	/** A document, how often it has the term, the next document, and so on. */
	postings: number[];
	/** Positions of the term: those of the first document, then those of the next. */
	places: number[];
}

/** The numbers that removed documents may take, however little is left. */
const mostRemoved = 100_000;

/** The numbers that a document takes besides its postings and places, roughly. */
const perDocument = 16;

/**
 * The live source: what was added since the last freeze, in memory. Documents are numbered as they come. One that is removed
 * keeps its number and its postings until the tail is compacted or frozen.
 */
export class Tail implements Source {
	/**
	 * Deletion bitmap: the owner of the tail may hide documents in it, and show them again: those of a deleted session may come back. Removed ones are
	 * hidden already, and named nowhere.
	 */
	hidden = new Uint8Array(64);
	readonly terms = new Map<string, TermLists>();
	/** The same for prefixes and near terms; `unsorted` are those that are not in it yet, as it is slow to write and not always read. */
	private readonly sorted = new SearchableMap<TermLists>();
	private unsorted: string[] = [];
	/** The keys of what was not removed. */
	private readonly numbers = new Map<string, number>();
	private readonly allKeys: string[] = [];
	private readonly growing = new GrowingColumns();
	/** The numbers that each document takes, then all of them, and those that were removed. */
	private readonly takes: number[] = [];
	private taken = 0;
	private removed = 0;

	get columns(): Columns {
		return this.growing;
	}

	/** Number of documents, without removed ones. */
	get size(): number {
		return this.numbers.size;
	}

	/** True where removed documents take more of it than the others: worth `compacted`. */
	get isWasted(): boolean {
		return this.removed > mostRemoved && this.removed > this.taken / 2;
	}

	has(key: string): boolean {
		return this.numbers.has(key);
	}

	/** Takes the place of what has the same key. Returns the number of the document. */
	add({ key, sessionId, kind, role, model = '', depth, createdAt, hasCode }: Document, { places, words }: DocumentTerms): number {
		this.remove(key);
		const code = roles.indexOf(kind === 'message' ? role! : kind) | (hasCode ? codeFlag : 0);
		const document = this.number(key, { sessionId, role: code, model, depth, createdAt, words });
		let takes = perDocument;
		for (const [term, own] of places) {
			takes += 2 + own.length;
			const lists = this.terms.get(term);
			if (lists) {
				lists.postings.push(document, own.length);
				for (const place of own) lists.places.push(place);
			} else {
				this.terms.set(term, { postings: [document, own.length], places: own.slice() });
				this.unsorted.push(term);
			}
		}
		this.takes.push(takes);
		this.taken += takes;
		return document;
	}

	/** False where there is nothing of that key. */
	remove(key: string): boolean {
		const document = this.numbers.get(key);
		if (document === undefined) return false;
		this.numbers.delete(key);
		this.hidden[document] = 1;
		this.removed += this.takes[document]!;
		return true;
	}

	removeAt(document: number): void {
		if (this.isHere(document)) this.remove(this.allKeys[document]!);
	}

	/** The same without what was removed: another tail, in which documents have other numbers. */
	compacted(): Tail {
		const tail = new Tail();
		const numbers = new Int32Array(this.growing.length).fill(-1);
		for (const [key, document] of this.numbers) {
			const number = tail.number(key, rowOf(this.growing, document));
			numbers[document] = number;
			tail.hidden[number] = this.hidden[document]!;
			tail.takes.push(this.takes[document]!);
		}
		tail.taken = this.taken - this.removed;
		for (const [term, { postings, places }] of this.terms) {
			const lists: TermLists = { postings: [], places: [] };
			let at = 0;
			for (let index = 0; index < postings.length; index += 2) {
				const number = numbers[postings[index]!]!;
				const count = postings[index + 1]!;
				if (number >= 0) {
					lists.postings.push(number, count);
					for (let place = at; place < at + count; place++) lists.places.push(places[place]!);
				}
				at += count;
			}
			if (lists.postings.length === 0) continue;
			tail.terms.set(term, lists);
			tail.unsorted.push(term);
		}
		return tail;
	}

	/** Lists the documents that were not removed, in the order of the keys. */
	inOrder(): { key: string; document: number }[] {
		return [...this.numbers].map(([key, document]) => ({ key, document })).sort((a, b) => (a.key < b.key ? -1 : 1));
	}

	find(term: string): TermEntry | undefined {
		const lists = this.terms.get(term);
		return lists && entryOf(term, lists);
	}

	withPrefix(prefix: string): TermEntry[] {
		return Array.from(this.inSorted().atPrefix(prefix), ([term, lists]) => entryOf(term, lists));
	}

	near(term: string, maxDistance: number): { entry: TermEntry; distance: number }[] {
		return Array.from(this.inSorted().fuzzyGet(term, maxDistance), ([term, [lists, distance]]) => ({ entry: entryOf(term, lists), distance }));
	}

	async load(): Promise<void> {}

	async loadPlaces(): Promise<void> {}

	postings({ count, place }: TermEntry, { documents, counts }: Postings): number {
		const list = (place as TermLists).postings;
		for (let index = 0; index < count; index++) {
			documents[index] = list[2 * index]!;
			counts[index] = list[2 * index + 1]!;
		}
		return count;
	}

	places({ count, place }: TermEntry, counts: Uint32Array, into: Places): void {
		const list = (place as TermLists).places;
		const all = into.reserve(counts, count);
		for (let index = 0; index < all; index++) into.places[index] = list[index]!;
	}

	async keys(documents: number[]): Promise<string[]> {
		return documents.map((document) => this.allKeys[document]!);
	}

	async findKey(key: string): Promise<number | undefined> {
		return this.numbers.get(key);
	}

	async findKeys(prefix: string): Promise<number[]> {
		return [...this.numbers].flatMap(([key, document]) => (key.startsWith(prefix) ? document : []));
	}

	documentsOf(sessionId: string): number[] {
		return documentsOf(this.growing, sessionId).filter((document) => this.isHere(document));
	}

	/** Gives a document its number. */
	private number(key: string, row: ColumnsRow): number {
		const document = this.growing.add(row);
		if (document === this.hidden.length) {
			const hidden = new Uint8Array(document * 2);
			hidden.set(this.hidden);
			this.hidden = hidden;
		}
		this.allKeys.push(key);
		this.numbers.set(key, document);
		return document;
	}

	private inSorted(): SearchableMap<TermLists> {
		for (const term of this.unsorted) this.sorted.set(term, this.terms.get(term)!);
		this.unsorted = [];
		return this.sorted;
	}

	private isHere(document: number): boolean {
		return this.numbers.get(this.allKeys[document]!) === document;
	}
}

function entryOf(term: string, lists: TermLists): TermEntry {
	return { term, count: lists.postings.length / 2, place: lists };
}
