/** Work that must not be broken off by leaving the page: files that are read, a backup that is written or restored. */
const works = new Set<Promise<unknown>>();

/** Has a reload of Snug's own wait for `work`, and the browser ask before the page is left. Returns the work. */
export function withoutLeaving<T>(work: Promise<T>): Promise<T> {
	works.add(work);
	return work.finally(() => works.delete(work));
}

/** Resolves when there is no such work, and `othersEnd` has resolved with none begun since. */
export async function whenQuiet(othersEnd: () => Promise<void>): Promise<void> {
	do {
		while (works.size > 0) await Promise.allSettled(works);
		await othersEnd();
	} while (works.size > 0);
}

/** Tells whether there is no such work now. */
export function isQuiet(): boolean {
	return works.size === 0;
}

addEventListener('beforeunload', (event) => {
	if (works.size > 0) event.preventDefault();
});
