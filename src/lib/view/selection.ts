import { SvelteSet } from 'svelte/reactivity';
import type { SessionList } from './session-list.svelte';

/** The chosen sessions of a list. */
export class Selection {
	private readonly ids = new SvelteSet<string>();
	private from: number | undefined;

	constructor(private readonly list: SessionList) {}

	get size(): number {
		return this.ids.size;
	}

	get chosen(): string[] {
		return [...this.ids];
	}

	has(id: string): boolean {
		return this.ids.has(id);
	}

	/** Chooses a row or not, or with `through` all rows from the one that was last chosen to it. */
	async choose(id: string, index: number, on: boolean, { through = false } = {}): Promise<void> {
		const from = this.from ?? index;
		this.from = index;
		const ids = through ? await this.list.ids(Math.min(from, index), Math.max(from, index)) : [id];
		for (const id of ids) on ? this.ids.add(id) : this.ids.delete(id);
	}

	/** Chooses everything that the list has, as it is filtered. */
	async all(): Promise<void> {
		for (const id of await this.list.ids()) this.ids.add(id);
	}

	clear(): void {
		this.ids.clear();
		this.from = undefined;
	}
}
