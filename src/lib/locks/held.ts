/** Lists the ids for which a lock is held now, in any tab: the names of those locks, without `prefix`. */
export async function heldFor(locks: LockManager, prefix: string): Promise<string[]> {
	const { held = [] } = await locks.query();
	return held.flatMap(({ name }) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : []));
}
