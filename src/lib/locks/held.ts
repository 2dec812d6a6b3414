/** What follows `prefix` in the names of the locks that are held now, in any tab: the ids that they are held for. */
export async function heldFor(locks: LockManager, prefix: string): Promise<string[]> {
	const { held = [] } = await locks.query();
	return held.flatMap(({ name }) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : []));
}
