import { ByteWriter } from './byte-writer';
import { EditDistances } from './edit-distances';
import type { ListLocation } from './list-blocks';
import type { TermEntry } from './source';
import { groupSize, TermCursor, type DictionaryParts, type GroupLists } from './term-cursor';

/** Location of a term's lists. */
export interface TermLocation {
	postings: ListReference;
	positions: ListReference;
}

/** Reference to a list: its location, and its block once that was loaded. */
export interface ListReference {
	block: number;
	offset: number;
	loaded: Uint8Array | undefined;
}

/** Finds terms, which are stored as in `DictionaryParts`. */
export class Dictionary {
	constructor(private readonly parts: DictionaryParts) {}

	find(term: string): TermEntry | undefined {
		const cursor = this.walkTo(term);
		return cursor?.compare(term) === 0 ? entryAt(cursor) : undefined;
	}

	/** Returns the terms with a prefix, in order. */
	withPrefix(prefix: string): TermEntry[] {
		const cursor = this.walkTo(prefix);
		const found: TermEntry[] = [];
		if (!cursor) return found;
		do {
			if (!cursor.startsWith(prefix)) break;
			found.push(entryAt(cursor));
		} while (cursor.next());
		return found;
	}

	/** Returns the terms within a Levenshtein distance of `maxDistance` UTF-16 units, in order. */
	fuzzy(term: string, maxDistance: number): { entry: TermEntry; distance: number }[] {
		const matches: { entry: TermEntry; distance: number }[] = [];
		const distances = new EditDistances(term, maxDistance);
		const cursor = this.cursor();
		let tooFar = Infinity;
		while (cursor.next(tooFar)) {
			tooFar = distances.advance(cursor.units, cursor.shared, cursor.length);
			if (tooFar !== Infinity) continue;
			const distance = distances.distance(cursor.length);
			if (distance <= maxDistance) matches.push({ entry: entryAt(cursor), distance });
		}
		return matches;
	}

	/** A walk over all terms, which stands before the first. */
	cursor(): TermCursor {
		return new TermCursor(this.parts);
	}

	/** Returns a cursor at the first term that is not before this one; undefined where all are. */
	private walkTo(term: string): TermCursor | undefined {
		let low = 0;
		let high = this.parts.groups.length;
		const heads = new TermCursor(this.parts);
		while (low < high) {
			const middle = (low + high) >>> 1;
			heads.enter(middle);
			heads.next();
			if (heads.compare(term) <= 0) low = middle + 1;
			else high = middle;
		}
		heads.enter(Math.max(0, low - 1));
		while (heads.next()) if (heads.compare(term) >= 0) return heads;
		return undefined;
	}
}

function entryAt(cursor: TermCursor): TermEntry {
	const location: TermLocation = { postings: toReference(cursor.postings), positions: toReference(cursor.positions) };
	return { term: cursor.term(), count: cursor.count, location };
}

function toReference({ block, offset }: ListLocation): ListReference {
	return { block, offset, loaded: undefined };
}

/** Writes a dictionary. Terms must come in order, each once. */
export class DictionaryWriter {
	private readonly terms = new ByteWriter();
	private readonly groups: number[] = [];
	private readonly postings = new GroupListsWriter();
	private readonly positions = new GroupListsWriter();
	private previous = new Uint16Array(64);
	private previousLength = 0;
	private count = 0;

	/** The first `length` units are the term; `count` documents have it; `lists` are the locations of its lists. */
	add(units: Uint16Array, length: number, count: number, lists: { postings: ListLocation; positions: ListLocation }): void {
		const { terms, previous } = this;
		const isHead = this.count % groupSize === 0;
		let shared = 0;
		if (isHead) {
			this.groups.push(terms.length);
		} else {
			const maxShared = Math.min(length, this.previousLength);
			while (shared < maxShared && units[shared] === previous[shared]) shared++;
		}
		terms.varint(shared);
		terms.varint(unitsBytes(units, shared, length));
		for (let index = shared; index < length; index++) terms.varint(units[index]!);
		terms.varint(count);
		terms.varint(this.postings.add(lists.postings, isHead));
		terms.varint(this.positions.add(lists.positions, isHead));
		this.count++;
		this.previousLength = length;
		if (length > previous.length) {
			this.previous = new Uint16Array(length * 2);
			this.previous.set(previous);
		}
		for (let index = shared; index < length; index++) this.previous[index] = units[index]!;
	}

	finish(): DictionaryParts {
		return {
			terms: this.terms.copy(),
			count: this.count,
			groups: Uint32Array.from(this.groups),
			postings: this.postings.finish(),
			positions: this.positions.finish()
		};
	}
}

class GroupListsWriter {
	private readonly blocks: number[] = [];
	private readonly offsets: number[] = [];
	private previousBlock = 0;

	/** Returns what is stored with the term. */
	add({ block, offset, bytes }: ListLocation, isHead: boolean): number {
		if (isHead) {
			this.blocks.push(block);
			this.offsets.push(offset);
		}
		const isNewBlock = block !== this.previousBlock;
		this.previousBlock = block;
		return ((bytes << 1) | (isNewBlock ? 1 : 0)) >>> 0;
	}

	finish(): GroupLists {
		return { blocks: Uint32Array.from(this.blocks), offsets: Uint32Array.from(this.offsets) };
	}
}

/** Counts the bytes that the units from `first` to before `end` take as varints. */
function unitsBytes(units: Uint16Array, first: number, end: number): number {
	let bytes = 0;
	for (let index = first; index < end; index++) {
		const unit = units[index]!;
		bytes += unit < 0x80 ? 1 : unit < 0x4000 ? 2 : 3;
	}
	return bytes;
}
