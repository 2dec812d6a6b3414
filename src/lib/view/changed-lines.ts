import { structuredPatch } from 'diff';

/** A line of a text that changes; a `gap` stands for lines that stay and are not shown. */
export interface ChangedLine {
	kind: 'same' | 'added' | 'removed' | 'gap';
	text: string;
}

/** Lines that stay, shown around each change. */
const context = 3;
/** Milliseconds after which a comparison is given up: all that was is removed then, and all that will be is added. */
const timeout = 300;

const kinds: Readonly<Record<string, ChangedLine['kind']>> = { ' ': 'same', '+': 'added', '-': 'removed' };

/** Returns the lines that a change of a text removes and adds, with those around them. */
export function changedLines({ before, after }: { before: string; after: string }): ChangedLine[] {
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

function linesOf(text: string, kind: 'removed' | 'added'): ChangedLine[] {
	return text === '' ? [] : text.split('\n').map((line) => ({ kind, text: line }));
}
