import { heldFor } from './held';

/**
 * The lock of a tab that answers: it holds the Web Lock `answering:<session id>` while a turn of that session runs. The browser
 * frees it when the tab dies, so a held lock means a live turn in some tab of this profile.
 */
const prefix = 'answering:';

/**
 * Takes the session's lock and returns what frees it. To be called only by the tab that may write the session: if
 * another still holds this lock, it was preempted, its turn is ending, and the fence keeps it from writing.
 */
export function holdAnswering(locks: LockManager, sessionId: string): Promise<() => void> {
	return new Promise((resolve, reject) => {
		locks
			.request(prefix + sessionId, { steal: true }, () => new Promise<void>((free) => resolve(free)))
			// After it was granted, a rejection says that it was stolen in turn, which its holder learns elsewhere.
			.catch(reject);
	});
}

/** The ids of the sessions that are being answered now, in any tab. */
export function answeringSessions(locks: LockManager): Promise<string[]> {
	return heldFor(locks, prefix);
}

/** Resolves when no session is being answered, in any tab. An answer that begins while this waits is waited for too. */
export async function whenNothingAnswers(locks: LockManager): Promise<void> {
	for (let ids = await answeringSessions(locks); ids.length > 0; ids = await answeringSessions(locks)) {
		// One that is stolen by the turn that comes next is asked for again.
		await Promise.allSettled(ids.map((id) => locks.request(prefix + id, { mode: 'shared' }, () => undefined)));
	}
}
