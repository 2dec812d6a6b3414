/** A stretch of a text, in UTF-16 units. */
export interface Span {
	from: number;
	to: number;
}

/**
 * A run of characters that words are made from: letters of scripts with spaces between words, characters that are indexed as bigrams, letters that
 * only a dictionary divides into words, a picture.
 */
export interface Run extends Span {
	kind: 'spaced' | 'bigram' | 'dictionary' | 'picture';
	/** The joint between it and the run before, where both are of one written word. */
	joint: string | undefined;
	/** True if it may be more than one word written together, or one and a number. */
	mixed: boolean;
}

/** Limit of what is divided by dictionary at once, in UTF-16 units: the time that takes grows with the square. */
const maxPieceLength = 256;

/** No border of a word: soft hyphens, joiners, selectors of variants. */
const invisible = '\\p{Default_Ignorable_Code_Point}';
const bigramScripts = '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}';
const dictionaryScripts = '\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}';

const start = /[\p{L}\p{N}]/uy;
const rest = new RegExp(`[\\p{L}\\p{M}\\p{N}${invisible}]*`, 'uy');
/** Pictures, and flags, which two letters make. */
const picture = /\p{Extended_Pictographic}|[\u{1F1E6}-\u{1F1FF}]{2}/uy;
/** The signs that make one letter a name such as c++ or f#. */
const nameSuffix = /\+\+(?!\+)|#(?![\p{L}\p{N}#])/uy;

const unspaced = new RegExp(`[${bigramScripts}${dictionaryScripts}]`, 'u');
const scripts = new RegExp(
	`(?<bigram>[${bigramScripts}][${bigramScripts}\\p{M}${invisible}]*)|(?<dictionary>[${dictionaryScripts}][${dictionaryScripts}\\p{M}${invisible}]*)|[^${bigramScripts}${dictionaryScripts}]+`,
	'gu'
);
/** A character with its marks, of which half-width Katakana has some that are letters. */
const character = new RegExp(`[^\\p{M}${invisible}][\\p{M}\\uFF9E\\uFF9F${invisible}]*`, 'gu');
/** Characters of one unit that have no marks: all of most texts. */
const bare = /^[\u3041-\u3096\u30A1-\u30FA\u30FC\u3400-\u9FFF]*$/;
const unigram = new RegExp(`^[${bigramScripts}]\\p{M}*$`, 'u');

/** Joints that can stand between the parts of one word. */
const joint = /^(?:_{1,3}|[-\u2010\u2011./\\@:]|::|:\/\/|->|:?\\{1,2})$/;
const maxJointLength = 3;

/** English endings behind an apostrophe, which are no words. */
const endings = /^(?:s|t|d|m|ll|re|ve)$/i;

/** An abbreviation in the plural; capitals up to where a name begins; a name or letters; digits with the letters behind them. */
const camelCasePart = /(?:\p{Lu}\p{M}*){2,}s(?!\p{L})|(?:\p{Lu}\p{M}*)+(?![\p{Ll}\p{M}])|\p{Lu}?[^\p{Lu}\p{N}]+|\p{N}+[^\p{Lu}\p{N}]*/gu;
const digits = /\p{N}+/gu;

let dictionary: Intl.Segmenter | undefined;

/** Classes of ASCII codes: small letter, capital, digit; 0 for none of these. */
const [small, capital, digit] = [1, 2, 3];
const ascii = Uint8Array.from({ length: 128 }, (_, code) => {
	const sign = String.fromCharCode(code);
	return /[a-z]/.test(sign) ? small : /[A-Z]/.test(sign) ? capital : /[0-9]/.test(sign) ? digit : 0;
});

/** The runs of a text, in order. What stands between words is in none. */
export function runsOf(text: string): Run[] {
	const runs: Run[] = [];
	let before: Run | undefined;
	for (let at = 0; at < text.length; ) {
		const code = text.codePointAt(at)!;
		if (code < 128 ? ascii[code] === 0 : !isAt(start, text, at)) {
			const isPicture = code >= 128 && isAt(picture, text, at);
			const to = isPicture ? picture.lastIndex : at + (code > 0xffff ? 2 : 1);
			if (isPicture) runs.push({ kind: 'picture', from: at, to, joint: undefined, mixed: false });
			at = to;
			continue;
		}
		const run = wordAt(text, at);
		at = run.to;
		if (!run.isAscii && unspaced.test(text.slice(run.from, run.to))) {
			for (const part of byScripts(text, run)) runs.push(part);
			before = undefined;
			continue;
		}
		const between = before && run.from - before.to <= maxJointLength ? text.slice(before.to, run.from) : '';
		if ((between === "'" || between === '\u2019') && endings.test(text.slice(run.from, run.to))) continue;
		before = { kind: 'spaced', from: run.from, to: run.to, joint: joint.test(between) ? between : undefined, mixed: run.mixed };
		runs.push(before);
	}
	return runs;
}

/** Reads the letters and digits from an offset on that begins with one. Most are of ASCII, which needs no expression. */
function wordAt(text: string, from: number): Span & { mixed: boolean; isAscii: boolean } {
	let [to, kind, mixed] = [from, 0, false];
	for (let code = text.charCodeAt(to); code < 128 && ascii[code] !== 0; code = text.charCodeAt(++to)) {
		const next = ascii[code]!;
		if (to > from && next !== kind && !(to === from + 1 && kind === capital && next === small)) mixed = true;
		kind = next;
	}
	if (to < text.length && text.charCodeAt(to) >= 128) {
		rest.lastIndex = to;
		rest.test(text);
		if (rest.lastIndex > to) return { from, to: rest.lastIndex, mixed: true, isAscii: false };
	}
	if (to === from + 1 && kind !== digit && isAt(nameSuffix, text, to)) to = nameSuffix.lastIndex;
	return { from, to, mixed, isAscii: true };
}

function isAt(expression: RegExp, text: string, at: number): boolean {
	expression.lastIndex = at;
	return expression.test(text);
}

/** Letters and digits by the scripts that they are of. */
function byScripts(text: string, { from, to }: Span): Run[] {
	return Array.from(text.slice(from, to).matchAll(scripts), ({ index, 0: part, groups }): Run => {
		const kind = groups!['bigram'] ? 'bigram' : groups!['dictionary'] ? 'dictionary' : 'spaced';
		return { kind, from: from + index, to: from + index + part.length, joint: undefined, mixed: kind === 'spaced' };
	});
}

/**
 * Splits a name in camelCase into its parts, of which digits begin one too; returns the name alone where there are none. A name with digits in
 * more than two places is an id or a hash and has none, nor has one that is longer than `max` units.
 */
export function camelCaseParts(text: string, name: Run, max: number): Span[] {
	if (!name.mixed || name.to - name.from > max) return [name];
	const written = text.slice(name.from, name.to);
	if ((written.match(digits)?.length ?? 0) > 2) return [name];
	const parts = spansOf(written.matchAll(camelCasePart), name.from);
	return parts.length > 1 ? parts : [name];
}

/** The characters of a run, each with its marks. */
export function charactersOf(text: string, { from, to }: Span): Span[] {
	const run = text.slice(from, to);
	if (bare.test(run)) return Array.from({ length: to - from }, (_, index) => ({ from: from + index, to: from + index + 1 }));
	return spansOf(run.matchAll(character), from);
}

/** The words of a run as the dictionary for its script sees them. */
export function dictionaryWords(text: string, { from, to }: Span): Span[] {
	dictionary ??= new Intl.Segmenter('en', { granularity: 'word' });
	const words: Span[] = [];
	for (let start = from; start < to; ) {
		const end = wholeBefore(text, Math.min(to, start + maxPieceLength));
		for (const { index, segment } of dictionary.segment(text.slice(start, end))) {
			words.push({ from: start + index, to: start + index + segment.length });
		}
		start = end;
	}
	return words;
}

/** Tells if a term is a single character of those that are indexed as bigrams. */
export function isUnigram(term: string): boolean {
	return unigram.test(term);
}

/** Returns the offset `at`, or the one before it where that is inside of a surrogate pair. */
export function wholeBefore(text: string, at: number): number {
	return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at;
}

function spansOf(matches: Iterable<RegExpExecArray>, offset: number): Span[] {
	return Array.from(matches, ({ index, 0: part }) => ({ from: offset + index, to: offset + index + part.length }));
}
