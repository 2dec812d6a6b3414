import type { ListLocation } from './list-blocks';

/**
 * The terms of a segment in the order of their UTF-16 units, each with the location of its postings. A term is stored as what it does not share
 * with the one before, the first of each group of 16 whole, so that a term is found by a search among the first ones and a
 * walk of at most 16. In `terms`, as varints:
 *
 * - how many units it shares with the one before, 0 for the first of a group,
 * - how many bytes the units that follow take, then those units,
 * - how many documents have it,
 * - (how many bytes its postings take) << 1, with 1 added where they begin a new block,
 * - the same of its positions.
 */
export interface DictionaryParts {
	terms: Uint8Array;
	/** Number of terms. */
	count: number;
	/** Offsets of the groups in `terms`. */
	groups: Uint32Array;
	postings: GroupLists;
	positions: GroupLists;
}

/** Locations of the lists of the groups' first terms: block and offset. */
export interface GroupLists {
	blocks: Uint32Array;
	offsets: Uint32Array;
}

/** Number of terms that share one which is stored whole. */
export const groupSize = 16;

/**
 * A walk over the terms of a dictionary, in order. It stands before the first term of a group until `next` is called. Everything that it shows
 * is of the term where it stands, and is overwritten by the next.
 */
export class TermCursor {
	/** The first `length` are the term. */
	units = new Uint16Array(64);
	length = 0;
	/** Number of units that it shares with the term before it. */
	shared = 0;
	/** Number of documents that have it. */
	count = 0;
	readonly postings: ListLocation = { block: 0, offset: 0, bytes: 0 };
	readonly positions: ListLocation = { block: 0, offset: 0, bytes: 0 };
	/** The number of the next term, and where it is in `terms`. */
	private index = 0;
	private at = 0;

	/** Begins before the first term of all. */
	constructor(private readonly parts: DictionaryParts) {}

	/** Goes before the first term of a group. */
	enter(group: number): void {
		this.index = group * groupSize;
		this.at = this.parts.groups[group] ?? 0;
	}

	/** Goes to the next term that shares fewer than `limit` units with the one where it stands. False where there is none. */
	next(limit = Infinity): boolean {
		if (limit !== Infinity) this.skip(limit);
		while (this.index < this.parts.count) {
			const isHead = this.index % groupSize === 0;
			let shared = this.varint();
			const end = this.varint() + this.at;
			if (isHead) shared = this.sharedUpTo(end, Math.min(limit, this.length));
			const isWanted = shared < limit;
			if (isWanted) this.decode(end, isHead ? 0 : shared);
			this.at = end;
			const count = this.varint();
			const group = isHead ? this.index / groupSize : -1;
			advance(this.postings, this.varint(), this.parts.postings, group);
			advance(this.positions, this.varint(), this.parts.positions, group);
			this.index++;
			if (!isWanted) continue;
			this.shared = shared;
			this.count = count;
			return true;
		}
		return false;
	}

	/** Less than 0 where the term is before the other, 0 where it is the same. */
	compare(other: string): number {
		const { units, length } = this;
		const minLength = Math.min(length, other.length);
		for (let index = 0; index < minLength; index++) {
			const difference = units[index]! - other.charCodeAt(index);
			if (difference !== 0) return difference;
		}
		return length - other.length;
	}

	/** Compares as `compare` does, with the term where another cursor stands. */
	compareTo(other: TermCursor): number {
		const { units, length } = this;
		const minLength = Math.min(length, other.length);
		for (let index = 0; index < minLength; index++) {
			const difference = units[index]! - other.units[index]!;
			if (difference !== 0) return difference;
		}
		return length - other.length;
	}

	startsWith(prefix: string): boolean {
		if (prefix.length > this.length) return false;
		for (let index = 0; index < prefix.length; index++) if (this.units[index] !== prefix.charCodeAt(index)) return false;
		return true;
	}

	term(): string {
		let term = '';
		// In pieces, since there is a limit to how many arguments a call can have.
		for (let from = 0; from < this.length; from += 1024) {
			const end = Math.min(from + 1024, this.length);
			const piece: number[] = [];
			for (let index = from; index < end; index++) piece.push(this.units[index]!);
			term += String.fromCharCode(...piece);
		}
		return term;
	}

	/** Skips to the last group that begins with the first `limit` units of the term, if any does: what is before it does so too. */
	private skip(limit: number): void {
		const from = this.at;
		const next = Math.ceil(this.index / groupSize);
		let group = next;
		while (group < this.parts.groups.length && this.headShares(group, limit)) group++;
		if (group > next) this.enter(group - 1);
		else this.at = from;
	}

	private headShares(group: number, limit: number): boolean {
		this.at = this.parts.groups[group]!;
		this.varint();
		const end = this.varint() + this.at;
		return this.sharedUpTo(end, limit) === limit;
	}

	/** Counts the units that the term has in common with the one that is stored whole from here to `end`, `limit` at most. */
	private sharedUpTo(end: number, limit: number): number {
		const { terms } = this.parts;
		let { at } = this;
		let shared = 0;
		while (at < end && shared < limit) {
			let unit = terms[at++]!;
			if (unit > 127) {
				unit = (unit & 127) | ((terms[at]! & 127) << 7);
				if (terms[at++]! > 127) unit |= terms[at++]! << 14;
			}
			if (unit !== this.units[shared]) break;
			shared++;
		}
		return shared;
	}

	/** Decodes the units from here to `end` behind the first `shared`. */
	private decode(end: number, shared: number): void {
		const { terms } = this.parts;
		let { at } = this;
		this.reserve(shared + end - at);
		const { units } = this;
		let length = shared;
		while (at < end) {
			let unit = terms[at++]!;
			if (unit > 127) {
				unit = (unit & 127) | ((terms[at]! & 127) << 7);
				if (terms[at++]! > 127) unit |= terms[at++]! << 14;
			}
			units[length++] = unit;
		}
		this.length = length;
	}

	private reserve(length: number): void {
		if (length <= this.units.length) return;
		const units = new Uint16Array(length * 2);
		units.set(this.units);
		this.units = units;
	}

	private varint(): number {
		const { terms } = this.parts;
		let value = terms[this.at++]!;
		if (value < 128) return value;
		value &= 127;
		let shift = 7;
		let byte: number;
		do {
			byte = terms[this.at++]!;
			value |= (byte & 127) << shift;
			shift += 7;
		} while (byte > 127);
		return value >>> 0;
	}
}

/** Goes on to the list of the next term: the first of `group`, or of none where that is -1. */
function advance(location: ListLocation, stored: number, { blocks, offsets }: GroupLists, group: number): void {
	if (group >= 0) {
		location.block = blocks[group]!;
		location.offset = offsets[group]!;
	} else if (stored & 1) {
		location.block++;
		location.offset = 0;
	} else {
		location.offset += location.bytes;
	}
	location.bytes = stored >>> 1;
}
