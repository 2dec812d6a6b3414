import { withSiteData } from '../shared/site-data';

/**
 * Texts that were typed and could not be written before their page went away, since the database was slow or refused them, by name and
 * page, in local storage [E11].
 */
const prefix = 'snug:unwritten:';
export const storage = () => localStorage;

/** Kinds of what is left of a session. */
const kindsOfSession = ['draft', 'note', 'prompt'] as const;

/** Name of what is left of a session, whose id may be any text that an address names. */
export function nameOfLeft(what: (typeof kindsOfSession)[number], sessionId: string, name = ''): string {
	return `${what}:${escaped(sessionId)}:${escaped(name)}`;
}

/** Returns a part of a name, without what parts them. */
const escaped = (part: string) => part.replace(/[%:]/g, encodeURIComponent);

/** Removes texts that are written, or left again, by now. */
export function forgetLeft(keys: Iterable<string>): void {
	for (const key of keys) withSiteData(storage, (local) => local.removeItem(key));
}

/** Removes all that was left under a name: what it belongs to is gone. */
export function forgetAllLeft(name: string): void {
	forgetLeft(keysOf(name));
}

/** Removes all that was left of a session. */
export function forgetLeftOf(sessionId: string): void {
	forgetLeft(kindsOfSession.flatMap((what) => keysOf(`${what}:${escaped(sessionId)}`)));
}

/** Gives what was left under a name another one. */
export function renameLeft(from: string, to: string): void {
	for (const key of keysOf(from)) {
		withSiteData(storage, (local) => local.setItem(prefix + to + key.slice((prefix + from).length), local.getItem(key)!));
		forgetLeft([key]);
	}
}

/** The sessions of which something is left. */
export function sessionsLeft(): string[] {
	const names = allKeys().map((key) => key.slice(prefix.length).split(':'));
	// The text of a field of its own has no id in its name, but for its page's.
	const ids = names.flatMap(([what, id, name]) => (id !== undefined && name !== undefined && kindsOfSession.some((kind) => kind === what) ? [id] : []));
	return [...new Set(ids)].map((id) => id.replace(/%25|%3A/g, decodeURIComponent));
}

/** Returns the key of what a page leaves under a name. */
export const keyOf = (name: string, page: string) => `${prefix}${name}:${page}`;

/** The keys of all that was left under a name. */
export function keysOf(name: string): string[] {
	return allKeys().filter((key) => key.startsWith(`${prefix}${name}:`));
}

function allKeys(): string[] {
	const keys = withSiteData(storage, (local) => Object.keys(local)) ?? [];
	return keys.filter((key) => key.startsWith(prefix));
}
