/** The locks of `session.ts` and `answering.ts`, by the names that they have there. */
const prefixes = ['session:', 'answering:'];

/** The ids of the sessions that some tab has open for writing, or is answering: nothing may clean them up [A8]. */
export async function busySessions(locks: LockManager): Promise<Set<string>> {
	const { held = [] } = await locks.query();
	const ids = held.flatMap(({ name }) => prefixes.filter((prefix) => name?.startsWith(prefix)).map((prefix) => name!.slice(prefix.length)));
	return new Set(ids);
}
