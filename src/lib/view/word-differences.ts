import { diffArrays } from 'diff';
import { createPause } from '../shared/pause';
import { textLimit } from '../shared/start-of';

/** A piece of a text, and whether its words are only in this one of two. */
export interface ComparedPiece {
	text: string;
	isOwn: boolean;
}

/** Words that come or go until a comparison is given up, and milliseconds: texts that differ more have little to show. */
const [maxEditLength, timeout] = [2000, 100];

/** A piece that is segmented by itself: up to a space or the end of a clause, so that both texts are cut alike. A segmenter takes longer by the square. */
const stretch = /[^\s、。，！？；：]{1,200}[\s、。，！？；：]{0,200}|[\s、。，！？；：]{1,200}/gu;

let segmenter: Intl.Segmenter | undefined;

/** Returns two texts in pieces that tell which words only one of them has; undefined where they have too little in common, or are too long. */
export async function wordDifferences(a: string, b: string): Promise<{ a: ComparedPiece[]; b: ComparedPiece[] } | undefined> {
	if (a.length > textLimit || b.length > textLimit) return undefined;
	const changes = diffArrays(await wordsOf(a), await wordsOf(b), { maxEditLength, timeout });
	if (!changes?.some(({ added, removed, value }) => !added && !removed && value.some((word) => /[\p{L}\p{N}]/u.test(word)))) return undefined;
	const pieces = changes.map(({ added, removed, value }) => ({ text: value.join(''), added, removed }));
	return {
		a: joined(pieces.filter(({ added }) => !added).map(({ text, removed }) => ({ text, isOwn: removed }))),
		b: joined(pieces.filter(({ removed }) => !removed).map(({ text, added }) => ({ text, isOwn: added })))
	};
}

/** Cuts pieces where a text of theirs is cut, at the lengths of its parts. */
export function cutPieces(pieces: readonly ComparedPiece[], lengths: readonly number[]): ComparedPiece[][] {
	const left = [...pieces].reverse();
	return lengths.map((length) => {
		const part: ComparedPiece[] = [];
		for (let room = length; room > 0 && left.length > 0; ) {
			const piece = left.pop()!;
			const text = piece.text.slice(0, room);
			part.push({ ...piece, text });
			if (text.length < piece.text.length) left.push({ ...piece, text: piece.text.slice(room) });
			room -= text.length;
		}
		return part;
	});
}

/** Puts together what follows each other alike; spaces between two words that are only here are of them. */
function joined(pieces: ComparedPiece[]): ComparedPiece[] {
	const whole: ComparedPiece[] = [];
	for (const [at, { text, isOwn }] of pieces.entries()) {
		const isBetween = /^[^\S\n]+$/.test(text) && pieces[at - 1]?.isOwn === true && pieces[at + 1]?.isOwn === true;
		const last = whole.at(-1);
		if (last && last.isOwn === (isOwn || isBetween)) last.text += text;
		else whole.push({ text, isOwn: isOwn || isBetween });
	}
	return whole;
}

async function wordsOf(text: string): Promise<string[]> {
	segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
	const pause = createPause();
	const words: string[] = [];
	for (const [part] of text.matchAll(stretch)) {
		for (const { segment } of segmenter.segment(part)) words.push(segment);
		await pause();
	}
	return words;
}
