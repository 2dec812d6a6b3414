/** What lives as long as the tab, over reloads: in session storage, by name. */
const prefix = 'snug:';

/** Returns what the tab has kept under a name. */
export function keptInTab<T>(name: string): T | undefined {
	try {
		const kept = sessionStorage.getItem(prefix + name);
		return kept === null ? undefined : (JSON.parse(kept) as T);
	} catch {
		// Site data are blocked; the page says so.
		return undefined;
	}
}

/** Keeps it in the place of what was kept before; undefined keeps nothing. Returns whether there was room. */
export function keepInTab(name: string, kept: unknown): boolean {
	try {
		if (kept === undefined) sessionStorage.removeItem(prefix + name);
		else sessionStorage.setItem(prefix + name, JSON.stringify(kept));
		return true;
	} catch (error) {
		return (error as DOMException).name !== 'QuotaExceededError';
	}
}
