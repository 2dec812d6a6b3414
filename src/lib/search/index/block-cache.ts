/** An LRU cache of the blocks of all segments, of at most about so many bytes. */
export class BlockCache {
	/** The one that was used longest ago is first. */
	private readonly blocks = new Map<string, { content: unknown; bytes: number }>();
	private bytes = 0;
	private names = 0;

	constructor(private readonly limit: number) {}

	/** A name that nothing else in here begins with. */
	newName(): string {
		return `${++this.names}:`;
	}

	get(name: string): unknown {
		const block = this.blocks.get(name);
		if (!block) return undefined;
		this.blocks.delete(name);
		this.blocks.set(name, block);
		return block.content;
	}

	/** A block that is bigger than all that may be kept is not kept. */
	put(name: string, content: unknown, bytes: number): void {
		this.drop(name);
		this.blocks.set(name, { content, bytes });
		this.bytes += bytes;
		for (const oldest of this.blocks.keys()) {
			if (this.bytes <= this.limit) return;
			this.drop(oldest);
		}
	}

	private drop(name: string): void {
		this.bytes -= this.blocks.get(name)?.bytes ?? 0;
		this.blocks.delete(name);
	}
}
