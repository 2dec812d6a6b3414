import { htmlBlockStart, inlineHtml, stillOpen } from './raw-html';

/**
 * What must follow `text`, so that Markdown after it, set off by a blank line and not indented, stands on its own: the
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

/** The rest of a line, and the column at which it starts, since a tab's width depends on it. */
interface Cursor {
	rest: string;
	column: number;
}

/** The first phase of CommonMark's parsing strategy, line by line, keeping only what is open and the raw HTML met. */
class BlockScan {
	private containers: Container[] = [];
	private leaf: Leaf = { kind: 'none' };
	/**
	 * The raw HTML in order, with `>` for the tags that the rest of the text becomes: all that counts of those is that
	 * they end a tag that was broken off.
	 */
	private html: string[] = [];

	line(text: string): void {
		const cursor = { rest: text, column: 0 };
		const matched = this.matchContainers(cursor);
		const inside = matched === this.containers.length;
		if (inside && this.leaf.kind === 'fence') return this.continueFence(this.leaf, cursor);
		if (inside && this.leaf.kind === 'html') return this.continueHtml(this.leaf, cursor.rest);

		const started = this.startBlocks(cursor, matched);
		if (started === 'leaf') return;
		const blank = isBlank(cursor.rest);
		if (!blank && this.leaf.kind === 'paragraph') {
			// Also in a container that this line does not continue: the lazy continuation of a paragraph.
			this.leaf.lines.push(cursor.rest);
			return;
		}
		if (started === 'nothing') this.closeTo(matched);
		if (!blank) this.open({ kind: 'paragraph', lines: [cursor.rest] });
	}

	/** What ends the block that is open at top level, and all raw HTML in order. */
	finish(): { end: string; html: string } {
		let end = '';
		if (this.containers.length === 0 && this.leaf.kind === 'fence') end = this.leaf.marks;
		if (this.containers.length === 0 && this.leaf.kind === 'html') end = this.leaf.end;
		if (this.leaf.kind === 'html') this.leaf.lines.push(end);
		this.closeTo(0);
		return { end, html: this.html.join('\n') };
	}

	/** How many of the open containers the line continues; the cursor moves past their marks. */
	private matchContainers(cursor: Cursor): number {
		let matched = 0;
		for (const container of this.containers) {
			const indent = indentOf(cursor);
			const blank = isBlank(cursor.rest);
			if (container.kind === 'quote') {
				if (indent > 3 || cursor.rest.trimStart()[0] !== '>') break;
				skipQuoteMark(cursor);
			} else if (blank) {
				if (container.empty) break;
			} else {
				if (indent < container.indent) break;
				skipColumns(cursor, container.indent);
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
		// Looked for once a line: a line can begin as many items as it has characters.
		const ruleLength = ruleAtEnd(cursor.rest);
		for (;;) {
			const depth = started === 'nothing' ? matched : this.containers.length;
			const inParagraph = this.leaf.kind === 'paragraph' && depth === this.containers.length;
			if (isBlank(cursor.rest)) return started;
			if (indentOf(cursor) > 3) {
				if (this.leaf.kind === 'paragraph') return started;
				// Indented code.
				this.closeTo(depth);
				this.open({ kind: 'none' });
				return 'leaf';
			}
			const text = cursor.rest.trimStart();
			if (text[0] === '>') {
				this.closeTo(depth);
				skipQuoteMark(cursor);
				this.enter({ kind: 'quote' });
				started = 'container';
				continue;
			}
			if (this.startLeaf(text, { depth, inParagraph, ruleLength })) return 'leaf';
			const indent = listItem(cursor, inParagraph);
			if (indent === null) return started;
			this.closeTo(depth);
			skipColumns(cursor, indent, true);
			this.enter({ kind: 'item', indent, empty: isBlank(cursor.rest) });
			started = 'container';
		}
	}

	/** Opens the block other than a paragraph or container that `text`, without its indent, starts; false if none. */
	private startLeaf(text: string, { depth, inParagraph, ruleLength }: { depth: number; inParagraph: boolean; ruleLength: number }): boolean {
		const heading = /^#{1,6}(?:[ \t].*)?$/.exec(text);
		const fence = /^(`{3,})[^`]*$|^(~{3,})/.exec(text);
		const html = htmlBlockStart(text, this.leaf.kind === 'paragraph');
		const underline = inParagraph && /^(?:=+|-+)[ \t]*$/.test(text);
		const rule = text.length <= ruleLength && text.replace(/[ \t]/g, '').length >= 3;
		if (!heading && !fence && !html && !underline && !rule) return false;

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
		const mark = fence.marks[0]!;
		const closes = indentOf(cursor) <= 3 && new RegExp(`^\\s*${mark}{${fence.marks.length},}[ \\t]*$`).test(cursor.rest);
		if (closes) this.leaf = { kind: 'none' };
	}

	private continueHtml(leaf: Extract<Leaf, { kind: 'html' }>, text: string): void {
		leaf.lines.push(text);
		if (leaf.endsAt ? leaf.endsAt.test(text) : isBlank(text)) this.closeLeaf();
	}

	private enter(container: Container): void {
		this.fillItem();
		this.html.push('>');
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

/** The columns from the cursor to the content of the list item that starts there, which later lines must be indented by. */
function listItem(cursor: Cursor, inParagraph: boolean): number | null {
	const text = cursor.rest.trimStart();
	const match = /^(?:[-+*]|(\d{1,9})[.)])(?=[ \t]|$)/.exec(text);
	if (!match) return null;
	const after = text.slice(match[0].length);
	// A line of a paragraph that happens to begin with a number is not a list, unless the number is 1.
	if (inParagraph && (isBlank(after) || (match[1] !== undefined && Number(match[1]) !== 1))) return null;
	const markerEnd = indentOf(cursor) + match[0].length;
	const space = indentOf({ rest: after, column: cursor.column + markerEnd });
	return isBlank(after) || space > 4 ? markerEnd + 1 : markerEnd + space;
}

function isBlank(text: string): boolean {
	return /^[ \t]*$/.test(text);
}

/** The width in columns of the white space that the rest of the line begins with; a tab reaches to the next fourth column. */
function indentOf({ rest, column }: Cursor): number {
	let at = column;
	for (const char of rest) {
		if (char === ' ') at++;
		else if (char === '\t') at += 4 - (at % 4);
		else break;
	}
	return at - column;
}

/** Moves past `count` columns of white space, or with `marks` of anything; a tab that is cut leaves spaces behind. */
function skipColumns(cursor: Cursor, count: number, marks = false): void {
	const goal = cursor.column + count;
	while (cursor.column < goal && cursor.rest !== '') {
		const char = cursor.rest[0]!;
		if (!marks && char !== ' ' && char !== '\t') return;
		const width = char === '\t' ? 4 - (cursor.column % 4) : 1;
		const over = Math.max(0, cursor.column + width - goal);
		cursor.rest = ' '.repeat(over) + cursor.rest.slice(1);
		cursor.column += width - over;
	}
}

function skipQuoteMark(cursor: Cursor): void {
	skipColumns(cursor, indentOf(cursor) + 1, true);
	skipColumns(cursor, 1);
}

/** Counts the characters at the end of a line that are nothing but one mark of a thematic break, and blanks. */
function ruleAtEnd(line: string): number {
	const mark = line.trimEnd().at(-1) ?? '';
	if (!'*_-'.includes(mark) || mark === '') return 0;
	let start = line.length;
	while (start > 0 && (line[start - 1] === mark || line[start - 1] === ' ' || line[start - 1] === '\t')) start--;
	return line.length - start;
}
