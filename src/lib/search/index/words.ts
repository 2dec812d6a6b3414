import { stemmer } from 'stemmer';
import { fold, maxTermLength, unsliced } from './fold';
import { packPosition } from './positions';
import { charactersOf, dictionaryWords, camelCaseParts, isUnigram, runsOf, wholeBefore, type Run, type Span } from './runs';

/**
 * A token as it is written, with its offsets in UTF-16 units. `position` counts the smallest parts of words through the text, and `parts` is
 * the position length, how many of them the token covers: the next token of a phrase has the position `position + parts`.
 */
export interface Token extends Span {
	token: string;
	position: number;
	parts: number;
}

/** A written word of a query. It is found as a whole, as `joined` without the joints in it, or by all of its parts, if it has any. */
export interface Group extends Span {
	/** Absent where it is longer than what is found as a whole. */
	whole?: string;
	joined?: string;
	parts: Group[];
}

/** Limit of a slice, and the part before its end that is searched for white space, in UTF-16 units. */
const maxSliceLength = 16_384;
const breakWindow = 4096;

const whiteSpace = /\s/;
const letters = /^\p{L}[\p{L}\p{M}]*$/u;
/** Joints that another spelling of a word leaves out. */
const optionalJoint = /^[-\u2010\u2011_]$/;

/** Raw tokens in order, for MiniSearch's `tokenize`: those of `locate`. */
export function tokenize(text: string): string[] {
	const tokens: string[] = [];
	for (const part of slices(text)) for (const { token } of tokensOf(part)) tokens.push(token);
	return tokens;
}

/**
 * The words of a text, as a whole and by part, in the order in which they begin; read no further than is asked for.
 *
 * A word is a run of letters and digits. Where what code has between names stands between two (`_ - . / \ @ : :: :// ->`),
 * they are one word: that whole is found if it is no longer than a term, and so is each of them, each part of a name in camelCase,
 * digits too, and each two that follow each other in letters only, written as one: `username` finds `get_user_name`. An
 * apostrophe parts words, and what English has behind it is none: `user's` is `user`, `don't` is `don`.
 *
 * Han and Kana are indexed as bigrams: each character begins a pair, and the last one stands alone, so that any piece of a text is found however
 * a dictionary divides it; words of three characters and more, as the dictionary has them, are there too. Thai, Lao,
 * Khmer and Burmese are divided by dictionary alone. A picture is a word.
 */
export function* locate(text: string): Generator<Token> {
	let [offset, position] = [0, 0];
	for (const part of slices(text)) {
		let end = 0;
		for (const token of tokensOf(part)) {
			end = Math.max(end, token.position + token.parts);
			token.from += offset;
			token.to += offset;
			token.position += position;
			yield token;
		}
		offset += part.length;
		position += end;
	}
}

/** A text in pieces of at most 16 384 units, cut at white space where there is some: together they have the tokens that it has. */
export function* slices(text: string): Generator<string> {
	let from = 0;
	while (text.length - from > maxSliceLength) {
		const end = from + maxSliceLength;
		let to = end;
		while (to > end - breakWindow && !whiteSpace.test(text[to - 1]!)) to--;
		if (to === end - breakWindow) to = wholeBefore(text, end);
		yield text.slice(from, to);
		from = to;
	}
	yield text.slice(from);
}

/** The terms of a text: the positions of each (`packPosition`), in order, and how many different raw tokens: the length that MiniSearch counts with. */
export interface DocumentTerms {
	positions: Map<string, number[]>;
	words: number;
}

export function countTerms(text: string): DocumentTerms {
	const counter = new TermCounter();
	for (const part of slices(text)) counter.take(part);
	return counter.terms();
}

/** Counts as `countTerms` does, with a pause between slices, of which each takes a few milliseconds. */
export async function countTermsInSlices(text: string, pause: () => Promise<void>): Promise<DocumentTerms> {
	const counter = new TermCounter();
	for (const part of slices(text)) {
		await pause();
		counter.take(part);
	}
	return counter.terms();
}

class TermCounter {
	/** The positions of a raw token's term, by token; null where it has none. Several tokens may share a term, and its list. */
	private readonly written = new Map<string, number[] | null>();
	private readonly positions = new Map<string, number[]>();
	private position = 0;

	/** Adds the next slice of the text. */
	take(text: string): void {
		let end = 0;
		for (const { token, position: start, parts } of tokensOf(text)) {
			const position = packPosition(this.position + start, parts);
			const list = this.written.get(token);
			if (list) list.push(position);
			else if (list === undefined) this.written.set(token, this.begin(token, position));
			// The last of all tokens covers one position.
			end = start + 1;
		}
		this.position += end;
	}

	terms(): DocumentTerms {
		return { positions: this.positions, words: this.written.size };
	}

	private begin(token: string, position: number): number[] | null {
		const term = processTerm(token);
		if (term === null) return null;
		let list = this.positions.get(term);
		if (list) list.push(position);
		else this.positions.set(term, (list = [position]));
		return list;
	}
}

function tokensOf(text: string): Token[] {
	const tokenizer = new Tokenizer(text);
	for (const word of wordsIn(text)) tokenizer.word(word);
	return tokenizer.tokens;
}

/** The runs of a text that make up one written word each. */
function wordsIn(text: string): [Run, ...Run[]][] {
	const words: [Run, ...Run[]][] = [];
	for (const run of runsOf(text)) {
		if (run.joint === undefined) words.push([run]);
		else words.at(-1)!.push(run);
	}
	return words;
}

/** The tokens of one slice. */
class Tokenizer {
	readonly tokens: Token[] = [];
	private position = 0;

	constructor(private readonly text: string) {}

	word(word: [Run, ...Run[]]): void {
		const [run] = word;
		if (run.kind === 'bigram') this.bigrams(run);
		else if (run.kind === 'dictionary') for (const span of dictionaryWords(this.text, run)) this.part(span);
		else if (word.length === 1 && !run.mixed) this.part(run);
		else this.names(word);
	}

	private bigrams(run: Run): void {
		const characters = charactersOf(this.text, run);
		const long = longWords(this.text, run, characters);
		for (const [index, character] of characters.entries()) {
			const count = long.get(index);
			if (count !== undefined) this.add({ from: character.from, to: characters[index + count - 1]!.to }, count);
			this.part({ from: character.from, to: (characters[index + 1] ?? character).to });
		}
	}

	private names(word: [Run, ...Run[]]): void {
		const names = word.map((name) => camelCaseParts(this.text, name, maxTermLength));
		if (word.length > 1 && isShort(spanOf(word))) {
			this.add(
				spanOf(word),
				names.reduce((sum, { length }) => sum + length, 0)
			);
		}
		for (const [index, parts] of names.entries()) {
			const name = word[index]!;
			const next = word[index + 1];
			const joined = next && joinedOf(this.text, name, next);
			if (parts.length > 1) this.add(name, parts.length);
			if (joined !== undefined) this.add({ from: name.from, to: next!.to }, parts.length + names[index + 1]!.length, joined);
			this.camelCase(parts);
		}
	}

	private camelCase(parts: Span[]): void {
		for (const [index, part] of parts.entries()) {
			const next = parts[index + 1];
			const isPair = parts.length > 2 && next && isLetters(this.text, part) && isLetters(this.text, next);
			if (isPair) this.add({ from: part.from, to: next.to }, 2);
			this.part(part);
		}
	}

	private part(span: Span): void {
		this.add(span, 1);
		this.position++;
	}

	private add({ from, to }: Span, parts: number, token = this.text.slice(from, to)): void {
		this.tokens.push({ from, to, token, position: this.position, parts });
	}
}

/** The words of three characters and more that the dictionary has in a run: how long each is, by the character that it begins with. */
function longWords(text: string, run: Run, characters: Span[]): Map<number, number> {
	const long = new Map<number, number>();
	if (characters.length < 3) return long;
	let index = 0;
	for (const { from, to } of dictionaryWords(text, run)) {
		while (index < characters.length && characters[index]!.from < from) index++;
		const start = index;
		while (index < characters.length && characters[index]!.to <= to) index++;
		if (index - start >= 3 && characters[start]!.from === from && to - from <= maxTermLength) long.set(start, index - start);
	}
	return long;
}

/** The written words of a query, in order. Reads the text as one slice. */
export function groupsOf(text: string): Group[] {
	return wordsIn(text).flatMap((word) => {
		const [run] = word;
		if (run.kind === 'bigram') return bigramWords(text, run).map((span) => bigramGroup(text, span));
		if (run.kind === 'dictionary') return [groupOf(text, run, dictionaryWords(text, run).map((span) => groupOf(text, span)))];
		const names = word.map((name) => {
			const parts = camelCaseParts(text, name, maxTermLength);
			return groupOf(text, name, parts.length > 1 ? parts.map((part) => groupOf(text, part)) : []);
		});
		const joined = word.length === 2 ? joinedOf(text, word[0], word[1]!) : undefined;
		return [{ ...groupOf(text, spanOf(word), names), ...(joined !== undefined && { joined }) }];
	});
}

/** The smallest parts of a phrase, in order. It is open at both ends, as a piece of a longer text is. */
export function phraseParts(phrase: string): Token[] {
	const smallest = [...locate(phrase)].filter(({ parts }) => parts === 1);
	// In a longer text, the last character of a run begins another pair. The pair before has it already.
	const [last, before] = [smallest.at(-1), smallest.at(-2)];
	return last && before?.to === last.to ? smallest.slice(0, -1) : smallest;
}

function groupOf(text: string, span: Span, parts: Group[] = []): Group {
	if (parts.length === 1) return parts[0]!;
	const { from, to } = span;
	return { from, to, ...((parts.length === 0 || isShort(span)) && { whole: text.slice(from, to) }), parts };
}

/** The words of a run as the dictionary has them; consecutive characters that are no words with others are one. */
function bigramWords(text: string, run: Run): Span[] {
	const words: (Span & { isLone: boolean })[] = [];
	for (const { from, to } of dictionaryWords(text, run)) {
		const last = words.at(-1);
		const isLone = isUnigram(text.slice(from, to));
		if (last?.isLone && isLone) last.to = to;
		else words.push({ from, to, isLone });
	}
	return words;
}

function bigramGroup(text: string, span: Span): Group {
	const characters = charactersOf(text, span);
	if (characters.length < 3) return groupOf(text, span);
	const pairs = characters.slice(1).map((character, index) => groupOf(text, { from: characters[index]!.from, to: character.to }));
	return groupOf(text, span, pairs);
}

/** Two names without what stands between them, if another spelling may leave that out: both in letters only. */
function joinedOf(text: string, name: Span, next: Run): string | undefined {
	if (!optionalJoint.test(next.joint!) || !isLetters(text, name) || !isLetters(text, next)) return undefined;
	return text.slice(name.from, name.to) + text.slice(next.from, next.to);
}

function isLetters(text: string, { from, to }: Span): boolean {
	return letters.test(text.slice(from, to));
}

function isShort({ from, to }: Span): boolean {
	return to - from <= maxTermLength;
}

function spanOf(word: [Run, ...Run[]]): Span {
	return { from: word[0].from, to: word.at(-1)!.to };
}

/** Limits of the memoised terms by the tokens that they come from: how many, and how long a token may be. */
const maxMemoised = 16_384;
const maxMemoisedLength = 24;

const memoised = new Map<string, string>();

/** The term that stands for a token in the index: folded, and an English word by its stem; null if nothing is left. */
export function processTerm(token: string): string | null {
	const before = memoised.get(token);
	if (before !== undefined) return before;
	const term = stemOf(fold(token));
	if (term === '') return null;
	if (token.length > maxMemoisedLength) return term;
	if (memoised.size >= maxMemoised) memoised.clear();
	memoised.set(unsliced(token), term);
	return term;
}

/** The stem of a folded word in plain letters, by Porter's rules; anything else as it is [E5]. */
export function stemOf(folded: string): string {
	return /^[a-z]{3,63}$/.test(folded) ? stemmer(folded) : folded;
}
