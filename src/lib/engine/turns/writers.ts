import { holdWhenFree, isHeld, steal, tryHold, type Hold } from '../../locks/session';
import { AppError } from '../../shared/app-error';
import type { FencingToken } from '../../storage/fence';
import type { Trees } from '../../storage/trees';

/**
 * This tab's right to write a session [A5]. `fence` goes with every write (see `Writers.write`), so that one which is under way when another
 * tab takes over is refused. `lost` aborts when that happens, which may be before this is handed out.
 */
export interface Writer {
	sessionId: string;
	fence: FencingToken;
	lost: AbortSignal;
}

interface Lease {
	hold: Hold;
	writer: Writer;
	users: number;
}

/** A writer, to be given back with `release` when its user is done; the lock goes with the last user. */
export interface Borrowed {
	writer: Writer;
	release: () => void;
}

export interface WriterPorts {
	locks: LockManager;
	trees: Pick<Trees, 'fencingToken' | 'raiseFence'>;
	/** Settles what the last writer of a session left; `preempted` if another tab took it from that one. Called before anything else is written. */
	settle: (writer: Writer, preempted: boolean) => Promise<void>;
}

/** The sessions that this tab has open for writing: by a screen that shows one, by a turn that runs in one. */
export class Writers {
	private readonly leases = new Map<string, Lease>();
	/** Requests under way, so that two users of this tab do not ask for one lock. */
	private readonly asking = new Map<string, Promise<unknown>>();

	constructor(private readonly ports: WriterPorts) {}

	/** This tab's right to write the session, if it has it now. */
	of(sessionId: string): Writer | undefined {
		return this.leases.get(sessionId)?.writer;
	}

	/** Opens the session for writing; undefined if another tab has it open. */
	open(sessionId: string): Promise<Borrowed | undefined> {
		return this.oneAtATime(sessionId, async () => {
			const lease = this.leases.get(sessionId);
			if (lease) return this.borrow(lease);
			const hold = await tryHold(this.ports.locks, sessionId);
			return hold && this.inherit(sessionId, hold);
		});
	}

	/**
	 * Opens the session for writing as soon as no other tab has it open. Rejects with the signal's reason if that aborts first. Where
	 * `yielding` returns a promise, the lock is left free until that resolves: the tab that had it may be back by then, if it was reloaded.
	 */
	async openWhenFree(sessionId: string, signal: AbortSignal, yielding: () => Promise<void> | undefined = () => undefined): Promise<Borrowed> {
		for (;;) {
			const hold = await holdWhenFree(this.ports.locks, sessionId, signal);
			const patience = yielding();
			if (patience) {
				hold.release();
				await patience;
				signal.throwIfAborted();
			}
			const borrowed = await (patience ? this.open(sessionId) : this.inherit(sessionId, hold));
			if (borrowed) return borrowed;
		}
	}

	/** Opens the session for writing at once: the tab that had it open can't write from here on. */
	takeOver(sessionId: string): Promise<Borrowed> {
		return this.oneAtATime(sessionId, async () => {
			const lease = this.leases.get(sessionId);
			if (lease) return this.borrow(lease);
			return steal(this.ports.locks, sessionId, (hold) =>
				releasedOnFailure(hold, async () => this.grant(sessionId, hold, await this.ports.trees.raiseFence(sessionId), true))
			);
		});
	}

	/** As `open`. Throws an AppError if another tab has the session open. */
	async require(sessionId: string): Promise<Borrowed> {
		const borrowed = await this.open(sessionId);
		if (borrowed) return borrowed;
		throw new AppError('open-elsewhere', 'This chat is open in another tab, so it can’t be changed here. Take over, then try again.', {
			retryable: true
		});
	}

	/** Does `work` as the session's writer, with its fence. Throws as `require` does. */
	async asWriter<T>(sessionId: string, work: (fence: FencingToken) => Promise<T>): Promise<T> {
		const { writer, release } = await this.require(sessionId);
		try {
			return await this.write(writer, work);
		} finally {
			release();
		}
	}

	/**
	 * Does `work` with the writer's fence; where it is refused although the lock was not stolen, once more with the one that is stored. So it
	 * is after the session was replaced under its writer, as by restoring a backup or repairing its tree.
	 */
	async write<T>(writer: Writer, work: (fence: FencingToken) => Promise<T>): Promise<T> {
		try {
			return await work(writer.fence);
		} catch (error) {
			if (!(error instanceof AppError) || error.code !== 'taken-over' || !(await this.renew(writer))) throw error;
			return work(writer.fence);
		}
	}

	/** Learns the fence again. False if the lock was stolen: the fence that was read may be the one of the tab that stole it. */
	private async renew(writer: Writer): Promise<boolean> {
		const lease = this.leases.get(writer.sessionId);
		if (lease?.writer !== writer) return false;
		const fence = await this.ports.trees.fencingToken(writer.sessionId);
		if (!(await isHeld(this.ports.locks, lease.hold))) return false;
		writer.fence = fence;
		return true;
	}

	/** Undefined if the lock was stolen meanwhile: the fence that was read may be the one of the tab that stole it. */
	private inherit(sessionId: string, hold: Hold): Promise<Borrowed | undefined> {
		return releasedOnFailure(hold, async () => {
			const fence = await this.ports.trees.fencingToken(sessionId);
			return (await isHeld(this.ports.locks, hold)) ? this.grant(sessionId, hold, fence, false) : undefined;
		});
	}

	private async grant(sessionId: string, hold: Hold, fence: FencingToken, preempted: boolean): Promise<Borrowed> {
		const lease: Lease = { hold, users: 0, writer: { sessionId, fence, lost: hold.lost } };
		await this.ports.settle(lease.writer, preempted);
		if (!hold.lost.aborted) this.leases.set(sessionId, lease);
		hold.lost.addEventListener('abort', () => this.clear(lease));
		return this.borrow(lease);
	}

	private clear(lease: Lease): void {
		const { sessionId } = lease.writer;
		if (this.leases.get(sessionId) === lease) this.leases.delete(sessionId);
	}

	private borrow(lease: Lease): Borrowed {
		lease.users++;
		let returned = false;
		const release = () => {
			if (returned) return;
			returned = true;
			if (--lease.users > 0) return;
			this.clear(lease);
			lease.hold.release();
		};
		return { writer: lease.writer, release };
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

async function releasedOnFailure<T>(hold: Hold, work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		hold.release();
		throw error;
	}
}
