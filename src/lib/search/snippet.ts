import type { Snippet } from './hit';
import { wholeBefore } from './index/runs';
import { marksIn, marksOf, merged, phrasesIn, type Mark, type Matcher, type Wanted, type WordMark } from './marks';
import { densestMark } from './densest-mark';
import { foundBy } from './found-by';

/** Limit of a snippet, but for its …, and the part of it before its anchor, in UTF-16 units. */
const maxLength = 160;
const leadLength = 48;

/** Context of the anchor that is looked at, in UTF-16 units: enough, if not nearly all of it is white space. */
const contextBefore = 160;
const contextAfter = 480;

/** Limit of the text behind the first mark in which the densest window is looked for, in UTF-16 units: it takes a few milliseconds. */
const maxScanLength = 8192;

/** White space, control characters, Markdown at the start of a line, and the signs of bold text. */
const ignorable =
	/(?:[\s\p{Cc}]|`{3,}|~{3,}|(?<=^[ \t]*)(?:#{1,6}|>)(?=\s))+|(?<![\p{L}\p{N}*])\*\*(?!\*)|(?<!\*)\*\*(?![\p{L}\p{N}*])/gmu;

/**
 * Cuts a line out of a text, around the densest window of words and phrases from its first phrase on, or else from its
 * first term that matches; the beginning where there is none. White space is one space in it, and the plainest signs of
 * Markdown are left out. It is cut between words where it can be.
 */
export function snippetOf(text: string, matches: Matcher, query: Wanted): Snippet {
	const anchor = anchorOf(text, matches, query);
	const from = wholeBefore(text, Math.max(0, anchor[0] - contextBefore));
	const to = wholeBefore(text, Math.min(text.length, anchor[0] + contextAfter));
	const around = text.slice(from, to);
	const line = new Line(around);
	const shown = anchor.map((offset) => line.indexOf(offset - from)) as Mark;
	const [start, end] = cutAround(line.text, shown, from === 0, to === text.length);
	const prefix = from > 0 || start > 0 ? '…' : '';
	const suffix = to < text.length || end < line.text.length ? '…' : '';
	const found = merged([...foundBy(marksIn(around, matches, query)), [anchor[0] - from, Math.min(anchor[1], to) - from, 0, 0]]);
	const marks = found.flatMap(([markFrom, markTo]): Mark[] => {
		const a = Math.max(line.indexOf(markFrom), start) - start + prefix.length;
		const b = Math.min(line.indexOf(markTo), end) - start + prefix.length;
		return a < b ? [[a, b]] : [];
	});
	return { text: prefix + line.text.slice(start, end) + suffix, marks };
}

/** Returns the mark that a text's line is cut around. */
function anchorOf(text: string, matches: Matcher, query: Wanted): Mark {
	const [from, to] = firstPhrase(text, query) ?? firstWord(text, matches) ?? [0, 0];
	if (query.words.length + query.phrases.length < 2) return [from, to];
	const marks = foundBy(marksIn(text.slice(from, wholeBefore(text, Math.min(text.length, from + maxScanLength))), matches, query));
	const [start, end] = marks[densestMark(marks)] ?? [0, to - from];
	return [from + start, from + end];
}

/** Returns the first word itself where the text has one, or else the first part of one. */
function firstWord(text: string, matches: Matcher): WordMark | undefined {
	return (matches.own && marksOf(text, matches.own).next().value) ?? marksOf(text, matches).next().value;
}

function firstPhrase(text: string, { phrases, isOpen }: Wanted): Mark | undefined {
	for (const [index, phrase] of phrases.entries()) {
		const { value } = phrasesIn(text, phrase, isOpen && index === phrases.length - 1).next();
		if (value) return value;
	}
	return undefined;
}

/** A text on one line, without what is ignorable. */
class Line {
	readonly text: string;
	/** Offsets in the text of the line's units. */
	private readonly offsets: number[] = [];

	constructor(text: string) {
		let line = '';
		const add = (unit: string, offset: number) => {
			line += unit;
			this.offsets.push(offset);
		};
		let at = 0;
		for (const { index, 0: gap } of text.matchAll(ignorable)) {
			for (; at < index; at++) add(text[at]!, at);
			at += gap.length;
			if (gap !== '**' && line !== '') add(' ', index);
		}
		for (; at < text.length; at++) add(text[at]!, at);
		this.text = line.trimEnd();
		this.offsets.length = this.text.length;
	}

	/** Returns the index in the line of an offset in the text, or of the next one that is in the line. */
	indexOf(offset: number): number {
		let [low, high] = [0, this.offsets.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.offsets[middle]! < offset) low = middle + 1;
			else high = middle;
		}
		return low;
	}
}

/** Returns the part of a line around a mark. */
function cutAround(line: string, [from, to]: Mark, beginsText: boolean, endsText: boolean): [start: number, end: number] {
	let start = Math.max(0, Math.min(from - leadLength, line.length - maxLength));
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

/** Returns the index, or one before it that is not inside of a character: of a surrogate pair, or between a letter and its marks. */
function wholeCharacter(line: string, index: number): number {
	let at = wholeBefore(line, index);
	while (at > 0 && at < line.length && /^\p{M}/u.test(line.slice(at, at + 2))) at = wholeBefore(line, at - 1);
	return at;
}
