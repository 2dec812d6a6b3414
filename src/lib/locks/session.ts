import { heldFor } from './held';

/**
 * The lease on a session, which may be written by the tab that holds the Web Lock `session:<session id>` [A5]. The browser frees it when the tab
 * closes or dies.
 */
const prefix = 'session:';

/** A held lock. `lost` aborts when another tab steals it; `release` gives it back. */
export interface Hold {
	lost: AbortSignal;
	release: () => void;
}

/** Takes the session's lock, or resolves with undefined if another tab holds it. */
export function tryHold(locks: LockManager, sessionId: string): Promise<Hold | undefined> {
	return request(locks, sessionId, { ifAvailable: true });
}

/** Takes the session's lock as soon as it is free. Rejects with the signal's reason when that aborts first. */
export async function holdWhenFree(locks: LockManager, sessionId: string, signal: AbortSignal): Promise<Hold> {
	return (await request(locks, sessionId, { signal }))!;
}

/**
 * Takes the session's lock from whoever holds it: their `lost` aborts. Tabs that rob each other do so one after the other:
 * no other can steal it before what `settle` does with it is done.
 */
export function steal<T>(locks: LockManager, sessionId: string, settle: (hold: Hold) => Promise<T>): Promise<T> {
	return locks.request(`taking:${sessionId}`, async () => settle((await request(locks, sessionId, { steal: true }))!));
}

/**
 * Tells whether a lock is still held, also of one that was stolen a moment ago, which its holder has not been told yet: the answer to
 * any question comes after that.
 */
export async function isHeld(locks: LockManager, hold: Hold): Promise<boolean> {
	await locks.query();
	return !hold.lost.aborted;
}

/** The ids of the sessions that some tab has open for writing. */
export function openSessions(locks: LockManager): Promise<string[]> {
	return heldFor(locks, prefix);
}

function request(locks: LockManager, sessionId: string, options: LockOptions): Promise<Hold | undefined> {
	return new Promise((resolve, reject) => {
		const lost = new AbortController();
		locks
			.request(prefix + sessionId, options, (lock) => {
				if (!lock) return resolve(undefined);
				return new Promise<void>((release) => resolve({ lost: lost.signal, release }));
			})
			.catch((error: unknown) => {
				// Either it was never granted, or it was stolen; then the promise above is settled already.
				lost.abort(error);
				reject(error as Error);
			});
	});
}
