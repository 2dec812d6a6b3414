import { liveQuery, type Subscription } from 'dexie';
import { createSubscriber } from 'svelte/reactivity';
import { explainStorageFailure } from '../storage/storage-failure';

/**
 * A database query as reactive state: it runs when first read in an effect, and again whenever a row that it read
 * changes, in any tab. Loading and absent are different: `loading` until the first result, whatever that is.
 */
export class Live<T> {
	private result = $state.raw<{ value: T } | undefined>();
	private error = $state.raw<unknown>();
	private running: Subscription | undefined;
	private readonly subscribe: () => void;

	constructor(private query: () => Promise<T>) {
		this.subscribe = createSubscriber(() => {
			this.run();
			return () => {
				this.running?.unsubscribe();
				this.running = undefined;
			};
		});
	}

	get loading(): boolean {
		this.subscribe();
		return this.result === undefined && this.error === undefined;
	}

	/** The latest result; undefined while loading. */
	get current(): T | undefined {
		this.subscribe();
		return this.result?.value;
	}

	/** Why the query failed: an AppError where the person can do something about it. */
	get failure(): unknown {
		this.subscribe();
		return this.error;
	}

	/** Asks something else from now on. The last result stays until the new one is there. */
	ask(query: () => Promise<T>): void {
		this.query = query;
		if (this.running) this.run();
	}

	private run(): void {
		this.running?.unsubscribe();
		this.running = liveQuery(this.query).subscribe({
			next: (value) => {
				this.result = { value };
				this.error = undefined;
			},
			error: (error) => {
				this.error = explainStorageFailure(error);
			}
		});
	}
}
