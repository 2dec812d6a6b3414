import { DictionaryWriter } from './dictionary';
import { dropped, partsOf, type FrozenParts } from './freeze';
import { GrowingColumns, rowOf } from './growing-columns';
import { keyAt, KeyBlocksWriter, keysInBlock, type KeyBlock } from './key-blocks';
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

/** How many blocks of a segment are read at once. */
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
	const { dictionary, postings } = await mergeTerms(streams, columns.length, pace);
	return { parts: partsOf(columns, keys, dictionary, postings), numbers };
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
	const room = roomFor(documents);
	for (;;) {
		const same = atLeastTerm(streams);
		const [first] = same;
		if (!first) return { dictionary, postings };
		for (const stream of same) {
			const reading = stream.hold();
			if (reading) await reading;
			stream.take();
		}
		const living = same.filter(({ length }) => length > 0);
		const total = living.length > 1 ? unite(living, room) : (living[0]?.length ?? 0);
		const list = living.length > 1 ? room : living[0]?.room;
		if (list) dictionary.add(first.cursor.units, first.cursor.length, total, postings.add(list, total));
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

/** Writes the postings of all streams, ascending; returns how many. */
function unite(streams: ListStream[], { documents, counts }: Postings): number {
	const places = streams.map(() => 0);
	let length = 0;
	for (;;) {
		let from = 0;
		let document = streams[0]!.room.documents[places[0]!]!;
		for (let index = 1; index < streams.length; index++) {
			const other = streams[index]!.room.documents[places[index]!]!;
			if (other >= document) continue;
			from = index;
			document = other;
		}
		if (document === dropped) return length;
		documents[length] = document;
		counts[length++] = streams[from]!.room.counts[places[from]!++]!;
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
	private blocks = new Map<number, unknown>();

	constructor(
		private readonly segment: Segment,
		private readonly numbers: Uint32Array
	) {
		this.cursor = segment.dictionary.cursor();
		this.room = roomFor(numbers.length);
		this.next();
	}

	next(): void {
		this.isOver = !this.cursor.next();
	}

	/** Makes sure that the postings can be taken: at once, or when what is returned resolves. */
	hold(): Promise<void> | undefined {
		return this.blocks.has(this.cursor.block) ? undefined : this.read();
	}

	/** Writes the postings of the term into `room`. */
	take(): void {
		const { cursor, numbers, room } = this;
		const { documents, counts } = room;
		const all = readPostings(this.blocks.get(cursor.block) as Uint8Array, cursor.offset, cursor.count, room);
		let length = 0;
		for (let index = 0; index < all; index++) {
			const document = numbers[documents[index]!]!;
			if (document === dropped) continue;
			documents[length] = document;
			counts[length++] = counts[index]!;
		}
		documents[length] = dropped;
		this.length = length;
	}

	private async read(): Promise<void> {
		const { reader, head } = this.segment;
		this.blocks = await reader.read('postings', numbersFrom(this.cursor.block, head.postingsBlocks));
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
