import type { SearchResult } from './hit';
import { beginningWith, parseQuery, type ParsedQuery } from './index/parse-query';
import { leavesOf, type Leaf, type Query } from './index/query';
import { charactersOf, isUnigram } from './index/runs';
import { locate, processTerm, type Token } from './index/words';

/** A stretch of a text, in UTF-16 units. */
export type Mark = [from: number, to: number];

/** A mark, and which words and phrases of the query stand there, and which of them as themselves and not by a part: a bit for each, since a query has 32 at most. */
export type WordMark = [...Mark, words: number, own: number];

/** Words and phrases that are looked for. */
export type Wanted = Pick<ParsedQuery, 'words' | 'phrases' | 'isOpen'>;

/** Words of a query that a term is found by, a bit for each. */
export interface Matcher {
	(term: string): number;
	/** Those that it is, and no part of, as `word` is of `word10`; absent where no word has parts. */
	own?: (term: string) => number;
}

/** Yields the marks of the terms of a text that match, in order; reads no further than is asked for. */
export function* marksOf(text: string, matches: Matcher): Generator<WordMark, undefined> {
	for (const token of locate(text)) {
		const mark = markOf(text, token, matches);
		if (mark) yield mark;
	}
}

/** Returns the mark of a token, if it matches: of a pair of characters the first only, where that is what is looked for. */
function markOf(text: string, token: Token, matches: Matcher): WordMark | undefined {
	const term = processTerm(token.token);
	const words = term === null ? 0 : matches(term);
	if (term === null || words === 0) return undefined;
	const [first] = term;
	const isFirstOnly = term !== first && isUnigram(first!) && matches(first!) !== 0;
	return [token.from, isFirstOnly ? charactersOf(text, token)[0]!.to : token.to, words, matches.own?.(term) ?? words];
}

/** Returns marks in order, those that overlap or touch as one. */
export function merged(marks: WordMark[]): WordMark[] {
	const apart: WordMark[] = [];
	for (const [from, to, words, own] of marks.toSorted(([a], [b]) => a - b)) {
		const last = apart.at(-1);
		if (last && from <= last[1]) {
			last[1] = Math.max(last[1], to);
			last[2] |= words;
			last[3] |= own;
		} else apart.push([from, to, words, own]);
	}
	return apart;
}

/**
 * Marks what a query finds, on the page that shows a hit: its words, as they are found, and their
 * corrections; its phrases only where they are phrases. Marks nothing where the query is refused.
 */
export function marker(query: string, corrections: SearchResult['corrections'] = []): (text: string) => WordMark[] {
	const parsed = parseQuery(query);
	if (parsed.refused !== undefined) return () => [];
	const matches = matcherOf(parsed, corrections);
	return (text) => marksIn(text, matches, parsed);
}

/** Returns all marks of a query in a text, in order and apart; `foundBy` says which of them count. */
export function marksIn(text: string, matches: Matcher, query: Wanted): WordMark[] {
	return merged([...marksOf(text, matches), ...phraseMarks(text, query)]);
}

/** Makes a matcher of terms that the query's words are found by, that correct them, or that corrections become in the index. */
export function matcherOf({ words }: Pick<ParsedQuery, 'words'>, corrections: SearchResult['corrections'] = []): Matcher {
	const matches = bitsOf(words.map(({ written, query }) => ({ written, leaves: leavesOf(query) })), corrections);
	if (!words.some(({ query }) => ownLeavesOf(query).length < leavesOf(query).length)) return matches;
	return Object.assign(matches, { own: bitsOf(words.map(({ written, query }) => ({ written, leaves: ownLeavesOf(query) })), corrections) });
}

/** Returns the leaves of a word as it is written: not those of its parts, which are wanted together, unless it is found by them alone. */
function ownLeavesOf(query: Query): Leaf[] {
	const own = query.kind === 'any' ? query.of.filter(({ kind }) => kind !== 'all') : [];
	return (own.length > 0 ? own : [query]).flatMap(leavesOf);
}

function bitsOf(words: { written: string; leaves: Leaf[] }[], corrections: SearchResult['corrections']): (term: string) => number {
	const terms = new Map<string, number>();
	const beginnings: [beginning: string, word: number][] = [];
	for (const [index, { written, leaves }] of words.entries()) {
		const meant = corrections.flatMap(({ word, to }) => (word === written ? to : []));
		const whole = [...leaves.filter(({ prefix }) => !prefix).map(({ term }) => term), ...meant, ...meant.flatMap((word) => processTerm(word) ?? [])];
		for (const term of whole) terms.set(term, (terms.get(term) ?? 0) | (1 << index));
		for (const { term, prefix } of leaves) if (prefix) beginnings.push([term, 1 << index]);
	}
	return (term) => beginnings.reduce((found, [beginning, word]) => (term.startsWith(beginning) ? found | word : found), terms.get(term) ?? 0);
}

/** Returns the marks of a query's phrases in a text. */
function phraseMarks(text: string, { words, phrases, isOpen }: Wanted): WordMark[] {
	return phrases.flatMap((phrase, index) => {
		const occurrences = [...phrasesIn(text, phrase, isOpen && index === phrases.length - 1)];
		const bit = 1 << (words.length + index);
		return occurrences.map((occurrence): WordMark => [...occurrence, bit, bit]);
	});
}

/**
 * Yields the occurrences of a phrase in a text, in the order of their ends; reads no further than is asked for. A phrase is terms at consecutive positions, whatever
 * characters stand between them: in smallest parts, as `phraseOf` and `parseQuery` have it, so `"user name"` is in `get_user_name`; and
 * since a text has joined parts as words too, so is `"username"`. With `lastIsPrefix` the last term is how a word begins,
 * folded but not stemmed. The index finds just the texts that have one.
 */
export function* phrasesIn(text: string, phrase: string[], lastIsPrefix: boolean): Generator<Mark> {
	const last = phrase.length - 1;
	if (last < 0) return;
	const ends = endOf(phrase[last]!, lastIsPrefix);
	// The partial matches by the position that comes next: number of terms before it, and offset of the first of them.
	const reached = new Map<number, Map<number, number>>();
	let position = 0;
	for (const token of locate(text)) {
		if (token.position !== position) reached.delete(position);
		position = token.position;
		const term = processTerm(token.token);
		const before = reached.get(position);
		if (term === null || (!before && term !== phrase[0] && last > 0)) continue;
		for (const [count, from] of [[0, token.from] as const, ...(before ?? [])]) {
			if (count === last) {
				const mark = ends(term) && markOf(text, token, ends);
				if (mark) yield [from, mark[1]];
			} else if (term === phrase[count]) {
				const next = reached.get(position + token.parts) ?? new Map<number, number>();
				if (!next.has(count + 1)) next.set(count + 1, from);
				reached.set(position + token.parts, next);
			}
		}
	}
}

/** Makes a matcher of the terms that can be the last of a phrase. */
function endOf(last: string, isPrefix: boolean): Matcher {
	if (!isPrefix) return (term) => Number(isUnigram(last) ? term.startsWith(last) : term === last);
	const query = beginningWith(last);
	return matcherOf({ words: query ? [{ written: last, query }] : [] });
}
