/**
 * The keys of a segment's documents, in the order of their UTF-16 units, which is that of the documents' numbers. A block has 1024 of them one
 * after the other in one text: that is read much faster than as many strings, of which a few are wanted. `ends` says where each ends.
 */
export interface KeyBlock {
	text: string;
	ends: Uint32Array;
}

export const keysInBlock = 1024;

/** Returns the key at an index in its block. */
export function keyAt({ text, ends }: KeyBlock, index: number): string {
	return text.slice(index === 0 ? 0 : ends[index - 1], ends[index]);
}

/** Returns the index of the first key that is not before this one; the number of keys where all are. */
export function lowerBoundOfKey(block: KeyBlock, key: string): number {
	return lowerBound(block.ends.length, (index) => keyAt(block, index) < key);
}

/** The first of the numbers from 0 to before `length` of which it is not true that they are before something, or `length`. */
export function lowerBound(length: number, isBefore: (index: number) => boolean): number {
	let low = 0;
	let high = length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (isBefore(middle)) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** Writes blocks of keys, which must come in order. */
export class KeyBlocksWriter {
	private readonly blocks: KeyBlock[] = [];
	private readonly firstKeys: string[] = [];
	private open: string[] = [];

	add(key: string): void {
		this.open.push(key);
		if (this.open.length === keysInBlock) this.close();
	}

	/** Returns all blocks, and the first key of each. */
	finish(): { blocks: KeyBlock[]; firstKeys: string[] } {
		if (this.open.length > 0) this.close();
		return { blocks: this.blocks, firstKeys: this.firstKeys };
	}

	private close(): void {
		const { open } = this;
		let end = 0;
		this.blocks.push({ text: open.join(''), ends: Uint32Array.from(open, (key) => (end += key.length)) });
		// A copy: a key that was cut from the text of another block would keep all of that in memory.
		this.firstKeys.push(structuredClone(open[0]!));
		this.open = [];
	}
}
