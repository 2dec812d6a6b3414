import { withSiteData } from '../shared/site-data';

/** Begins the names of all that lives as long as the tab, over reloads: in session storage. */
const prefix = 'snug:';
const stored = () => sessionStorage;

/** The name of what is kept of a session, or of a new one, whose id is '': a summary that was edited and not accepted, a task or a note's name that is not added yet, words to a model that asks, the model that answers too, that it was kept from a temporary chat and this was not said yet. */
export function nameInSession(sessionId: string, what: 'summary' | 'task' | 'note' | 'second' | 'word' | 'kept'): string {
	return `${what}:${sessionId}`;
}

/** The name of the choices for a new chat. */
export const keptBeginning = 'beginning';

/** The name of those of them that the persona of its workspace has put there. */
export const keptOfWorkspace = 'workspace-persona';

/** Returns the path that what is typed at an address belongs to: the app's addresses have no slash at their end. */
export function pathOfEarly({ pathname }: Pick<Location, 'pathname'>): string {
	return pathname.replace(/(?<=.)\/$/, '');
}

/** The name of what was typed at the address of that path before the app ran. */
export function nameOfEarly(path: string): string {
	return `early:${path}`;
}

/** Returns what the tab has kept under a name. */
export function keptInTab<T>(name: string): T | undefined {
	return withSiteData(stored, (storage) => {
		const kept = storage.getItem(prefix + name);
		return kept === null ? undefined : (JSON.parse(kept) as T);
	});
}

/** Takes out what the tab has kept of these sessions. The result puts it back. */
export function forgetInTab(sessionIds: string[]): () => void {
	const names = allNames().filter((name) => sessionIds.some((id) => name.includes(id)));
	const kept = names.map((name) => [name, keptInTab(name)] as const);
	for (const name of names) keepInTab(name, undefined);
	return () => {
		for (const [name, text] of kept) keepInTab(name, text);
	};
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

function allNames(): string[] {
	const keys = withSiteData(stored, (storage) => Object.keys(storage)) ?? [];
	return keys.flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
}
