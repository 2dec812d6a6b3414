import type { Snippet } from './hit';
import { wholeBefore } from './index/runs';
import { marksIn, marksOf, merged, phrasesIn, type Mark, type Matcher, type Wanted } from './marks';
import { mostTogether } from './together';

/** The longest snippet, but for its …, and the part of it before the first mark, in UTF-16 units. */
const maxLength = 160;
const lead = 48;

/** The stretch of the text around the first mark that is looked at, in UTF-16 units: enough, if not nearly all of it is white space. */
const before = 160;
const after = 480;

/** The stretch behind the first mark in which words are looked for that stand together, in UTF-16 units: it takes a few milliseconds. */
const farthest = 8192;

/** White space, control characters, and what Markdown has at the start of a line; and the signs of bold text. */
const noise =
	/(?:[\s\p{Cc}]|`{3,}|~{3,}|(?<=^[ \t]*)(?:#{1,6}|>)(?=\s))+|(?<![\p{L}\p{N}*])\*\*(?!\*)|(?<!\*)\*\*(?![\p{L}\p{N}*])/gmu;

/**
 * A line of a text around the place where most words and phrases stand together, from its first phrase on, or else from its
 * first term that matches; the beginning where there is none. White space is one space in it, and the plainest signs of
 * Markdown are left out. It is cut between words where it can be.
 */
export function snippetOf(text: string, matches: Matcher, query: Wanted): Snippet {
	const first = placeOf(text, matches, query);
	const from = wholeBefore(text, Math.max(0, first[0] - before));
	const to = wholeBefore(text, Math.min(text.length, first[0] + after));
	const around = text.slice(from, to);
	const line = new Line(around);
	const shown = first.map((place) => line.indexOf(place - from)) as Mark;
	const [start, end] = cutAround(line.text, shown, from === 0, to === text.length);
	const prefix = from > 0 || start > 0 ? '…' : '';
	const suffix = to < text.length || end < line.text.length ? '…' : '';
	const found = merged([...marksIn(around, matches, query), [first[0] - from, Math.min(first[1], to) - from, 0]]);
	const marks = found.flatMap(([markFrom, markTo]): Mark[] => {
		const a = Math.max(line.indexOf(markFrom), start) - start + prefix.length;
		const b = Math.min(line.indexOf(markTo), end) - start + prefix.length;
		return a < b ? [[a, b]] : [];
	});
	return { text: prefix + line.text.slice(start, end) + suffix, marks };
}

/** Place in a text that its line is cut around. */
function placeOf(text: string, matches: Matcher, query: Wanted): Mark {
	const [from, to] = firstPhrase(text, query) ?? marksOf(text, matches).next().value ?? [0, 0];
	if (query.words.length + query.phrases.length < 2) return [from, to];
	const marks = marksIn(text.slice(from, wholeBefore(text, Math.min(text.length, from + farthest))), matches, query);
	const [start, end] = marks[mostTogether(marks)] ?? [0, to - from];
	return [from + start, from + end];
}

function firstPhrase(text: string, { phrases, isOpen }: Wanted): Mark | undefined {
	for (const [index, phrase] of phrases.entries()) {
		const { value } = phrasesIn(text, phrase, isOpen && index === phrases.length - 1).next();
		if (value) return value;
	}
	return undefined;
}

/** A text on one line, without noise. */
class Line {
	readonly text: string;
	/** By unit of the line: where it is in the text. */
	private readonly places: number[] = [];

	constructor(text: string) {
		let line = '';
		const add = (unit: string, place: number) => {
			line += unit;
			this.places.push(place);
		};
		let at = 0;
		for (const { index, 0: gap } of text.matchAll(noise)) {
			for (; at < index; at++) add(text[at]!, at);
			at += gap.length;
			if (gap !== '**' && line !== '') add(' ', index);
		}
		for (; at < text.length; at++) add(text[at]!, at);
		this.text = line.trimEnd();
		this.places.length = this.text.length;
	}

	/** Returns the index in the line of what is at `place` in the text, or of what is kept next. */
	indexOf(place: number): number {
		let [low, high] = [0, this.places.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.places[middle]! < place) low = middle + 1;
			else high = middle;
		}
		return low;
	}
}

/** Returns the part of a line around a mark. */
function cutAround(line: string, [from, to]: Mark, beginsText: boolean, endsText: boolean): [start: number, end: number] {
	let start = Math.max(0, Math.min(from - lead, line.length - maxLength));
	if ((start > 0 && line[start - 1] !== ' ') || (start === 0 && !beginsText)) {
		const space = line.indexOf(' ', start);
		start = space >= 0 && space < from ? space + 1 : wholeCharacter(line, start);
	}
	let end = Math.min(line.length, start + maxLength);
	if (end < line.length ? line[end] !== ' ' : !endsText) {
		const space = line.lastIndexOf(' ', end - 1);
		end = space > start && space >= Math.min(to, end) ? space : wholeCharacter(line, end);
	}
	return [start, line[end - 1] === ' ' ? end - 1 : end];
}

/** The index, or one before it that is not inside of a character: of a surrogate pair, or between a letter and its marks. */
function wholeCharacter(line: string, index: number): number {
	let at = wholeBefore(line, index);
	while (at > 0 && at < line.length && /^\p{M}/u.test(line.slice(at, at + 2))) at = wholeBefore(line, at - 1);
	return at;
}
