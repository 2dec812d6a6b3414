import * as v from 'valibot';
import { holdPage, livingPages, whenPageIsGone } from '../locks/pages';
import { newId } from '../shared/id';
import { withSiteData } from '../shared/site-data';
import { forgetLeft, keyOf, keysOf, storage } from '../storage/left-texts';

/** This page, and the end of its life, which a lock tells to others: the next page that writes a text merges what was left of it once its page is gone. */
const page = newId();
holdPage(navigator.locks, page);

/** Leaves a text in the place of what this page had left under the name. Returns whether there was room. */
export function leaveBehind(name: string, text: unknown): boolean {
	return withSiteData(storage, (local) => (local.setItem(keyOf(name, page), JSON.stringify(text)), true)) ?? false;
}

/** Removes what this page has left under a name: it is written. */
export function takeBack(name: string): void {
	forgetLeft([keyOf(name, page)]);
}

/**
 * Resolves with the texts that were left under a name by pages that are gone, by key; those of another shape stay where they are. Where
 * another page that has left one is still there, `later` is called once it is gone.
 */
export async function leftBehind<T>(name: string, schema: v.GenericSchema<T>, later: () => void): Promise<[key: string, text: T][]> {
	const keys = keysOf(name).filter((key) => key !== keyOf(name, page));
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
