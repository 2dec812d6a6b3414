import { DictionaryWriter } from './dictionary';
import { dropped, partsOf, type FrozenParts } from './freeze';
import { GrowingColumns, rowOf } from './growing-columns';
import { keyAt, KeyBlocksWriter, keysInBlock, type KeyBlock } from './key-blocks';
import { endsOfPlaces, PlacesWriter } from './places';
import { PostingsWriter, readPostings } from './postings';
import type { Segment } from './segment';
import type { Postings } from './source';
import type { TermCursor } from './term-cursor';

/** A segment to be merged, and which of its documents are not to be in what is made of it. */
export interface Merged {
	segment: Segment;
	dead: (document: number) => boolean;
}

/** For how many milliseconds a merge works at a time. */
const stretch = 10;

/** Number of blocks of a segment that are read at once. */
const ahead = 4;

/**
 * Makes one segment of several, without the documents that are dead when the merge comes to their keys. `numbers[i][document]` is the new number of
 * a document of `segments[i]`, or `dropped`. No key is in two of them. Blocks are read a few at a time, past the cache; `pause` is called
 * every few milliseconds, so that other work gets its turn. Rejects as the readers do.
 */
export async function merge(segments: Merged[], pause: () => Promise<void>): Promise<{ parts: FrozenParts; numbers: Uint32Array[] }> {
	const pace = new Pace(pause);
	const { columns, keys, numbers } = await mergeKeys(segments, pace);
	const streams = segments.map(({ segment }, index) => new ListStream(segment, numbers[index]!));
	const lists = await mergeTerms(streams, columns.length, pace);
	return { parts: partsOf({ columns, keys, ...lists }), numbers };
}

/** The keys and columns of what is made, in the order of the keys. */
async function mergeKeys(segments: Merged[], pace: Pace) {
	const columns = new GrowingColumns();
	const keys = new KeyBlocksWriter();
	const numbers = segments.map(({ segment }) => new Uint32Array(segment.columns.length).fill(dropped));
	const streams = segments.map(({ segment, dead }) => new KeyStream(segment, dead));
	for (const stream of streams) await stream.next();
	for (;;) {
		let least = -1;
		for (let index = 0; index < streams.length; index++) {
			const { key } = streams[index]!;
			if (key !== undefined && (least < 0 || key < streams[least]!.key!)) least = index;
		}
		if (least < 0) return { columns, keys, numbers };
		const stream = streams[least]!;
		keys.add(stream.key!);
		numbers[least]![stream.document] = columns.add(rowOf(segments[least]!.segment.columns, stream.document));
		const reading = stream.next();
		if (reading) await reading;
		if (pace.isDue()) await pace.rest();
	}
}

async function mergeTerms(streams: ListStream[], documents: number, pace: Pace) {
	const dictionary = new DictionaryWriter();
	const postings = new PostingsWriter();
	const places = new PlacesWriter();
	const room = roomFor(documents);
	for (;;) {
		const same = atLeastTerm(streams);
		const [first] = same;
		if (!first) return { dictionary, postings, places };
		for (const stream of same) {
			const reading = stream.hold();
			if (reading) await reading;
			stream.take();
		}
		const living = same.filter(({ length }) => length > 0);
		if (living.length > 0) {
			const total = unite(living, room, places);
			dictionary.add(first.cursor.units, first.cursor.length, total, { postings: postings.add(room, total), places: places.end() });
		}
		for (const stream of same) stream.next();
		if (pace.isDue()) await pace.rest();
	}
}

/** Those that stand at the first of all terms where one stands; none at the end. */
function atLeastTerm(streams: ListStream[]): ListStream[] {
	let same: ListStream[] = [];
	for (const stream of streams) {
		if (stream.isOver) continue;
		const order = same[0] ? stream.cursor.compareTo(same[0].cursor) : -1;
		if (order < 0) same = [stream];
		else if (order === 0) same.push(stream);
	}
	return same;
}

/** Writes the postings of all streams, ascending, and their places; returns how many documents these are of. */
function unite(streams: ListStream[], { documents, counts }: Postings, places: PlacesWriter): number {
	const next = streams.map(() => 0);
	let length = 0;
	for (;;) {
		let from = 0;
		let document = streams[0]!.room.documents[next[0]!]!;
		for (let index = 1; index < streams.length; index++) {
			const other = streams[index]!.room.documents[next[index]!]!;
			if (other >= document) continue;
			from = index;
			document = other;
		}
		if (document === dropped) return length;
		const stream = streams[from]!;
		const at = next[from]!++;
		stream.copyPlaces(at, places);
		documents[length] = document;
		counts[length++] = stream.room.counts[at]!;
	}
}

/** With room for one more: `dropped`, which is behind all others. */
function roomFor(documents: number): Postings {
	return { documents: new Uint32Array(documents + 1), counts: new Uint32Array(documents + 1) };
}

/** The keys of a segment's living documents, one after the other. */
class KeyStream {
	/** Undefined at the end. */
	key: string | undefined;
	document = -1;
	private blocks = new Map<number, unknown>();

	constructor(
		private readonly segment: Segment,
		private readonly dead: (document: number) => boolean
	) {}

	/** Goes to the next key: at once, or when what is returned resolves. */
	next(): Promise<void> | undefined {
		const { length } = this.segment.columns;
		do this.document++;
		while (this.document < length && this.dead(this.document));
		if (this.document === length) {
			this.key = undefined;
			return undefined;
		}
		return this.takeKey() ? undefined : this.read();
	}

	private takeKey(): boolean {
		const block = this.blocks.get(Math.floor(this.document / keysInBlock)) as KeyBlock | undefined;
		if (block) this.key = keyAt(block, this.document % keysInBlock);
		return block !== undefined;
	}

	private async read(): Promise<void> {
		const { reader, head } = this.segment;
		this.blocks = await reader.read('keys', numbersFrom(Math.floor(this.document / keysInBlock), head.firstKeys.length));
		this.takeKey();
	}
}

/** The terms of a segment with their postings, one after the other. */
class ListStream {
	readonly cursor: TermCursor;
	isOver = false;
	/** The first `length` are the postings of living documents, by their new numbers; `dropped` comes after them. */
	readonly room: Postings;
	length = 0;
	/** By posting, where its places are in their block. */
	private readonly from: Uint32Array;
	private readonly to: Uint32Array;
	private postings = new Map<number, unknown>();
	private places = new Map<number, unknown>();

	constructor(
		private readonly segment: Segment,
		private readonly numbers: Uint32Array
	) {
		this.cursor = segment.dictionary.cursor();
		this.room = roomFor(numbers.length);
		this.from = new Uint32Array(numbers.length);
		this.to = new Uint32Array(numbers.length);
		this.next();
	}

	next(): void {
		this.isOver = !this.cursor.next();
	}

	/** Makes sure that the term's lists can be taken: at once, or when what is returned resolves. */
	hold(): Promise<void> | undefined {
		const { postings, places } = this.cursor;
		return this.postings.has(postings.block) && this.places.has(places.block) ? undefined : this.read();
	}

	/** Writes the postings of the term into `room`. */
	take(): void {
		const { cursor, numbers, room, from, to } = this;
		const { documents, counts } = room;
		const { block, offset } = cursor.postings;
		const all = readPostings(this.postings.get(block) as Uint8Array, offset, cursor.count, room);
		endsOfPlaces(this.placesBlock(), cursor.places.offset, counts, all, to);
		let begin = cursor.places.offset;
		let length = 0;
		for (let index = 0; index < all; index++) {
			const document = numbers[documents[index]!]!;
			const end = to[index]!;
			if (document !== dropped) {
				documents[length] = document;
				from[length] = begin;
				to[length] = end;
				counts[length++] = counts[index]!;
			}
			begin = end;
		}
		documents[length] = dropped;
		this.length = length;
	}

	/** Writes the places of one of the postings in `room`. */
	copyPlaces(posting: number, into: PlacesWriter): void {
		into.copy(this.placesBlock(), this.from[posting]!, this.to[posting]!);
	}

	private placesBlock(): Uint8Array {
		return this.places.get(this.cursor.places.block) as Uint8Array;
	}

	private async read(): Promise<void> {
		const { reader, head } = this.segment;
		const { postings, places } = this.cursor;
		if (!this.postings.has(postings.block)) this.postings = await reader.read('postings', numbersFrom(postings.block, head.postingsBlocks));
		if (!this.places.has(places.block)) this.places = await reader.read('places', numbersFrom(places.block, head.placesBlocks));
	}
}

/** A few numbers of blocks, of so many. */
function numbersFrom(first: number, blocks: number): number[] {
	return Array.from({ length: Math.min(ahead, blocks - first) }, (_, index) => first + index);
}

/** Tells when it is time to let other work have its turn. */
class Pace {
	private since = performance.now();

	constructor(private readonly pause: () => Promise<void>) {}

	isDue(): boolean {
		return performance.now() - this.since >= stretch;
	}

	async rest(): Promise<void> {
		await this.pause();
		this.since = performance.now();
	}
}
