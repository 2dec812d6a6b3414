/**
 * What is asked of the index, as MiniSearch would be asked: a leaf is one processed term, with its prefix matches or its near
 * ones up to a distance; `all` is its AND, `any` its OR, `without` its AND_NOT (the first but none of the others).
 */
export type Query = Leaf | { kind: 'all' | 'any' | 'without'; of: [Query, ...Query[]] };

export interface Leaf {
	kind: 'term';
	term: string;
	prefix: boolean;
	distance: number;
}

export function leavesOf(query: Query): Leaf[] {
	return query.kind === 'term' ? [query] : query.of.flatMap(leavesOf);
}

/** The leaves that a match has to do with: not those that it must be without. */
export function wantedLeavesOf(query: Query): Leaf[] {
	if (query.kind === 'term') return [query];
	return (query.kind === 'without' ? query.of.slice(0, 1) : query.of).flatMap(wantedLeavesOf);
}
