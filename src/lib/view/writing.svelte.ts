import { conversations } from '../app/conversations';
import type { UnfinishedAnswer } from '../conversation/growing-answer';
import type { WritingTab } from '../engine/turns/live-turns';
import type { Borrowed } from '../engine/turns/writers';
import { AppError } from '../shared/app-error';
import { retryMs } from '../shared/retry';
import { toStorageError } from '../storage/storage-failure';
import { RunningTurn, settle, turnOf } from './turns.svelte';

/**
 * The lease of this tab on the session that it shows [A5]: `asking` until that is known, `writing`, or `reading` while
 * another tab has it open; then its answers are followed live.
 */
export class Writing {
	state = $state<'asking' | 'writing' | 'reading'>('asking');
	/** True if it was this tab that wrote until another took over. */
	preempted = $state(false);
	/** The tab that writes, once it has said so. */
	tab = $state.raw<WritingTab | undefined>();
	/** The answer that the other tab is writing. */
	followed = $state.raw<RunningTurn | undefined>();

	private borrowed: Borrowed | undefined;
	private readonly closed = new AbortController();
	/** Ends the waiting for the lock, when it is taken instead. */
	private waiting = new AbortController();
	private taking: Promise<void> | undefined;
	private stopFollowing: (() => void) | undefined;
	private stopTelling: (() => void) | undefined;

	constructor(readonly sessionId: string) {
		void this.open();
	}

	/** Gives the session up: the screen shows another. */
	close(): void {
		this.closed.abort();
		this.leave();
		this.waiting.abort();
		this.stopFollowing?.();
	}

	/** Makes this tab the one that writes. What the other was answering is kept, unfinished. Throws an AppError where the store refuses. */
	takeOver(): Promise<void> {
		return (this.taking ??= this.take().finally(() => (this.taking = undefined)));
	}

	private async take(): Promise<void> {
		this.waiting.abort();
		try {
			this.write(await conversations.writers.takeOver(this.sessionId));
		} catch (error) {
			this.wait();
			throw toStorageError(error);
		}
	}

	private async open(): Promise<void> {
		try {
			const borrowed = await conversations.writers.open(this.sessionId);
			if (borrowed) this.write(borrowed);
			else if (!this.closed.signal.aborted) this.read();
		} catch (error) {
			again(() => void this.open(), this.closed.signal, error);
		}
	}

	private write(borrowed: Borrowed): void {
		// The screen may show another session by now.
		if (this.closed.signal.aborted) return borrowed.release();
		this.borrowed = borrowed;
		this.stopFollowing?.();
		this.stopFollowing = undefined;
		this.followed = undefined;
		this.state = 'writing';
		this.preempted = false;
		this.stopTelling = conversations.live.writes(this.sessionId);
		const { lost } = borrowed.writer;
		if (lost.aborted) this.lose();
		else lost.addEventListener('abort', () => this.lose(), { signal: this.closed.signal });
	}

	private lose(): void {
		if (this.closed.signal.aborted) return;
		this.leave();
		// How a turn of this tab ended is over: what it wrote is with the tab that took it over.
		if (!turnOf(this.sessionId)?.live) settle(this.sessionId);
		this.preempted = true;
		this.read();
	}

	private leave(): void {
		this.stopTelling?.();
		this.borrowed?.release();
		this.borrowed = undefined;
	}

	/** Follows the tab that writes, and takes its place when it goes. */
	private read(): void {
		this.state = 'reading';
		this.stopFollowing = conversations.live.follow(this.sessionId, {
			onWriter: (tab) => (this.tab = tab),
			onAnswer: (answer) => (this.followed = answer && turnOfAnswer(answer)),
			onEvent: (event) => {
				if (event.type === 'step-start') this.followed = new RunningTurn();
				this.followed?.take(event);
				if (event.type === 'turn-end') this.followed = this.followed?.stored ? this.followed : undefined;
			}
		});
		this.wait();
	}

	private wait(): void {
		if (this.closed.signal.aborted) return;
		this.waiting = new AbortController();
		const { signal } = this.waiting;
		conversations.writers.openWhenFree(this.sessionId, signal, whileHidden).then(
			(borrowed) => {
				if (signal.aborted) borrowed.release();
				else this.write(borrowed);
			},
			(error: unknown) => again(() => this.wait(), signal, error)
		);
	}
}

/** Returns a turn that has begun elsewhere, as far as it is. */
function turnOfAnswer(answer: UnfinishedAnswer): RunningTurn {
	const turn = new RunningTurn();
	turn.parentId = answer.parentId;
	turn.answer = answer;
	if (turn.begun) turn.phase = 'answering';
	return turn;
}

/** Time in which a tab that is reloaded has asked for its session again, in milliseconds. */
const reloadLasts = 2000;

/** Resolves when this tab is shown, or a tab that was reloaded is back; undefined where this one is on the screen. */
function whileHidden(): Promise<void> | undefined {
	if (!document.hidden) return undefined;
	return new Promise((resolve) => {
		const end = () => {
			clearTimeout(timer);
			document.removeEventListener('visibilitychange', end);
			resolve();
		};
		const timer = setTimeout(end, reloadLasts);
		document.addEventListener('visibilitychange', end);
	});
}

/**
 * Does once more, after a while, what was refused, unless it is ended by then. Where nothing can be read or written the page says why;
 * what is not expected is a bug, or a part of the app that was not loaded.
 */
function again(work: () => void, ended: AbortSignal, error: unknown): void {
	if (ended.aborted) return;
	const failure = toStorageError(error);
	const timer = setTimeout(work, retryMs);
	ended.addEventListener('abort', () => clearTimeout(timer));
	if (!(failure instanceof AppError)) reportError(failure);
}
