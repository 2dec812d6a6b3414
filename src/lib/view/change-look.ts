import { goto, replaceState } from '$app/navigation';
import type { resolve } from '$app/paths';
import { page } from '$app/state';
import { arrival, lookOf, type Look } from './look.svelte';
import { searchWords } from './search-words';
import { chatPath } from './temporary';

/** Changes what the address asks for, in the place of what it asked for before: going back leads to the page before. */
export async function replaceLook(sessionId: string, look: Look): Promise<void> {
	arrival.replacing = true;
	try {
		await goto(pathOf(sessionId, look), { replaceState: true, noScroll: true, keepFocus: true });
	} finally {
		arrival.replacing = false;
	}
}

/** Keeps the key of what is looked for in the address, so that it is there after a reload; nothing else follows from it. */
export function keepQuery(sessionId: string, query: string): void {
	const { at, messageId } = lookOf(page.url.searchParams);
	replaceState(pathOf(sessionId, { at, messageId, query }), page.state);
}

function pathOf(sessionId: string, { at, messageId, query }: Look): ReturnType<typeof resolve> {
	const given = Object.entries({ at, m: messageId, w: query === undefined ? undefined : searchWords.keyOf(query) }).filter((entry): entry is [string, string] => entry[1] !== undefined);
	const asked = new URLSearchParams(given).toString();
	return `${chatPath(sessionId)}${asked && `?${asked}`}` as ReturnType<typeof resolve>;
}
