import { thematicBreakIn } from '../../shared/thematic-break';

export interface Prose {
	kind: 'prose';
	text: string;
}

/** A fenced code block: whole lines, from the opening fence to the closing one. */
export interface Fence {
	kind: 'fence';
	text: string;
	/** The first word after the opening fence; '' for none. */
	language: string;
	/** Number of lines of code. */
	lines: number;
	/** The closing fence that it lacks; '' if it has one. */
	closing: string;
}

export type Block = Prose | Fence;

/** A fence that is open. `offset` is the column of the list item that it is in: a line that starts before it ends both. */
interface Open {
	lines: string[];
	marks: string;
	info: string;
	offset: number;
}

/**
 * A text in pieces that make it again when they are joined. Fences are those of CommonMark 0.31 §4.5, at top level and
 * in list items, but for ones in block quotes, raw HTML, and lists that begin inside of a paragraph.
 */
export function splitFences(text: string): Block[] {
	const scan = new FenceScan();
	for (const line of text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []) scan.line(line);
	return scan.finish();
}

/** The text with its last fence closed, so that what follows is not taken for code. */
export function closeFence(text: string): string {
	if (!mayHaveFence(text)) return text;
	const last = splitFences(text).at(-1);
	if (last?.kind !== 'fence' || last.closing === '') return text;
	return `${text}${/[\r\n]$/.test(text) ? '' : '\n'}${last.closing}`;
}

/** False only where `splitFences` finds none. */
export function mayHaveFence(text: string): boolean {
	return text.includes('```') || text.includes('~~~');
}

class FenceScan {
	private readonly blocks: Block[] = [];
	private prose: string[] = [];
	private open: Open | undefined;
	/** The columns at which the contents of the open list items start, outermost first. */
	private items: number[] = [];

	line(line: string): void {
		const body = line.replace(/[\r\n]+$/, '');
		const start = skipSpace(body, 0, 0);
		const isBlank = start.at === body.length;
		if (this.open && !isBlank && start.column < this.open.offset) this.closeBlock(false);
		if (this.open) return this.insideFence(this.open, line, body.slice(start.at), start.column);
		if (!isBlank) this.items = this.items.filter((offset) => offset <= start.column);
		const open = isBlank ? undefined : this.opening(body, start);
		if (!open) {
			this.prose.push(line);
			return;
		}
		this.closeProse();
		this.open = { ...open, lines: [line] };
	}

	finish(): Block[] {
		if (this.open) this.closeBlock(false);
		this.closeProse();
		return this.blocks;
	}

	private insideFence(open: Open, line: string, rest: string, column: number): void {
		open.lines.push(line);
		const marks = /^(`{3,}|~{3,})[ \t]*$/.exec(rest)?.[1];
		const closes = marks !== undefined && marks[0] === open.marks[0] && marks.length >= open.marks.length;
		if (closes && column - open.offset <= 3) this.closeBlock(true);
	}

	/** The fence that a line opens, if it does, after the markers of the list items that begin on it. */
	private opening(body: string, start: Place): Omit<Open, 'lines'> | undefined {
		let place = start;
		const isBreak = thematicBreakIn(body);
		for (;;) {
			const offset = this.items.at(-1) ?? 0;
			if (place.column - offset > 3) return undefined;
			const rest = body.slice(place.at);
			const fence = /^(`{3,})([^`]*)$|^(~{3,})(.*)$/.exec(rest);
			if (fence) return { marks: fence[1] ?? fence[3]!, info: fence[2] ?? fence[4]!, offset };
			const marker = /^(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)/.exec(rest)?.[0];
			if (marker === undefined || isBreak(rest)) return undefined;
			const end = place.column + marker.length;
			const next = skipSpace(body, place.at + marker.length, end);
			const isEmpty = next.at === body.length;
			this.items.push(isEmpty || next.column - end > 4 ? end + 1 : next.column);
			if (isEmpty) return undefined;
			place = next;
		}
	}

	private closeBlock(hasClosing: boolean): void {
		const { lines, marks, info, offset } = this.open!;
		this.blocks.push({
			kind: 'fence',
			text: lines.join(''),
			language: /\S+/.exec(info)?.[0] ?? '',
			lines: lines.length - (hasClosing ? 2 : 1),
			closing: hasClosing ? '' : ' '.repeat(offset) + marks
		});
		this.open = undefined;
	}

	private closeProse(): void {
		if (this.prose.length > 0) this.blocks.push({ kind: 'prose', text: this.prose.join('') });
		this.prose = [];
	}
}

/** An index in a line, and the column that it is at, since a tab's width depends on it. */
interface Place {
	at: number;
	column: number;
}

function skipSpace(line: string, at: number, column: number): Place {
	const place = { at, column };
	for (; line[place.at] === ' ' || line[place.at] === '\t'; place.at++) {
		place.column += line[place.at] === '\t' ? 4 - (place.column % 4) : 1;
	}
	return place;
}
