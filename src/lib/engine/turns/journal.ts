import { endSince, lengthOf } from '../../conversation/answer-end';
import type { UnfinishedAnswer } from '../../conversation/growing-answer';
import type { AnswerTail } from '../../storage/answers';

/**
 * At most this share of the time since its first word is of an answer not written down. Nor are more than so many milliseconds
 * while it is short; each write is of all of it, so that a long one is written less often, at most so many characters a millisecond.
 */
const maxShare = 0.02;
const maxMs = 200;
const charactersPerMs = 200;

/**
 * Writes an answer down while it streams: its first words at once, then ever so often that a tab that dies loses next to
 * nothing [E11]. One write at a time, each of all that there is by then. A failed one is the last, but for those of `save`;
 * what was noted is still here then.
 */
export class Journal {
	private latest: UnfinishedAnswer | undefined;
	private written: UnfinishedAnswer | undefined;
	private writing: Promise<void> | undefined;
	private timer: ReturnType<typeof setTimeout> | undefined;
	/** Nothing is written before this time. */
	private notBefore = 0;
	private readonly failing = new AbortController();
	private firstAt = 0;
	private lastAt = 0;
	private closed = false;

	constructor(private readonly write: (answer: UnfinishedAnswer) => Promise<void>) {}

	note(answer: UnfinishedAnswer): void {
		if (!this.latest) this.firstAt = performance.now();
		this.latest = answer;
		if (performance.now() >= this.notBefore) this.writeWhenDue();
	}

	/** Aborts with the reason when a write has failed. */
	get failed(): AbortSignal {
		return this.failing.signal;
	}

	/** The whole answer, if not all of it is written down. */
	get unwritten(): UnfinishedAnswer | undefined {
		return this.latest === this.written ? undefined : this.latest;
	}

	/** The end of the answer that is not written down. */
	get tail(): Omit<AnswerTail, 'fence'> | undefined {
		const { unwritten, written } = this;
		if (!unwritten) return undefined;
		const { parts, ...from } = endSince(written?.parts ?? [], unwritten.parts);
		return { answer: { ...unwritten, parts }, ...from };
	}

	/** Writes what is left, also after a failure, and throws if that fails. */
	async save(): Promise<void> {
		while (this.writing) await this.writing.catch(() => undefined);
		if (this.unwritten) await this.begin(this.unwritten);
	}

	/** Begins no write from now on, but those of `save`, and waits until nothing is being written. */
	async close(): Promise<void> {
		this.closed = true;
		clearTimeout(this.timer);
		while (this.writing) await this.writing.catch(() => undefined);
	}

	/** A page that is hidden runs its timers late, but not its streams: whatever comes first writes. */
	private writeWhenDue(): void {
		const { unwritten } = this;
		clearTimeout(this.timer);
		if (!unwritten || this.writing || this.closed || this.failed.aborted) return;
		const now = performance.now();
		const longest = Math.max(maxMs, lengthOf(unwritten.parts) / charactersPerMs);
		const wait = this.written ? Math.min(longest, (now - this.firstAt) * maxShare) - (now - this.lastAt) : 0;
		if (wait <= 0) this.begin(unwritten).catch(() => undefined);
		else {
			this.notBefore = now + wait;
			this.timer = setTimeout(() => this.writeWhenDue(), wait);
		}
	}

	private begin(answer: UnfinishedAnswer): Promise<void> {
		this.lastAt = performance.now();
		this.writing = this.write(answer)
			.then(
				() => void (this.written = answer),
				(error: unknown) => {
					this.failing.abort(error);
					throw error;
				}
			)
			.finally(() => {
				this.writing = undefined;
				this.writeWhenDue();
			});
		return this.writing;
	}
}
