import { holdAnswering } from '../../locks/answering';
import type { TurnPorts } from './turn-ports';
import type { Borrowed, Writer } from './writers';

/** Hold of a turn on its session: the tab stays the session's writer, and others are told that it is being answered. */
export class SessionHold {
	private borrowed: Borrowed | undefined;
	private free: (() => void) | undefined;

	/** `yieldToOther` is called once another tab has taken over. */
	constructor(
		private readonly ports: Pick<TurnPorts, 'locks' | 'writers'>,
		private readonly sessionId: string,
		private readonly yieldToOther: () => void
	) {}

	/** Returns the session's writer. Throws an AppError if another tab has the session open; to be released then too. */
	async takeWriter(): Promise<Writer> {
		this.borrowed = await this.ports.writers.require(this.sessionId);
		const { writer } = this.borrowed;
		if (writer.lost.aborted) this.yieldToOther();
		writer.lost.addEventListener('abort', this.yieldToOther);
		return writer;
	}

	/** Tells the other tabs that the session is being answered, until it is released. */
	async tellOthers(): Promise<void> {
		this.free = await holdAnswering(this.ports.locks, this.sessionId);
	}

	/** Lets go of the session; the others are told once what runs `beside` it has ended too. */
	release(beside?: Promise<void>): void {
		// The lease lives longer, and would keep all that was sent.
		this.borrowed?.writer.lost.removeEventListener('abort', this.yieldToOther);
		if (beside) void beside.then(this.free);
		else this.free?.();
		this.borrowed?.release();
	}
}
