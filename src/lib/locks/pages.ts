import { heldFor } from './held';

/** The lock of a page that has left texts behind for others: it holds the Web Lock `page:<id>` as long as it lives. */
const prefix = 'page:';

/** Takes the lock of a page until it goes. */
export function holdPage(locks: LockManager, id: string): void {
	// A browser that refuses locks lets no session be written either.
	locks.request(prefix + id, () => new Promise(() => undefined)).catch(() => undefined);
}

/** The ids of the pages that live now. */
export function livingPages(locks: LockManager): Promise<string[]> {
	return heldFor(locks, prefix);
}

/** Resolves when a page is gone. */
export function whenPageIsGone(locks: LockManager, id: string): Promise<void> {
	return locks.request(prefix + id, { mode: 'shared' }, () => undefined);
}
