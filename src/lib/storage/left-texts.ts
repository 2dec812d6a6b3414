import { withSiteData } from '../shared/site-data';

/**
 * Texts that were typed and could not be written before their page went away, since the database was slow or refused them, by name and
 * page, in local storage [E11].
 */
export const prefix = 'snug:unwritten:';
export const storage = () => localStorage;

/** Kinds of what is left of a session. */
export const kindsOfSession = ['draft', 'note', 'prompt'] as const;

/** Name of what is left of a session, whose id may be any text that an address names. */
export function nameOfLeft(what: (typeof kindsOfSession)[number], sessionId: string, name = ''): string {
	return `${what}:${escaped(sessionId)}:${escaped(name)}`;
}

/** Returns a part of a name, without what parts them. */
export const escaped = (part: string) => part.replace(/[%:]/g, encodeURIComponent);

/** Removes texts that are written, or left again, by now. */
export function forgetLeft(keys: Iterable<string>): void {
	for (const key of keys) withSiteData(storage, (local) => local.removeItem(key));
}

/** Returns the key of what a page leaves under a name. */
export const keyOf = (name: string, page: string) => `${prefix}${name}:${page}`;

/** The keys of all that was left under a name. */
export function keysOf(name: string): string[] {
	return allKeys().filter((key) => key.startsWith(`${prefix}${name}:`));
}

/** The keys of all that was left. */
export function allKeys(): string[] {
	const keys = withSiteData(storage, (local) => Object.keys(local)) ?? [];
	return keys.filter((key) => key.startsWith(prefix));
}
