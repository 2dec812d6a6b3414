import { structuredPatch } from 'diff';
import { characterStart } from '../shared/shorten';

/** A line of a text that changes, or a piece of a long one; a `gap` stands for lines that stay and are not shown. */
export interface ChangedLine {
	kind: 'same' | 'added' | 'removed' | 'gap';
	text: string;
	/** True where it goes on with the line before. */
	goesOn?: true;
}

/** Lines that stay, shown around each change. */
const context = 3;
/** Milliseconds after which a comparison is given up: all that was is removed then, and all that will be is added. */
const timeout = 100;
/** The longest piece of a line, in UTF-16 units: what is drawn at once has so many pieces. */
const longest = 1000;

const kinds: Readonly<Record<string, ChangedLine['kind']>> = { ' ': 'same', '+': 'added', '-': 'removed' };

/** Returns the lines that a change of a text removes and adds, with those around them. A carriage return at their ends is left out where all of both texts have one. */
export function changedLines({ before, after }: { before: string; after: string }): ChangedLine[] {
	const isOfWindows = [before, after].every((text) => !/(?<!\r)\n/.test(text));
	const plain = (text: string) => (isOfWindows ? text.replaceAll('\r\n', '\n') : text);
	return wholeLines({ before: plain(before), after: plain(after) }).flatMap(piecesOf);
}

function wholeLines({ before, after }: { before: string; after: string }): ChangedLine[] {
	const patch = structuredPatch('', '', before, after, undefined, undefined, { context, timeout });
	if (!patch) return [...linesOf(before, 'removed'), ...linesOf(after, 'added')];
	const lines: ChangedLine[] = [];
	let reached = 1;
	for (const { oldStart, oldLines, lines: raw } of patch.hunks) {
		if (oldStart > reached) lines.push({ kind: 'gap', text: '' });
		for (const line of raw) {
			const kind = kinds[line[0]!];
			if (kind) lines.push({ kind, text: line.slice(1) });
		}
		reached = oldStart + oldLines;
	}
	if (reached <= before.split('\n').length - (before.endsWith('\n') || before === '' ? 1 : 0)) lines.push({ kind: 'gap', text: '' });
	return lines;
}

function piecesOf({ kind, text }: ChangedLine): ChangedLine[] {
	const pieces: ChangedLine[] = [];
	let at = 0;
	do {
		const end = at + longest < text.length ? characterStart(text, at + longest) : text.length;
		pieces.push({ kind, text: text.slice(at, end), ...(at > 0 && { goesOn: true }) });
		at = end;
	} while (at < text.length);
	return pieces;
}

function linesOf(text: string, kind: 'removed' | 'added'): ChangedLine[] {
	return text === '' ? [] : text.split('\n').map((line) => ({ kind, text: line }));
}
