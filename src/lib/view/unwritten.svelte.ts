/* eslint-disable svelte/prefer-svelte-reactivity -- nothing is drawn from what is kept here */
const writings = new Set<() => Promise<void>>();

/** Has `write` called whenever the page may go away, until the returned function is called. */
export function writesBeforeLeaving(write: () => Promise<void>): () => void {
	writings.add(write);
	return () => void writings.delete(write);
}

/** Resolves when all that was typed is written, or could not be. */
export async function writeUnwritten(): Promise<void> {
	await Promise.all([...writings].map((write) => write()));
}

// The last moment that a page is sure to be told of: a phone ends one that is hidden without a word.
document.addEventListener('visibilitychange', () => {
	if (document.visibilityState === 'hidden') void writeUnwritten();
});
addEventListener('pagehide', () => void writeUnwritten());
