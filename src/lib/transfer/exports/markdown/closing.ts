import { thematicBreakIn } from '../../../shared/thematic-break';
import { htmlBlockStart, inlineHtml, stillOpen } from './raw-html';

/**
 * Returns what must follow `text`, so that Markdown after it, set off by a blank line and not indented, stands on its own: the
 * end of a fenced code block or HTML block that is open at top level, then the end tags of raw HTML that would draw what
 * follows into itself (`<details>`, `<script>`, a comment). '' if nothing is open. `text` has LF line ends.
 *
 * This follows CommonMark 0.31 (§§2.2, 3, 4, 5) as far as it decides which line belongs to which block. Everything but
 * those two kinds of block is ended by a blank line, or, inside a quotation or a list, by a line without indent.
 */
export function closing(text: string): string {
	const scan = new BlockScan();
	for (const line of text.split('\n')) scan.line(line);
	const { end, html } = scan.finish();

	const tags = stillOpen(html);
	if (end === '' && tags.length === 0) return '';
	// Tags are an HTML block of their own, so a blank line goes before them.
	const added = end === '' ? ['', ...tags] : tags.length === 0 ? [end] : [end, '', ...tags];
	return `${text.endsWith('\n') ? '' : '\n'}${added.join('\n')}`;
}

type Container = { kind: 'quote' } | { kind: 'item'; indent: number; empty: boolean };

type Leaf =
	| { kind: 'none' }
	| { kind: 'paragraph'; lines: string[] }
	| { kind: 'fence'; marks: string }
	| { kind: 'html'; endsAt: RegExp | null; end: string; lines: string[] };

/** A place in a line, in columns, since a tab's width depends on where it is. White space is measured once, however it is taken. */
class Cursor {
	private column = 0;
	/** The first character from the column on that is not white space, and its column. */
	private next = 0;
	private nextColumn = 0;

	constructor(private readonly line: string) {
		this.measure();
	}

	/** The columns of white space up to `text`. */
	get indent(): number {
		return this.nextColumn - this.column;
	}

	get isBlank(): boolean {
		return this.next === this.line.length;
	}

	/** The rest of the line, without its indent. */
	get text(): string {
		return this.line.slice(this.next);
	}

	/** Moves past `columns` of the indent; of a tab that is cut, the rest is indent still. */
	skipIndent(columns: number): void {
		this.column = Math.min(this.column + columns, this.nextColumn);
	}

	/** Moves past the indent and the first `length` characters of `text`. */
	skipMark(length: number): void {
		this.column = this.nextColumn += length;
		this.next += length;
		this.measure();
	}

	private measure(): void {
		for (; this.next < this.line.length; this.next++) {
			const char = this.line[this.next];
			if (char === ' ') this.nextColumn++;
			else if (char === '\t') this.nextColumn += 4 - (this.nextColumn % 4);
			else break;
		}
	}
}

/** The first phase of CommonMark's parsing strategy, line by line, keeping only what is open and the raw HTML met. */
class BlockScan {
	private containers: Container[] = [];
	/** The places of the quotations among the containers. */
	private quotes: number[] = [];
	private leaf: Leaf = { kind: 'none' };
	/**
	 * The raw HTML in order, with `>` for the tags that the rest of the text becomes: all that counts of those is that
	 * they end a tag that was broken off.
	 */
	private html: string[] = [];

	line(text: string): void {
		const cursor = new Cursor(text);
		const matched = this.matchContainers(cursor);
		const inside = matched === this.containers.length;
		if (inside && this.leaf.kind === 'fence') return this.continueFence(this.leaf, cursor);
		if (inside && this.leaf.kind === 'html') return this.continueHtml(this.leaf, cursor.text);

		const started = this.startBlocks(cursor, matched);
		if (started === 'leaf') return;
		if (!cursor.isBlank && this.leaf.kind === 'paragraph') {
			// Also in a container that this line does not continue: the lazy continuation of a paragraph.
			this.leaf.lines.push(cursor.text);
			return;
		}
		if (started === 'nothing') this.closeTo(matched);
		if (!cursor.isBlank) this.open({ kind: 'paragraph', lines: [cursor.text] });
	}

	/** Returns what ends the block that is open at top level, and all raw HTML in order. */
	finish(): { end: string; html: string } {
		let end = '';
		if (this.containers.length === 0 && this.leaf.kind === 'fence') end = this.leaf.marks;
		if (this.containers.length === 0 && this.leaf.kind === 'html') end = this.leaf.end;
		if (this.leaf.kind === 'html') this.leaf.lines.push(end);
		this.closeTo(0);
		return { end, html: this.html.join('\n') };
	}

	/** Counts the open containers that the line continues; the cursor moves past their marks. */
	private matchContainers(cursor: Cursor): number {
		let matched = 0;
		let quotes = 0;
		while (matched < this.containers.length) {
			const container = this.containers[matched]!;
			if (container.kind === 'quote') {
				if (cursor.indent > 3 || cursor.text[0] !== '>') break;
				skipQuoteMark(cursor);
				quotes++;
			} else if (cursor.isBlank) {
				// A blank line goes on with all items up to the next quotation at once: only the last container can be empty.
				matched = this.quotes[quotes] ?? this.containers.length;
				const last = this.containers[matched - 1]!;
				if (last.kind === 'item' && last.empty) return matched - 1;
				continue;
			} else {
				if (cursor.indent < container.indent) break;
				cursor.skipIndent(container.indent);
			}
			matched++;
		}
		return matched;
	}

	/**
	 * Opens the blocks that start on this line. `leaf` says that the line is dealt with, `container` that its rest begins
	 * inside a new container, `nothing` that no block starts; then nothing has been closed yet either.
	 */
	private startBlocks(cursor: Cursor, matched: number): 'leaf' | 'container' | 'nothing' {
		let started: 'container' | 'nothing' = 'nothing';
		const isBreak = thematicBreakIn(cursor.text);
		for (;;) {
			const depth = started === 'nothing' ? matched : this.containers.length;
			const inParagraph = this.leaf.kind === 'paragraph' && depth === this.containers.length;
			if (cursor.isBlank) return started;
			if (cursor.indent > 3) {
				if (this.leaf.kind === 'paragraph') return started;
				// Indented code.
				this.closeTo(depth);
				this.open({ kind: 'none' });
				return 'leaf';
			}
			const { text } = cursor;
			if (text[0] === '>') {
				this.closeTo(depth);
				skipQuoteMark(cursor);
				this.enter({ kind: 'quote' });
				started = 'container';
				continue;
			}
			if (this.startLeaf(text, { depth, inParagraph, isBreak })) return 'leaf';
			const mark = listMark(text, inParagraph);
			if (mark === null) return started;
			this.closeTo(depth);
			this.enter({ kind: 'item', indent: skipListMark(cursor, mark), empty: cursor.isBlank });
			started = 'container';
		}
	}

	/** Opens the block other than a paragraph or container that `text`, without its indent, starts; false if none. */
	private startLeaf(text: string, { depth, inParagraph, isBreak }: { depth: number; inParagraph: boolean; isBreak: (rest: string) => boolean }): boolean {
		const heading = /^#{1,6}(?:[ \t].*)?$/.exec(text);
		const fence = /^(`{3,})[^`]*$|^(~{3,})/.exec(text);
		const html = htmlBlockStart(text, this.leaf.kind === 'paragraph');
		const underline = inParagraph && /^(?:=+|-+)[ \t]*$/.test(text);
		if (!heading && !fence && !html && !underline && !isBreak(text)) return false;

		this.closeTo(depth);
		if (fence) {
			this.open({ kind: 'fence', marks: fence[1] ?? fence[2]! });
		} else if (html) {
			const leaf: Leaf = { kind: 'html', ...html, lines: [] };
			this.open(leaf);
			this.continueHtml(leaf, text);
		} else {
			this.open({ kind: 'none' });
			if (heading) this.pushInline(text);
		}
		return true;
	}

	private continueFence(fence: { marks: string }, cursor: Cursor): void {
		const end = /^(`+|~+)[ \t]*$/.exec(cursor.text)?.[1] ?? '';
		if (cursor.indent <= 3 && end.startsWith(fence.marks)) this.leaf = { kind: 'none' };
	}

	private continueHtml(leaf: Extract<Leaf, { kind: 'html' }>, text: string): void {
		leaf.lines.push(text);
		if (leaf.endsAt ? leaf.endsAt.test(text) : isBlank(text)) this.closeLeaf();
	}

	private enter(container: Container): void {
		this.fillItem();
		this.html.push('>');
		if (container.kind === 'quote') this.quotes.push(this.containers.length);
		this.containers.push(container);
	}

	private open(leaf: Leaf): void {
		this.fillItem();
		if (leaf.kind !== 'html') this.html.push('>');
		this.leaf = leaf;
	}

	private fillItem(): void {
		const last = this.containers.at(-1);
		if (last?.kind === 'item') last.empty = false;
	}

	private closeTo(depth: number): void {
		this.closeLeaf();
		if (depth < this.containers.length) this.html.push('>');
		this.containers.length = depth;
		while (this.quotes.at(-1)! >= depth) this.quotes.pop();
	}

	private pushInline(text: string): void {
		for (const piece of inlineHtml(text)) this.html.push(piece);
		this.html.push('>');
	}

	private closeLeaf(): void {
		if (this.leaf.kind === 'paragraph') this.pushInline(this.leaf.lines.join('\n'));
		if (this.leaf.kind === 'html') this.html.push(this.leaf.lines.join('\n'));
		this.leaf = { kind: 'none' };
	}
}

/** The mark of the list item that `text` begins with. */
function listMark(text: string, inParagraph: boolean): string | null {
	const match = /^(?:[-+*]|(\d{1,9})[.)])(?=[ \t]|$)/.exec(text);
	if (!match) return null;
	// A line of a paragraph that happens to begin with a number is not a list, unless the number is 1.
	if (inParagraph && (isBlank(text.slice(match[0].length)) || (match[1] !== undefined && Number(match[1]) !== 1))) return null;
	return match[0];
}

/** Moves to the content of a list item; how many columns that is, which later lines must be indented by. */
function skipListMark(cursor: Cursor, mark: string): number {
	const before = cursor.indent + mark.length;
	cursor.skipMark(mark.length);
	const space = cursor.isBlank || cursor.indent > 4 ? 1 : cursor.indent;
	cursor.skipIndent(space);
	return before + space;
}

function isBlank(text: string): boolean {
	return /^[ \t]*$/.test(text);
}

function skipQuoteMark(cursor: Cursor): void {
	cursor.skipMark(1);
	cursor.skipIndent(1);
}
