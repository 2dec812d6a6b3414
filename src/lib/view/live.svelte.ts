import { liveQuery, type Subscription } from 'dexie';
import { createSubscriber } from 'svelte/reactivity';
import type { AppError } from '../shared/app-error';
import { failureOf } from './attempt';

/**
 * A database query as reactive state: it runs when first read in an effect, and again whenever a row that it read
 * changes, in any tab. Loading and absent are different: `loading` until the first result, whatever that is.
 */
export class Live<Rows, T = Rows> {
	private result = $state.raw<{ value: T } | undefined>();
	private error = $state.raw<AppError | undefined>();
	private running: Subscription | undefined;
	private latest: { rows: Rows } | undefined;
	private readonly subscribe: () => void;

	/**
	 * `finish` makes the result of what was read, outside of the query: there it may wait for what is not in the database,
	 * which in the query itself would make Dexie lose track.
	 */
	constructor(
		private query: () => Promise<Rows>,
		private readonly finish?: (rows: Rows) => Promise<T>
	) {
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

	/** The reason for which the query failed, or what makes its result, to be shown as it is. */
	get failure(): AppError | undefined {
		this.subscribe();
		return this.error;
	}

	/** Asks something else from now on. The last result stays until the new one is there. */
	ask(query: () => Promise<Rows>): void {
		this.query = query;
		if (this.running) this.run();
	}

	/** Finishes the rows that were read last once more: what they are finished with has changed. */
	finishAgain(): void {
		if (this.latest && this.finish) void this.settle(this.latest.rows, this.finish);
	}

	private run(): void {
		this.running?.unsubscribe();
		// Dexie keeps track of what a query reads over its awaits only if the function that it is given is async itself.
		this.running = liveQuery(async () => this.query()).subscribe({
			next: (rows) => {
				if (this.finish) void this.settle(rows, this.finish);
				else {
					this.result = { value: rows as unknown as T };
					this.error = undefined;
				}
			},
			error: (error) => {
				this.latest = undefined;
				this.error = failureOf(error);
			}
		});
	}

	private async settle(rows: Rows, finish: (rows: Rows) => Promise<T>): Promise<void> {
		const latest = (this.latest = { rows });
		try {
			const value = await finish(rows);
			if (this.latest !== latest) return;
			this.result = { value };
			this.error = undefined;
		} catch (error) {
			if (this.latest === latest) this.error = failureOf(error);
		}
	}
}
