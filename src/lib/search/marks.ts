import { beginningWith, parseQuery, type ParsedQuery } from './parse-query';
import type { Query } from './query';
import { charactersOf, isPaired } from './runs';
import { locate, processTerm, type Token } from './words';

/** Where something is in a text, in UTF-16 units. */
export type Mark = [from: number, to: number];

/** Where a text has terms that match: in order, apart from each other. */
export function marksOf(text: string, matches: (term: string) => boolean): Mark[] {
	const marks: Mark[] = [];
	for (const token of locate(text)) {
		const mark = markOf(text, token, matches);
		if (mark) marks.push(mark);
	}
	return merged(marks);
}

/** Where a token matches, if it does: of a pair of characters the first only, where that is what is looked for. */
export function markOf(text: string, token: Token, matches: (term: string) => boolean): Mark | undefined {
	const term = processTerm(token.token);
	if (term === null || !matches(term)) return undefined;
	const [first] = term;
	if (term !== first && isPaired(first!) && matches(first!)) return [token.from, charactersOf(text, token)[0]!.to];
	return [token.from, token.to];
}

/** Marks in order, those that overlap or touch as one. */
export function merged(marks: Mark[]): Mark[] {
	const apart: Mark[] = [];
	for (const [from, to] of marks.toSorted(([a], [b]) => a - b)) {
		const last = apart.at(-1);
		if (last && from <= last[1]) last[1] = Math.max(last[1], to);
		else apart.push([from, to]);
	}
	return apart;
}

/**
 * Marks what a query finds, on the page that shows a hit: its words, as they are found, and those that were taken in their
 * place; its phrases only where they are phrases. Marks nothing where the query is refused.
 */
export function marker(query: string, corrections: string[] = []): (text: string) => Mark[] {
	const parsed = parseQuery(query);
	if (parsed.refused !== undefined) return () => [];
	const matches = matcherOf(parsed, corrections);
	return (text) => merged([...marksOf(text, matches), ...phraseMarks(text, parsed)]);
}

/** Whether a term is what one of the query's words is found by; or a correction, or what that becomes in the index. */
export function matcherOf({ words }: Pick<ParsedQuery, 'words'>, corrections: string[] = []): (term: string) => boolean {
	const terms = new Set(corrections.flatMap((word) => [word, processTerm(word) ?? word]));
	const beginnings: string[] = [];
	for (const { query } of words) collect(query, terms, beginnings);
	return (term) => terms.has(term) || beginnings.some((beginning) => term.startsWith(beginning));
}

function collect(query: Query, terms: Set<string>, beginnings: string[]): void {
	if (query.kind !== 'term') query.of.forEach((part) => collect(part, terms, beginnings));
	else if (query.prefix) beginnings.push(query.term);
	else terms.add(query.term);
}

/** Where a text has the phrases of a query. */
export function phraseMarks(text: string, { phrases, isOpen }: Pick<ParsedQuery, 'phrases' | 'isOpen'>): Mark[] {
	return phrases.flatMap((phrase, index) => [...phrasesIn(text, phrase, isOpen && index === phrases.length - 1)]);
}

/**
 * Each place of a phrase in a text, by where it ends; read no further than is asked for. A phrase is terms in a row, whatever
 * stands between them: in smallest parts, as `phraseOf` and `parseQuery` have it, so `"user name"` is in `get_user_name`; and
 * since a text has joined parts as words too, so is `"username"`. With `lastIsPrefix` the last term is how a word begins,
 * folded but not stemmed. The index finds just the texts that have one.
 */
export function* phrasesIn(text: string, phrase: string[], lastIsPrefix: boolean): Generator<Mark> {
	const last = phrase.length - 1;
	if (last < 0) return;
	const ends = endOf(phrase[last]!, lastIsPrefix);
	// By the part that comes next: how many terms are there before it, and where the first of them begins.
	const reached = new Map<number, Map<number, number>>();
	let part = 0;
	for (const token of locate(text)) {
		if (token.first !== part) reached.delete(part);
		part = token.first;
		const term = processTerm(token.token);
		const before = reached.get(part);
		if (term === null || (!before && term !== phrase[0] && last > 0)) continue;
		for (const [count, from] of [[0, token.from] as const, ...(before ?? [])]) {
			if (count === last) {
				const mark = ends(term) && markOf(text, token, ends);
				if (mark) yield [from, mark[1]];
			} else if (term === phrase[count]) {
				const next = reached.get(part + token.parts) ?? new Map<number, number>();
				if (!next.has(count + 1)) next.set(count + 1, from);
				reached.set(part + token.parts, next);
			}
		}
	}
}

/** Whether a term can be the last of a phrase. */
function endOf(last: string, isPrefix: boolean): (term: string) => boolean {
	if (!isPrefix) return isPaired(last) ? (term) => term.startsWith(last) : (term) => term === last;
	const query = beginningWith(last);
	return matcherOf({ words: query ? [{ written: last, query }] : [] });
}
