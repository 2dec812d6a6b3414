import * as v from 'valibot';
import { newId } from '../shared/id';
import { withSiteData } from '../shared/site-data';

/**
 * Texts that were typed and could not be written before their page went away, since the database was slow or refused them, by name and
 * page, in local storage [E11]. The next page that writes the same text merges them and removes them.
 */
const prefix = 'snug:unwritten:';
const storage = () => localStorage;

/** This page: what others have left stays beside what it leaves. */
const page = newId();

/** Name of what is left of a session. */
export function nameOfLeft(what: 'draft' | 'note', sessionId: string, name = ''): string {
	return `${what}:${sessionId}:${encodeURIComponent(name)}`;
}

/** Leaves a text in the place of what this page had left under the name. Returns whether there was room. */
export function leaveBehind(name: string, text: unknown): boolean {
	return withSiteData(storage, (local) => (local.setItem(keyOf(name), JSON.stringify(text)), true)) ?? false;
}

/** Removes what this page has left under a name: it is written. */
export function takeBack(name: string): void {
	forgetLeft([keyOf(name)]);
}

/** Returns the texts that other pages have left under a name, by key; those of another shape stay where they are. */
export function leftBehind<T>(name: string, schema: v.GenericSchema<T>): [key: string, text: T][] {
	return keysOf(name).flatMap((key) => {
		if (key === keyOf(name)) return [];
		const text = withSiteData(storage, (local) => v.parse(schema, JSON.parse(local.getItem(key) ?? 'null')));
		return text === undefined ? [] : [[key, text]];
	});
}

/** Removes texts that are written by now. */
export function forgetLeft(keys: Iterable<string>): void {
	for (const key of keys) withSiteData(storage, (local) => local.removeItem(key));
}

/** Takes out what was left of these sessions. The result puts it back. */
export function takeLeftOf(sessionIds: string[]): () => void {
	const left = sessionIds
		.flatMap((id) => [...keysOf(`draft:${id}`), ...keysOf(`note:${id}`)])
		.map((key) => [key, withSiteData(storage, (local) => local.getItem(key))] as const);
	forgetLeft(left.map(([key]) => key));
	return () => {
		for (const [key, text] of left) if (text) withSiteData(storage, (local) => local.setItem(key, text));
	};
}

const keyOf = (name: string) => `${prefix}${name}:${page}`;

function keysOf(name: string): string[] {
	const keys = withSiteData(storage, (local) => Object.keys(local)) ?? [];
	return keys.filter((key) => key.startsWith(`${prefix}${name}:`));
}
