import { app } from '../app';
import type { WritingTab } from '../engine/live-turns';
import type { Borrowed } from '../engine/writers';
import { AppError } from '../shared/app-error';
import type { UnfinishedAnswer } from '../storage/answers';
import { explainStorageFailure } from '../storage/storage-failure';
import { RunningTurn } from './turns.svelte';

/**
 * Whether this tab may write the session that it shows [A5]: `asking` until that is known, `writing`, or `reading` while
 * another tab has it open; then its answers are followed live.
 */
export class Writing {
	state = $state<'asking' | 'writing' | 'reading'>('asking');
	/** Whether it was this tab that wrote until another took over. */
	robbed = $state(false);
	/** Which tab writes, once it has said so. */
	tab = $state.raw<WritingTab | undefined>();
	/** The answer that the other tab is writing. */
	followed = $state.raw<RunningTurn | undefined>();

	private borrowed: Borrowed | undefined;
	private answer: UnfinishedAnswer | undefined;
	private readonly closed = new AbortController();
	/** Ends the waiting for the lock, when it is taken instead. */
	private waiting = new AbortController();
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

	/** Makes this tab the one that writes. What the other was answering is kept as a draft. */
	async takeOver(): Promise<void> {
		this.waiting.abort();
		const turns = await app.openTurns();
		this.write(await turns.takeOver(this.sessionId, this.answer));
	}

	private async open(): Promise<void> {
		const borrowed = await app.writers.open(this.sessionId).catch(refused);
		if (borrowed === 'refused') return;
		if (this.closed.signal.aborted) borrowed?.release();
		else if (borrowed) this.write(borrowed);
		else this.read();
	}

	private write(borrowed: Borrowed): void {
		this.borrowed = borrowed;
		this.stopFollowing?.();
		this.stopFollowing = undefined;
		this.followed = undefined;
		this.answer = undefined;
		this.state = 'writing';
		this.robbed = false;
		this.stopTelling = app.live.writes(this.sessionId);
		const { lost } = borrowed.writer;
		if (lost.aborted) this.lose();
		else lost.addEventListener('abort', () => this.lose());
	}

	private lose(): void {
		if (this.closed.signal.aborted) return;
		this.leave();
		this.robbed = true;
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
		this.stopFollowing = app.live.follow(this.sessionId, {
			onWriter: (tab) => (this.tab = tab),
			onAnswer: (answer) => {
				this.answer = { ...answer };
				this.followed = RunningTurn.from(answer);
			},
			onEvent: (event) => {
				if (event.type === 'step-start') {
					const { type: _, ...begun } = event;
					this.answer = { ...begun, text: '', reasoning: '' };
					this.followed = new RunningTurn();
				}
				if (event.type === 'text-delta' && this.answer) this.answer.text += event.text;
				if (event.type === 'reasoning-delta' && this.answer) this.answer.reasoning += event.text;
				this.followed?.take(event);
				if (event.type === 'step-end' || event.type === 'turn-end') this.answer = undefined;
				if (event.type === 'turn-end') this.followed = this.followed?.stored ? this.followed : undefined;
			}
		});
		this.waiting = new AbortController();
		const { signal } = this.waiting;
		app.writers.openWhenFree(this.sessionId, signal).then(
			(borrowed) => {
				if (signal.aborted) borrowed.release();
				else this.write(borrowed);
			},
			(error: unknown) => {
				if (!signal.aborted) throw error;
			}
		);
	}
}

/** Where nothing can be read or written the page says why. */
function refused(error: unknown): 'refused' {
	const failure = explainStorageFailure(error);
	if (!(failure instanceof AppError)) throw failure;
	return 'refused';
}
