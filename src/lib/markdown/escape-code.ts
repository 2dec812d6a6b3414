import { cutAtDirectionChanges } from '../shared/direction-changes';
import { cutAt } from '../shared/long-words';
import { unseenCharacters } from '../shared/unseen-characters';

/**
 * Characters that have no look of their own, or turn the text around them, or steer the terminal that they are pasted into: with them,
 * code reads otherwise than it runs. Joiners count only after ASCII and each other, since scripts and emoji need them; a variation
 * selector does not count where a symbol or a keycap takes it.
 */
const unseen = new RegExp(
	[
		`(?:[${unseenCharacters}]`,
		String.raw`\u034f|[\u180b-\u180d\u180f]|\u17b4|\u17b5`,
		String.raw`(?![\t\n\r])\p{Cc}|\r(?!\n)`,
		String.raw`(?<=[\0-\x7f\u200b-\u200d])[\u200c\u200d]`,
		String.raw`(?<=^|[\0-\x7f\u2800]|[^\p{S}\p{Extended_Pictographic}])[\ufe00-\ufe0f](?!\u20e3))+`
	].join('|'),
	'gu'
);

/** Reach of `unseen` before a piece of code, in UTF-16 units. */
export const unseenContext = 2;

/** Most names that a text may have: each of them is an element. */
const maxNames = 300;

/** Stands for each unseen character after the last name. */
const placeholder = '\ufffd';

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Count of the names that a text may yet have. */
export interface Names {
	left: number;
}

/** A part of a code; `name` where nothing of it could be seen. */
export interface CodePiece {
	text: string;
	name?: string;
}

export function newNames(): Names {
	return { left: maxNames };
}

/**
 * Returns HTML that shows `code` from `start` on as it is, with names for what could not be seen in it, and places to break within long words; up to the
 * last of `names`, its text content stays the same.
 */
export function escapeCode(code: string, names: Names, start = 0): string {
	return splitCode(code, names, start).map(pieceHtml).join('');
}

function pieceHtml({ text, name }: CodePiece): string {
	if (name !== undefined) return `<span class="unseen" title="${name}">${text}</span>`;
	return cutAt(text)
		.map((word) => word.replace(/[&<>]/g, (char) => entities[char as keyof typeof entities]))
		.join('<wbr>');
}

/** Cuts `code` into blocks that are laid out in good time, and each of them as `splitCode` does. */
export function blocksOf(code: string, names: Names): CodePiece[][] {
	return cutAtDirectionChanges(code).map((block) => splitCode(block, names));
}

/** Cuts `code` from `start` on where something could not be seen, and takes from `names`; without any left, placeholders stand in the text. */
export function splitCode(code: string, names: Names, start = 0): CodePiece[] {
	const pieces: CodePiece[] = [];
	let text = '';
	let at = start;
	unseen.lastIndex = start;
	for (const { 0: run, index } of code.matchAll(unseen)) {
		text += code.slice(at, index);
		at = index + run.length;
		if (names.left === 0) {
			text += placeholder.repeat([...run].length);
			continue;
		}
		names.left--;
		if (text !== '') pieces.push({ text });
		pieces.push({ text: run, name: nameOfRun(run) });
		text = '';
	}
	text += code.slice(at);
	if (text !== '') pieces.push({ text });
	return pieces;
}

function nameOfRun(run: string): string {
	const [first, ...more] = run;
	const name = `U+${first!.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
	return more.length === 0 ? name : `${name} +${more.length}`;
}
