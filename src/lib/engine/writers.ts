import { holdWhenFree, steal, tryHold, type Hold } from '../locks/session';
import { AppError } from '../shared/app-error';
import type { Trees } from '../storage/trees';

/**
 * This tab's right to write a session [A5]. `fence` goes with every write, so that one which is under way when another
 * tab takes over is refused. `lost` aborts when that happens.
 */
export interface Writer {
	sessionId: string;
	fence: number;
	lost: AbortSignal;
}

interface Desk {
	hold: Hold;
	writer: Writer;
	users: number;
}

/** A writer, to be given back with `release` when its user is done; the lock goes with the last user. */
export interface Borrowed {
	writer: Writer;
	release: () => void;
}

/** The sessions that this tab has open for writing: by a screen that shows one, by a turn that runs in one. */
export class Writers {
	private readonly desks = new Map<string, Desk>();
	/** What is being asked for, so that two users of this tab do not ask for one lock. */
	private readonly asking = new Map<string, Promise<unknown>>();

	constructor(private readonly ports: { locks: LockManager; trees: Pick<Trees, 'get' | 'raiseFence'> }) {}

	/** This tab's right to write the session, if it has it now. */
	of(sessionId: string): Writer | undefined {
		return this.desks.get(sessionId)?.writer;
	}

	/** Opens the session for writing; undefined if another tab has it open. */
	open(sessionId: string): Promise<Borrowed | undefined> {
		return this.oneAtATime(sessionId, async () => {
			if (this.desks.has(sessionId)) return this.borrow(sessionId);
			const hold = await tryHold(this.ports.locks, sessionId);
			return hold && this.settle(sessionId, hold, await this.fenceOf(sessionId));
		});
	}

	/** Opens the session for writing as soon as no other tab has it open. Rejects with the signal's reason if that aborts first. */
	async openWhenFree(sessionId: string, signal: AbortSignal): Promise<Borrowed> {
		const hold = await holdWhenFree(this.ports.locks, sessionId, signal);
		return this.settle(sessionId, hold, await this.fenceOf(sessionId));
	}

	/** Opens the session for writing at once: the tab that had it open can't write from here on. */
	takeOver(sessionId: string): Promise<Borrowed> {
		return this.oneAtATime(sessionId, async () => {
			if (this.desks.has(sessionId)) return this.borrow(sessionId);
			const hold = await steal(this.ports.locks, sessionId);
			return this.settle(sessionId, hold, await this.ports.trees.raiseFence(sessionId));
		});
	}

	/** As `open`. Throws an AppError if another tab has the session open. */
	async require(sessionId: string): Promise<Borrowed> {
		const borrowed = await this.open(sessionId);
		if (borrowed) return borrowed;
		throw new AppError('open-elsewhere', 'Another tab has this session open, so it can’t be changed here. Take over, then try again.', {
			retryable: true
		});
	}

	private async fenceOf(sessionId: string): Promise<number> {
		return (await this.ports.trees.get(sessionId))?.fence ?? 0;
	}

	private settle(sessionId: string, hold: Hold, fence: number): Borrowed {
		this.desks.set(sessionId, { hold, users: 0, writer: { sessionId, fence, lost: hold.lost } });
		hold.lost.addEventListener('abort', () => {
			if (this.desks.get(sessionId)?.hold === hold) this.desks.delete(sessionId);
		});
		return this.borrow(sessionId);
	}

	private borrow(sessionId: string): Borrowed {
		const desk = this.desks.get(sessionId)!;
		desk.users++;
		let returned = false;
		const release = () => {
			if (returned) return;
			returned = true;
			if (--desk.users > 0) return;
			if (this.desks.get(sessionId) === desk) this.desks.delete(sessionId);
			desk.hold.release();
		};
		return { writer: desk.writer, release };
	}

	private async oneAtATime<T>(sessionId: string, ask: () => Promise<T>): Promise<T> {
		while (this.asking.has(sessionId)) await this.asking.get(sessionId);
		const answer = ask();
		this.asking.set(
			sessionId,
			answer.then(
				() => this.asking.delete(sessionId),
				() => this.asking.delete(sessionId)
			)
		);
		return answer;
	}
}
