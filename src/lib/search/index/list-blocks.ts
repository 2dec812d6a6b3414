import { ByteWriter } from './byte-writer';

/**
 * The lists of a segment are packed into blocks, which are what is read of it at a time: a list is whole in one block, and one
 * that is bigger than a block has a bigger block of its own.
 */

/** About how many bytes a block has. */
export const blockBytes = 64 * 1024;

/** Where a list is: its block, from which byte on, and how many bytes it takes. */
export interface ListPlace {
	block: number;
	offset: number;
	bytes: number;
}

/** Packs lists into blocks, in the order in which they come. */
export class ListBlocks {
	/** Where the bytes of the list that is being written go. */
	readonly open = new ByteWriter();
	private readonly full: Uint8Array[] = [];
	/** Where in `open` that list begins. */
	private offset = 0;

	/** What was written to `open` since the last time is one list. */
	end(): ListPlace {
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

	/** All blocks. */
	finish(): Uint8Array[] {
		return this.open.length > 0 ? [...this.full, this.open.copy()] : this.full;
	}
}
