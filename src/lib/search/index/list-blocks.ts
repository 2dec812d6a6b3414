import { ByteWriter } from './byte-writer';

/**
 * The lists of a segment are packed into blocks, which are what is read of it at a time: a list is whole in one block, and one
 * that is bigger than a block has a bigger block of its own.
 */

/** About how many bytes a block has. */
export const blockBytes = 64 * 1024;

/** Location of a list: its block, its first byte and its length in bytes. */
export interface ListLocation {
	block: number;
	offset: number;
	bytes: number;
}

/** Packs lists into blocks, in the order in which they come. */
export class ListBlocks {
	/** The bytes of the block that is being written. */
	readonly open = new ByteWriter();
	private readonly full: Uint8Array[] = [];
	/** The first byte of the current list in `open`. */
	private offset = 0;

	/** Ends the current list, which is all that was written to `open` since the last one, and returns its location. */
	end(): ListLocation {
		const { open, offset } = this;
		if (offset > 0 && open.length > blockBytes) {
			this.full.push(open.bytes.slice(0, offset));
			open.bytes.copyWithin(0, offset, open.length);
			open.length -= offset;
			this.offset = open.length;
			return { block: this.full.length, offset: 0, bytes: open.length };
		}
		this.offset = open.length;
		return { block: this.full.length, offset, bytes: open.length - offset };
	}

	/** Returns all blocks. */
	finish(): Uint8Array[] {
		return this.open.length > 0 ? [...this.full, this.open.copy()] : this.full;
	}
}
