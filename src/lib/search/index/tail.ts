import SearchableMap from 'minisearch/SearchableMap';
import type { Document } from './document';
import { documentsOf, GrowingColumns, rowOf, type ColumnsRow } from './growing-columns';
import type { Positions } from './positions';
import { codeFlag, roles, type Columns, type Postings, type Source, type TermEntry } from './source';
import type { DocumentTerms } from './words';

/** The documents that have a term. They ascend, since they are added in the order of their numbers. */
interface TermLists {
	/** A document, how often it has the term, the next document, and so on. */
	postings: number[];
	/** Positions of the term: those of the first document, then those of the next. */
	positions: number[];
}

/** Cost of removed documents that is never worth a compaction. */
const maxRemovedCost = 100_000;

/** Cost of a document besides its postings and positions, roughly. */
const documentCost = 16;

/**
 * The memtable of the index: a source in memory with the documents since the last flush. Documents are numbered as they come. One that is removed
 * keeps its number and its postings until the tail is compacted or flushed.
 */
export class Tail implements Source {
	/**
	 * Deletion flags. The owner of the tail may set and clear them: a session may come back out of the trash. Those of removed documents are set
	 * for good.
	 */
	deleted = new Uint8Array(64);
	readonly terms = new Map<string, TermLists>();
	/** Terms for prefix and fuzzy matches; `unsorted` are terms that are not in it yet, as it is slow to write and not always read. */
	private readonly sorted = new SearchableMap<TermLists>();
	private unsorted: string[] = [];
	/** The documents that were not removed, by key. */
	private readonly numbers = new Map<string, number>();
	private readonly allKeys: string[] = [];
	private readonly growing = new GrowingColumns();
	/** Memory costs, counted in numbers that are held: of each document, of all, and of the removed ones. */
	private readonly costs: number[] = [];
	private totalCost = 0;
	private removedCost = 0;

	get columns(): Columns {
		return this.growing;
	}

	/** Number of documents, without removed ones. */
	get size(): number {
		return this.numbers.size;
	}

	/** True where removed documents cost more than the others: worth `compacted`. */
	get needsCompaction(): boolean {
		return this.removedCost > maxRemovedCost && this.removedCost > this.totalCost / 2;
	}

	has(key: string): boolean {
		return this.numbers.has(key);
	}

	/** Adds a document in the place of one with the same key. Returns its number. */
	add({ key, sessionId, kind, role, model = '', depth, createdAt, hasCode }: Document, { positions, words }: DocumentTerms): number {
		this.remove(key);
		const code = roles.indexOf(kind === 'message' ? role! : kind) | (hasCode ? codeFlag : 0);
		const document = this.number(key, { sessionId, role: code, model, depth, createdAt, words });
		let cost = documentCost;
		for (const [term, own] of positions) {
			cost += 2 + own.length;
			const lists = this.terms.get(term);
			if (lists) {
				lists.postings.push(document, own.length);
				for (const position of own) lists.positions.push(position);
			} else {
				this.terms.set(term, { postings: [document, own.length], positions: own.slice() });
				this.unsorted.push(term);
			}
		}
		this.costs.push(cost);
		this.totalCost += cost;
		return document;
	}

	/** False where there is nothing of that key. */
	remove(key: string): boolean {
		const document = this.numbers.get(key);
		if (document === undefined) return false;
		this.numbers.delete(key);
		this.deleted[document] = 1;
		this.removedCost += this.costs[document]!;
		return true;
	}

	removeAt(document: number): void {
		if (this.isCurrent(document)) this.remove(this.allKeys[document]!);
	}

	/** Returns a tail without what was removed, in which documents have other numbers. */
	compacted(): Tail {
		const tail = new Tail();
		const numbers = new Int32Array(this.growing.length).fill(-1);
		for (const [key, document] of this.numbers) {
			const number = tail.number(key, rowOf(this.growing, document));
			numbers[document] = number;
			tail.deleted[number] = this.deleted[document]!;
			tail.costs.push(this.costs[document]!);
		}
		tail.totalCost = this.totalCost - this.removedCost;
		for (const [term, { postings, positions }] of this.terms) {
			const lists: TermLists = { postings: [], positions: [] };
			let at = 0;
			for (let index = 0; index < postings.length; index += 2) {
				const number = numbers[postings[index]!]!;
				const count = postings[index + 1]!;
				if (number >= 0) {
					lists.postings.push(number, count);
					for (let position = at; position < at + count; position++) lists.positions.push(positions[position]!);
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
	inKeyOrder(): { key: string; document: number }[] {
		return [...this.numbers].map(([key, document]) => ({ key, document })).sort((a, b) => (a.key < b.key ? -1 : 1));
	}

	find(term: string): TermEntry | undefined {
		const lists = this.terms.get(term);
		return lists && entryOf(term, lists);
	}

	withPrefix(prefix: string): TermEntry[] {
		return Array.from(this.sortedTerms().atPrefix(prefix), ([term, lists]) => entryOf(term, lists));
	}

	fuzzy(term: string, maxDistance: number): { entry: TermEntry; distance: number }[] {
		return Array.from(this.sortedTerms().fuzzyGet(term, maxDistance), ([term, [lists, distance]]) => ({ entry: entryOf(term, lists), distance }));
	}

	async load(): Promise<void> {}

	async loadPositions(): Promise<void> {}

	postings({ count, location }: TermEntry, { documents, counts }: Postings): number {
		const list = (location as TermLists).postings;
		for (let index = 0; index < count; index++) {
			documents[index] = list[2 * index]!;
			counts[index] = list[2 * index + 1]!;
		}
		return count;
	}

	positions({ count, location }: TermEntry, counts: Uint32Array, into: Positions): void {
		const list = (location as TermLists).positions;
		const all = into.reserve(counts, count);
		for (let index = 0; index < all; index++) into.positions[index] = list[index]!;
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
		return documentsOf(this.growing, sessionId).filter((document) => this.isCurrent(document));
	}

	/** Assigns a document its number. */
	private number(key: string, row: ColumnsRow): number {
		const document = this.growing.add(row);
		if (document === this.deleted.length) {
			const grown = new Uint8Array(document * 2);
			grown.set(this.deleted);
			this.deleted = grown;
		}
		this.allKeys.push(key);
		this.numbers.set(key, document);
		return document;
	}

	private sortedTerms(): SearchableMap<TermLists> {
		for (const term of this.unsorted) this.sorted.set(term, this.terms.get(term)!);
		this.unsorted = [];
		return this.sorted;
	}

	private isCurrent(document: number): boolean {
		return this.numbers.get(this.allKeys[document]!) === document;
	}
}

function entryOf(term: string, lists: TermLists): TermEntry {
	return { term, count: lists.postings.length / 2, location: lists };
}
