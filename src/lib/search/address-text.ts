import type { SearchWords } from './search-words';

// Apart from the rest of an address, since every chat reads it.

/** The most that an address may ask for, in UTF-16 units: it stands in a field. */
const maxQuery = 1000;

export type Words = Pick<SearchWords, 'keyOf' | 'textOf'>;

/** Returns the text that an address asks for: by its key in `w`, or as it is in `q`, where it was written by hand. */
export function textIn(query: URLSearchParams, words: Words): string | undefined {
	const key = query.get('w');
	return query.get('q')?.slice(0, maxQuery) ?? (key === null ? undefined : words.textOf(key));
}

/** Returns the same address with the key of its text in the place of the text. */
export function withoutWords(address: string, words: Words): string {
	const query = new URLSearchParams(address);
	const text = query.get('q');
	if (text === null) return address;
	query.delete('q');
	query.set('w', words.keyOf(text));
	return `?${query}`;
}
