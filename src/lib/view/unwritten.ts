const writings = new Set<() => Promise<boolean>>();

/** Has `write` called whenever the page may go away, until the returned function is called. It resolves with whether everything is written. */
export function writesBeforeLeaving(write: () => Promise<boolean>): () => void {
	writings.add(write);
	return () => void writings.delete(write);
}

/** Writes what was typed and is not written yet. Resolves with whether all of it is. */
export async function writeUnwritten(): Promise<boolean> {
	return (await Promise.all([...writings].map((write) => write()))).every(Boolean);
}

// The last moment that a page is sure to be told of: a phone ends one that is hidden without a word.
document.addEventListener('visibilitychange', () => {
	if (document.visibilityState === 'hidden') void writeUnwritten();
});
addEventListener('pagehide', () => void writeUnwritten());
