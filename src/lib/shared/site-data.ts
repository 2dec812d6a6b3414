/**
 * Does something with local or session storage. Undefined where site data are blocked (the page says so elsewhere), where there is no
 * room, or where what is stored can't be read.
 */
export function withSiteData<S extends Partial<Storage>, T>(storage: () => S, work: (storage: S) => T): T | undefined {
	try {
		return work(storage());
	} catch {
		return undefined;
	}
}
