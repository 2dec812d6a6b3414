import { resolve } from '$app/paths';
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
	/** Set while an address takes the place of another: nobody comes from anywhere then. */
	replacing: boolean;
}>({ list: undefined, replacing: false });

/** Parses the query part of an address. */
export function lookOf(query: URLSearchParams): Look {
	const given = (name: string) => query.get(name) ?? undefined;
	return { at: given('at'), messageId: given('m'), query: textIn(query, searchWords) };
}

/** To be told of each navigation that leads to a session, or from one to another. */
export function noteArrival({ from }: { from: { url: URL | null } | null }): void {
	hideWords();
	if (arrival.replacing) return;
	const list = resolve('/(app)/search');
	arrival.list = from?.url?.pathname === list ? (`${list}${withoutWords(from.url.search, searchWords)}` as ReturnType<typeof resolve>) : undefined;
}
