import type { UnfinishedAnswer } from '../../conversation/growing-answer';
import type { AppError } from '../../shared/app-error';
import { retryMs } from '../../shared/retry';
import { toAppError } from '../../shared/to-app-error';
import { Answers, joinTail } from '../../storage/answers';
import type { FencingToken } from '../../storage/fence';
import { toStorageError } from '../../storage/storage-failure';
import { TurnStore } from '../../storage/turn-store';
import type { Journal } from './journal';
import type { TurnPorts } from './turn-ports';
import type { Writer } from './writers';

/** An answer that is being written down, or could not be. */
interface Journalled {
	journal: Journal;
	fence: FencingToken;
	/** Reason why it could not be; it is tried again. */
	failure?: AppError;
	/** Set where it was left where any tab finds it. */
	hasTail?: boolean;
}

/** Answers as far as this tab knows them beyond their rows: of each session the last one that it journals, or could not write down. */
export class UnwrittenAnswers {
	private readonly journals = new Map<string, Journalled>();

	constructor(
		private readonly ports: Pick<TurnPorts, 'db' | 'tails' | 'writers'>,
		/** Tells whether something of a session is under way, which comes before what is tried again. */
		private readonly isBusy: (sessionId: string) => boolean
	) {}

	/** Notes that an answer is being written down. */
	note(sessionId: string, journal: Journal, fence: FencingToken): void {
		this.journals.set(sessionId, { journal, fence });
	}

	/** The journal of a session's answer, if it was noted here. */
	journalOf(sessionId: string): Journal | undefined {
		return this.journals.get(sessionId)?.journal;
	}

	/** Returns what is known of the unfinished answer beyond its row: by this tab, or left by one before it and not settled yet. */
	async get({ sessionId, fence }: Writer): Promise<UnfinishedAnswer | undefined> {
		const { db, tails } = this.ports;
		const known = this.journalOf(sessionId)?.unwritten;
		const tail = tails.get(sessionId);
		return known || tail?.fence !== fence ? known : joinTail(await new Answers(db).get(sessionId), tail);
	}

	/** Throws an AppError where the store refuses it still. */
	async save({ sessionId, fence }: Writer): Promise<void> {
		const { db, tails } = this.ports;
		const journal = this.journalOf(sessionId);
		if (journal?.unwritten) return journal.save();
		const tail = tails.get(sessionId);
		if (tail) await new TurnStore(db, fence).settle(sessionId, { tail, stopReason: '' });
	}

	forget(sessionId: string): void {
		this.journals.delete(sessionId);
		this.ports.tails.remove(sessionId);
	}

	/** Forgets what another tab has by now, which took over: the tail stays, for that one. */
	handOver(sessionId: string): void {
		this.journals.delete(sessionId);
	}

	/** Leaves what is not written down where another page finds it. Returns whether there is some that was not left yet. */
	leave(sessionId: string): boolean {
		const left = this.journals.get(sessionId);
		const tail = left?.journal.tail;
		// That of an answer that could not be written down was left when that turned out, and is any tab's by now.
		if (!tail || left?.failure) return false;
		this.ports.tails.put(sessionId, { ...tail, fence: left!.fence });
		return true;
	}

	/** Leaves all of it, and begins to write it down: this page may go, or sleep, before another write ends. */
	leaveAll(): void {
		for (const [sessionId, { journal }] of this.journals) {
			if (!this.leave(sessionId)) continue;
			// Where more has come meanwhile, or the write failed, the tail is what is left of it.
			const removeIfWritten = () => journal.unwritten === undefined && this.ports.tails.remove(sessionId);
			void journal.save().then(removeIfWritten, () => undefined);
		}
	}

	/** Leaves what could not be written down where any tab finds it, and writes it as soon as there is room. */
	writeLater(sessionId: string, failure: AppError): void {
		const left = this.journals.get(sessionId)!;
		const isTriedAgain = left.failure !== undefined;
		this.leave(sessionId);
		left.hasTail = this.ports.tails.get(sessionId) !== undefined;
		left.failure = failure;
		if (!isTriedAgain) void this.tryAgain(sessionId, left);
	}

	/** For as long as this tab is the next to write the session. */
	private async tryAgain(sessionId: string, left: Journalled): Promise<void> {
		const isLeft = () => this.journals.get(sessionId) === left && left.journal.unwritten !== undefined;
		while (isLeft()) {
			await new Promise((resolve) => setTimeout(resolve, retryMs));
			if (!isLeft() || this.isBusy(sessionId)) continue;
			try {
				await this.ports.writers.asWriter(sessionId, async (fence) => {
					// What was left may have been taken up by a tab that has replaced or discarded it since.
					const isTaken = left.hasTail && this.ports.tails.get(sessionId) === undefined;
					const row = isTaken ? await new Answers(this.ports.db).get(sessionId) : undefined;
					const isOver = isTaken && row?.messageId !== left.journal.unwritten?.messageId;
					if (fence !== left.fence || isOver) return void this.journals.delete(sessionId);
					await left.journal.save();
					await new TurnStore(this.ports.db, fence).end(sessionId, 'failed', left.failure!.message, left.failure!.code);
					if (this.journals.get(sessionId) === left) this.forget(sessionId);
				});
			} catch (error) {
				const known = toAppError(toStorageError(error));
				if (known.code === 'session-absent' || known.code === 'message-absent') this.forget(sessionId);
			}
		}
	}
}
