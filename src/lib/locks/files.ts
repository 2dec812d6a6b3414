import { heldFor } from './held';

/**
 * The locks on the files in the composer of a new chat, where no row names them: the tab holds the Web Lock `file:<attachment id>` for
 * each, shared with other tabs.
 */
const prefix = 'file:';

/** Takes the lock of a file and returns what frees it. */
export function holdFile(locks: LockManager, attachmentId: string): () => void {
	let free: () => void;
	const freed = new Promise<void>((resolve) => (free = resolve));
	// A browser that refuses locks sweeps nothing either.
	locks.request(prefix + attachmentId, { mode: 'shared' }, () => freed).catch(() => undefined);
	return () => free();
}

/** The ids of the files that are held now, in any tab. */
export function heldFiles(locks: LockManager): Promise<string[]> {
	return heldFor(locks, prefix);
}
