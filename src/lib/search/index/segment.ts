import type { BlockCache } from './block-cache';
import { Dictionary, type ListReference, type TermLocation } from './dictionary';
import { documentsOf } from './growing-columns';
import { keyAt, keysInBlock, lowerBound, lowerBoundOfKey, type KeyBlock } from './key-blocks';
import { readPositions, type Positions } from './positions';
import { readPostings } from './postings';
import type { Columns, Postings, Source, TermEntry } from './source';
import type { DictionaryParts } from './term-cursor';

/** The part of a segment that is in memory while it is open. Can be stored and posted as it is. */
export interface SegmentHead {
	/** Columns, in arrays no longer than they have to be. Documents are numbered in the order of their keys. */
	columns: Columns;
	dictionary: DictionaryParts;
	/** Number of blocks of postings, and of positions. */
	postingsBlocks: number;
	positionsBlocks: number;
	/** The first key of each block. */
	firstKeys: string[];
}

export type BlockKind = 'postings' | 'positions' | 'keys';

/** Reader of a segment's blocks. */
export interface BlockReader {
	/** Reads blocks, by number: `Uint8Array` for postings and positions, `KeyBlock` for keys. Rejects where one is not there. */
	read(kind: BlockKind, numbers: number[]): Promise<Map<number, unknown>>;
}

/** An immutable source. Its terms and columns are in memory, all else is read when it is needed. */
export class Segment implements Source {
	readonly deleted: Uint8Array;
	readonly dictionary: Dictionary;
	private readonly name: string;

	/** `deletionBitmap` has a bit for each document that is deleted from the start, the lowest of byte 0 for the first. */
	constructor(
		readonly head: SegmentHead,
		deletionBitmap: Uint8Array,
		readonly reader: BlockReader,
		private readonly cache: BlockCache
	) {
		this.dictionary = new Dictionary(head.dictionary);
		this.name = cache.newName();
		this.deleted = new Uint8Array(head.columns.length);
		for (let document = 0; document < this.deleted.length; document++) this.deleted[document] = (deletionBitmap[document >>> 3]! >>> (document & 7)) & 1;
	}

	get columns(): Columns {
		return this.head.columns;
	}

	find(term: string): TermEntry | undefined {
		return this.dictionary.find(term);
	}

	withPrefix(prefix: string): TermEntry[] {
		return this.dictionary.withPrefix(prefix);
	}

	fuzzy(term: string, maxDistance: number): { entry: TermEntry; distance: number }[] {
		return this.dictionary.fuzzy(term, maxDistance);
	}

	/** The entries keep references to their blocks, so that these are there for `postings` whatever leaves the cache. Rejects as the reader does. */
	load(entries: TermEntry[]): Promise<void> {
		return this.loadBlocks('postings', entries);
	}

	postings({ term, count, location }: TermEntry, into: Postings): number {
		const { loaded, offset } = (location as TermLocation).postings;
		if (!loaded) throw new Error(`The postings of ${JSON.stringify(term)} were not loaded.`);
		return readPostings(loaded, offset, count, into);
	}

	/** Loads as `load` does. */
	loadPositions(entries: TermEntry[]): Promise<void> {
		return this.loadBlocks('positions', entries);
	}

	positions({ term, count, location }: TermEntry, counts: Uint32Array, into: Positions): void {
		const { loaded, offset } = (location as TermLocation).positions;
		if (!loaded) throw new Error(`The positions of ${JSON.stringify(term)} were not loaded.`);
		readPositions(loaded, offset, counts, count, into);
	}

	/** Rejects as the reader does. */
	async keys(documents: number[]): Promise<string[]> {
		const blocks = await this.keyBlocks(documents.map((document) => Math.floor(document / keysInBlock)));
		return documents.map((document) => keyAt(blocks.get(Math.floor(document / keysInBlock))!, document % keysInBlock));
	}

	/** Rejects as the reader does. */
	async findKey(key: string): Promise<number | undefined> {
		const { firstKeys } = this.head;
		const number = lowerBound(firstKeys.length, (index) => firstKeys[index]! <= key) - 1;
		if (number < 0) return undefined;
		const block = (await this.keyBlocks([number])).get(number)!;
		const index = lowerBoundOfKey(block, key);
		if (index === block.ends.length || keyAt(block, index) !== key) return undefined;
		return number * keysInBlock + index;
	}

	/** Rejects as the reader does. */
	async findKeys(prefix: string): Promise<number[]> {
		const { firstKeys } = this.head;
		const first = Math.max(0, lowerBound(firstKeys.length, (index) => firstKeys[index]! < prefix) - 1);
		const end = lowerBound(firstKeys.length, (index) => firstKeys[index]! < prefix || firstKeys[index]!.startsWith(prefix));
		const numbers = Array.from({ length: end - first }, (_, index) => first + index);
		const blocks = await this.keyBlocks(numbers);
		const documents: number[] = [];
		for (const number of numbers) {
			const block = blocks.get(number)!;
			for (let index = lowerBoundOfKey(block, prefix); index < block.ends.length && keyAt(block, index).startsWith(prefix); index++) {
				documents.push(number * keysInBlock + index);
			}
		}
		return documents;
	}

	documentsOf(sessionId: string): number[] {
		return documentsOf(this.columns, sessionId);
	}

	private async loadBlocks(kind: 'postings' | 'positions', entries: TermEntry[]): Promise<void> {
		const lists = entries.map(({ location }): ListReference => (location as TermLocation)[kind]).filter(({ loaded }) => !loaded);
		const blocks = await this.blocks<Uint8Array>(kind, new Set(lists.map(({ block }) => block)), ({ byteLength }) => byteLength);
		for (const list of lists) list.loaded = blocks.get(list.block)!;
	}

	private keyBlocks(numbers: number[]): Promise<Map<number, KeyBlock>> {
		return this.blocks<KeyBlock>('keys', new Set(numbers), ({ text, ends }) => text.length + ends.byteLength);
	}

	/** Returns blocks, from the cache where they are in it. */
	private async blocks<Block>(kind: BlockKind, numbers: Set<number>, size: (block: Block) => number): Promise<Map<number, Block>> {
		const blocks = new Map<number, Block>();
		const missing: number[] = [];
		for (const number of numbers) {
			const block = this.cache.get(`${this.name}${kind}${number}`) as Block | undefined;
			if (block) blocks.set(number, block);
			else missing.push(number);
		}
		if (missing.length === 0) return blocks;
		for (const [number, block] of (await this.reader.read(kind, missing)) as Map<number, Block>) {
			this.cache.put(`${this.name}${kind}${number}`, block, size(block));
			blocks.set(number, block);
		}
		return blocks;
	}
}
