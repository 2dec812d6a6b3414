/** The most that is kept of what may come to be in a summary, in UTF-16 units: more than fits any. Older text is dropped. */
export const maxKept = 1_000_000;

/** The newest items whose sizes make at most `maxKept` together. */
export class Newest<Item extends { size: number }> {
	private items: Item[] = [];
	private from = 0;
	private size = 0;

	push(item: Item): void {
		this.items.push(item);
		this.size += item.size;
		while (this.size > maxKept) this.size -= this.items[this.from++]!.size;
		if (this.from > 1000 && this.from > this.items.length / 2) {
			this.items = this.items.slice(this.from);
			this.from = 0;
		}
	}

	/** Oldest first. */
	list(): Item[] {
		return this.items.slice(this.from);
	}
}
