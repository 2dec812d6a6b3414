import type { UnfinishedAnswer } from '../storage/answers';

const interval = 1000;

/**
 * Writes an answer down while it streams, about once a second, so that a closed tab loses at most that much [E11].
 * A failed write is kept and thrown by the next `note` or by `close`, where the turn can end on it.
 */
export class Journal {
	private timer: ReturnType<typeof setTimeout> | undefined;
	private latest: UnfinishedAnswer | undefined;
	private writing: Promise<void> = Promise.resolve();
	private failure: unknown;

	constructor(private readonly write: (answer: UnfinishedAnswer) => Promise<void>) {}

	note(answer: UnfinishedAnswer): void {
		if (this.failure !== undefined) throw this.failure;
		this.latest = answer;
		this.timer ??= setTimeout(() => this.flush(), interval);
	}

	/** Writes what is left, if `keep`, and waits until nothing is being written. */
	async close({ keep }: { keep: boolean }): Promise<void> {
		clearTimeout(this.timer);
		if (keep) this.flush();
		await this.writing;
		if (keep && this.failure !== undefined) throw this.failure;
	}

	private flush(): void {
		this.timer = undefined;
		const answer = this.latest;
		if (!answer) return;
		this.latest = undefined;
		this.writing = this.writing
			.then(() => this.write(answer))
			.catch((error: unknown) => {
				this.failure = error;
			});
	}
}
