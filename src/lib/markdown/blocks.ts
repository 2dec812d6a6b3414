import type { Token } from 'markdown-it';
import { newNames, type Names } from './escape-code';
import { mayBeginMath } from './math';
import { languageOf, type Outline, parser, type References, render, renderPlain } from './render';

/** One or more top-level blocks of the text that no further text can change. `key` is unique within its stream, also across replaced texts. */
export interface Block {
	key: number;
	html: string;
}

/**
 * Text that is not settled yet: HTML to show in its place until then, or a fence, whose text only grows as long as its key
 * stays the same.
 */
export type Open = { kind: 'html'; html: string } | { kind: 'fence'; key: number; language: string; text: string };

/** A top-level block longer than this, in characters, is shown as plain text, so that no input can stall the page. */
export const maxBlock = 32_000;

/** Blocks that are settled at once become one up to this length, in characters: what a block costs apart from its text is paid once. */
const maxGroup = 4_000;

/** A fence that has been opened at top level and not closed; `shown` is its text so far, without the fence's indent. */
interface Fence {
	key: number;
	closer: RegExp;
	indent: RegExp;
	language: string;
	/** Offset of the end of its opening line in the text that it was found in. */
	firstLineEnd: number;
	shown: string;
}

interface Settled {
	block: Block;
	source: string;
	/** Count of the definitions that were known when it was rendered. */
	known: number;
	/** Set once later definitions have changed it. */
	learned: boolean;
	/** The headings that it stands under. */
	outline: Outline;
	/** The names that the blocks before it left. */
	names: Names;
}

/** State of a stream that `finish()` changes. */
interface Progress {
	settledBlocks: Settled[];
	references: References;
	definitions: number;
	outline: Outline;
	names: Names;
	tail: string;
	scanned: number;
	fence: Fence | null;
}

/**
 * Turns Markdown that arrives in pieces into blocks of HTML. A settled block is rendered once; what is parsed again as
 * text arrives is only what follows the last settled block, and of an open fence not even that. So the cost of a piece
 * depends on the length of the block it falls into, never on that of the answer.
 *
 * Concatenated after `finish()` and all of `resolveNext()`, the blocks are what `render` makes of the whole text, however it was cut into
 * pieces. A link whose definition comes in a later block is the one thing that a settled block can still learn: `resolveNext()`
 * renders such a block again, and replaces it under its old key if it changes. The exception is a block longer than
 * `maxBlock` that is no fence; it becomes plain text, in one piece or several.
 * Nothing of it is sanitized yet.
 */
export class BlockStream {
	/** Characters given to the parser so far, for tests and benchmarks: the measure of work that no machine's speed bends. */
	parsed = 0;
	/** Count of the figures in all HTML of settled blocks so far: laying one out costs as much as many lines. */
	figures = 0;

	private raw = '';
	private settledBlocks: Settled[] = [];
	private blockCache: readonly Block[] | undefined;
	private references: References = {};
	private definitions = 0;
	private outline: Outline = [];
	private names = newNames();
	/** Everything after the last settled block, with line ends normalised. */
	private tail = '';
	/** The length of that part of `tail` in which boundaries have been looked for; it ends after a line end. */
	private scanned = 0;
	private fence: Fence | null = null;
	private openCache: Open | null | undefined;
	/** State before `finish()`: the text may go on after all. */
	private beforeEnd: Progress | null = null;
	/** Count of the settled blocks that `resolveNext` is done with. */
	private resolved = 0;
	private nextKey = 0;

	/** The settled blocks, oldest first: a new array whenever one is added or replaced, and the same one until then. */
	get blocks(): readonly Block[] {
		return (this.blockCache ??= this.settledBlocks.flatMap(({ block }) => (block.html === '' ? [] : [block])));
	}

	/** Text that follows the settled blocks, rendered when it is asked for; null if nothing visible does. */
	get open(): Open | null {
		if (this.openCache === undefined) this.openCache = this.renderOpen();
		return this.openCache;
	}

	/** Makes `text` the whole text: what it adds is appended; if it is not a continuation, everything starts over. */
	set(text: string): void {
		if (text === this.raw) return;
		if (!text.startsWith(this.raw)) this.reset();
		this.reopen();
		this.append(text.slice(this.raw.length));
	}

	append(delta: string): void {
		if (this.beforeEnd) throw new Error('append after finish');
		if (delta === '') return;
		// A carriage return may be the first half of a line end, so it waits for what follows it.
		const held = this.raw.endsWith('\r') ? '\r' : '';
		this.raw += delta;
		const ready = held + (delta.endsWith('\r') ? delta.slice(0, -1) : delta);
		for (let at = 0; at < ready.length; ) {
			let end = Math.min(ready.length, at + maxBlock / 2);
			if (ready[end - 1] === '\r' && ready[end] === '\n') end++;
			this.take(ready.slice(at, end).replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd'));
			at = end;
		}
	}

	/** Settles what is open; the text is complete. */
	finish(): void {
		if (this.beforeEnd) return;
		const { settledBlocks, references, definitions, outline, names, tail, scanned, fence } = this;
		this.beforeEnd = {
			settledBlocks: [...settledBlocks],
			references: { ...references },
			definitions,
			outline: [...outline],
			names: { ...names },
			tail,
			scanned,
			fence: fence && { ...fence }
		};
		if (this.raw.endsWith('\r')) this.take('\n');
		this.fence = null;
		this.settleUpTo(this.blockEnds(this.tail));
		this.tail = '';
		this.openCache = null;
	}

	/**
	 * Once the text is complete, renders the next block again that may have learned a definition from a later one. Returns how many lines
	 * that block has, 0 if there is none left.
	 */
	resolveNext(): number {
		for (let settled; this.beforeEnd && (settled = this.settledBlocks[this.resolved]); ) {
			this.resolved++;
			const { block, source, known, learned, outline, names } = settled;
			if ((known === this.definitions && !learned) || !source.includes('[') || source.length > maxBlock) continue;
			const html = this.counted(source, render, this.references, [...outline], { ...names });
			if (html !== block.html) {
				settled.learned = true;
				settled.block = { key: block.key, html };
				this.figures += figuresIn(html);
				this.blockCache = undefined;
			}
			return source.split('\n').length;
		}
		return 0;
	}

	private reset(): void {
		this.raw = this.tail = '';
		this.settledBlocks = [];
		this.blockCache = undefined;
		this.references = {};
		this.definitions = 0;
		this.outline = [];
		this.names = newNames();
		this.scanned = 0;
		this.fence = null;
		this.openCache = undefined;
		this.beforeEnd = null;
		this.resolved = 0;
	}

	/** Takes `finish()` back. What blocks have learned they keep until the next end, so that none is drawn again for that. */
	private reopen(): void {
		if (!this.beforeEnd) return;
		Object.assign(this, this.beforeEnd);
		this.beforeEnd = null;
		this.blockCache = this.openCache = undefined;
		this.resolved = 0;
	}

	private take(text: string): void {
		this.tail += text;
		this.openCache = undefined;
		while (this.fence ? this.advanceFence(this.fence) : this.advanceBlocks());
	}

	/** Follows an open fence line by line; true if it closed and more may follow. */
	private advanceFence(fence: Fence): boolean {
		for (;;) {
			const end = this.tail.indexOf('\n', this.scanned);
			if (end < 0) return false;
			const line = this.tail.slice(this.scanned, end);
			this.scanned = end + 1;
			if (fence.closer.test(line)) {
				this.fence = null;
				this.settleUpTo([this.scanned]);
				return true;
			}
			fence.shown += `${line.replace(fence.indent, '')}\n`;
		}
	}

	/** Settles what whole lines decide; true if a fence is open at the end, whose text has been seen but not followed. */
	private advanceBlocks(): boolean {
		const end = this.tail.lastIndexOf('\n') + 1;
		if (end > this.scanned) {
			const text = this.tail.slice(0, end);
			const { settled, fence } = this.findBoundaries(text);
			this.scanned = fence ? fence.firstLineEnd : end;
			this.settleUpTo(settled);
			this.fence = fence && { ...fence, key: this.nextKey++ };
			if (fence) return true;
		}
		while (this.tail.length > maxBlock) this.settleUpTo([maxBlock], renderPlain);
		return false;
	}

	/**
	 * The ends of those blocks in `text`, which consists of whole lines, that nothing after it can change. A block is
	 * decided by the lines up to the one that ends it, so every block before the last is; and the last one is where its
	 * form ends by itself, or where a blank line has ended it.
	 */
	private findBoundaries(text: string): { settled: number[]; fence: Omit<Fence, 'key'> | null } {
		const starts = lineStarts(text);
		const blocks = this.parseBlocks(text);
		const last = blocks.at(-1);
		if (!last) return { settled: [], fence: null };

		const offsets = blocks.map((block) => starts[block.line]!);
		const blankEnd = lastBlankLineEnd(text, starts);
		// Any line with a bar in it, also one that looks like a heading or a fence, heads a table if the next line says so.
		const mayHeadTable = last.line === starts.length - 2 && text.slice(offsets.at(-1)).includes('|');
		const fence = last.token.type === 'fence' && !mayHeadTable ? openFence(last.token, text, offsets.at(-1)!) : null;
		const complete =
			fence === null &&
			!mayHeadTable &&
			(isEndedByForm(last.token) || (blankEnd === text.length && endedByBlankLine.has(last.token.type)));

		const settled = offsets.slice(1);
		if (complete) settled.push(text.length);
		const held = firstHeld(text, offsets, blocks, blankEnd);
		return held === undefined ? { settled, fence } : { settled: settled.slice(0, held), fence: null };
	}

	private parseBlocks(text: string): TopBlock[] {
		this.parsed += text.length;
		const tokens: Token[] = [];
		parser.block.parse(text, parser, { references: {} }, tokens);
		const blocks: TopBlock[] = [];
		for (const token of tokens) {
			if (token.level === 0 && token.nesting >= 0) blocks.push({ token, line: token.map![0], defines: false });
			if (token.type === 'reference_definition') blocks.at(-1)!.defines = true;
		}
		return blocks;
	}

	/** Returns where the top-level blocks of `text` end. */
	private blockEnds(text: string): number[] {
		const starts = lineStarts(text);
		const blocks = this.parseBlocks(text);
		return blocks.map((_, index) => (index + 1 < blocks.length ? starts[blocks[index + 1]!.line]! : text.length));
	}

	/** Settles the tail's text up to each of `ends`, which ascend: blocks that are short go together. */
	private settleUpTo(ends: number[], renderWith = render): void {
		let start = 0;
		ends.forEach((end, index) => {
			const next = ends[index + 1];
			if (next !== undefined && next - start <= maxGroup) return;
			this.settle(this.tail.slice(start, end), renderWith);
			start = end;
		});
		this.tail = this.tail.slice(start);
		this.scanned = Math.max(0, this.scanned - start);
	}

	private settle(source: string, renderWith = render): void {
		const plain = source.length > maxBlock && !/^\s*(```|~~~)/.test(source);
		const outline = [...this.outline];
		const names = { ...this.names };
		const found = Object.create(this.references) as References;
		const html = this.counted(source, plain ? renderPlain : renderWith, found, this.outline, this.names);
		const block = { key: this.nextKey++, html };
		this.figures += figuresIn(html);
		Object.assign(this.references, found);
		this.definitions += Object.keys(found).length;
		this.settledBlocks.push({ block, source, known: this.definitions, learned: false, outline, names });
		this.blockCache = undefined;
	}

	private renderOpen(): Open | null {
		if (this.fence) {
			const rest = this.tail.slice(this.scanned);
			// While the last line could still become the closing one, or is only indent so far, it is not shown.
			const text = /^[ \t]*(?:[`~]+[ \t]*)?$/.test(rest) ? '' : rest.replace(this.fence.indent, '');
			const { key, language, shown } = this.fence;
			return { kind: 'fence', key, language, text: shown + text };
		}
		// A last line of nothing but marks may become anything: after a paragraph, the `-` of a coming list would flash a heading.
		const text = this.tail.replace(/(^|\n)[ \t]*([-=]+|[*+_>#`~|]+)[ \t]*$/, '$1');
		if (isBlank(text)) return null;
		const html = this.counted(text, render, Object.create(this.references) as References, [...this.outline], { ...this.names });
		return html === '' ? null : { kind: 'html', html };
	}

	private counted(source: string, renderWith: typeof render, references: References, outline: Outline, names: Names): string {
		this.parsed += source.length;
		return renderWith(source, references, outline, names);
	}
}

interface TopBlock {
	token: Token;
	/** Its first line, counted from 0. */
	line: number;
	/** Set where a link reference definition is in it. */
	defines: boolean;
}

function isEndedByForm({ type, info }: Token): boolean {
	return ['heading_open', 'hr', 'fence', 'math_block'].includes(type) || (type === 'details_open' && info === 'closed');
}

/** Not lists and indented code, which go on after blank lines if the next line is indented. */
const endedByBlankLine = new Set(['paragraph_open', 'blockquote_open', 'table_open', 'reference_definition']);

/** The index of the first block that what follows may still make part of another; undefined for none. Only a blank line rules that out. */
function firstHeld(text: string, offsets: number[], blocks: TopBlock[], blankEnd: number): number | undefined {
	const held = [beforeTitle(text, offsets, blocks, blankEnd), atLabel(text, offsets, blocks, blankEnd), atMath(text, offsets, blocks, blankEnd)].filter(
		(index) => index >= 0
	);
	return held.length > 0 ? Math.min(...held) : undefined;
}

/**
 * The one look-back in the grammar: the title of a link reference definition may start on the line after it and close
 * any number of lines later, and until it does, these lines look like blocks of their own. Returns the index of the block that
 * such a title may yet extend, or -1.
 */
function beforeTitle(text: string, offsets: number[], blocks: TopBlock[], blankEnd: number): number {
	return blocks.findIndex((block, index) => {
		const next = offsets[index + 1];
		return block.defines && next !== undefined && next > blankEnd && /^[ \t]*["'(]/.test(text.slice(next, next + 8));
	});
}

/** The index of the block in which a label begins that has no end yet, or -1: what looks like a heading below it is a part of it, if it defines something. */
function atLabel(text: string, offsets: number[], blocks: TopBlock[], blankEnd: number): number {
	const from = Math.max(0, blankEnd, text.lastIndexOf(']'));
	const first = /^ {0,3}\[/m.exec(text.slice(from));
	if (!first) return -1;
	const index = blockAt(offsets, from + first.index);
	return verbatim.has(blocks[index]!.token.type) ? -1 : index;
}

/** The index of the block in which the character at `offset` is. */
function blockAt(offsets: number[], offset: number): number {
	return offsets.findLastIndex((start, index) => index === 0 || start <= offset);
}

/** The index of the block in which a formula begins that has no end yet, or -1. */
function atMath(text: string, offsets: number[], blocks: TopBlock[], blankEnd: number): number {
	for (let start = Math.max(0, blankEnd), end; start < text.length; start = end + 1) {
		end = text.indexOf('\n', start);
		if (!mayBeginMath(text.slice(start, end))) continue;
		const index = blockAt(offsets, start);
		if (!verbatim.has(blocks[index]!.token.type)) return index;
	}
	return -1;
}

const verbatim = new Set(['fence', 'code_block', 'math_block']);

/** The fence that starts at `start` and ends with `text`, if it is still open there. */
function openFence(token: Token, text: string, start: number): Omit<Fence, 'key'> | null {
	const closer = new RegExp(`^ {0,3}${token.markup[0]!}{${token.markup.length},}[ \\t]*$`);
	const [first, ...rest] = text.slice(start).split('\n');
	if (rest.some((line) => closer.test(line))) return null;
	const indent = /^ */.exec(first!)![0].length;
	return {
		closer,
		indent: new RegExp(`^ {0,${indent}}`),
		language: languageOf(token.info),
		firstLineEnd: start + first!.length + 1,
		shown: ''
	};
}

/** The offset after the last blank line of `text`, which consists of whole lines; -1 if there is none. */
function lastBlankLineEnd(text: string, starts: number[]): number {
	for (let line = starts.length - 2; line >= 0; line--) {
		if (isBlank(text.slice(starts[line], starts[line + 1]))) return starts[line + 1]!;
	}
	return -1;
}

function figuresIn(html: string): number {
	return html.split('<figure').length - 1;
}

function isBlank(text: string): boolean {
	return /^[ \t\n]*$/.test(text);
}

function lineStarts(text: string): number[] {
	const starts = [0];
	for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
	return starts;
}
