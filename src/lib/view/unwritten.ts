/** Things to do whenever the page may go away. */
interface Writing {
	/** Writes what is not written. Resolves with whether everything is. */
	write: () => Promise<boolean>;
	/** Leaves what is not written where the next page finds it, at once: a write that begins now may not end. Returns whether it could. */
	leave?: () => boolean;
}

const writings = new Set<Writing>();

/** Has this done whenever the page may go away, until the returned function is called. */
export function writesBeforeLeaving(write: Writing['write'], leave?: Writing['leave']): () => void {
	const writing = { write, ...(leave ? { leave } : {}) };
	writings.add(writing);
	return () => void writings.delete(writing);
}

/** Writes what was typed and is not written yet. Resolves with whether all of it is. */
export async function writeUnwritten(): Promise<boolean> {
	return (await Promise.all([...writings].map(({ write }) => write()))).every(Boolean);
}

/** Returns whether all that is not written is where the next page finds it. */
function leaveUnwritten(): boolean {
	return [...writings].map(({ leave }) => leave?.() ?? true).every(Boolean);
}

function writeOrLeave(): void {
	leaveUnwritten();
	void writeUnwritten();
}

// The last moment that a page is sure to be told of: a phone ends one that is hidden without a word.
document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && writeOrLeave());
addEventListener('pagehide', writeOrLeave);
addEventListener('beforeunload', (event) => !leaveUnwritten() && event.preventDefault());
