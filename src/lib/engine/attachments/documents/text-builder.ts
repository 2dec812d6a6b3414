import { attachmentLimits } from '../../../conversation/attachment-limits';

/** The most cells without text that are written as such between two with some. */
const maxEmpty = 100;

/** Puts the text of a document together, up to the length that all of it may have: a paragraph a line, and a table's row a line with tabs between its cells. */
export class TextBuilder {
	private text = '';
	/** True where the text ends a line. To look at its end each time would join all its pieces each time. */
	private ended = true;
	/** Characters that come before the next text, if any follows on the line. */
	private between = '';
	private cells = 0;

	/** Adds text as it is. */
	add(text: string): void {
		if (text === '' || this.text.length > attachmentLimits.textBytes) return;
		this.text += this.between + text;
		this.between = '';
		this.ended = text.endsWith('\n');
	}

	/** Adds text in which blank space of any kind is one space, and none at the start of a line or a cell. */
	flow(text: string): void {
		const words = text.replace(/[ \t\r\n\f]+/g, ' ');
		this.add(this.isLineStart || this.between !== '' ? words.trimStart() : words);
	}

	/** Begins a line; within a cell that stays the line of its row. */
	break(): void {
		if (this.cells > 0) this.between ||= ' ';
		else this.add('\n');
	}

	/** Ends the line, unless nothing is on it. */
	line(): void {
		this.between = '';
		if (!this.isLineStart) this.add('\n');
	}

	openCell(): void {
		this.cells++;
	}

	closeCell(): void {
		this.cells--;
		this.skip(1);
	}

	/** Leaves so many cells behind, each of which may be empty. */
	skip(cells: number): void {
		const tabs = this.between.replace(' ', '');
		this.between = tabs + '\t'.repeat(Math.max(0, Math.min(cells, maxEmpty - tabs.length)));
	}

	toString(): string {
		return this.text;
	}

	private get isLineStart(): boolean {
		return this.between === '' && this.ended;
	}
}
