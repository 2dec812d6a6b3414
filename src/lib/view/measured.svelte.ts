import { Dexie, type ObservabilitySet } from 'dexie';
import { createSubscriber } from 'svelte/reactivity';
import { inBackground } from '../storage/storage-failure';

/**
 * Something that is summed up over many rows, as reactive state. A live query would begin anew with each of thousands of changes; this is read
 * again once rows have changed, in any tab, but never twice at once, and at most a fifth of the time.
 */
export class Measured<T> {
	private value = $state.raw<T>();
	private isRead = false;
	private isStale = false;
	private running = false;
	private readonly subscribe: () => void;

	/** `tables` are those whose rows it reads. */
	constructor(
		private readonly tables: readonly string[],
		private readonly measure: () => Promise<T>
	) {
		// Dexie names what was changed by database, table and index, with slashes between.
		const changed = (parts: ObservabilitySet) => {
			const changes = Object.keys(parts);
			if (this.tables.some((table) => changes.some((name) => name.includes(`/${table}/`)))) this.begin();
		};
		this.subscribe = createSubscriber(() => {
			this.isRead = true;
			Dexie.on('storagemutated', changed);
			this.begin();
			return () => {
				this.isRead = false;
				Dexie.on.storagemutated.unsubscribe(changed);
			};
		});
	}

	/** The latest result; undefined until there is one. */
	get current(): T | undefined {
		this.subscribe();
		return this.value;
	}

	private begin(): void {
		this.isStale = true;
		void inBackground(() => this.run());
	}

	private async run(): Promise<void> {
		if (this.running) return;
		this.running = true;
		try {
			while (this.isRead && this.isStale) {
				this.isStale = false;
				const began = performance.now();
				this.value = await this.measure();
				await new Promise((resolve) => setTimeout(resolve, 4 * (performance.now() - began)));
			}
		} finally {
			this.running = false;
		}
	}
}
