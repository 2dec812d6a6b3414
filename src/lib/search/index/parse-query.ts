import { fold } from './fold';
import type { Leaf, PhrasePart, Query } from './query';
import { isUnigram } from './runs';
import { groupsOf, phraseParts, processTerm, stemOf, type Group } from './words';

/** A word of a query as it was written, and what is asked of the index for it. */
export interface QueryWord {
	written: string;
	query: Query;
}

/** A query as a user types it, understood. What is found has all words and phrases, and none of what is in `not` and `notPhrases`. */
export interface ParsedQuery {
	words: QueryWord[];
	/** The smallest parts of each quoted phrase as terms, in order: see `phrasesIn`. */
	phrases: string[][];
	/** True while the last phrase is being typed: its last term is the beginning of a word, folded but not stemmed. */
	isOpen: boolean;
	not: Query[];
	notPhrases: string[][];
	/** Reason why it is not answered, as a sentence that says what to do. */
	refused?: string;
}

const maxLength = 1000;
const maxWords = 32;
/** The most parts of phrases: each is looked for at each place, and a word like a.b.c has many. */
const maxParts = 100;

const tooLong = 'A search can have up to 1,000 characters. Try a few words.';
const tooMany = 'A search can have up to 32 words. Try the few that matter most.';
const tooManyParts = 'The text in quotes is too long. Try a part of it.';
const nothingWanted = 'This only says what to leave out. Add a word to look for.';

/** A piece that may have a minus before it: a phrase in quotes of any of several kinds, closed or not; or all up to a space or a quote. */
const pieces = /((?<!\S)-(?=[^\s-]))?(?:["“”„«»]([^"“”„«»]*)(["“”„«»]?)|([^\s"“”„«»]+))/g;

/**
 * Parses a search as it is typed [E7]: words, all of which are wanted; phrases in quotes; `-` before what is not wanted. A word that
 * nothing follows yet is taken for how one begins. Anything else is text: two hyphens are none that leaves out, so that
 * `--force` can be looked for. Refused are more than 1000 characters, 32 words or 100 parts of phrases.
 */
export function parseQuery(text: string): ParsedQuery {
	const parsed: ParsedQuery = { words: [], phrases: [], isOpen: false, not: [], notPhrases: [] };
	if (text.length > maxLength) return { ...parsed, refused: tooLong };
	let count = 0;
	for (const match of text.matchAll(pieces)) {
		const [piece, minus, phrase, closing, plain = ''] = match;
		const isLast = match.index + piece.length === text.length;
		const groups = groupsOf(phrase ?? plain);
		count += groups.length;
		if (minus !== undefined) leaveOut(parsed, phrase ?? plain, phrase === undefined ? groups : []);
		else if (phrase !== undefined) addPhrase(parsed, phrase, isLast && closing === '');
		else addWords(parsed, plain, groups, isLast);
	}
	const partCount = [...parsed.phrases, ...parsed.notPhrases].flat().length;
	if (count > maxWords || partCount > maxParts) return { words: [], phrases: [], isOpen: false, not: [], notPhrases: [], refused: count > maxWords ? tooMany : tooManyParts };
	const isNegative = parsed.not.length > 0 || parsed.notPhrases.length > 0;
	if (isNegative && parsed.words.length === 0 && parsed.phrases.length === 0) parsed.refused = nothingWanted;
	return parsed;
}

/**
 * Returns the query for the index, or undefined where nothing is wanted. The words whose indexes are in `typos` are matched
 * fuzzily: with an edit distance of 1 from four letters on, and of 2 from six, which two swapped letters have.
 */
export function toQuery(parsed: ParsedQuery, typos: ReadonlySet<number>): Query | undefined {
	const words = parsed.words.map(({ query }, index) => (typos.has(index) ? withTypos(query) : query));
	const phrases = parsed.phrases.flatMap((phrase, index) => phraseQuery(phrase, parsed.isOpen && index === parsed.phrases.length - 1));
	const wanted = join('all', [...words, ...phrases]);
	return wanted && join('without', [wanted, ...parsed.not, ...parsed.notPhrases.flatMap((phrase) => phraseQuery(phrase, false))]);
}

function addWords(parsed: ParsedQuery, piece: string, groups: Group[], isLast: boolean): void {
	for (const group of groups) {
		const query = queryOf(group, isLast && group.to === piece.length);
		if (query) parsed.words.push({ written: piece.slice(group.from, group.to), query });
	}
}

function addPhrase(parsed: ParsedQuery, phrase: string, isOpen: boolean): void {
	const parts = phraseParts(phrase);
	const terms = phraseOf(phrase);
	if (terms.length === 0) return;
	const { to, token } = parts.at(-1)!;
	parsed.isOpen = isOpen && to === phrase.length && processTerm(token) !== null;
	if (parsed.isOpen) terms.splice(-1, 1, fold(token));
	parsed.phrases.push(terms);
}

/** Adds what a match must not have. A word with parts could be divided otherwise elsewhere: it is a phrase. */
function leaveOut(parsed: ParsedQuery, piece: string, groups: Group[]): void {
	const query = groups.length === 1 && groups[0]!.parts.length === 0 ? queryOf(groups[0]!, false) : undefined;
	const phrase = phraseOf(piece);
	if (query) parsed.not.push(query);
	else if (phrase.length > 0) parsed.notPhrases.push(phrase);
}

/** The terms of a phrase, as `phrasesIn` wants them. */
export function phraseOf(phrase: string): string[] {
	return phraseParts(phrase).flatMap(({ token }) => processTerm(token) ?? []);
}

function queryOf(group: Group, isTyped: boolean): Query | undefined {
	const { whole, joined, parts } = group;
	const spellings = [whole, joined].flatMap((token) => (token === undefined ? [] : (leafOf(token, isTyped) ?? [])));
	const byPart = parts.flatMap((part, index) => queryOf(part, isTyped && index === parts.length - 1) ?? []);
	return join('any', [...spellings, ...asList(join('all', byPart))]);
}

function leafOf(token: string, isTyped: boolean): Query | undefined {
	if (isTyped) return beginningWith(fold(token));
	const term = processTerm(token);
	return term === null ? undefined : exactly(term);
}

/** Makes the leaf of a term as it is; a single character of Han or Kana is the prefix of its bigrams. */
function exactly(term: string): Leaf {
	return leaf(term, isUnigram(term));
}

function leaf(term: string, prefix: boolean): Leaf {
	return { kind: 'term', term, prefix, distance: 0 };
}

/** Makes the query of a phrase, if it has terms. Only the last may be a prefix: the next part of a text comes where a word ends. */
function phraseQuery(phrase: string[], isOpen: boolean): Query[] {
	return phrase.slice(-1).flatMap((last) => {
		const end = isOpen ? beginningWith(last) : exactly(last);
		if (!end) return [];
		const [first, ...others] = phrase.slice(0, -1).map((term) => leaf(term, false));
		return first ? { kind: 'phrase', of: [first, ...others, end] } : end;
	});
}

/**
 * Endings: with one of them, whatever is typed of nearly every English word becomes one with the stem of that word.
 * They are what is left of `happiness`, `relational`, `studied` and their like somewhere on the way.
 */
const completions =
	' e g m n y d r s l al ed er ly ng ss us ve on ze ble ent ess ful ing ion ity ive ize nal nts ted tive tion ity lity ty ul'.split(' ');

/**
 * Words that begin so, folded. Stems are shorter than what is typed of a word near its end: `runnin` does not begin `run`.
 * So the stems that it may be going to have are wanted too, unless they begin so themselves.
 */
export function beginningWith(folded: string): PhrasePart | undefined {
	if (folded === '') return undefined;
	const stems = /^[a-z]{3,}$/.test(folded) ? completions.map((ending) => stemOf(folded + ending)) : [];
	const shorter = [...new Set(stems)].filter((stem) => !stem.startsWith(folded));
	return shorter.length === 0 ? leaf(folded, true) : { kind: 'any', of: [leaf(folded, true), ...shorter.map(exactly)] };
}

function withTypos(query: Query): Query {
	// A phrase in quotes is meant as it is written.
	if (query.kind === 'phrase') return query;
	if (query.kind !== 'term') {
		const [first, ...others] = query.of;
		return { ...query, of: [withTypos(first), ...others.map(withTypos)] };
	}
	const { length } = query.term;
	return { ...query, distance: length >= 6 ? 2 : length >= 4 ? 1 : 0 };
}

function join(kind: 'all' | 'any' | 'without', [first, ...others]: Query[]): Query | undefined {
	return first && (others.length === 0 ? first : { kind, of: [first, ...others] });
}

function asList(query: Query | undefined): Query[] {
	return query ? [query] : [];
}
