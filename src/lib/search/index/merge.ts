import { DictionaryWriter } from './dictionary';
import { noDocument, partsOf, type SegmentParts } from './flush';
import { GrowingColumns, rowOf } from './growing-columns';
import { keyAt, KeyBlocksWriter, keysInBlock, type KeyBlock } from './key-blocks';
import { endsOfPositions, PositionsWriter } from './positions';
import { PostingsWriter, readPostings } from './postings';
import type { Segment } from './segment';
import type { Postings } from './source';
import type { TermCursor } from './term-cursor';

/** A segment to be merged, and its deleted documents, which are left out. */
export interface MergeInput {
	segment: Segment;
	isDeleted: (document: number) => boolean;
}

/** Duration of a merge's work between two pauses. */
const sliceMs = 10;

/** Number of blocks of a segment that are read at once. */
const readAhead = 4;

/**
 * Makes one segment of several, without the documents that are deleted when the merge comes to their keys. `numbers[i][document]` is the new number of
 * a document of `segments[i]`, or `noDocument`. No key is in two of them. Blocks are read a few at a time, past the cache; `pause` is called
 * every few milliseconds, so that other work gets its turn. Rejects as the readers do.
 */
export async function merge(segments: MergeInput[], pause: () => Promise<void>): Promise<{ parts: SegmentParts; numbers: Uint32Array[] }> {
	const timer = new YieldTimer(pause);
	const { columns, keys, numbers } = await mergeKeys(segments, timer);
	const streams = segments.map(({ segment }, index) => new ListStream(segment, numbers[index]!));
	const lists = await mergeTerms(streams, columns.length, timer);
	return { parts: partsOf({ columns, keys, ...lists }), numbers };
}

/** Merges keys and columns, in the order of the keys. */
async function mergeKeys(segments: MergeInput[], timer: YieldTimer) {
	const columns = new GrowingColumns();
	const keys = new KeyBlocksWriter();
	const numbers = segments.map(({ segment }) => new Uint32Array(segment.columns.length).fill(noDocument));
	const streams = segments.map(({ segment, isDeleted }) => new KeyStream(segment, isDeleted));
	for (const stream of streams) await stream.next();
	for (;;) {
		let smallest = -1;
		for (let index = 0; index < streams.length; index++) {
			const { key } = streams[index]!;
			if (key !== undefined && (smallest < 0 || key < streams[smallest]!.key!)) smallest = index;
		}
		if (smallest < 0) return { columns, keys, numbers };
		const stream = streams[smallest]!;
		keys.add(stream.key!);
		numbers[smallest]![stream.document] = columns.add(rowOf(segments[smallest]!.segment.columns, stream.document));
		const reading = stream.next();
		if (reading) await reading;
		if (timer.isDue()) await timer.yield();
	}
}

async function mergeTerms(streams: ListStream[], documents: number, timer: YieldTimer) {
	const dictionary = new DictionaryWriter();
	const postings = new PostingsWriter();
	const positions = new PositionsWriter();
	const merged = allocatePostings(documents);
	for (;;) {
		const same = atSmallestTerm(streams);
		const [first] = same;
		if (!first) return { dictionary, postings, positions };
		for (const stream of same) {
			const reading = stream.load();
			if (reading) await reading;
			stream.decode();
		}
		const live = same.filter(({ length }) => length > 0);
		if (live.length > 0) {
			const total = mergePostings(live, merged, positions);
			dictionary.add(first.cursor.units, first.cursor.length, total, { postings: postings.add(merged, total), positions: positions.end() });
		}
		for (const stream of same) stream.next();
		if (timer.isDue()) await timer.yield();
	}
}

/** Returns the streams whose term is the smallest of all; none at the end. */
function atSmallestTerm(streams: ListStream[]): ListStream[] {
	let same: ListStream[] = [];
	for (const stream of streams) {
		if (stream.isOver) continue;
		const order = same[0] ? stream.cursor.compareTo(same[0].cursor) : -1;
		if (order < 0) same = [stream];
		else if (order === 0) same.push(stream);
	}
	return same;
}

/** Merges the postings of all streams, ascending, and copies their positions; returns how many postings these are. */
function mergePostings(streams: ListStream[], { documents, counts }: Postings, positions: PositionsWriter): number {
	const next = streams.map(() => 0);
	let length = 0;
	for (;;) {
		let from = 0;
		let document = streams[0]!.buffer.documents[next[0]!]!;
		for (let index = 1; index < streams.length; index++) {
			const other = streams[index]!.buffer.documents[next[index]!]!;
			if (other >= document) continue;
			from = index;
			document = other;
		}
		if (document === noDocument) return length;
		const stream = streams[from]!;
		const at = next[from]!++;
		stream.copyPositions(at, positions);
		documents[length] = document;
		counts[length++] = stream.buffer.counts[at]!;
	}
}

/** Allocates postings, and one more for the `noDocument` that ends them. */
function allocatePostings(documents: number): Postings {
	return { documents: new Uint32Array(documents + 1), counts: new Uint32Array(documents + 1) };
}

/** A stream of the keys of a segment's live documents. */
class KeyStream {
	/** Undefined at the end. */
	key: string | undefined;
	document = -1;
	private blocks = new Map<number, unknown>();

	constructor(
		private readonly segment: Segment,
		private readonly isDeleted: (document: number) => boolean
	) {}

	/** Goes to the next key: at once, or when what is returned resolves. */
	next(): Promise<void> | undefined {
		const { length } = this.segment.columns;
		do this.document++;
		while (this.document < length && this.isDeleted(this.document));
		if (this.document === length) {
			this.key = undefined;
			return undefined;
		}
		return this.decodeKey() ? undefined : this.read();
	}

	private decodeKey(): boolean {
		const block = this.blocks.get(Math.floor(this.document / keysInBlock)) as KeyBlock | undefined;
		if (block) this.key = keyAt(block, this.document % keysInBlock);
		return block !== undefined;
	}

	private async read(): Promise<void> {
		const { reader, head } = this.segment;
		this.blocks = await reader.read('keys', blockNumbersFrom(Math.floor(this.document / keysInBlock), head.firstKeys.length));
		this.decodeKey();
	}
}

/** A stream of the terms of a segment with their postings. */
class ListStream {
	readonly cursor: TermCursor;
	isOver = false;
	/** The first `length` are the postings of live documents, by their new numbers; `noDocument` ends them. */
	readonly buffer: Postings;
	length = 0;
	/** Byte ranges of the positions of each posting in their block. */
	private readonly from: Uint32Array;
	private readonly to: Uint32Array;
	private postings = new Map<number, unknown>();
	private positions = new Map<number, unknown>();

	constructor(
		private readonly segment: Segment,
		private readonly numbers: Uint32Array
	) {
		this.cursor = segment.dictionary.cursor();
		this.buffer = allocatePostings(numbers.length);
		this.from = new Uint32Array(numbers.length);
		this.to = new Uint32Array(numbers.length);
		this.next();
	}

	next(): void {
		this.isOver = !this.cursor.next();
	}

	/** Loads the term's lists: at once, or when what is returned resolves. */
	load(): Promise<void> | undefined {
		const { postings, positions } = this.cursor;
		return this.postings.has(postings.block) && this.positions.has(positions.block) ? undefined : this.read();
	}

	/** Decodes the postings of the term into `buffer`. */
	decode(): void {
		const { cursor, numbers, buffer, from, to } = this;
		const { documents, counts } = buffer;
		const { block, offset } = cursor.postings;
		const all = readPostings(this.postings.get(block) as Uint8Array, offset, cursor.count, buffer);
		endsOfPositions(this.positionsBlock(), cursor.positions.offset, counts, all, to);
		let begin = cursor.positions.offset;
		let length = 0;
		for (let index = 0; index < all; index++) {
			const document = numbers[documents[index]!]!;
			const end = to[index]!;
			if (document !== noDocument) {
				documents[length] = document;
				from[length] = begin;
				to[length] = end;
				counts[length++] = counts[index]!;
			}
			begin = end;
		}
		documents[length] = noDocument;
		this.length = length;
	}

	/** Copies the positions of one of the postings in `buffer`. */
	copyPositions(posting: number, into: PositionsWriter): void {
		into.copy(this.positionsBlock(), this.from[posting]!, this.to[posting]!);
	}

	private positionsBlock(): Uint8Array {
		return this.positions.get(this.cursor.positions.block) as Uint8Array;
	}

	private async read(): Promise<void> {
		const { reader, head } = this.segment;
		const { postings, positions } = this.cursor;
		if (!this.postings.has(postings.block)) this.postings = await reader.read('postings', blockNumbersFrom(postings.block, head.postingsBlocks));
		if (!this.positions.has(positions.block)) this.positions = await reader.read('positions', blockNumbersFrom(positions.block, head.positionsBlocks));
	}
}

/** Returns the numbers of the next blocks to read, of so many. */
function blockNumbersFrom(first: number, blocks: number): number[] {
	return Array.from({ length: Math.min(readAhead, blocks - first) }, (_, index) => first + index);
}

/** A timer that tells when to yield to other work. */
class YieldTimer {
	private since = performance.now();

	constructor(private readonly pause: () => Promise<void>) {}

	isDue(): boolean {
		return performance.now() - this.since >= sliceMs;
	}

	async yield(): Promise<void> {
		await this.pause();
		this.since = performance.now();
	}
}
