// What the composer needs of left texts is in left-texts.ts, which comes with the page; this comes later.
import { withSiteData } from '../shared/site-data';
import { allKeys, escaped, forgetLeft, keysOf, kindsOfSession, prefix, storage } from './left-texts';

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
