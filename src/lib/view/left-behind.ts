import * as v from 'valibot';
import { holdPage, livingPages, whenPageIsGone } from '../locks/pages';
import { newId } from '../shared/id';
import { withSiteData } from '../shared/site-data';

/**
 * Texts that were typed and could not be written before their page went away, since the database was slow or refused them, by name and
 * page, in local storage [E11]. The next page that writes the same text merges them, once their own page is gone.
 */
const prefix = 'snug:unwritten:';
const storage = () => localStorage;

/** This page, and the end of its life, which a lock tells to others. */
const page = newId();
holdPage(navigator.locks, page);

/** Kinds of what is left of a session. */
const kindsOfSession = ['draft', 'note', 'prompt'] as const;

/** Name of what is left of a session, whose id may be any text that an address names. */
export function nameOfLeft(what: (typeof kindsOfSession)[number], sessionId: string, name = ''): string {
	return `${what}:${escaped(sessionId)}:${escaped(name)}`;
}

/** Returns a part of a name, without what parts them. */
const escaped = (part: string) => part.replace(/[%:]/g, encodeURIComponent);

/** Leaves a text in the place of what this page had left under the name. Returns whether there was room. */
export function leaveBehind(name: string, text: unknown): boolean {
	return withSiteData(storage, (local) => (local.setItem(keyOf(name), JSON.stringify(text)), true)) ?? false;
}

/** Removes what this page has left under a name: it is written. */
export function takeBack(name: string): void {
	forgetLeft([keyOf(name)]);
}

/**
 * Resolves with the texts that were left under a name by pages that are gone, by key; those of another shape stay where they are. Where
 * another page that has left one is still there, `later` is called once it is gone.
 */
export async function leftBehind<T>(name: string, schema: v.GenericSchema<T>, later: () => void): Promise<[key: string, text: T][]> {
	const keys = keysOf(name).filter((key) => key !== keyOf(name));
	if (keys.length === 0) return [];
	const living = await livingPages(navigator.locks);
	return keys.flatMap((key) => {
		const owner = key.slice(key.lastIndexOf(':') + 1);
		if (living.includes(owner)) {
			void waitFor(key, owner, later);
			return [];
		}
		const text = withSiteData(storage, (local) => v.parse(schema, JSON.parse(local.getItem(key) ?? 'null')));
		return text === undefined ? [] : [[key, text]];
	});
}

/** Keys of which it is waited that their pages go. */
const awaited = new Set<string>();

async function waitFor(key: string, owner: string, later: () => void): Promise<void> {
	if (awaited.has(key)) return;
	awaited.add(key);
	await whenPageIsGone(navigator.locks, owner);
	awaited.delete(key);
	later();
}

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

const keyOf = (name: string) => `${prefix}${name}:${page}`;

function keysOf(name: string): string[] {
	return allKeys().filter((key) => key.startsWith(`${prefix}${name}:`));
}

function allKeys(): string[] {
	const keys = withSiteData(storage, (local) => Object.keys(local)) ?? [];
	return keys.filter((key) => key.startsWith(prefix));
}
