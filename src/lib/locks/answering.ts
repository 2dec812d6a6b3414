/**
 * Who is answering: a tab holds the Web Lock `answering:<session id>` while a turn of that session runs. The browser
 * frees it when the tab dies, so a held lock means a live turn in some tab of this profile.
 */
const prefix = 'answering:';

/** Takes the session's lock and returns what frees it, or undefined if another turn holds it. */
export function holdAnswering(locks: LockManager, sessionId: string): Promise<(() => void) | undefined> {
	return new Promise((resolve, reject) => {
		locks
			.request(prefix + sessionId, { ifAvailable: true }, (lock) => {
				if (!lock) return resolve(undefined);
				return new Promise<void>((free) => resolve(free));
			})
			.catch(reject);
	});
}

/** The ids of the sessions that are being answered now, in any tab. */
export async function answeringSessions(locks: LockManager): Promise<string[]> {
	const { held = [] } = await locks.query();
	return held.flatMap(({ name }) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : []));
}

/** Resolves when no session is being answered, in any tab. An answer that begins while this waits is waited for too. */
export async function whenNothingAnswers(locks: LockManager): Promise<void> {
	for (let ids = await answeringSessions(locks); ids.length > 0; ids = await answeringSessions(locks)) {
		await Promise.all(ids.map((id) => locks.request(prefix + id, { mode: 'shared' }, () => undefined)));
	}
}
