import { goto, replaceState } from '$app/navigation';
import { resolve } from '$app/paths';
import { page } from '$app/state';
import { textIn, withoutWords } from '../search/address-text';
import { hideWords, searchWords } from './search-words';

/** The view of a session that the address asks for. Another object each time that the user goes there. */
export interface Look {
	/** A message's id, a node such as `n3`, or a label: up to there the session is read [Z9]. */
	at?: string | undefined;
	/** The message that is to be shown [P5]. */
	messageId?: string | undefined;
	/** Query of the find bar in the session; the bar is open where this is given, also where it is ''. */
	query?: string | undefined;
}

/** The place that the user came from. */
export const arrival = $state<{
	/** The address of the list of results, if it is the page before this one. */
	list: ReturnType<typeof resolve> | undefined;
}>({ list: undefined });

let replacing = false;

/** Parses the query part of an address. */
export function lookOf(query: URLSearchParams): Look {
	const given = (name: string) => query.get(name) ?? undefined;
	return { at: given('at'), messageId: given('m'), query: textIn(query, searchWords) };
}

/** Changes what the address asks for, in the place of what it asked for before: going back leads to the page before. */
export async function replaceLook(sessionId: string, look: Look): Promise<void> {
	replacing = true;
	try {
		await goto(pathOf(sessionId, look), { replaceState: true, noScroll: true, keepFocus: true });
	} finally {
		replacing = false;
	}
}

/** Keeps the key of what is looked for in the address, so that it is there after a reload; nothing else follows from it. */
export function keepQuery(sessionId: string, query: string): void {
	const { at, messageId } = lookOf(page.url.searchParams);
	replaceState(pathOf(sessionId, { at, messageId, query }), page.state);
}

/** To be told of each navigation that leads to a session, or from one to another. */
export function noteArrival({ from }: { from: { url: URL | null } | null }): void {
	hideWords();
	if (replacing) return;
	const list = resolve('/(app)/search');
	arrival.list = from?.url?.pathname === list ? (`${list}${withoutWords(from.url.search, searchWords)}` as ReturnType<typeof resolve>) : undefined;
}

function pathOf(sessionId: string, { at, messageId, query }: Look): ReturnType<typeof resolve> {
	const given = Object.entries({ at, m: messageId, w: query === undefined ? undefined : searchWords.keyOf(query) }).filter((entry): entry is [string, string] => entry[1] !== undefined);
	const asked = new URLSearchParams(given).toString();
	return `${resolve('/(app)/(chat)/s/[id]', { id: sessionId })}${asked && `?${asked}`}` as ReturnType<typeof resolve>;
}
