/** Rows that are not let in, and why; `count` is how many of that table for that reason. */
export interface LeftOut {
	table: string;
	reason: string;
	count: number;
}

/** Collects what is not let in; of many reasons only the first are told apart. */
export class LeftOuts {
	private readonly found = new Map<string, LeftOut>();

	get list(): LeftOut[] {
		return [...this.found.values()];
	}

	add(table: string, reason: string, count = 1): void {
		const told = this.found.size < maxReasons ? reason : 'For other reasons.';
		const key = `${table} ${told}`;
		const before = this.found.get(key);
		this.found.set(key, { table, reason: told, count: (before?.count ?? 0) + count });
	}
}

const maxReasons = 100;
