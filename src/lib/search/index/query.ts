/**
 * A query of the index, as of MiniSearch: a leaf is one processed term, with its prefix matches or its fuzzy
 * ones up to an edit distance; `all` is its AND, `any` its OR, `without` its AND_NOT (the first but none of the others). A `phrase`,
 * which MiniSearch does not have, is `all` of its parts at consecutive positions: each begins where the one before ends.
 */
export type Query = Leaf | Phrase | { kind: 'all' | 'any' | 'without'; of: [Query, ...Query[]] };

export interface Leaf {
	kind: 'term';
	term: string;
	prefix: boolean;
	distance: number;
}

/** The parts of a phrase, in order. */
export interface Phrase {
	kind: 'phrase';
	of: [PhrasePart, ...PhrasePart[]];
}

export type PhrasePart = Leaf | { kind: 'any'; of: [Leaf, ...Leaf[]] };

export function leavesOf(query: Query): Leaf[] {
	return query.kind === 'term' ? [query] : query.of.flatMap(leavesOf);
}

/** Returns the leaves that a match can have: not those that it must be without. */
export function wantedLeavesOf(query: Query): Leaf[] {
	if (query.kind === 'term') return [query];
	return (query.kind === 'without' ? query.of.slice(0, 1) : query.of).flatMap(wantedLeavesOf);
}

/** Returns the phrases in a query, those that a match must be without among them. */
export function phrasesOf(query: Query): Phrase[] {
	if (query.kind === 'term') return [];
	return query.kind === 'phrase' ? [query] : query.of.flatMap(phrasesOf);
}
