import type { Role } from '../conversation/message';
import { textIn, type Words } from './address-text';
import type { Hit } from './hit';
import type { SearchFilter } from './index/filter';
import type { SearchOrder } from './index/rank';

/** A search as the address of its page says it. Days are local ones, written as date fields have them. */
export interface Wanted {
	text: string;
	order: Exclude<SearchOrder, 'place'>;
	session?: string;
	workspace?: string;
	role?: Role;
	model?: string;
	from?: string;
	/** The last day that counts, to its end. */
	to?: string;
	code: boolean;
}

const searchedRoles = ['user', 'assistant', 'tool'];

/** Parses the query part of an address. What makes no sense in it is ignored. */
export function readAddress(address: string, words: Words): Wanted {
	const query = new URLSearchParams(address);
	const part = (name: string, isValid: (text: string) => boolean = () => true) => {
		const text = query.get(name) ?? '';
		return text !== '' && isValid(text) ? { [name]: text } : {};
	};
	return {
		text: textIn(query, words) ?? '',
		order: query.get('order') === 'newest' ? 'newest' : 'best',
		code: query.get('code') === '1',
		...part('session'),
		...part('workspace'),
		...part('role', (role) => searchedRoles.includes(role)),
		...part('model'),
		...part('from', isDay),
		...part('to', isDay)
	};
}

/** The query part of the search page's address, with its question mark; '' where nothing is asked. */
export function writeAddress({ text, order, code, ...rest }: Partial<Wanted>, words: Words): string {
	const given = { w: text && words.keyOf(text), order: order === 'newest' ? order : undefined, ...rest, code: code ? '1' : undefined };
	const query = new URLSearchParams(Object.entries(given).filter((entry): entry is [string, string] => Boolean(entry[1])));
	return query.size > 0 ? `?${query}` : '';
}

/** The query part of a hit's address in its session: where that is no message, such as a title, there is nothing to find in the session. */
export function hitAddress({ messageId }: Hit, text: string, words: Words): string {
	return messageId === undefined ? '' : `?${new URLSearchParams({ m: messageId, w: words.keyOf(text) })}`;
}

/** Returns the filter of the wanted hits. */
export function filterOf({ session, workspace, role, model, from, to, code }: Wanted): SearchFilter {
	return {
		...(session === undefined ? {} : { sessionId: session }),
		...(workspace === undefined ? {} : { workspace }),
		...(role === undefined ? {} : { role }),
		...(model === undefined ? {} : { model }),
		...(from === undefined ? {} : { from: midnight(from) }),
		...(to === undefined ? {} : { to: midnight(to, 1) - 1 }),
		...(code ? { hasCode: true } : {})
	};
}

function isDay(text: string): boolean {
	return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** Returns the time at which a local day begins, or one some days after it. */
function midnight(day: string, later = 0): number {
	const [year, month, date] = day.split('-').map(Number) as [number, number, number];
	return new Date(year, month - 1, date + later).getTime();
}
